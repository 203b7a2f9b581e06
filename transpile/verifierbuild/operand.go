package verifierbuild

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

const notObject = ` !== "object"`

// operand is a part of a site: an expression that can be printed again, or the
// temporary that holds it.
type operand struct {
	x     ast.Expression
	temp  string
	never bool // no test is needed
}

// stable reports whether x gives the same value when it is evaluated again after
// the expressions of later, with no effect.
func (e *emitter) stable(x ast.Expression, later ...ast.Expression) bool {
	switch x := x.(type) {
	case *ast.ThisExpression, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return true
	case *ast.UnaryExpression: // void 0, -1
		_, number := x.Operand.(*ast.NumberLiteral)
		return number && (x.Operator == token.VOID || x.Operator == token.MINUS)
	case *ast.Identifier:
		b := e.prog.Binding(x)
		if b == nil {
			return x.Name == "undefined" || x.Name == "NaN" || x.Name == "Infinity"
		}
		if b.Boxed {
			return false
		}
		if b.Kind == program.Param && b.Func().Arguments && !b.Func().Strict {
			return false // arguments[i] may write it
		}
		if !b.Assigned {
			return true
		}
		calm := true // nothing in later can reach another function that writes it
		for _, l := range later {
			if l != nil && (e.writes(l, b) || !e.inert(l)) {
				calm = false
			}
		}
		return calm
	}
	return false
}

// inert reports whether evaluating x runs nobody else's code.
func (e *emitter) inert(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.Identifier:
		b := e.prog.Binding(x)
		return b != nil && !b.Boxed
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		return true
	case *ast.AssignExpression:
		_, name := x.Left.(*ast.Identifier)
		return name && x.Operator == token.ASSIGN && e.inert(x.Right)
	}
	return e.stable(x)
}

// writes reports whether n itself writes b.
func (e *emitter) writes(n ast.Node, b *program.Binding) bool {
	if id, ok := n.(*ast.Identifier); ok {
		ref := e.prog.Ref(id)
		return ref != nil && ref.Binding == b && ref.Write
	}
	found := false
	syntax.Children(n, func(c ast.Node) { found = found || e.writes(c, b) })
	return found
}

// writesTo reports whether n writes the variable that x is.
func (e *emitter) writesTo(n ast.Node, x ast.Expression) bool {
	id, ok := x.(*ast.Identifier)
	if !ok {
		return false
	}
	b := e.prog.Binding(id)
	return b != nil && e.writes(n, b)
}

// hold decides how to refer to x again, after what comes later has run.
func (e *emitter) hold(x ast.Expression, later ...ast.Expression) operand {
	o := operand{x: x, never: e.never(x)}
	if !e.stable(x, later...) {
		o.temp = e.take()
	}
	return o
}

// holdScalar is hold where an object would be converted, so that only a primitive
// needs no test.
func (e *emitter) holdScalar(x ast.Expression, later ...ast.Expression) operand {
	o := e.hold(x, later...)
	o.never = e.scalar(x)
	return o
}

// first prints an operand where it is evaluated, as something in parentheses or a
// plain name.
func (e *emitter) first(p *printer.Printer, o operand) {
	if o.temp == "" {
		p.Expr(o.x, printer.PrecPrimary)
		return
	}
	p.Raw("(" + o.temp + " = ")
	e.unnamed(p, o.x)
	p.Raw(")")
}

// unnamed prints x where it must not take the name of a temporary.
func (e *emitter) unnamed(p *printer.Printer, x ast.Expression) {
	if syntax.AnonymousFunction(x) {
		p.Raw("(0, ")
		p.Sub(x)
		p.Raw(")")
		return
	}
	p.Sub(x)
}

// begin prints the evaluation of operands, each followed by a comma, unless they
// are stable.
func (e *emitter) begin(p *printer.Printer, list ...operand) {
	for _, o := range list {
		if o.temp != "" && o.x != nil {
			p.Raw(o.temp + " = ")
			e.unnamed(p, o.x)
			p.Raw(", ")
		}
	}
}

// again prints an operand whose value is known.
func (e *emitter) again(p *printer.Printer, o operand) {
	if o.temp != "" {
		p.Raw(o.temp)
		return
	}
	p.Expr(o.x, printer.PrecPrimary)
}

// guard prints the test that no operand is an object: `typeof a !== "object" && …`.
func (e *emitter) guard(p *printer.Printer, list ...operand) {
	n := 0
	for i, o := range list {
		if o.never || repeated(list[:i], o) {
			continue
		}
		if n++; n > 1 {
			p.Raw(" && ")
		}
		p.Raw("typeof ")
		e.again(p, o)
		p.Raw(notObject)
	}
	if n == 0 {
		p.Raw("true")
	}
}

// repeated: the same name has been tested already, as in x * x.
func repeated(list []operand, o operand) bool {
	id, ok := o.x.(*ast.Identifier)
	if !ok || o.temp != "" {
		return false
	}
	for _, other := range list {
		if x, ok := other.x.(*ast.Identifier); ok && other.temp == "" && x.Name == id.Name {
			return true
		}
	}
	return false
}

// invoke prints a helper's call with expressions as arguments.
func (e *emitter) invoke(p *printer.Printer, helper string, args ...ast.Expression) {
	p.Raw(e.h(helper) + "(")
	for i, a := range args {
		if i > 0 {
			p.Raw(", ")
		}
		p.Sub(a)
	}
	p.Raw(")")
}

// helper prints a helper's call with operands as arguments.
func (e *emitter) helper(p *printer.Printer, helper string, args ...operand) {
	p.Raw(e.h(helper) + "(")
	for i, a := range args {
		if i > 0 {
			p.Raw(", ")
		}
		e.again(p, a)
	}
	p.Raw(")")
}
