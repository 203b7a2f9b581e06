// Package verifierbuild emits the multivalue program: the bundle, rewritten so
// that one execution serves all lanes of a group.
//
// Property reads, writes, calls and method calls stay as written; a multivalue
// answers them itself (raw dispatch). Guards stand only where the language looks at a
// value: operators, conditions, computed keys, switch, typeof, in, delete,
// instanceof, templates, and arguments of natives that are called by name.
// `typeof x !== "object"` proves in one bytecode that x is no multivalue; objects
// go to the runtime's helpers (runtime/js/verifier/mv*.ts), named by the constants
// in names.go.
//
// A guard needs its operands twice, so what is no plain name is held in a
// temporary ($t1, $t2, … of the function). Where a function has no place for
// temporaries (parameter defaults), the helpers are called without guards.
package verifierbuild

import (
	"sort"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
)

// Options of an emission.
type Options struct {
	// Models: the text is the runtime's own models of Node's core, whose
	// listeners and promises are the platform's and not registrations.
	Models bool
}

// Emit prints prog for the verifier.
func Emit(prog *program.Program, opts Options) (string, []printer.Mapping, error) {
	e := &emitter{
		Common:  &program.Common{P: prog, K: "$k", Registrations: !opts.Models},
		prog:    prog,
		tracked: prog.Annotated() && !opts.Models,
		temp:    prog.Fresh("$t"),
	}
	p := printer.New(prog.Text, e)
	e.push(nil)
	e.begin(p, prog.Func(nil))
	p.Newline()
	p.Program(prog.AST)
	e.FuncEnd(p, nil)
	text, maps := e.finish(p)
	return text, maps, nil
}

type emitter struct {
	*program.Common
	prog    *program.Program
	tracked bool // the program has tracked objects, so sites that accessors cannot see look for them
	temp    string
	fns     []*fn
	fn      *fn
	edits   []edit
}

// fn is the function being printed.
type fn struct {
	node   ast.Node
	used   int // temporaries in use
	max    int
	at     int  // where its temporaries are to be declared, or -1 before its body
	opened bool // temporaries can be used
}

// An edit replaces a placeholder once a function is known to its end.
type edit struct {
	at   int
	text string
}

const placeholder = "{}"

func (e *emitter) push(n ast.Node) {
	e.fn = &fn{node: n, at: -1}
	e.fns = append(e.fns, e.fn)
}

// FuncBegin implements printer.FuncHook.
func (e *emitter) FuncBegin(p *printer.Printer, n ast.Node) { e.push(n) }

// FuncEnd implements printer.FuncHook.
func (e *emitter) FuncEnd(p *printer.Printer, n ast.Node) {
	f := e.fn
	if f.at >= 0 {
		text := ""
		if f.max > 0 {
			names := make([]string, f.max)
			for i := range names {
				names[i] = e.tempName(i + 1)
			}
			text = "var " + strings.Join(names, ", ") + ";"
		}
		e.edits = append(e.edits, edit{f.at, text})
	}
	e.fns = e.fns[:len(e.fns)-1]
	e.fn = nil
	if len(e.fns) > 0 {
		e.fn = e.fns[len(e.fns)-1]
	}
}

// MarkStmt implements printer.MarkHook: what runs where control arrives.
func (e *emitter) MarkStmt(p *printer.Printer, side printer.Side, n ast.Node) {
	switch side {
	case printer.SideFunc:
		e.begin(p, e.prog.Func(n))
		e.partialDefaults(p, n)
	case printer.SideCatch:
		c := n.(*ast.CatchStatement)
		if id, ok := c.Parameter.(*ast.Identifier); ok {
			p.Raw(helperCatch + "(" + id.Name.String() + ");")
		} else {
			p.Raw(helperCatch + "();")
		}
		if c.Parameter != nil {
			e.checkNames(p, c.Parameter)
		}
	case printer.SideLoop:
		if of, ok := n.(*ast.ForOfStatement); ok {
			switch into := of.Into.(type) {
			case *ast.ForIntoVar:
				e.checkNames(p, into.Binding.Target)
			case *ast.ForDeclaration:
				e.checkNames(p, into.Target)
			}
		}
	}
}

// MarkExpr implements printer.MarkHook.
func (e *emitter) MarkExpr(p *printer.Printer, side printer.Side, n ast.Node) bool { return false }

// begin opens the body of a function: a place for its temporaries, its boxes.
func (e *emitter) begin(p *printer.Printer, f *program.Func) {
	e.fn.at = len(p.Bytes())
	e.fn.opened = true
	p.Raw(placeholder)
	var node ast.Node
	if f != nil {
		node = f.Node
	}
	p.Raw(e.Hoisted(node))
}

// partialDefaults: a default must not be skipped for lanes that lack a value.
func (e *emitter) partialDefaults(p *printer.Printer, n ast.Node) {
	var list *ast.ParameterList
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		list = n.ParameterList
	case *ast.ArrowFunctionLiteral:
		list = n.ParameterList
	default:
		return
	}
	for _, b := range list.List {
		if id, ok := b.Target.(*ast.Identifier); ok {
			if b.Initializer != nil {
				p.Raw(helperDefault + "(" + id.Name.String() + ");")
			}
			continue
		}
		e.checkNames(p, b.Target)
	}
}

// checkNames prints checks of the names that a pattern gives defaults to.
func (e *emitter) checkNames(p *printer.Printer, pattern ast.Expression) {
	for _, c := range e.defaultedNames(pattern, nil) {
		p.Raw(c)
	}
}

func (e *emitter) defaultedNames(pattern ast.Expression, out []string) []string {
	name := func(target ast.Expression) {
		if id, ok := target.(*ast.Identifier); ok {
			s := id.Name.String()
			if b := e.prog.Binding(id); b != nil && b.Boxed {
				s = b.Box + ".v"
			}
			out = append(out, helperDefault+"("+s+");")
			return
		}
		out = e.defaultedNames(target, out)
	}
	element := func(v ast.Expression) {
		if a, ok := v.(*ast.AssignExpression); ok {
			name(a.Left)
			return
		}
		out = e.defaultedNames(v, out)
	}
	switch pt := pattern.(type) {
	case *ast.ArrayPattern:
		for _, v := range pt.Elements {
			if v != nil {
				element(v)
			}
		}
		if pt.Rest != nil {
			out = e.defaultedNames(pt.Rest, out)
		}
	case *ast.ObjectPattern:
		for _, prop := range pt.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				if prop.Initializer != nil {
					name(&prop.Name)
				}
			case *ast.PropertyKeyed:
				element(prop.Value)
			}
		}
	}
	return out
}

func (e *emitter) tempName(i int) string { return e.temp + strconv.Itoa(i) }

// take reserves a temporary until release.
func (e *emitter) take() string {
	e.fn.used++
	e.fn.max = max(e.fn.max, e.fn.used)
	return e.tempName(e.fn.used)
}

func (e *emitter) release(mark int) { e.fn.used = mark }

// finish puts the declarations in their places.
func (e *emitter) finish(p *printer.Printer) (string, []printer.Mapping) {
	sort.Slice(e.edits, func(i, j int) bool { return e.edits[i].at < e.edits[j].at })
	src := p.Bytes()
	var out strings.Builder
	out.Grow(len(src) + 16*len(e.edits))
	maps := p.Mappings()
	from, shift, m := 0, 0, 0
	for _, ed := range e.edits {
		for m < len(maps) && maps[m].Gen <= ed.at {
			maps[m].Gen += shift
			m++
		}
		out.Write(src[from:ed.at])
		out.WriteString(ed.text)
		from = ed.at + len(placeholder)
		shift += len(ed.text) - len(placeholder)
	}
	for ; m < len(maps); m++ {
		maps[m].Gen += shift
	}
	out.Write(src[from:])
	return out.String(), maps
}
