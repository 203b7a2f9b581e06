package verifierbuild

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
)

const notObject = ` !== "object"`

// simple expressions can be printed twice: reading them has no effect and
// nothing between the two readings can change them.
func (e *emitter) simple(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.Identifier:
		b := e.prog.Binding(x)
		return b == nil || !b.Boxed
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.ThisExpression:
		return true
	}
	return false
}

// never: x is no multivalue, whatever the lanes do.
func (e *emitter) never(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.RegExpLiteral,
		*ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ObjectLiteral, *ast.ArrayLiteral, *ast.ClassLiteral,
		*ast.SuperExpression, *ast.MetaProperty, *ast.PrivateIdentifier:
		return true
	case *ast.Identifier:
		b := e.prog.Binding(x)
		if b == nil {
			n := x.Name.String()
			return platformNames[n] || nativeConstructors[n] || n == "arguments"
		}
		return isArguments(b.Kind) || isFunctionKind(b.Kind) && !b.Assigned
	case *ast.UnaryExpression:
		switch x.Operator {
		case token.VOID:
			return true
		case token.MINUS, token.PLUS, token.BITWISE_NOT, token.NOT, token.TYPEOF:
			return e.never(x.Operand)
		}
	case *ast.BinaryExpression:
		switch x.Operator {
		case token.IN, token.INSTANCEOF:
			return false
		}
		return e.never(x.Left) && e.never(x.Right)
	case *ast.SequenceExpression:
		return e.never(x.Sequence[len(x.Sequence)-1])
	case *ast.ConditionalExpression:
		return e.never(x.Consequent) && e.never(x.Alternate)
	case *ast.AssignExpression:
		return x.Operator == token.ASSIGN && e.never(x.Right)
	case *ast.TemplateLiteral:
		if x.Tag != nil {
			return false
		}
		for _, v := range x.Expressions {
			if !e.never(v) {
				return false
			}
		}
		return true
	}
	return false
}

// boolish expressions are booleans or multivalues of booleans.
func boolish(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.BinaryExpression:
		return x.Comparison || operators[x.Operator].test != "" || x.Operator == token.IN || x.Operator == token.INSTANCEOF
	case *ast.UnaryExpression:
		return x.Operator == token.NOT
	}
	return false
}

// An operand is something that can be printed again: a name, a literal, or the
// temporary that holds it.
type operand struct {
	expr  ast.Expression
	temp  string
	never bool
}

func (e *emitter) again(p *printer.Printer, o operand) {
	if o.temp != "" {
		p.Raw(o.temp)
		return
	}
	p.Expr(o.expr, printer.PrecPrimary)
}

// hold prepares an operand; set prints its evaluation.
func (e *emitter) hold(x ast.Expression, force bool) operand {
	o := operand{expr: x, never: e.never(x)}
	if force || !e.simple(x) {
		o.temp = e.take()
	}
	return o
}

// first prints the operand where it is evaluated.
func (e *emitter) first(p *printer.Printer, o operand) {
	if o.temp == "" {
		p.Expr(o.expr, printer.PrecPrimary)
		return
	}
	p.Raw("(" + o.temp + " = ")
	p.Sub(o.expr)
	p.Raw(")")
}

// Expr implements printer.Hooks.
func (e *emitter) Expr(p *printer.Printer, x ast.Expression) bool {
	mark := e.fn.used
	defer e.release(mark)
	if e.Common.Expr(p, x) {
		return true
	}
	switch x := x.(type) {
	case *ast.BinaryExpression:
		switch x.Operator {
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			e.logical(p, x)
		default:
			e.binary(p, x, false)
		}
		return true
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
	case *ast.DotExpression:
		return e.dot(p, x)
	case *ast.BracketExpression:
		return e.bracket(p, x)
	case *ast.CallExpression:
		return e.call(p, x)
	case *ast.NewExpression:
		id, ok := x.Callee.(*ast.Identifier)
		if ok && e.prog.IsFree(id, id.Name.String()) && nativeConstructors[id.Name.String()] {
			return e.native(p, helperNew, "new ", id, x.ArgumentList)
		}
	case *ast.TemplateLiteral:
		return e.template(p, x)
	}
	return false
}

// Reference implements printer.ReferenceHook: members as places.
func (e *emitter) Reference(p *printer.Printer, x ast.Expression) bool {
	b, ok := x.(*ast.BracketExpression)
	if !ok || e.never(b.Member) {
		return false
	}
	if _, super := b.Left.(*ast.SuperExpression); super {
		return false
	}
	// A callee keeps its text; only its key is looked at.
	p.Object(b.Left)
	p.Raw("[")
	mark := e.fn.used
	if e.fn.opened || e.simple(b.Member) {
		k := e.hold(b.Member, false)
		p.Raw("typeof ")
		e.first(p, k)
		p.Raw(notObject + " ? ")
		e.again(p, k)
		p.Raw(" : (" + helperKey + "(")
		e.again(p, k)
		p.Raw("), ")
		e.again(p, k)
		p.Raw(")")
	} else {
		p.Sub(b.Member) // no place for a guard: a multivalue diverges when it is coerced
	}
	e.release(mark)
	p.Raw("]")
	return true
}

// test prints a condition: a truth value that all lanes agree on.
func (e *emitter) test(p *printer.Printer, x ast.Expression) {
	mark := e.fn.used
	defer e.release(mark)
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
		for _, y := range x.Sequence[:len(x.Sequence)-1] {
			e.unused(p, y)
			p.Raw(", ")
		}
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
	if !e.fn.opened && !e.simple(x) {
		p.Raw(helperTruth + "(")
		p.Sub(x)
		p.Raw(")")
		return
	}
	o := e.hold(x, false)
	p.Raw("(typeof ")
	e.first(p, o)
	p.Raw(notObject + " ? ")
	e.again(p, o)
	p.Raw(" : " + helperTruth + "(")
	e.again(p, o)
	p.Raw("))")
}

// unused prints an expression whose value nobody wants.
func (e *emitter) unused(p *printer.Printer, x ast.Expression) {
	if u, ok := x.(*ast.UnaryExpression); ok && (u.Operator == token.INCREMENT || u.Operator == token.DECREMENT) {
		mark := e.fn.used
		if e.unary(p, u, true) {
			e.release(mark)
			return
		}
	}
	p.Sub(x)
}

func (e *emitter) logical(p *printer.Printer, x *ast.BinaryExpression) {
	and := x.Operator == token.LOGICAL_AND
	switch {
	case x.Operator != token.COALESCE && boolish(x.Left):
		p.Raw("(")
		e.test(p, x.Left)
		p.Raw(" " + x.Operator.String() + " ")
		p.Expr(x.Right, printer.PrecBitOr)
		p.Raw(")")
		return
	case e.never(x.Left):
		p.Raw("(")
		p.Expr(x.Left, printer.PrecBitOr)
		p.Raw(" " + x.Operator.String() + " ")
		p.Expr(x.Right, printer.PrecBitOr)
		p.Raw(")")
		return
	}
	if !e.fn.opened {
		// No temporaries here: an arrow function's parameter holds the left side.
		t := e.prog.Fresh("$l")
		p.Raw("((" + t + ") => ")
		if x.Operator == token.COALESCE {
			p.Raw(helperNullish + "(" + t + ") == null ? ")
			p.Sub(x.Right)
			p.Raw(" : " + t)
		} else if and {
			p.Raw(helperTruth + "(" + t + ") ? ")
			p.Sub(x.Right)
			p.Raw(" : " + t)
		} else {
			p.Raw(helperTruth + "(" + t + ") ? " + t + " : ")
			p.Sub(x.Right)
		}
		p.Raw(")(")
		p.Sub(x.Left)
		p.Raw(")")
		return
	}
	mark := e.fn.used
	t := e.take()
	if x.Operator == token.COALESCE {
		p.Raw("(" + helperNullish + "(" + t + " = ")
		p.Sub(x.Left)
		p.Raw(") == null ? ")
		e.release(mark)
		p.Sub(x.Right)
		p.Raw(" : " + t + ")")
		return
	}
	p.Raw("((typeof (" + t + " = ")
	// The left side may use the same temporary for itself: it is done with when t is set.
	e.release(mark)
	p.Sub(x.Left)
	p.Raw(")" + notObject + " ? " + t + " : " + helperTruth + "(" + t + "))")
	// t is read for the last time before the right side runs, or is the result.
	if and {
		p.Raw(" ? ")
		p.Sub(x.Right)
		p.Raw(" : " + t + ")")
	} else {
		p.Raw(" ? " + t + " : ")
		p.Sub(x.Right)
		p.Raw(")")
	}
}

func (e *emitter) binary(p *printer.Printer, x *ast.BinaryExpression, cond bool) {
	l, r, op := x.Left, x.Right, x.Operator
	mark := e.fn.used
	defer e.release(mark)
	switch op {
	case token.IN:
		if _, private := l.(*ast.PrivateIdentifier); private {
			p.Raw("(")
			p.DefaultExpr(x, printer.PrecSequence)
			p.Raw(")")
			return
		}
		e.tested(p, cond, helperIn, l, r)
		return
	case token.INSTANCEOF:
		if e.never(l) {
			p.Raw("(")
			p.Expr(l, printer.PrecRelational)
			p.Raw(" instanceof ")
			p.Expr(r, printer.PrecShift)
			p.Raw(")")
			return
		}
		e.tested(p, cond, helperIs, l, r)
		return
	}
	o := operators[op]
	helper := o.helper
	if cond && o.test != "" {
		helper = o.test
	}
	text := " " + op.String() + " "
	nl, nr := e.never(l), e.never(r)
	if nl && nr {
		p.Raw("(")
		p.DefaultExpr(x, printer.PrecSequence)
		p.Raw(")")
		return
	}
	if t, ok := typeofOf(l); ok && isString(r) {
		e.typeofTest(p, t, text, r, helper)
		return
	}
	if !e.fn.opened && !(e.simple(l) && e.simple(r)) {
		e.helper2(p, helper, l, r)
		return
	}
	guard := func(a, b operand) {
		n := 0
		for _, y := range []operand{a, b} {
			if y.never {
				continue
			}
			if n++; n > 1 {
				p.Raw(" && ")
			}
			p.Raw("typeof ")
			e.again(p, y)
			p.Raw(notObject)
		}
		p.Raw(" ? ")
		e.again(p, a)
		p.Raw(text)
		e.again(p, b)
		p.Raw(" : " + helper + "(")
		e.again(p, a)
		p.Raw(", ")
		e.again(p, b)
		p.Raw("))")
	}
	switch {
	case e.simple(l) && e.simple(r):
		p.Raw("(")
		guard(operand{expr: l, never: nl}, operand{expr: r, never: nr})
	case literal(r):
		a := e.hold(l, true)
		p.Raw("(" + a.temp + " = ")
		p.Sub(l)
		p.Raw(", ")
		guard(a, operand{expr: r, never: true})
	case literal(l):
		b := e.hold(r, true)
		p.Raw("(" + b.temp + " = ")
		p.Sub(r)
		p.Raw(", ")
		guard(operand{expr: l, never: true}, b)
	default:
		// Both sides are evaluated before either is looked at.
		a := e.hold(l, true)
		p.Raw("(" + a.temp + " = ")
		p.Sub(l)
		p.Raw(", ")
		b := e.hold(r, true)
		p.Raw(b.temp + " = ")
		p.Sub(r)
		p.Raw(", ")
		guard(a, b)
	}
}

func (e *emitter) helper2(p *printer.Printer, helper string, a, b ast.Expression) {
	p.Raw(helper + "(")
	p.Sub(a)
	p.Raw(", ")
	p.Sub(b)
	p.Raw(")")
}

// tested prints a helper's call, as a condition if it is one.
func (e *emitter) tested(p *printer.Printer, cond bool, helper string, a, b ast.Expression) {
	if cond {
		p.Raw(helperTruth + "(")
	}
	e.helper2(p, helper, a, b)
	if cond {
		p.Raw(")")
	}
}

func pick(cond bool, a, b string) string {
	if cond {
		return a
	}
	return b
}

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

func isString(x ast.Expression) bool {
	_, ok := x.(*ast.StringLiteral)
	return ok
}

func typeofOf(x ast.Expression) (ast.Expression, bool) {
	if u, ok := x.(*ast.UnaryExpression); ok && u.Operator == token.TYPEOF {
		return u.Operand, true
	}
	return nil, false
}

// typeofTest prints `typeof x === "…"` and the like.
func (e *emitter) typeofTest(p *printer.Printer, x ast.Expression, op string, r ast.Expression, helper string) {
	if e.free(x) || e.never(x) {
		p.Raw("(typeof ")
		p.Expr(x, printer.PrecUnary)
		p.Raw(op)
		p.Sub(r)
		p.Raw(")")
		return
	}
	if !e.fn.opened && !e.simple(x) {
		p.Raw(helper + "(" + helperTypeof + "(")
		p.Sub(x)
		p.Raw("), ")
		p.Sub(r)
		p.Raw(")")
		return
	}
	o := e.hold(x, false)
	p.Raw("(typeof ")
	e.first(p, o)
	p.Raw(notObject + " ? typeof ")
	e.again(p, o)
	p.Raw(op)
	p.Sub(r)
	p.Raw(" : " + helper + "(" + helperTypeof + "(")
	e.again(p, o)
	p.Raw("), ")
	p.Sub(r)
	p.Raw("))")
}

func (e *emitter) free(x ast.Expression) bool {
	id, ok := x.(*ast.Identifier)
	return ok && e.prog.IsFree(id, id.Name.String())
}

func (e *emitter) unary(p *printer.Printer, x *ast.UnaryExpression, unused bool) bool {
	switch x.Operator {
	case token.INCREMENT, token.DECREMENT:
		return e.update(p, x, unused)
	case token.VOID:
		return false
	case token.DELETE:
		return e.delete(p, x)
	case token.TYPEOF:
		if e.free(x.Operand) || e.never(x.Operand) {
			return false
		}
		p.Raw(helperTypeof + "(")
		p.Sub(x.Operand)
		p.Raw(")")
		return true
	}
	if e.never(x.Operand) {
		return false
	}
	helper := unaries[x.Operator]
	if !e.fn.opened && !e.simple(x.Operand) || x.Operator == token.NOT && boolish(x.Operand) {
		p.Raw(helper + "(")
		p.Sub(x.Operand)
		p.Raw(")")
		return true
	}
	o := e.hold(x.Operand, false)
	p.Raw("(typeof ")
	e.first(p, o)
	p.Raw(notObject + " ? " + x.Operator.String())
	e.again(p, o)
	p.Raw(" : " + helper + "(")
	e.again(p, o)
	p.Raw("))")
	return true
}

func (e *emitter) delete(p *printer.Printer, x *ast.UnaryExpression) bool {
	switch m := x.Operand.(type) {
	case *ast.DotExpression:
		if _, super := m.Left.(*ast.SuperExpression); super {
			return false
		}
		p.Raw(helperDelete + "(")
		p.Sub(m.Left)
		p.Raw(`, "` + m.Identifier.Name.String() + `", `)
	case *ast.BracketExpression:
		if _, super := m.Left.(*ast.SuperExpression); super {
			return false
		}
		p.Raw(helperDelete + "(")
		p.Sub(m.Left)
		p.Raw(", ")
		p.Sub(m.Member)
		p.Raw(", ")
	default:
		return false
	}
	p.Raw(pick(e.strict(), "1", "0"))
	p.Raw(")")
	return true
}

// strict: the code being printed is strict.
func (e *emitter) strict() bool {
	f := e.prog.Func(e.fn.node)
	return f != nil && f.Strict
}

func (e *emitter) template(p *printer.Printer, x *ast.TemplateLiteral) bool {
	if x.Tag != nil || e.never(x) {
		return false
	}
	simple := true
	for _, v := range x.Expressions {
		simple = simple && (e.simple(v) || e.never(v))
	}
	if simple {
		p.Raw("(")
		n := 0
		for _, v := range x.Expressions {
			if e.never(v) {
				continue
			}
			if n++; n > 1 {
				p.Raw(" && ")
			}
			p.Raw("typeof ")
			p.Expr(v, printer.PrecPrimary)
			p.Raw(notObject)
		}
		p.Raw(" ? ")
		p.TemplateBody(x)
		p.Raw(" : ")
	}
	p.Raw(helperTemplate + "([`")
	for i, el := range x.Elements {
		if i > 0 {
			p.Raw("`, `")
		}
		p.Raw(el.Literal)
	}
	p.Raw("`]")
	for _, v := range x.Expressions {
		p.Raw(", ")
		p.Sub(v)
	}
	p.Raw(")")
	if simple {
		p.Raw(")")
	}
	return true
}

func (e *emitter) native(p *printer.Printer, helper, prefix string, id *ast.Identifier, args []ast.Expression) bool {
	name := id.Name.String()
	plain := true
	spread := false
	for _, a := range args {
		if _, ok := a.(*ast.SpreadElement); ok {
			spread = true
		}
		plain = plain && e.never(a)
	}
	if plain && !spread {
		return false
	}
	if spread || !e.fn.opened {
		p.Raw(helper + "(")
		p.Mark(id.Idx)
		p.Raw(name)
		for _, a := range args {
			p.Raw(", ")
			p.Arg(a)
		}
		p.Raw(")")
		return true
	}
	p.Raw("(")
	held := e.holdArgs(p, args)
	e.guardArgs(p, held)
	p.Raw(" ? " + prefix)
	p.Mark(id.Idx)
	p.Raw(name)
	e.argList(p, held, "(")
	p.Raw(" : " + helper + "(" + name)
	e.argList(p, held, ", ")
	p.Raw(")")
	return true
}

// holdArgs evaluates arguments in order and makes them printable again.
func (e *emitter) holdArgs(p *printer.Printer, args []ast.Expression) []operand {
	force := false
	for _, a := range args {
		force = force || !e.simple(a)
	}
	var held []operand
	for _, a := range args {
		if literal(a) {
			held = append(held, operand{expr: a, never: true})
			continue
		}
		o := e.hold(a, force)
		if o.temp != "" {
			p.Raw(o.temp + " = ")
			p.Sub(a)
			p.Raw(", ")
		}
		held = append(held, o)
	}
	return held
}

func (e *emitter) guardArgs(p *printer.Printer, held []operand) {
	n := 0
	for _, o := range held {
		if o.never {
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

// argList prints held arguments after open, with the closing parenthesis.
func (e *emitter) argList(p *printer.Printer, held []operand, open string) {
	if len(held) == 0 && open == ", " {
		open = ""
	}
	p.Raw(open)
	for i, o := range held {
		if i > 0 {
			p.Raw(", ")
		}
		e.again(p, o)
	}
	p.Raw(")")
}

func (e *emitter) call(p *printer.Printer, x *ast.CallExpression) bool {
	for _, a := range x.ArgumentList {
		if _, spread := a.(*ast.SpreadElement); spread {
			return false
		}
	}
	switch c := x.Callee.(type) {
	case *ast.Identifier:
		if e.prog.IsFree(c, c.Name.String()) && nativeConstructors[c.Name.String()] {
			return e.native(p, helperCall, "", c, x.ArgumentList)
		}
	case *ast.DotExpression:
		name := c.Identifier.Name.String()
		if !nativeMethods[name] || !e.fn.opened {
			return false
		}
		switch c.Left.(type) {
		case *ast.SuperExpression, *ast.Optional:
			return false
		}
		all := true
		for _, a := range x.ArgumentList {
			all = all && e.never(a)
		}
		if all {
			return false
		}
		p.Raw("(")
		o := e.hold(c.Left, false)
		if o.temp == "" && !allSimple(e, x.ArgumentList) {
			// The receiver may be assigned while the arguments are evaluated.
			if id, ok := c.Left.(*ast.Identifier); ok && e.assigned(id) {
				o = e.hold(c.Left, true)
			}
		}
		if o.temp != "" {
			p.Raw(o.temp + " = ")
			p.Sub(c.Left)
			p.Raw(", ")
		}
		held := e.holdArgs(p, x.ArgumentList)
		e.guardArgs(p, held)
		p.Raw(" ? ")
		e.again(p, o)
		p.Raw(".")
		p.Mark(c.Identifier.Idx)
		p.Raw(name)
		e.argList(p, held, "(")
		p.Raw(" : " + helperMethod + "(")
		e.again(p, o)
		p.Raw(`, "` + name + `"`)
		e.argList(p, held, ", ")
		p.Raw(")")
		return true
	}
	return false
}

func allSimple(e *emitter, list []ast.Expression) bool {
	for _, a := range list {
		if !e.simple(a) {
			return false
		}
	}
	return true
}

func (e *emitter) assigned(id *ast.Identifier) bool {
	b := e.prog.Binding(id)
	return b == nil || b.Assigned
}

func (e *emitter) dot(p *printer.Printer, x *ast.DotExpression) bool {
	if !e.tracked || x.Identifier.Name != "length" || !e.fn.opened || e.noArray(x.Left) {
		return false
	}
	o := e.hold(x.Left, false)
	v := e.take()
	p.Raw("(")
	if o.temp != "" {
		p.Raw(o.temp + " = ")
		p.Sub(x.Left)
		p.Raw(", ")
	}
	p.Raw(v + " = ")
	e.again(p, o)
	p.Raw(".")
	p.Mark(x.Identifier.Idx)
	p.Raw("length, ")
	e.again(p, o)
	p.Raw("[" + trackedMark + "] === void 0 ? " + v + " : " + helperLength + "(")
	e.again(p, o)
	p.Raw("))")
	return true
}

// noArray: x certainly is no tracked array.
func (e *emitter) noArray(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.SuperExpression, *ast.Optional, *ast.StringLiteral, *ast.TemplateLiteral, *ast.FunctionLiteral:
		return true
	case *ast.Identifier:
		b := e.prog.Binding(x)
		return b == nil && x.Name == "arguments" || b != nil && isArguments(b.Kind)
	}
	return false
}

func (e *emitter) bracket(p *printer.Printer, x *ast.BracketExpression) bool {
	if isString(x.Member) {
		return false
	}
	switch x.Left.(type) {
	case *ast.SuperExpression, *ast.Optional:
		return false
	}
	tracked := e.tracked && !e.noArray(x.Left)
	never := e.never(x.Member)
	if never && !tracked {
		return false
	}
	if !e.fn.opened {
		e.helper2(p, helperGet, x.Left, x.Member)
		return true
	}
	bothSimple := e.simple(x.Left) && e.simple(x.Member)
	p.Raw("(")
	o := e.hold(x.Left, !bothSimple)
	if o.temp != "" {
		p.Raw(o.temp + " = ")
		p.Sub(x.Left)
		p.Raw(", ")
	}
	k := e.hold(x.Member, !bothSimple && !literal(x.Member))
	if k.temp != "" {
		p.Raw(k.temp + " = ")
		p.Sub(x.Member)
		p.Raw(", ")
	}
	load := func() {
		e.again(p, o)
		p.Mark(x.LeftBracket)
		p.Raw("[")
		e.again(p, k)
		p.Raw("]")
	}
	if tracked {
		v := e.take()
		if !never {
			p.Raw("typeof ")
			e.again(p, k)
			p.Raw(notObject + " && ")
		}
		p.Raw("(" + v + " = ")
		load()
		p.Raw(", ")
		e.again(p, o)
		p.Raw("[" + trackedMark + "] === void 0) ? " + v)
	} else {
		p.Raw("typeof ")
		e.again(p, k)
		p.Raw(notObject + " ? ")
		load()
	}
	p.Raw(" : " + helperGet + "(")
	e.again(p, o)
	p.Raw(", ")
	e.again(p, k)
	p.Raw("))")
	return true
}

func (e *emitter) assign(p *printer.Printer, x *ast.AssignExpression) bool {
	switch x.Operator {
	case token.ASSIGN:
		switch l := x.Left.(type) {
		case *ast.BracketExpression:
			return e.assignKeyed(p, l, x.Right)
		case *ast.DotExpression:
			if e.tracked && l.Identifier.Name == "length" && e.fn.opened && !e.noArray(l.Left) {
				p.Raw(helperSet + "(")
				p.Sub(l.Left)
				p.Raw(`, "length", `)
				p.Sub(x.Right)
				p.Raw(")")
				return true
			}
		case *ast.ArrayPattern, *ast.ObjectPattern:
			return e.assignPattern(p, x)
		}
		return false
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return e.assignLogical(p, x)
	}
	op := operators[x.Operator]
	text := " " + x.Operator.String() + " "
	combine := func(old operand) {
		nr := e.never(x.Right)
		if e.simple(x.Right) {
			r := operand{expr: x.Right, never: nr}
			e.combine(p, old, r, text, op.helper)
			return
		}
		r := e.hold(x.Right, true)
		p.Raw("(" + r.temp + " = ")
		p.Sub(x.Right)
		p.Raw(", ")
		e.combine(p, old, r, text, op.helper)
		p.Raw(")")
	}
	switch l := x.Left.(type) {
	case *ast.Identifier:
		p.Raw("(")
		e.place(p, l)
		p.Raw(" = ")
		switch {
		case !e.fn.opened:
			e.helper2(p, op.helper, l, x.Right)
		case e.simple(x.Right) && e.simple(l):
			combine(operand{expr: l})
		default:
			old := e.hold(l, true)
			p.Raw("(" + old.temp + " = ")
			p.Sub(l)
			p.Raw(", ")
			combine(old)
			p.Raw(")")
		}
		p.Raw(")")
		return true
	case *ast.DotExpression:
		if _, super := l.Left.(*ast.SuperExpression); super || !e.fn.opened {
			return false
		}
		o := e.hold(l.Left, !e.simple(l.Left))
		old := e.take()
		p.Raw("(")
		if o.temp != "" {
			p.Raw(o.temp + " = ")
			p.Sub(l.Left)
			p.Raw(", ")
		}
		p.Raw(old + " = ")
		e.again(p, o)
		p.Raw("." + l.Identifier.Name.String() + ", ")
		if l.Identifier.Name == "length" && e.tracked {
			p.Raw(helperSet + "(")
			e.again(p, o)
			p.Raw(`, "length", `)
			combine(operand{temp: old})
			p.Raw("))")
			return true
		}
		e.again(p, o)
		p.Raw(".")
		p.Mark(l.Identifier.Idx)
		p.Raw(l.Identifier.Name.String() + " = ")
		combine(operand{temp: old})
		p.Raw(")")
		return true
	case *ast.BracketExpression:
		if _, super := l.Left.(*ast.SuperExpression); super || !e.fn.opened {
			return false
		}
		o := e.hold(l.Left, true)
		p.Raw("(" + o.temp + " = ")
		p.Sub(l.Left)
		k := e.hold(l.Member, true)
		p.Raw(", " + k.temp + " = ")
		p.Sub(l.Member)
		old := e.take()
		p.Raw(", " + old + " = " + helperGet + "(" + o.temp + ", " + k.temp + "), ")
		p.Raw(helperSet + "(" + o.temp + ", " + k.temp + ", ")
		combine(operand{temp: old})
		p.Raw("))")
		return true
	}
	return false
}

func (e *emitter) combine(p *printer.Printer, a, b operand, text, helper string) {
	p.Raw("(")
	e.guardArgs(p, []operand{a, b})
	p.Raw(" ? ")
	e.again(p, a)
	p.Raw(text)
	e.again(p, b)
	p.Raw(" : " + helper + "(")
	e.again(p, a)
	p.Raw(", ")
	e.again(p, b)
	p.Raw("))")
}

// place prints a name that is written to.
func (e *emitter) place(p *printer.Printer, id *ast.Identifier) {
	if !e.Target(p, id, false) {
		p.DefaultTarget(id)
	}
}

func (e *emitter) assignKeyed(p *printer.Printer, l *ast.BracketExpression, right ast.Expression) bool {
	switch l.Left.(type) {
	case *ast.SuperExpression, *ast.Optional:
		return false
	}
	if isString(l.Member) {
		return false
	}
	tracked := e.tracked && !e.noArray(l.Left)
	if e.never(l.Member) && !tracked {
		return false
	}
	if !e.fn.opened {
		p.Raw(helperSet + "(")
		p.Sub(l.Left)
		p.Raw(", ")
		p.Sub(l.Member)
		p.Raw(", ")
		p.Sub(right)
		p.Raw(")")
		return true
	}
	force := !(e.simple(l.Left) && e.simple(l.Member) && e.simple(right))
	p.Raw("(")
	eval := func(x ast.Expression) operand {
		o := e.hold(x, force && !literal(x))
		if o.temp != "" {
			p.Raw(o.temp + " = ")
			p.Sub(x)
			p.Raw(", ")
		}
		return o
	}
	o, k, v := eval(l.Left), eval(l.Member), eval(right)
	if tracked {
		p.Raw("(")
		if !k.never {
			p.Raw("typeof ")
			e.again(p, k)
			p.Raw(notObject + " && ")
		}
		p.Raw("(")
		e.again(p, o)
		p.Raw(" == null || ")
		e.again(p, o)
		p.Raw("[" + trackedMark + "] === void 0))")
	} else {
		p.Raw("typeof ")
		e.again(p, k)
		p.Raw(notObject)
	}
	p.Raw(" ? ")
	e.again(p, o)
	p.Mark(l.LeftBracket)
	p.Raw("[")
	e.again(p, k)
	p.Raw("] = ")
	e.again(p, v)
	p.Raw(" : " + helperSet + "(")
	e.again(p, o)
	p.Raw(", ")
	e.again(p, k)
	p.Raw(", ")
	e.again(p, v)
	p.Raw("))")
	return true
}

// assignPattern checks names that got a default in some lanes only.
func (e *emitter) assignPattern(p *printer.Printer, x *ast.AssignExpression) bool {
	checks := e.defaultedNames(x.Left, nil)
	if len(checks) == 0 || !e.fn.opened {
		return false
	}
	t := e.take()
	p.Raw("(" + t + " = (")
	p.Pattern(x.Left, false)
	p.Raw(" = ")
	p.Sub(x.Right)
	p.Raw("), ")
	for _, c := range checks {
		p.Raw(c[:len(c)-1] + ", ")
	}
	p.Raw(t + ")")
	return true
}

// assignLogical: the bundler lowers these, but the language has them.
func (e *emitter) assignLogical(p *printer.Printer, x *ast.AssignExpression) bool {
	id, ok := x.Left.(*ast.Identifier)
	if !ok {
		return false
	}
	value := &ast.BinaryExpression{Operator: x.Operator, Left: id, Right: &ast.AssignExpression{Operator: token.ASSIGN, Left: id, Right: x.Right}}
	e.logical(p, value)
	return true
}

func (e *emitter) update(p *printer.Printer, x *ast.UnaryExpression, unused bool) bool {
	step, sign := helperInc, " + 1"
	if x.Operator == token.DECREMENT {
		step, sign = helperDec, " - 1"
	}
	prefix := !x.Postfix || unused
	next := func(v string) string {
		return "(typeof " + v + ` === "number" ? ` + v + sign + " : " + step + "(" + v + "))"
	}
	switch o := x.Operand.(type) {
	case *ast.Identifier:
		if !e.fn.opened {
			if prefix {
				p.Raw("(")
				e.place(p, o)
				p.Raw(" = " + step + "(")
				p.Sub(o)
				p.Raw("))")
				return true
			}
			return false
		}
		t := e.take()
		p.Raw("(" + t + " = ")
		p.Sub(o)
		if !prefix {
			p.Raw(", typeof " + t + ` === "number" || (` + t + " = " + helperNumeric + "(" + t + "))")
		}
		p.Raw(", ")
		e.place(p, o)
		p.Raw(" = " + next(t))
		if !prefix {
			p.Raw(", " + t)
		}
		p.Raw(")")
		return true
	case *ast.DotExpression:
		if _, super := o.Left.(*ast.SuperExpression); super || !e.fn.opened {
			return false
		}
		r := e.hold(o.Left, !e.simple(o.Left))
		v := e.take()
		p.Raw("(")
		if r.temp != "" {
			p.Raw(r.temp + " = ")
			p.Sub(o.Left)
			p.Raw(", ")
		}
		p.Raw(v + " = ")
		e.again(p, r)
		p.Raw("." + o.Identifier.Name.String())
		if !prefix {
			p.Raw(", typeof " + v + ` === "number" || (` + v + " = " + helperNumeric + "(" + v + "))")
		}
		p.Raw(", ")
		if o.Identifier.Name == "length" && e.tracked {
			p.Raw(helperSet + "(")
			e.again(p, r)
			p.Raw(`, "length", ` + next(v) + ")")
		} else {
			e.again(p, r)
			p.Raw(".")
			p.Mark(o.Identifier.Idx)
			p.Raw(o.Identifier.Name.String() + " = " + next(v))
		}
		if !prefix {
			p.Raw(", " + v)
		}
		p.Raw(")")
		return true
	case *ast.BracketExpression:
		if _, super := o.Left.(*ast.SuperExpression); super || !e.fn.opened {
			return false
		}
		r := e.hold(o.Left, true)
		p.Raw("(" + r.temp + " = ")
		p.Sub(o.Left)
		k := e.hold(o.Member, true)
		p.Raw(", " + k.temp + " = ")
		p.Sub(o.Member)
		v := e.take()
		p.Raw(", " + v + " = " + helperGet + "(" + r.temp + ", " + k.temp + ")")
		if !prefix {
			p.Raw(", typeof " + v + ` === "number" || (` + v + " = " + helperNumeric + "(" + v + "))")
		}
		p.Raw(", " + helperSet + "(" + r.temp + ", " + k.temp + ", " + next(v) + ")")
		if !prefix {
			p.Raw(", " + v)
		}
		p.Raw(")")
		return true
	}
	return false
}
