// Package program is the parsed bundle: the syntax tree with its scopes
// resolved, and dense numbers for functions and branches, in source order.
//
// Both emitters work on one Program, so that they agree on what each name means,
// on which functions are pure, and on the numbers in the manifest. Nothing here
// depends on map order or time: the same text gives the same Program.
//
// # Shared rewriting
//
// What both builds rewrite in the same way lives in Common (common.go): boxed
// variables, annotations, registrations, refused calls. An emitter's hooks ask
// Common first:
//
//	type hooks struct{ *program.Common; … }
//
//	func (h *hooks) Expr(p *printer.Printer, e ast.Expression) bool {
//		if h.Common.Expr(p, e) {
//			return true
//		}
//		… its own rewriting
//	}
//
// and likewise for Stmt; Target and Short can be used as Common has them, unless
// the emitter rewrites targets of its own. At the beginning of each function the
// emitter prints Common.Hoisted(literal); for the whole program Hoisted(nil).
//
// # What is refused
//
// Direct eval and `with` make names unresolvable and are refused with their
// position, wherever they stand. Code made from computed text (`new Function(x)`)
// is refused in the app's own files; in a dependency it becomes a warning and a
// call that throws, because such packages usually have another way.
package program

import (
	"fmt"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/syntax"
)

// Annotation is the free name whose calls mark loggable state.
const Annotation = "__karousos_loggable"

// Position is a place in the original source, or in the bundle when no map is known.
type Position struct {
	File         string
	Line, Column int // from 1
}

func (p Position) String() string {
	if p.File == "" {
		return fmt.Sprintf("bundle:%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is something that the build refuses, or warns of.
type Problem struct {
	Offset int // in the bundle
	Pos    Position
	Msg    string
}

func (p *Problem) Error() string { return p.Pos.String() + ": " + p.Msg }

// Problems is the error of a build: all that was found, in source order.
type Problems []*Problem

func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Error())
	}
	return b.String()
}

// Program is one parsed bundle.
type Program struct {
	Text string
	AST  *ast.Program

	Funcs    []*Func   // by ID; Funcs[0] is the program itself
	Branches []*Branch // by ID
	Scope    *Scope    // the outermost
	Free     map[string][]*Ref
	Warnings []*Problem

	strict  map[ast.Statement]bool // statements of ES modules; see modules.go
	outside []string               // their variables that other modules use

	origin   func(offset int) (Position, bool)
	refs     map[*ast.Identifier]*Ref
	funcs    map[ast.Node]*Func
	branches map[branchKey]*Branch
	names    map[string]bool  // every name that occurs as an identifier
	written  []ast.Expression // the objects of members that are written to
	props    map[string]bool  // every name that the program gives to a property
	keeping  map[string]bool  // names under which methods are kept that listeners are handed to
	annots   map[*ast.CallExpression]annotation
	boxes    map[ast.Node][]*Binding         // var bindings to box, by function
	inferred map[ast.Expression]SharedObject // expressions whose objects are loggable without an annotation
	sharedIn map[ast.Node][]SharedObject     // parameters and functions that are, by function
	sharing  func(*Program) Sharing
	decls    map[int][]*Binding // by the offset of a declaring name
	// What Captured found, once somebody asked: by function, at all, and functions whose this is used inside.
	captured map[*Func][]*Binding
	held     map[*Binding]bool
	outer    map[*Func]bool
	assigned map[*Func][]*Binding
	// those that cannot live in a box; nil until somebody asks
	unboxable map[*Binding]bool
	refused   map[ast.Expression]string
	problems  Problems
	naming    map[ast.Expression]string // anonymous functions that what stands between would take the name from
	expected  map[ast.Expression]string // what the language calls anonymous functions where they stand; nil until somebody asks
	defines   map[ast.Expression]bool   // classes, functions and symbols that shared state may refer to
	defining  bool                      // what shared state may refer to is noted
	hoisted   map[ast.Node][]string     // functions declared in code that runs once, by the function that it is
}

// Annotated reports whether the program has loggable state at all.
func (p *Program) Annotated() bool {
	return len(p.annots) > 0 || len(p.inferred) > 0 || len(p.sharedIn) > 0 || p.anyBoxed()
}

// Func is a function, method, class static block, or the program itself.
type Func struct {
	ID        int
	Node      ast.Node // *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassStaticBlock; nil for the program
	Name      string   // as the language or a reader would call it; "" if nothing suggests one
	Offset    int
	Parent    *Func
	Strict    bool
	Generator bool
	Async     bool
	Arrow     bool
	Method    bool // object or class method, getter or setter
	Ctor      bool // constructor of a class
	Loop      bool // contains a loop, not counting functions inside
	This      bool // uses this, super or new.target, itself or in an arrow function inside
	Arguments bool // uses arguments, likewise

	// Pure functions write to nothing but objects of their own, touch nothing
	// loggable, take and call no callbacks: they stay out of the digest, and the
	// verifier may run them lane by lane. Only functions with a loop and what they
	// call are looked at.
	Pure bool

	impure string // why it is not, for tests
}

// Branch is one side of a branch that the digest tells apart.
type Branch struct {
	ID     int
	Side   printer.Side
	Node   ast.Node
	Func   *Func
	Offset int
}

type branchKey struct {
	node ast.Node
	side printer.Side
}

// Func finds the function of a literal; nil asks for the program itself.
func (p *Program) Func(n ast.Node) *Func {
	if n == nil {
		return p.Funcs[0]
	}
	return p.funcs[n]
}

// Branch finds a branch's side as the printer names it, or nil if it is not told apart.
func (p *Program) Branch(side printer.Side, n ast.Node) *Branch {
	return p.branches[branchKey{n, side}]
}

// Ref finds what an identifier refers to. Labels, member names and names that only
// declare have none.
func (p *Program) Ref(id *ast.Identifier) *Ref { return p.refs[id] }

// Binding is the binding of an identifier, reference or declaration, or nil if it is free.
func (p *Program) Binding(id *ast.Identifier) *Binding {
	if r := p.refs[id]; r != nil {
		return r.Binding
	}
	return nil
}

// IsFree reports whether id is a reference to the free name given.
func (p *Program) IsFree(e ast.Expression, name string) bool {
	id, ok := e.(*ast.Identifier)
	if !ok || id.Name.String() != name {
		return false
	}
	r := p.refs[id]
	return r != nil && r.Binding == nil
}

// Fresh is name, or the first of name1, name2, … such that the program uses neither
// it nor it with a number behind.
func (p *Program) Fresh(name string) string {
	if !p.used(name) {
		return name
	}
	for i := 1; ; i++ {
		if n := fmt.Sprint(name, i); !p.used(n) {
			return n
		}
	}
}

func (p *Program) used(name string) bool {
	for n := range p.names {
		if strings.HasPrefix(n, name) && strings.Trim(n[len(name):], "0123456789") == "" {
			return true
		}
	}
	return false
}

// Position leads from an offset in the bundle to the original file, if a map is known.
func (p *Program) Position(offset int) Position {
	if p.origin != nil {
		if pos, ok := p.origin(offset); ok {
			return pos
		}
	}
	offset = max(0, min(offset, len(p.Text)))
	head := p.Text[:offset]
	return Position{Line: 1 + strings.Count(head, "\n"), Column: offset - strings.LastIndexByte(head, '\n')}
}

// dependency reports whether the text at offset comes from an npm package.
func (p *Program) dependency(offset int) bool {
	return strings.Contains("/"+p.Position(offset).File, "/node_modules/")
}

// Option changes how Parse works.
type Option func(*Program)

// WithOrigin gives Parse the bundle's source map.
func WithOrigin(f func(offset int) (Position, bool)) Option {
	return func(p *Program) { p.origin = f }
}

// WithSharing makes loggable what f finds to be shared, as if it were annotated.
func WithSharing(f func(*Program) Sharing) Option {
	return func(p *Program) { p.sharing = f }
}

// WithDefinitions notes what shared state may refer to (see definitions.go).
func WithDefinitions() Option {
	return func(p *Program) { p.defining = true }
}

// Parse parses and resolves a bundle. The error is a Problems.
func Parse(text string, opts ...Option) (*Program, error) {
	p := &Program{
		Text:     text,
		Free:     map[string][]*Ref{},
		refs:     map[*ast.Identifier]*Ref{},
		funcs:    map[ast.Node]*Func{},
		branches: map[branchKey]*Branch{},
		names:    map[string]bool{},
		props:    map[string]bool{},
		keeping:  map[string]bool{},
		annots:   map[*ast.CallExpression]annotation{},
		boxes:    map[ast.Node][]*Binding{},
		inferred: map[ast.Expression]SharedObject{},
		sharedIn: map[ast.Node][]SharedObject{},
		decls:    map[int][]*Binding{},
		refused:  map[ast.Expression]string{},
		naming:   map[ast.Expression]string{},
		defines:  map[ast.Expression]bool{},
		hoisted:  map[ast.Node][]string{},
	}
	for _, o := range opts {
		o(p)
	}
	tree, err := syntax.Parse(text)
	if err != nil {
		problem := &Problem{Msg: err.Error()}
		if e, ok := err.(*syntax.Error); ok {
			problem.Offset, problem.Msg = e.Offset, e.Msg
		}
		problem.Pos = p.Position(problem.Offset)
		return nil, Problems{problem}
	}
	mendLowering(tree)
	mendDelegation(tree, false)
	noteAsync(tree)
	p.noteKeeping(tree)
	p.AST = tree
	if p.strict != nil {
		p.divide(tree.Body)
	}
	p.resolve()
	p.replacedBuiltins()
	if len(p.problems) == 0 {
		p.annotate()
	}
	if len(p.problems) == 0 && p.sharing != nil {
		p.share(p.sharing(p))
	}
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	if p.defining = p.defining && p.Annotated(); p.defining {
		p.define()
	}
	p.purity()
	return p, nil
}

func (p *Program) problem(offset int, format string, args ...any) {
	p.problems = append(p.problems, &Problem{offset, p.Position(offset), fmt.Sprintf(format, args...)})
}

func (p *Program) warn(offset int, format string, args ...any) {
	p.Warnings = append(p.Warnings, &Problem{offset, p.Position(offset), fmt.Sprintf(format, args...)})
}
