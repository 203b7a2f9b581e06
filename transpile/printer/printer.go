// Package printer prints a syntax tree as JavaScript that means exactly the same.
//
// Both emitters are this printer plus hooks: a hook looks at a node before it is
// printed and may print something else in its place. Everything else (where
// parentheses are needed, which names a function infers, what begins a
// statement) is decided here, once.
//
// Literals are copied from the source text, so escapes, regular expressions and
// raw template text survive. Nothing else of the text's layout does.
//
// # Hooks
//
// Hooks.Expr and Hooks.Stmt see every expression and statement in a position
// where it is *evaluated*. A hook that returns true has printed the node. What
// Expr printed must fit at Level(): print a call, a member or something in
// parentheses, and it always does (in the callee of `new` the printer adds
// parentheses by itself).
//
// A hook may also implement
//
//   - TargetHook, for identifiers and members that are written to or declared;
//     without it they are printed as they are, and the objects and keys of members
//     are still hooked.
//   - MarkHook, for statements or expressions to run where a function or one
//     side of a branch begins.
//   - ReferenceHook, for members that are called, tag a template, are deleted or
//     stand in an optional chain; without it their parts are hooked.
//   - ShortHook, for `{x}` in object literals and patterns.
//   - IterationHook, for what is iterated over.
//   - FuncHook, to know which function is being printed, and BodyEndHook, to add to
//     the end of its body.
//
// To print children, a hook calls Expr, Stmt and so on again; to print the node
// itself in the ordinary way with something round it, DefaultExpr, DefaultStmt.
package printer

import (
	"fmt"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// Mapping says that the text from Gen on was printed for the source at Src (byte offsets).
type Mapping struct{ Gen, Src int }

// Hooks see each node first; they return true when they printed it.
type Hooks interface {
	Expr(p *Printer, e ast.Expression) bool
	Stmt(p *Printer, s ast.Statement) bool
}

// TargetHook prints what is written to: the left side of an assignment, the
// operand of ++ and --, the places in a pattern, the head of for-in and for-of,
// and (declared true) the names that a declaration or parameter list binds.
// Patterns themselves do not come here, only the identifiers and members in them.
type TargetHook interface {
	Target(p *Printer, e ast.Expression, declared bool) bool
}

// PatternHook tells what an object pattern takes from its value first.
type PatternHook interface {
	PatternBegin(e *ast.ObjectPattern) string
}

// IterationHook prints what is iterated over.
type IterationHook interface {
	Iterated(p *Printer, x ast.Expression, by Iteration) bool
}

// Iteration is what iterates.
type Iteration int

// By a loop; by a spread among elements, arguments, or as the last of them, which the engine
// words otherwise when it fails; by yield*; by an array pattern that is declared.
const (
	ForOf Iteration = iota
	SpreadElement
	SpreadArgument
	SpreadLast
	Delegation
	Declaration
)

// Text is how V8 shows x when it does not iterate: in "… is not iterable", or for a last
// argument in "… is not iterable (cannot read property undefined)". It is "" where V8
// tells no more than x's type.
func (by Iteration) Text(x ast.Expression) string {
	switch by {
	case ForOf:
		if o, ok := x.(*ast.ObjectLiteral); ok && !syntax.Constant(o) {
			return ""
		}
		return syntax.IteratedText(x)
	case SpreadElement:
		return syntax.IteratedText(x)
	case SpreadLast:
		return syntax.CalleeText(x)
	case Delegation:
		switch x.(type) {
		case *ast.Identifier, *ast.ThisExpression, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.ObjectLiteral:
		default:
			return "yield* (intermediate value)"
		}
	case Declaration:
		if syntax.Named(x) {
			return syntax.IteratedText(x)
		}
	}
	return ""
}

// ReferenceHook prints a member where it stands for a place: a callee (its object
// becomes `this`), a template's tag, the operand of delete.
type ReferenceHook interface {
	Reference(p *Printer, e ast.Expression) bool
}

// ShortHook prints a shorthand property in full when its name changed. In a
// pattern, the property's value is a target: declared when the pattern declares.
type ShortHook interface {
	Short(p *Printer, s *ast.PropertyShort, pattern, declared bool) bool
}

// FuncHook is told where a function, arrow function or class static block
// begins (before its parameters) and ends. n is its node.
type FuncHook interface {
	FuncBegin(p *Printer, n ast.Node)
	FuncEnd(p *Printer, n ast.Node)
}

// BodyEndHook may add statements at the end of a function's body (not of an arrow
// function's expression), for declarations that are only known by then.
type BodyEndHook interface {
	BodyEnd(p *Printer, n ast.Node)
}

// Side is a place where control arrives.
type Side int

const (
	SideFunc     Side = iota // a function's body, after its directives; n is its literal
	SideThen                 // the consequent of an if
	SideElse                 // the alternate of an if that has one
	SideLoop                 // the body of a loop
	SideCase                 // a case or default clause
	SideCatch                // a catch clause
	SideCondThen             // the consequent of ?:
	SideCondElse             // the alternate of ?:
	SideRight                // the right side of && || ?? and of their assignments
	SideDefault              // a default value; n is the initialiser
)

// MarkHook adds code where control arrives. MarkStmt prints whole statements, or
// nothing. MarkExpr prints an expression to be evaluated before the side's own,
// or returns false. It is not asked about an anonymous function or class that
// takes its name from where it stands.
type MarkHook interface {
	MarkStmt(p *Printer, side Side, n ast.Node)
	MarkExpr(p *Printer, side Side, n ast.Node) bool
}

// Prec is how tightly an expression binds. What needs an operand at some level
// gets parentheses round anything that binds less tightly.
type Prec int

const (
	PrecSequence Prec = iota
	PrecAssign        // also yield and arrow functions
	PrecConditional
	PrecCoalesce
	PrecOr
	PrecAnd
	PrecBitOr
	PrecBitXor
	PrecBitAnd
	PrecEquality
	PrecRelational
	PrecShift
	PrecAdd
	PrecMultiply
	PrecExponent
	PrecUnary
	PrecUpdate
	PrecCall
	PrecNew // members and `new` with arguments; no call on the way, as the callee of `new` needs
	PrecPrimary
)

// Printer builds the text. Make one with New.
type Printer struct {
	src   string
	hooks Hooks
	tgt   TargetHook
	mark  MarkHook
	short ShortHook
	begin PatternHook
	ref   ReferenceHook
	iter  IterationHook
	fn    FuncHook
	end   BodyEndHook

	out    []byte
	maps   []Mapping
	indent int
	level  Prec

	stmtStart  int  // where a statement begins: no `{`, function or class may begin here bare
	arrowStart int  // where an arrow function's expression body begins: no `{`
	noIn       bool // in the head of a for: `in` needs parentheses
}

// New makes a printer for a tree that was parsed from src. h may be nil.
func New(src string, h Hooks) *Printer {
	p := &Printer{src: src, hooks: h, stmtStart: -1, arrowStart: -1}
	p.out = make([]byte, 0, len(src)+len(src)/2)
	p.tgt, _ = h.(TargetHook)
	p.mark, _ = h.(MarkHook)
	p.short, _ = h.(ShortHook)
	p.begin, _ = h.(PatternHook)
	p.ref, _ = h.(ReferenceHook)
	p.iter, _ = h.(IterationHook)
	p.fn, _ = h.(FuncHook)
	p.end, _ = h.(BodyEndHook)
	return p
}

// Bytes is the text so far.
func (p *Printer) Bytes() []byte { return p.out }

// Mappings are in order of Gen.
func (p *Printer) Mappings() []Mapping { return p.maps }

// Source is the text that the tree was parsed from.
func (p *Printer) Source() string { return p.src }

// Level is what the expression being printed must at least bind like.
func (p *Printer) Level() Prec { return p.level }

// Raw appends text as it is.
func (p *Printer) Raw(s string) { p.out = append(p.out, s...) }

// Mark records that what comes next stands for the source at idx.
func (p *Printer) Mark(idx file.Idx) { p.markAt(syntax.Offset(idx)) }

func (p *Printer) markAt(src int) {
	if src < 0 {
		return
	}
	if n := len(p.maps); n > 0 {
		last := &p.maps[n-1]
		if last.Src == src {
			return
		}
		if last.Gen == len(p.out) {
			last.Src = src
			return
		}
	}
	p.maps = append(p.maps, Mapping{len(p.out), src})
}

// Newline ends the line and indents the next one.
func (p *Printer) Newline() {
	p.out = append(p.out, '\n')
	for range p.indent {
		p.out = append(p.out, ' ', ' ')
	}
}

// Begin says that a statement begins here, for hooks that print one by hand.
func (p *Printer) Begin() { p.stmtStart = len(p.out) }

// wrap puts what was printed since start into parentheses.
func (p *Printer) wrap(start int) {
	p.out = append(p.out, 0)
	copy(p.out[start+1:], p.out[start:])
	p.out[start] = '('
	p.out = append(p.out, ')')
	for i := len(p.maps) - 1; i >= 0 && p.maps[i].Gen >= start; i-- {
		p.maps[i].Gen++
	}
}

// Program prints a whole script.
func (p *Printer) Program(prog *ast.Program) {
	p.Stmts(prog.Body)
	p.Raw("\n")
}

// Stmts prints statements, each on a line of its own. The first goes where the
// output stands.
func (p *Printer) Stmts(list []ast.Statement) {
	for i, s := range list {
		if i > 0 {
			p.Newline()
		}
		p.Stmt(s)
	}
}

// Stmt prints one statement.
func (p *Printer) Stmt(s ast.Statement) {
	p.Begin()
	if p.hooks != nil && p.hooks.Stmt(p, s) {
		return
	}
	p.DefaultStmt(s)
}

// Expr prints an expression, in parentheses if it binds less tightly than prec.
func (p *Printer) Expr(e ast.Expression, prec Prec) {
	saved := p.level
	p.level = prec
	start := len(p.out)
	switch {
	case p.hooks == nil || !p.hooks.Expr(p, e):
		p.DefaultExpr(e, prec)
	case prec == PrecNew:
		p.wrap(start)
	}
	p.level = saved
}

// Sub prints an expression for hooks: any expression, where an argument or an
// operand of a comma fits.
func (p *Printer) Sub(e ast.Expression) { p.Expr(e, PrecAssign) }

// side prints e as one side of a branch: with a mark in front when the hook has one.
func (p *Printer) side(side Side, n ast.Node, e ast.Expression, prec Prec) {
	if p.mark != nil {
		start := len(p.out)
		noIn := p.noIn
		p.noIn = false
		p.Raw("(")
		if p.mark.MarkExpr(p, side, n) {
			p.Raw(", ")
			p.Expr(e, PrecAssign)
			p.Raw(")")
			p.noIn = noIn
			return
		}
		p.noIn = noIn
		p.out = p.out[:start]
	}
	p.Expr(e, prec)
}

func (p *Printer) markStmt(side Side, n ast.Node) {
	if p.mark == nil {
		return
	}
	before := len(p.out)
	p.Newline()
	start := len(p.out)
	p.mark.MarkStmt(p, side, n)
	if len(p.out) == start {
		p.out = p.out[:before]
	}
}

func (p *Printer) funcBegin(n ast.Node) {
	if p.fn != nil {
		p.fn.FuncBegin(p, n)
	}
}

func (p *Printer) funcEnd(n ast.Node) {
	if p.fn != nil {
		p.fn.FuncEnd(p, n)
	}
}

// Block prints `{ … }` round statements, with marks for the given side first.
// For a function, directives keep their place.
func (p *Printer) block(side Side, n ast.Node, list []ast.Statement, rb file.Idx) {
	noIn := p.noIn
	p.noIn = false
	p.Raw("{")
	p.indent++
	head := 0
	if side == SideFunc {
		head = syntax.Directives(p.src, list)
	}
	for _, s := range list[:head] {
		p.Newline()
		p.Stmt(s)
	}
	if side >= 0 {
		p.markStmt(side, n)
	}
	for _, s := range list[head:] {
		p.Newline()
		p.Stmt(s)
	}
	if side == SideFunc && p.end != nil {
		p.end.BodyEnd(p, n)
	}
	p.indent--
	if p.out[len(p.out)-1] != '{' {
		p.Newline()
	}
	p.Mark(rb)
	p.Raw("}")
	p.noIn = noIn
}

// Block prints a block statement.
func (p *Printer) Block(b *ast.BlockStatement) { p.block(-1, nil, b.List, b.RightBrace) }

// body prints the statement that an if, a loop or the like governs.
func (p *Printer) body(side Side, n ast.Node, s ast.Statement) {
	if b, ok := s.(*ast.BlockStatement); ok {
		p.Raw(" ")
		p.block(side, n, b.List, b.RightBrace)
		return
	}
	if p.mark != nil || needsBlock(s) {
		list := []ast.Statement{s}
		if _, empty := s.(*ast.EmptyStatement); empty {
			list = nil
		}
		p.Raw(" ")
		p.block(side, n, list, 0)
		return
	}
	if _, empty := s.(*ast.EmptyStatement); empty {
		p.Raw(";")
		return
	}
	p.indent++
	p.Newline()
	p.Stmt(s)
	p.indent--
}

// needsBlock keeps an else with its if, and a function declaration in its block.
func needsBlock(s ast.Statement) bool {
	switch s.(type) {
	case *ast.ExpressionStatement, *ast.ReturnStatement, *ast.ThrowStatement, *ast.BranchStatement,
		*ast.EmptyStatement, *ast.VariableStatement:
		return false
	}
	return true
}

// Body prints the statement that an if or a loop governs, with marks; for hooks
// that print the head themselves.
func (p *Printer) Body(side Side, n ast.Node, s ast.Statement) { p.body(side, n, s) }

func (p *Printer) unexpected(n ast.Node) {
	panic(fmt.Sprintf("printer: unexpected %T at offset %d", n, syntax.Offset(n.Idx0())))
}

// DefaultStmt prints the statement itself without asking the hook again.
func (p *Printer) DefaultStmt(s ast.Statement) {
	switch s := s.(type) {
	case *ast.BlockStatement:
		p.Block(s)
	case *ast.EmptyStatement:
		p.Raw(";")
	case *ast.DebuggerStatement:
		p.Mark(s.Debugger)
		p.Raw("debugger;")
	case *ast.ExpressionStatement:
		// A string that was in parentheses must not become a directive.
		if lit, ok := s.Expression.(*ast.StringLiteral); ok && syntax.InParens(p.src, lit) {
			p.Mark(lit.Idx)
			p.Raw("(")
			p.Raw(lit.Literal)
			p.Raw(");")
			return
		}
		p.Expr(s.Expression, PrecSequence)
		p.Raw(";")
	case *ast.VariableStatement:
		p.Mark(s.Var)
		p.Raw("var ")
		p.Bindings(s.List)
		p.Raw(";")
	case *ast.LexicalDeclaration:
		p.Mark(s.Idx)
		p.Raw(s.Token.String())
		p.Raw(" ")
		p.Bindings(s.List)
		p.Raw(";")
	case *ast.FunctionDeclaration:
		p.FuncLit(s.Function)
	case *ast.ClassDeclaration:
		p.Class(s.Class)
	case *ast.IfStatement:
		p.ifStmt(s)
	case *ast.ForStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInit(s.Initializer)
		p.Raw(";")
		if s.Test != nil {
			p.Raw(" ")
			p.Expr(s.Test, PrecSequence)
		}
		p.Raw(";")
		if s.Update != nil {
			p.Raw(" ")
			p.Expr(s.Update, PrecSequence)
		}
		p.Raw(")")
		p.body(SideLoop, s, s.Body)
	case *ast.ForInStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInto(s.Into)
		p.Raw(" in ")
		p.Expr(s.Source, PrecSequence)
		p.Raw(")")
		p.body(SideLoop, s, s.Body)
	case *ast.ForOfStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInto(s.Into)
		p.Raw(" of ")
		p.iterated(s.Source, ForOf)
		p.Raw(")")
		p.body(SideLoop, s, s.Body)
	case *ast.WhileStatement:
		p.Mark(s.While)
		p.Raw("while (")
		p.Expr(s.Test, PrecSequence)
		p.Raw(")")
		p.body(SideLoop, s, s.Body)
	case *ast.DoWhileStatement:
		p.Mark(s.Do)
		p.Raw("do")
		p.body(SideLoop, s, s.Body)
		if p.out[len(p.out)-1] == '}' {
			p.Raw(" ")
		} else {
			p.Newline()
		}
		p.Raw("while (")
		p.Expr(s.Test, PrecSequence)
		p.Raw(");")
	case *ast.LabelledStatement:
		p.Raw(s.Label.Name.String())
		p.Raw(": ")
		p.Stmt(s.Statement)
	case *ast.BranchStatement:
		p.Mark(s.Idx)
		p.Raw(s.Token.String())
		if s.Label != nil {
			p.Raw(" ")
			p.Raw(s.Label.Name.String())
		}
		p.Raw(";")
	case *ast.ReturnStatement:
		p.Mark(s.Return)
		p.Raw("return")
		if s.Argument != nil {
			p.Raw(" ")
			p.Expr(s.Argument, PrecSequence)
		}
		p.Raw(";")
	case *ast.ThrowStatement:
		p.Mark(s.Throw)
		p.Raw("throw ")
		p.Expr(s.Argument, PrecSequence)
		p.Raw(";")
	case *ast.SwitchStatement:
		p.Mark(s.Switch)
		p.Raw("switch (")
		p.Expr(s.Discriminant, PrecSequence)
		p.Raw(") ")
		p.SwitchBody(s)
	case *ast.TryStatement:
		p.Mark(s.Try)
		p.Raw("try ")
		p.Block(s.Body)
		if s.Catch != nil {
			p.Raw(" ")
			p.Mark(s.Catch.Catch)
			p.Raw("catch ")
			if s.Catch.Parameter != nil {
				p.Raw("(")
				p.Pattern(s.Catch.Parameter, true)
				p.Raw(") ")
			}
			p.block(SideCatch, s.Catch, s.Catch.Body.List, s.Catch.Body.RightBrace)
		}
		if s.Finally != nil {
			p.Raw(" finally ")
			p.Block(s.Finally)
		}
	case *ast.WithStatement:
		p.Mark(s.With)
		p.Raw("with (")
		p.Expr(s.Object, PrecSequence)
		p.Raw(")")
		p.body(-1, s, s.Body)
	default:
		p.unexpected(s)
	}
}

func (p *Printer) ifStmt(s *ast.IfStatement) {
	p.Mark(s.If)
	p.Raw("if (")
	p.Expr(s.Test, PrecSequence)
	p.Raw(")")
	p.IfSides(s)
}

// IfSides prints what follows an if's condition.
func (p *Printer) IfSides(s *ast.IfStatement) {
	p.body(SideThen, s, s.Consequent)
	if s.Alternate == nil {
		return
	}
	if p.out[len(p.out)-1] == '}' {
		p.Raw(" else")
	} else {
		p.Newline()
		p.Raw("else")
	}
	if elif, ok := s.Alternate.(*ast.IfStatement); ok && !p.marksElse(s) {
		p.Raw(" ")
		p.Stmt(elif)
		return
	}
	p.body(SideElse, s, s.Alternate)
}

// marksElse asks whether the hook has something to say at an else's beginning.
func (p *Printer) marksElse(s *ast.IfStatement) bool {
	if p.mark == nil {
		return false
	}
	start := len(p.out)
	p.mark.MarkStmt(p, SideElse, s)
	said := len(p.out) > start
	p.out = p.out[:start]
	return said
}

// SwitchBody prints a switch's clauses with their braces.
func (p *Printer) SwitchBody(s *ast.SwitchStatement) {
	p.Raw("{")
	p.indent++
	for _, c := range s.Body {
		p.Newline()
		p.Mark(c.Case)
		if c.Test != nil {
			p.Raw("case ")
			p.Expr(c.Test, PrecSequence)
			p.Raw(":")
		} else {
			p.Raw("default:")
		}
		p.indent++
		p.markStmt(SideCase, c)
		for _, t := range c.Consequent {
			p.Newline()
			p.Stmt(t)
		}
		p.indent--
	}
	p.indent--
	p.Newline()
	p.Raw("}")
}

// Bindings prints the declarators of a declaration.
func (p *Printer) Bindings(list []*ast.Binding) {
	for i, b := range list {
		if i > 0 {
			p.Raw(", ")
		}
		p.Binding(b)
	}
}

// Binding prints one declarator. An initialiser of a declarator is no branch, so it has no mark.
func (p *Printer) Binding(b *ast.Binding) {
	p.Pattern(b.Target, true)
	if b.Initializer != nil {
		p.Raw(" = ")
		if _, ok := b.Target.(*ast.ArrayPattern); ok {
			p.iterated(b.Initializer, Declaration)
		} else {
			p.Expr(b.Initializer, PrecAssign)
		}
	}
}

func (p *Printer) iterated(x ast.Expression, by Iteration) {
	if p.iter == nil || !p.iter.Iterated(p, x, by) {
		p.Expr(x, PrecAssign)
	}
}

// ForInit prints the first part of a for statement's head, without the semicolon.
func (p *Printer) ForInit(init ast.ForLoopInitializer) {
	p.noIn = true
	switch init := init.(type) {
	case nil:
	case *ast.ForLoopInitializerExpression:
		// `for (let[…` and `for (async of` would read as something else.
		if startsWithLet(init.Expression) {
			p.Raw("(")
			p.Expr(init.Expression, PrecSequence)
			p.Raw(")")
		} else {
			p.Expr(init.Expression, PrecSequence)
		}
	case *ast.ForLoopInitializerVarDeclList:
		p.Raw("var ")
		p.Bindings(init.List)
	case *ast.ForLoopInitializerLexicalDecl:
		p.Mark(init.LexicalDeclaration.Idx)
		p.Raw(init.LexicalDeclaration.Token.String())
		p.Raw(" ")
		p.Bindings(init.LexicalDeclaration.List)
	default:
		p.unexpected(init)
	}
	p.noIn = false
}

// ForInto prints what for-in or for-of writes to.
func (p *Printer) ForInto(into ast.ForInto) {
	switch into := into.(type) {
	case *ast.ForIntoVar:
		p.Raw("var ")
		p.Pattern(into.Binding.Target, true)
	case *ast.ForDeclaration:
		p.Mark(into.Idx)
		if into.IsConst {
			p.Raw("const ")
		} else {
			p.Raw("let ")
		}
		p.Pattern(into.Target, true)
	case *ast.ForIntoExpression:
		id, ok := into.Expression.(*ast.Identifier)
		if startsWithLet(into.Expression) || ok && id.Name == "async" {
			p.Raw("(")
			p.Pattern(into.Expression, false)
			p.Raw(")")
		} else {
			p.Pattern(into.Expression, false)
		}
	default:
		p.unexpected(into)
	}
}

// startsWithLet reports whether the expression's text would begin with a variable called let.
func startsWithLet(e ast.Expression) bool {
	for {
		switch n := e.(type) {
		case *ast.Identifier:
			return n.Name == "let"
		case *ast.DotExpression:
			e = n.Left
		case *ast.BracketExpression:
			e = n.Left
		case *ast.CallExpression:
			e = n.Callee
		case *ast.AssignExpression:
			e = n.Left
		case *ast.BinaryExpression:
			e = n.Left
		case *ast.ConditionalExpression:
			e = n.Test
		case *ast.SequenceExpression:
			e = n.Sequence[0]
		case *ast.TemplateLiteral:
			if n.Tag == nil {
				return false
			}
			e = n.Tag
		case *ast.UnaryExpression:
			if !n.Postfix {
				return false
			}
			e = n.Operand
		default:
			return false
		}
	}
}

func assignToken(op token.Token) string {
	if op == token.ASSIGN {
		return "="
	}
	return op.String() + "="
}
