package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
)

// test prints a condition: a truth value that all lanes agree on.
func (e *emitter) test(p *printer.Printer, x ast.Expression) {
	used := e.fn.used
	defer e.release(used)
	switch x := x.(type) {
	case *ast.UnaryExpression:
		if x.Operator == token.NOT {
			p.Raw("!")
			e.test(p, x.Operand)
			return
		}
	case *ast.BinaryExpression:
		switch {
		case x.Operator == token.LOGICAL_AND || x.Operator == token.LOGICAL_OR:
			p.Raw("(")
			e.test(p, x.Left)
			p.Raw(" " + x.Operator.String() + " ")
			e.test(p, x.Right)
			p.Raw(")")
			return
		case boolish(x):
			e.binary(p, x, true)
			return
		}
	case *ast.SequenceExpression:
		p.Raw("(")
		e.sequence(p, x.Sequence[:len(x.Sequence)-1])
		p.Raw(", ")
		e.test(p, x.Sequence[len(x.Sequence)-1])
		p.Raw(")")
		return
	}
	if e.never(x) {
		p.Raw("(")
		p.Sub(x)
		p.Raw(")")
		return
	}
	if !e.fn.body && !e.stable(x) {
		e.invoke(p, hTruth, x)
		return
	}
	o := e.hold(x)
	p.Raw("(typeof ")
	// What x needs for itself is free again when the temporary is set.
	e.release(used)
	e.first(p, o)
	p.Raw(notObject + " ? ")
	e.again(p, o)
	p.Raw(" : ")
	e.helper(p, hTruth, o)
	p.Raw(")")
}

// sequence prints expressions whose values nobody wants.
func (e *emitter) sequence(p *printer.Printer, list []ast.Expression) {
	for i, x := range list {
		if i > 0 {
			p.Raw(", ")
		}
		e.unused(p, x)
	}
}

// unused prints an expression whose value nobody wants.
func (e *emitter) unused(p *printer.Printer, x ast.Expression) {
	used := e.fn.used
	defer e.release(used)
	switch x := x.(type) {
	case *ast.UnaryExpression:
		if (x.Operator == token.INCREMENT || x.Operator == token.DECREMENT) && e.update(p, x, true) {
			return
		}
	case *ast.SequenceExpression:
		p.Raw("(")
		e.sequence(p, x.Sequence)
		p.Raw(")")
		return
	}
	p.Sub(x)
}

// logical prints && || and ??. The left side's value may be the result.
func (e *emitter) logical(p *printer.Printer, x *ast.BinaryExpression) bool {
	op := " " + x.Operator.String() + " "
	if x.Operator != token.COALESCE && boolish(x.Left) {
		// Lanes agree, so a boolean of the left side is what the language gives.
		p.Raw("(")
		e.test(p, x.Left)
		p.Raw(op)
		p.Expr(x.Right, printer.PrecBitOr)
		p.Raw(")")
		return true
	}
	if e.never(x.Left) {
		p.Raw("(")
		p.Expr(x.Left, printer.PrecBitOr)
		p.Raw(op)
		p.Expr(x.Right, printer.PrecBitOr)
		p.Raw(")")
		return true
	}
	if !e.fn.body {
		// There is room for the left side's value in an arrow function's parameter.
		p.Raw("((" + e.temp + ") => ")
		e.choose(p, x, e.temp, func() { p.Raw(e.temp) })
		p.Raw(")(")
		p.Sub(x.Left)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	t := e.take()
	e.release(used) // inside, the left side may use it for itself
	p.Raw("(")
	e.choose(p, x, t, func() {
		p.Raw("(" + t + " = ")
		e.unnamed(p, x.Left)
		p.Raw(")")
	})
	p.Raw(")")
	return true
}

// choose prints the choice between t, the left side's value, and the right side.
// t is not needed any more when the right side runs. first prints t's first use.
func (e *emitter) choose(p *printer.Printer, x *ast.BinaryExpression, t string, first func()) {
	if x.Operator == token.COALESCE {
		p.Raw("(typeof ")
		first()
		p.Raw(notObject + " ? " + t + " : " + e.h(hNullish) + "(" + t + ")) ?? ")
		p.Expr(x.Right, printer.PrecBitOr)
		return
	}
	p.Raw("(typeof ")
	first()
	p.Raw(notObject + " ? " + t + " : " + e.h(hTruth) + "(" + t + ")) ? ")
	if x.Operator == token.LOGICAL_AND {
		p.Sub(x.Right)
		p.Raw(" : " + t)
	} else {
		p.Raw(t + " : ")
		p.Sub(x.Right)
	}
}

func (e *emitter) binary(p *printer.Printer, x *ast.BinaryExpression, cond bool) bool {
	l, r := x.Left, x.Right
	switch x.Operator {
	case token.IN:
		return e.in(p, x, cond)
	case token.INSTANCEOF:
		return e.instance(p, x, cond)
	}
	helper := operators[x.Operator]
	if cond {
		helper = "t" + helper
	}
	if u, ok := l.(*ast.UnaryExpression); ok && u.Operator == token.TYPEOF && comparisons[x.Operator] && literal(r) {
		return e.typeofTest(p, u.Operand, x, helper)
	}
	hold, free := e.holdScalar, e.scalar
	if x.Operator == token.STRICT_EQUAL || x.Operator == token.STRICT_NOT_EQUAL {
		hold, free = e.hold, e.never
	}
	if free(l) && free(r) {
		p.Raw("(")
		p.DefaultExpr(x, printer.PrecSequence)
		p.Raw(")")
		return true
	}
	if !e.fn.body && !(e.stable(l, r) && e.stable(r)) {
		e.invoke(p, helper, l, r)
		return true
	}
	used := e.fn.used
	defer e.release(used)
	a := hold(l, r)
	if a.temp != "" && !a.never && e.stable(r) {
		// One operand is evaluated: in the test itself.
		b := operand{x: r, never: free(r)}
		p.Raw("(typeof ")
		e.first(p, a)
		p.Raw(notObject)
		if !b.never {
			p.Raw(" && ")
			e.guard(p, b)
		}
		e.operation(p, a, x.Operator, b, helper)
		return true
	}
	p.Raw("(")
	e.begin(p, a)
	b := hold(r)
	e.begin(p, b)
	e.guard(p, a, b)
	e.operation(p, a, x.Operator, b, helper)
	return true
}

// operation prints what follows a guard: ` ? a op b : helper(a, b))`.
func (e *emitter) operation(p *printer.Printer, a operand, op token.Token, b operand, helper string) {
	p.Raw(" ? ")
	e.again(p, a)
	p.Raw(" " + op.String() + " ")
	e.again(p, b)
	p.Raw(" : ")
	e.helper(p, helper, a, b)
	p.Raw(")")
}

// literal: x is written down, and no object.
func literal(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return true
	case *ast.UnaryExpression:
		_, n := x.Operand.(*ast.NumberLiteral)
		return n && (x.Operator == token.VOID || x.Operator == token.MINUS)
	}
	return false
}

// typeofTest prints `typeof x === "…"` and the like.
func (e *emitter) typeofTest(p *printer.Printer, x ast.Expression, whole *ast.BinaryExpression, helper string) bool {
	op := " " + whole.Operator.String() + " "
	if e.free(x) || e.never(x) {
		p.Raw("(typeof ")
		p.Expr(x, printer.PrecUnary)
		p.Raw(op)
		p.Sub(whole.Right)
		p.Raw(")")
		return true
	}
	if !e.fn.body && !e.stable(x) {
		p.Raw(e.h(helper) + "(")
		e.invoke(p, hTypeof, x)
		p.Raw(", ")
		p.Sub(whole.Right)
		p.Raw(")")
		return true
	}
	o := e.hold(x)
	p.Raw("(typeof ")
	e.first(p, o)
	p.Raw(notObject + " ? typeof ")
	e.again(p, o)
	p.Raw(op)
	p.Sub(whole.Right)
	p.Raw(" : " + e.h(helper) + "(")
	e.helper(p, hTypeof, o)
	p.Raw(", ")
	p.Sub(whole.Right)
	p.Raw("))")
	return true
}

// agreed prints a helper's call, as a condition if it is one.
func (e *emitter) agreed(p *printer.Printer, cond bool, call func()) {
	if cond {
		p.Raw(e.h(hTruth) + "(")
	}
	call()
	if cond {
		p.Raw(")")
	}
}

func (e *emitter) in(p *printer.Printer, x *ast.BinaryExpression, cond bool) bool {
	if _, private := x.Left.(*ast.PrivateIdentifier); private || !e.tracked && e.scalar(x.Left) && e.never(x.Right) {
		p.Raw("(")
		p.DefaultExpr(x, printer.PrecSequence)
		p.Raw(")")
		return true
	}
	e.agreed(p, cond, func() { e.invoke(p, hIn, x.Left, x.Right) })
	return true
}

// instance prints instanceof. Where it stands, the engine knows the class, so the
// test for a multivalue comes first and the rest stays as it is.
func (e *emitter) instance(p *printer.Printer, x *ast.BinaryExpression, cond bool) bool {
	if e.customInstanceof || !e.fn.body {
		e.agreed(p, cond, func() { e.invoke(p, hInstance, x.Left, x.Right) })
		return true
	}
	if e.never(x.Left) {
		p.Raw("(")
		p.DefaultExpr(x, printer.PrecSequence)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	defer e.release(used)
	a := e.hold(x.Left, x.Right)
	p.Raw("(")
	e.begin(p, a)
	b := e.hold(x.Right)
	e.begin(p, b)
	e.helper(p, hIs, a)
	p.Raw(" ? ")
	e.agreed(p, cond, func() { e.helper(p, hInstance, a, b) })
	p.Raw(" : ")
	e.again(p, a)
	p.Raw(" instanceof ")
	e.again(p, b)
	p.Raw(")")
	return true
}

func (e *emitter) unary(p *printer.Printer, x *ast.UnaryExpression, unused bool) bool {
	switch x.Operator {
	case token.INCREMENT, token.DECREMENT:
		return e.update(p, x, unused)
	case token.VOID:
		return false
	case token.DELETE:
		return e.delete(p, x)
	case token.NOT:
		if boolish(x.Operand) && !e.never(x.Operand) {
			e.invoke(p, hNot, x.Operand)
			return true
		}
	case token.TYPEOF:
		if e.free(x.Operand) {
			return false
		}
	}
	if e.never(x.Operand) && (x.Operator == token.NOT || x.Operator == token.TYPEOF) || e.scalar(x.Operand) {
		return false
	}
	helper := unaries[x.Operator]
	if x.Operator == token.TYPEOF {
		helper = hTypeof
	}
	if !e.fn.body && !e.stable(x.Operand) {
		e.invoke(p, helper, x.Operand)
		return true
	}
	o := e.hold(x.Operand)
	p.Raw("(typeof ")
	e.first(p, o)
	p.Raw(notObject + " ? " + x.Operator.String() + " ")
	e.again(p, o)
	p.Raw(" : ")
	e.helper(p, helper, o)
	p.Raw(")")
	return true
}

func (e *emitter) template(p *printer.Printer, x *ast.TemplateLiteral) bool {
	if x.Tag != nil || e.scalar(x) {
		return false
	}
	if !e.fn.body {
		e.textOf(p, x, func(i int) { p.Sub(x.Expressions[i]) })
		return true
	}
	p.Raw("(")
	var held []operand
	for i, v := range x.Expressions {
		// A template converts each value before it evaluates the next.
		o := e.holdScalar(v)
		calm := true
		for _, later := range x.Expressions[i+1:] {
			calm = calm && e.inert(later) && !e.writesTo(later, v)
		}
		if !calm && !literal(v) {
			if o.temp == "" {
				o.temp = e.take()
			}
			e.begin(p, o)
			p.Raw("typeof " + o.temp + notObject + " || (" + o.temp + " = " + e.h(hString) + "(" + o.temp + ")), ")
		} else {
			e.begin(p, o)
		}
		held = append(held, o)
	}
	e.guard(p, held...)
	p.Raw(" ? `")
	for i, el := range x.Elements {
		p.Raw(el.Literal)
		if i < len(held) {
			p.Raw("${")
			e.again(p, held[i])
			p.Raw("}")
		}
	}
	p.Raw("` : ")
	e.textOf(p, x, func(i int) { e.again(p, held[i]) })
	p.Raw(")")
	return true
}

func (e *emitter) textOf(p *printer.Printer, x *ast.TemplateLiteral, value func(i int)) {
	p.Raw(e.h(hTemplate) + "([`")
	for i, el := range x.Elements {
		if i > 0 {
			p.Raw("`, `")
		}
		p.Raw(el.Literal)
	}
	p.Raw("`]")
	for i := range x.Expressions {
		p.Raw(", ")
		value(i)
	}
	p.Raw(")")
}

func (e *emitter) object(p *printer.Printer, x *ast.ObjectLiteral) bool {
	special := false
	for _, prop := range x.Value {
		special = special || e.specialProperty(prop)
	}
	if !special {
		return false
	}
	p.Mark(x.LeftBrace)
	p.Raw("({")
	for i, prop := range x.Value {
		if i > 0 {
			p.Raw(",")
		}
		p.Raw(" ")
		if !e.specialProperty(prop) {
			p.Property(prop)
			continue
		}
		switch prop := prop.(type) {
		case *ast.SpreadElement:
			p.Raw("..." + e.h(hSpread) + "(")
			p.Sub(prop.Expression)
			p.Raw(")")
		case *ast.PropertyShort: // done
			p.Raw("done: " + e.h(hDone) + "(")
			p.Sub(&prop.Name)
			p.Raw(")")
		case *ast.PropertyKeyed:
			switch {
			case e.tagged(prop):
				p.Raw("[")
				p.Sub(prop.Key)
				p.Raw("]: ")
				e.invoke(p, hTag, prop.Value)
			case prop.Computed: // an accessor
				e.accessorKey(p, prop)
			case prop.Kind == ast.PropertyKindValue && keyName(prop.Key) == "__proto__":
				p.Raw("__proto__: ")
				e.invoke(p, hProto, prop.Value)
			default:
				p.Raw("done: ")
				e.invoke(p, hDone, prop.Value)
			}
		}
	}
	p.Raw(" })")
	return true
}

// specialProperty: a spread, the literal's prototype, what an iterator answers, or
// an accessor whose name is computed.
func (e *emitter) specialProperty(prop ast.Property) bool {
	switch prop := prop.(type) {
	case *ast.SpreadElement:
		return true
	case *ast.PropertyShort:
		return e.customIterators && prop.Name.Name == "done" && !e.never(&prop.Name)
	case *ast.PropertyKeyed:
		if prop.Computed {
			return prop.Kind == ast.PropertyKindGet || prop.Kind == ast.PropertyKindSet || e.tagged(prop)
		}
		if prop.Kind != ast.PropertyKindValue || e.never(prop.Value) {
			return false
		}
		name := keyName(prop.Key)
		return name == "__proto__" || e.customIterators && name == "done"
	}
	return false
}

// tagged: a property that may be for Symbol.toStringTag, and hold a multivalue.
func (e *emitter) tagged(prop *ast.PropertyKeyed) bool {
	return e.asksTag && prop.Computed && prop.Kind == ast.PropertyKindValue && isTag(prop.Key) && !e.never(prop.Value)
}

func keyName(key ast.Expression) string {
	switch k := key.(type) {
	case *ast.Identifier:
		return k.Name.String()
	case *ast.StringLiteral:
		return k.Value.String()
	}
	return ""
}

// accessorKey prints an accessor and tells the runtime its name.
func (e *emitter) accessorKey(p *printer.Printer, prop *ast.PropertyKeyed) {
	fn := prop.Value.(*ast.FunctionLiteral)
	p.Mark(fn.Function)
	p.Raw(string(prop.Kind) + " [")
	e.invoke(p, hAccessor, prop.Key)
	p.Raw("]")
	p.FuncTail(fn)
}

func spreads(list []ast.Expression) bool {
	for _, a := range list {
		if _, ok := a.(*ast.SpreadElement); ok {
			return true
		}
	}
	return false
}

// Iterated implements printer.IterationHook.
func (e *emitter) Iterated(p *printer.Printer, x ast.Expression, by printer.Iteration) bool {
	switch x := x.(type) {
	case *ast.ArrayLiteral, *ast.StringLiteral:
		return false
	case *ast.Identifier:
		if b := e.prog.Binding(x); !e.customIterators && (b == nil || !b.Boxed) {
			return false
		}
	}
	helper := hIterate
	if by == printer.SpreadLast {
		helper = hSpreadLast
	}
	p.Raw(e.h(helper) + "(")
	p.Sub(x)
	p.Raw(", " + strconv.Quote(by.Text(x)) + ")")
	return true
}
