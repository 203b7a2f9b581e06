// Package verifierbuild emits the multivalue program: the bundle, rewritten so
// that one execution serves all lanes of a group.
//
// Property reads, writes, calls and method calls stay as written; a multivalue
// answers them itself. Guards stand only where the language looks at a value:
// operators, conditions, computed keys, switch, typeof, in, delete, instanceof,
// templates, defaults, and the arguments of natives that are called by a known
// name. `typeof x !== "object"` proves in one bytecode that x is no multivalue;
// objects go to the runtime's helpers (runtime/js/verifier/mv*.ts; names.go).
//
// What must hold of every rewriting:
//
//   - Operands are evaluated once, in the language's order; a test comes after.
//   - The text of a callee stays, because error messages show it; where it cannot,
//     the message is made by hand (callee.go).
//   - With one lane the program does exactly what it did.
//
// A guard needs its operands twice. What is not sure to stay the same meanwhile is
// held in a temporary of the function; these are declared at its end, where their
// number is known. In parameter lists there is no place for them: there the
// helpers are called without guards.
package verifierbuild

import (
	"fmt"
	"slices"
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
	// Models: the text is the runtime's own models of Node's core, whose
	// listeners and promises are the platform's and not registrations. They may
	// meet tracked objects of any program.
	Models bool
}

// Emit prints prog as the body of the guest's function. Mappings lead from the
// text to prog.Text.
func Emit(prog *program.Program, opts Options) (string, []printer.Mapping, error) {
	if err := lowered(prog); err != nil {
		return "", nil, err
	}
	e := &emitter{
		names:   namesOf(prog),
		prog:    prog,
		tracked: prog.Annotated() || opts.Models,
		facts:   learn(prog),
		models:  opts.Models,
		scopes:  map[any]int{},
	}
	e.Common = &program.Common{P: prog, K: e.k, Registrations: !opts.Models}
	p := printer.New(prog.Text, e)
	e.push(prog.Func(nil))
	e.fn.body = true
	body := prog.AST.Body
	head := syntax.Directives(prog.Text, body)
	for _, s := range body[:head] {
		p.Stmt(s)
		p.Newline()
	}
	p.Raw(e.prologue(prog, opts))
	first, outside, modules := prog.Parts(body[head:])
	if modules != nil {
		p.Stmts(first)
		p.Raw(program.StrictHead(outside))
		first = modules
	}
	if boxes := e.Hoisted(nil); boxes != "" {
		p.Raw(boxes)
	}
	e.scope(p, e.prog.Captured(e.fn.Func), false)
	p.Newline()
	p.Stmts(first)
	if modules != nil {
		p.Raw(program.StrictTail)
	}
	e.BodyEnd(p, nil)
	p.Raw("\n")
	return string(p.Bytes()), p.Mappings(), nil
}

// prologue tells the runtime which properties are accessors.
func (e *emitter) prologue(prog *program.Program, opts Options) string {
	var b strings.Builder
	if e.prefix != prefix && e.prefix != otherPrefix {
		// The program uses names like both of the runtime's: give the runtime's others.
		b.WriteString("const ")
		for i, h := range helpers {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(e.prefix + h + " = " + prefix + h)
		}
		b.WriteString("; ")
	}
	if e.k != "$k" && !opts.Models {
		b.WriteString("var " + e.k + " = globalThis.$k; ") // the program may have a $k of its own in this scope
	}
	if opts.Models {
		b.WriteString(e.h(hAccessors) + "([")
	} else {
		b.WriteString(e.h(hGuest) + "([")
	}
	for i, name := range e.facts.accessors {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(name))
	}
	b.WriteString("]);")
	return b.String()
}

// lowered refuses what the bundler's lowering removes and the guards do not reach.
func lowered(prog *program.Program) error {
	var problems program.Problems
	refuse := func(at int, what string) {
		problems = append(problems, &program.Problem{Offset: at, Pos: prog.Position(at), Msg: what + " should have been lowered by the bundler"})
	}
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FieldDefinition:
			if n.Initializer != nil {
				refuse(syntax.Offset(n.Idx), "a class field")
			}
		case *ast.ObjectPattern:
			if n.Rest != nil {
				refuse(syntax.Offset(n.LeftBrace), "an object pattern's rest")
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

type emitter struct {
	*program.Common
	names
	facts
	prog    *program.Program
	tracked bool // the program has tracked objects, so sites that accessors cannot see look for them
	fns     []*function
	fn      *function
	models  bool
	second  ast.Node    // the function that is about to be printed for its lanes
	scopes  map[any]int // numbers of scopes whose variables may outlive the call
}

// function is the function being printed.
type function struct {
	*program.Func
	body  bool // its body has begun: temporaries can be used
	used  int  // temporaries in use
	most  int
	twice bool // the second printing of a pure function, for its lanes
}

func (e *emitter) push(f *program.Func) {
	e.fn = &function{Func: f}
	e.fns = append(e.fns, e.fn)
}

// FuncBegin implements printer.FuncHook.
func (e *emitter) FuncBegin(p *printer.Printer, n ast.Node) {
	e.push(e.prog.Func(n))
	if e.second == n {
		e.fn.twice, e.second = true, nil
	}
}

// FuncEnd implements printer.FuncHook.
func (e *emitter) FuncEnd(p *printer.Printer, n ast.Node) {
	e.fns = e.fns[:len(e.fns)-1]
	e.fn = e.fns[len(e.fns)-1]
}

// BodyEnd implements printer.BodyEndHook: it declares the temporaries that the
// body turned out to need. Being vars, they are hoisted.
func (e *emitter) BodyEnd(p *printer.Printer, n ast.Node) {
	if e.fn.most == 0 {
		return
	}
	p.Newline()
	p.Raw("var ")
	for i := 1; i <= e.fn.most; i++ {
		if i > 1 {
			p.Raw(", ")
		}
		p.Raw(e.temp + strconv.Itoa(i))
	}
	p.Raw(";")
}

// take reserves a temporary until release.
func (e *emitter) take() string {
	e.fn.used++
	e.fn.most = max(e.fn.most, e.fn.used)
	return e.temp + strconv.Itoa(e.fn.used)
}

func (e *emitter) release(used int) { e.fn.used = used }

// MarkStmt implements printer.MarkHook: what runs where control arrives.
func (e *emitter) MarkStmt(p *printer.Printer, side printer.Side, n ast.Node) {
	switch side {
	case printer.SideFunc:
		e.fn.body = true
		p.Raw(e.Hoisted(n))
		e.scope(p, e.prog.Captured(e.fn.Func), e.prog.CapturesThis(e.fn.Func))
		e.assigns(p)
		switch fn := n.(type) {
		case *ast.FunctionLiteral:
			e.pure(p, fn)
			e.parameters(p, fn.ParameterList)
		case *ast.ArrowFunctionLiteral:
			e.parameters(p, fn.ParameterList)
		}
	case printer.SideThen:
		e.block(p, n.(*ast.IfStatement).Consequent)
	case printer.SideElse:
		e.block(p, n.(*ast.IfStatement).Alternate)
	case printer.SideCatch:
		e.scope(p, e.prog.CapturedBy(n), false)
		e.block(p, n.(*ast.CatchStatement).Body)
	case printer.SideLoop:
		e.scope(p, e.prog.CapturedBy(n), false)
		e.block(p, loopBody(n))
		if of, ok := n.(*ast.ForOfStatement); ok {
			switch into := of.Into.(type) {
			case *ast.ForIntoVar:
				e.checkDefaults(p, into.Binding.Target)
			case *ast.ForDeclaration:
				e.checkDefaults(p, into.Target)
			}
		}
	}
}

func loopBody(n ast.Node) ast.Statement {
	switch n := n.(type) {
	case *ast.ForStatement:
		return n.Body
	case *ast.ForInStatement:
		return n.Body
	case *ast.ForOfStatement:
		return n.Body
	case *ast.WhileStatement:
		return n.Body
	case *ast.DoWhileStatement:
		return n.Body
	}
	return nil
}

func (e *emitter) block(p *printer.Printer, body ast.Statement) {
	if b, ok := body.(*ast.BlockStatement); ok {
		e.scope(p, e.prog.CapturedIn(b.List), false)
	}
}

// memo are the variables of the functions in which the bundler puts modules.
var memo = map[string]bool{"cb": true, "mod": true, "fn": true, "res": true}

// scope tells the runtime, while init runs, of variables that outlive the call: see lasting.ts.
func (e *emitter) scope(p *printer.Printer, captured []*program.Binding, this bool) {
	if e.models || len(captured) == 0 && !this {
		return
	}
	// The bundler declares some variables itself, among them those that remember what has been loaded.
	var pos program.Position
	places := make([]program.Position, 0, len(captured))
	own := this || e.fn.Parent == nil
	for _, b := range captured {
		at := e.prog.Position(b.Offset)
		if pos.File == "" {
			pos = at
		}
		places = append(places, at)
		own = own || at.File != "" || !memo[b.Name]
	}
	if pos.File == "" {
		pos = e.prog.Position(e.fn.Offset)
	}
	if !own {
		return
	}
	names := make([]string, 0, len(captured)+1)
	for _, b := range captured {
		names = append(names, b.Name)
	}
	if this {
		names = append(names, "this")
	}
	number := -1
	if len(captured) > 0 {
		number = e.scopeNumber(captured[0])
	}
	p.Raw("if (" + e.h(hScope) + ".on) " + e.h(hScope) + ".add(" + strconv.Itoa(number) + ", " + strconv.Quote(wheres(pos, places)) + ", " + strconv.Quote(strings.Join(names, " ")) +
		", () => [" + strings.Join(names, ", ") + "]); ")
}

// wheres are the places of a scope's variables, one a line, without what is as in the line before. What has none is
// where the scope is.
func wheres(scope program.Position, of []program.Position) string {
	lines := []string{scope.String()}
	last := scope
	for i, at := range of {
		if at.File == "" {
			at = scope
		}
		line := ""
		switch {
		case at == last:
		case at.File == last.File:
			line = fmt.Sprintf(":%d:%d", at.Line, at.Column)
		default:
			line = at.String()
		}
		last = at
		if i > 0 {
			lines = append(lines, line)
		} else if line != "" {
			lines[0] = at.String()
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// assigns tells that a function may write to variables of such scopes.
func (e *emitter) assigns(p *printer.Printer) {
	if e.models {
		return
	}
	written := "1"
	if e.fn.Async || e.fn.Generator {
		written = "2"
	}
	var numbers []int
	for _, b := range e.prog.Assigned(e.fn.Func) {
		if n := e.scopeNumber(b); !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
			p.Raw(e.h(hScope) + ".written[" + strconv.Itoa(n) + "] = " + written + "; ")
		}
	}
}

// scopeNumber is that of the function or block that declares a variable.
func (e *emitter) scopeNumber(b *program.Binding) int {
	var key any = b.Scope
	if b.Scope.OfFunc() {
		key = b.Func()
	}
	n, ok := e.scopes[key]
	if !ok {
		n = len(e.scopes)
		e.scopes[key] = n
	}
	return n
}

// MarkExpr implements printer.MarkHook.
func (e *emitter) MarkExpr(p *printer.Printer, side printer.Side, n ast.Node) bool {
	if side != printer.SideFunc {
		return false
	}
	boxes := e.HoistedParameters(n)
	p.Raw(boxes)
	return boxes != ""
}

// pure prints the way out of a pure function that is called with multivalues: it
// is run in lockstep, and lane by lane if that diverges.
func (e *emitter) pure(p *printer.Printer, fn *ast.FunctionLiteral) {
	f := e.fn
	if !f.Pure || f.twice || fn.Generator || fn.Async || f.This || f.Arguments {
		return
	}
	p.Raw("if (" + e.h(hAny) + "(arguments)) return " + e.h(hPure) + "(" + strconv.Itoa(f.ID) + ", arguments, function ")
	e.second = fn
	p.FuncTail(fn)
	p.Raw("); ")
}

// Expr implements printer.Hooks.
func (e *emitter) Expr(p *printer.Printer, x ast.Expression) bool {
	used := e.fn.used
	defer e.release(used)
	if e.Common.Expr(p, x) {
		return true
	}
	switch x := x.(type) {
	case *ast.BinaryExpression:
		switch x.Operator {
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			return e.logical(p, x)
		}
		return e.binary(p, x, false)
	case *ast.ConditionalExpression:
		p.Raw("(")
		e.test(p, x.Test)
		p.Raw(" ? ")
		p.Sub(x.Consequent)
		p.Raw(" : ")
		p.Sub(x.Alternate)
		p.Raw(")")
		return true
	case *ast.UnaryExpression:
		return e.unary(p, x, false)
	case *ast.AssignExpression:
		return e.assign(p, x)
	case *ast.SequenceExpression:
		p.Raw("(")
		e.sequence(p, x.Sequence[:len(x.Sequence)-1])
		p.Raw(", ")
		p.Sub(x.Sequence[len(x.Sequence)-1])
		p.Raw(")")
		return true
	case *ast.DotExpression, *ast.BracketExpression:
		return e.read(p, x)
	case *ast.CallExpression:
		return e.call(p, x)
	case *ast.NewExpression:
		return e.construct(p, x)
	case *ast.TemplateLiteral:
		return e.template(p, x)
	case *ast.ObjectLiteral:
		return e.object(p, x)
	case *ast.ArrowFunctionLiteral:
		return e.arrow(p, x)
	case *iteratorDone:
		e.invoke(p, hDone, x.Expression)
		return true
	case *caseTest:
		p.Raw(e.h(hCase) + "(" + x.discriminant + ", ")
		p.Sub(x.Expression)
		p.Raw(")")
		return true
	}
	return false
}

// arrow prints an arrow function with an expression body as one with a block, so
// that temporaries have a place.
func (e *emitter) arrow(p *printer.Printer, fn *ast.ArrowFunctionLiteral) bool {
	body, ok := fn.Body.(*ast.ExpressionBody)
	if !ok {
		return false
	}
	p.Raw("(")
	p.Mark(fn.Start)
	if fn.Async {
		p.Raw("async ")
	}
	e.FuncBegin(p, fn)
	p.Params(fn.ParameterList)
	p.Raw(" => { ")
	e.MarkStmt(p, printer.SideFunc, fn)
	p.Raw("return ")
	p.Sub(body.Expression)
	p.Raw(";")
	e.BodyEnd(p, fn)
	p.Raw(" })")
	e.FuncEnd(p, fn)
	return true
}
