// Package serverbuild emits the program that serves requests and writes advice.
//
// The app's code is left as it is except at a few places:
//
//   - marks: where a function begins and where one side of a branch is taken, the
//     digest $d takes up a constant that stands for the place. Requests with equal
//     digests are re-executed together. A mark is one integer expression, inline.
//     Pure functions have none (see program).
//   - registrations, annotations and boxed variables, which both builds rewrite
//     alike (program.Common).
//   - only in programs with annotations: the places where accessors on a tracked
//     object cannot see an access, because the key is computed, or the property is
//     an array's length, or the language asks without reading (in, delete, for-in).
//     There the object is tested for the tracking symbol $T, inline, after the
//     access, so that error messages stay the language's own.
//
// The emitted text is the body of a function. The whole file is Head, the server
// runtime, Prologue, the emitted text, Epilogue.
package serverbuild

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Options of an emission.
type Options struct {
	NoMarks bool // leave the marks out, to measure what they cost
}

// names are what the emitted text calls the runtime; none clashes with the program's.
type names struct {
	digest, runtime, tracked, value, temp string
	place, placeStrict                    string // the helpers that make a place
}

func namesOf(prog *program.Program) names {
	return names{
		digest: prog.Fresh("$d"), runtime: prog.Fresh("$k"), tracked: prog.Fresh("$T"),
		value: prog.Fresh("$v"), temp: prog.Fresh("$t"),
		place: prog.Fresh("$at"), placeStrict: prog.Fresh("$ats"),
	}
}

// Emit prints prog as the body of the guest's function. Mappings lead from the
// text to prog.Text.
func Emit(prog *program.Program, opts Options) (string, []printer.Mapping, error) {
	h := &hooks{
		names: namesOf(prog),
		prog:  prog,
		opts:  opts,
		sites: prog.Annotated(),
	}
	h.Common = &program.Common{P: prog, K: h.runtime, Registrations: true}
	if h.sites {
		if err := lowered(prog); err != nil {
			return "", nil, err
		}
	}
	p := printer.New(prog.Text, h)
	h.push(prog.Func(nil))
	h.fn.body = true
	body := prog.AST.Body
	head := syntax.Directives(prog.Text, body)
	for _, s := range body[:head] {
		p.Stmt(s)
		p.Newline()
	}
	first, outside, modules := prog.Parts(body[head:])
	if modules != nil {
		p.Stmts(first)
		p.Raw(program.StrictHead(outside))
		first = modules
	}
	if boxes := h.Hoisted(nil); boxes != "" {
		p.Raw(boxes)
		p.Newline()
	}
	p.Stmts(first)
	if modules != nil {
		p.Raw(program.StrictTail)
	}
	h.BodyEnd(p, nil)
	p.Raw("\n")
	return string(p.Bytes()), p.Mappings(), nil
}

// Head begins the file; the server runtime's text follows it.
func Head(prog *program.Program) string { return "var " + namesOf(prog).digest + "=0;\n" }

// Prologue comes between the server runtime, which defines $k, and the emitted
// text; Epilogue ends the file.
func Prologue(prog *program.Program, buildID string) string {
	n := namesOf(prog)
	var b strings.Builder
	fmt.Fprintf(&b, "$k.start({buildId:%s,get:function(){return %s},set:function(v){%s=v}});\n", strconv.Quote(buildID), n.digest, n.digest)
	if n.runtime != "$k" {
		fmt.Fprintf(&b, "var %s=$k;\n", n.runtime)
	}
	if prog.Annotated() {
		fmt.Fprintf(&b, "var %s=$k.T;\n", n.tracked)
		// A place of a pattern (or one without room for temporaries) as an object with one property.
		for _, strict := range []bool{false, true} {
			name, directive, flag := n.place, "", ""
			if strict {
				name, directive, flag = n.placeStrict, "'use strict';", ",1"
			}
			fmt.Fprintf(&b, "function %s(o,k){%sreturn{get v(){var v=o[k];return o[%s]===void 0?v:k==='length'?$k.len(o,v):$k.gi(o,k,v)},set v(v){o==null||o[%s]===void 0?o[k]=v:$k.si(o,k,v%s)}}}\n",
				name, directive, n.tracked, n.tracked, flag)
		}
	}
	b.WriteString("$k.run(function(exports,require,module,__filename,__dirname,process){")
	return b.String()
}

// Epilogue ends what Prologue began.
func Epilogue() string { return "});\n" }

// lowered refuses what the sites do not reach, which the bundler's lowering removes.
func lowered(prog *program.Program) error {
	var problems program.Problems
	refuse := func(n ast.Expression, what string) {
		at := syntax.Start(n)
		problems = append(problems, &program.Problem{Offset: at, Pos: prog.Position(at), Msg: what + " should have been lowered by the bundler"})
	}
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.OptionalChain:
			refuse(n, "an optional chain")
		case *ast.FieldDefinition:
			if n.Initializer != nil {
				refuse(n.Key, "a class field")
			}
		}
		syntax.Children(n, walk)
	}
	for _, s := range prog.AST.Body {
		walk(s)
	}
	if problems != nil {
		return problems
	}
	return nil
}

type hooks struct {
	*program.Common
	names
	prog  *program.Program
	opts  Options
	sites bool // the program has tracked objects
	fns   []*function
	fn    *function
}

// function is the function being printed.
type function struct {
	*program.Func
	body  bool // its body has begun: temporaries can be used
	value bool // uses $v
	used  int  // temporaries in use
	most  int
}

func (h *hooks) push(f *program.Func) {
	h.fn = &function{Func: f}
	h.fns = append(h.fns, h.fn)
}

// FuncBegin implements printer.FuncHook.
func (h *hooks) FuncBegin(p *printer.Printer, n ast.Node) { h.push(h.prog.Func(n)) }

// FuncEnd implements printer.FuncHook.
func (h *hooks) FuncEnd(p *printer.Printer, n ast.Node) {
	h.fns = h.fns[:len(h.fns)-1]
	h.fn = h.fns[len(h.fns)-1]
}

// BodyEnd implements printer.BodyEndHook: it declares the temporaries that the
// body turned out to need. Being vars, they are hoisted.
func (h *hooks) BodyEnd(p *printer.Printer, n ast.Node) {
	var vars []string
	if h.fn.value {
		vars = append(vars, h.value)
	}
	for i := 1; i <= h.fn.most; i++ {
		vars = append(vars, h.temp+strconv.Itoa(i))
	}
	if vars != nil {
		p.Newline()
		p.Raw("var " + strings.Join(vars, ", ") + ";")
	}
}

// scatter spreads dense numbers over 31 bits (the finalizer of MurmurHash3), so
// that few paths share a digest.
func scatter(n uint32) uint32 {
	n ^= n >> 16
	n *= 0x85ebca6b
	n ^= n >> 13
	n *= 0xc2b2ae35
	n ^= n >> 16
	return n & 0x7fffffff
}

// mark is the expression that notes the passing of a place, or "".
func (h *hooks) mark(side printer.Side, n ast.Node) string {
	if h.opts.NoMarks || h.fn.Pure {
		return ""
	}
	var id uint32
	if side == printer.SideFunc {
		id = 2 * uint32(h.prog.Func(n).ID)
	} else if b := h.prog.Branch(side, n); b != nil {
		id = 2*uint32(b.ID) + 1
	} else {
		return ""
	}
	return fmt.Sprintf("%s = (%s << 5) - %s + %d | 0", h.digest, h.digest, h.digest, scatter(id))
}

// MarkStmt implements printer.MarkHook.
func (h *hooks) MarkStmt(p *printer.Printer, side printer.Side, n ast.Node) {
	if m := h.mark(side, n); m != "" {
		p.Raw(m + ";")
	}
	if side == printer.SideFunc {
		h.fn.body = true
		p.Raw(h.Hoisted(n))
	}
}

// MarkExpr implements printer.MarkHook.
func (h *hooks) MarkExpr(p *printer.Printer, side printer.Side, n ast.Node) bool {
	m := h.mark(side, n)
	if side == printer.SideFunc {
		if boxes := h.HoistedParameters(n); m != "" && boxes != "" {
			m += ", " + boxes
		} else {
			m += boxes
		}
	}
	p.Raw(m)
	return m != ""
}

// Expr implements printer.Hooks.
func (h *hooks) Expr(p *printer.Printer, e ast.Expression) bool {
	if h.Common.Expr(p, e) {
		return true
	}
	if !h.sites || h.fn.Pure {
		return false
	}
	switch e := e.(type) {
	case *ast.ArrowFunctionLiteral:
		return h.arrow(p, e)
	case *ast.DotExpression, *ast.BracketExpression:
		return h.read(p, e)
	case *ast.AssignExpression:
		return h.assign(p, e)
	case *ast.UnaryExpression:
		switch e.Operator {
		case token.INCREMENT, token.DECREMENT:
			return h.update(p, e)
		case token.DELETE:
			return h.delete(p, e)
		}
	case *ast.BinaryExpression:
		if _, private := e.Left.(*ast.PrivateIdentifier); e.Operator == token.IN && !private {
			p.Raw(h.runtime + ".has(")
			p.Sub(e.Left)
			p.Raw(", ")
			p.Sub(e.Right)
			p.Raw(")")
			return true
		}
	case *ast.NewExpression:
		return h.made(p, e)
	case *ast.CallExpression:
		if h.borrowed(p, e) {
			return true
		}
		return h.callee(p, e.Callee, e, func() { p.Args(e.ArgumentList) })
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return h.callee(p, e.Tag, nil, func() { p.TemplateBody(e) })
		}
	}
	return false
}

// Stmt implements printer.Hooks.
func (h *hooks) Stmt(p *printer.Printer, s ast.Statement) bool {
	if h.Common.Stmt(p, s) {
		return true
	}
	if f, ok := s.(*ast.ForInStatement); ok && h.sites && !h.fn.Pure {
		p.Mark(f.For)
		p.Raw("for (")
		p.ForInto(f.Into)
		p.Raw(" in " + h.runtime + ".fi(")
		p.Expr(f.Source, printer.PrecAssign)
		p.Raw("))")
		p.Body(printer.SideLoop, f, f.Body)
		return true
	}
	return false
}

// Iterated implements printer.IterationHook: where the engine would show something else in
// "… is not iterable" than the program has there, the runtime looks first.
func (h *hooks) Iterated(p *printer.Printer, x ast.Expression, by printer.Iteration) bool {
	switch x := x.(type) {
	case *ast.ArrayLiteral, *ast.StringLiteral:
		return false
	case *ast.Identifier:
		if b := h.prog.Binding(x); b == nil || !b.Boxed {
			return false
		}
	}
	if by == printer.SpreadLast {
		p.Raw(h.runtime + ".sp(")
	} else {
		p.Raw(h.runtime + ".it(")
	}
	p.Sub(x)
	p.Raw(", " + strconv.Quote(by.Text(x)) + ")")
	return true
}

// Target implements printer.TargetHook. Members that are assigned to come here only
// from patterns and loop heads: Expr takes care of plain assignments.
func (h *hooks) Target(p *printer.Printer, e ast.Expression, declared bool) bool {
	if h.Common.Target(p, e, declared) {
		return true
	}
	if m, ok := h.site(e); ok {
		h.at(p, m)
		return true
	}
	return false
}
