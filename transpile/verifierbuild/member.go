package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
)

// member is a property that is read or written. Named properties answer for
// themselves; keys that are computed may be multivalues, and arrays that are
// tracked cannot see their elements and length being touched.
type member struct {
	object  ast.Expression
	key     ast.Expression // nil: a name
	name    string
	private bool
	tracked bool // look whether the object is tracked
	keyed   bool // look whether the key is an object
}

// site takes a member apart; ok is false where the engine must do all (super,
// private names, parts of optional chains).
func (e *emitter) site(x ast.Expression) (m member, ok bool) {
	switch x := x.(type) {
	case *ast.DotExpression:
		m.object, m.name = x.Left, x.Identifier.Name.String()
	case *ast.BracketExpression:
		m.object, m.key = x.Left, x.Member
		if lit, ok := x.Member.(*ast.StringLiteral); ok {
			m.name = lit.Value.String()
			m.tracked = e.tracked && m.name == "length" && e.perhapsTracked(x.Left)
			return m, ordinary(x.Left)
		}
		m.keyed = !e.scalar(x.Member)
		m.tracked = e.tracked && e.perhapsTracked(x.Left)
		return m, ordinary(x.Left)
	default:
		return m, false
	}
	m.tracked = e.tracked && m.name == "length" && e.perhapsTracked(m.object)
	return m, ordinary(m.object)
}

// special: the site needs more than the access itself.
func (m member) special() bool { return m.tracked || m.keyed }

// readsConstructor: x may be what made an array, which is not what the program
// knows as Array (mv-constructors.ts).
func readsConstructor(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.DotExpression:
		return x.Identifier.Name == "constructor"
	case *ast.BracketExpression:
		lit, ok := x.Member.(*ast.StringLiteral)
		return ok && lit.Value == "constructor"
	}
	return false
}

func ordinary(object ast.Expression) bool {
	switch object.(type) {
	case *ast.SuperExpression, *ast.Optional:
		return false
	}
	return true
}

// perhapsTracked is false for what is obviously neither a tracked array nor object.
func (e *emitter) perhapsTracked(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.SuperExpression, *ast.Optional, *ast.StringLiteral, *ast.TemplateLiteral, *ast.NumberLiteral, *ast.RegExpLiteral,
		*ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral, *ast.ArrayLiteral, *ast.ObjectLiteral:
		return false
	case *ast.Identifier:
		b := e.prog.Binding(x)
		return b == nil || b.Kind != program.Arguments && b.Kind != program.FuncName && b.Kind != program.Class
	}
	return true
}

// mark maps what follows to the place that an error would name.
func mark(p *printer.Printer, x ast.Expression) {
	switch x := x.(type) {
	case *ast.DotExpression:
		p.Mark(x.Identifier.Idx)
	case *ast.BracketExpression:
		p.Mark(x.LeftBracket)
	}
}

// parts holds a member's object and key.
func (e *emitter) parts(m member, later ...ast.Expression) (o, k operand) {
	o = e.hold(m.object, append([]ast.Expression{m.key}, later...)...)
	if m.key != nil {
		k = e.holdScalar(m.key, later...)
	} else {
		k = operand{never: true}
	}
	return o, k
}

// access prints o[k] or o.name of operands that have been evaluated.
func (e *emitter) access(p *printer.Printer, m member, o, k operand) {
	if o.temp == "" {
		p.Object(o.x)
	} else {
		p.Raw(o.temp)
	}
	e.property(p, m, k)
}

// place is access to what is written.
func (e *emitter) place(p *printer.Printer, m member, o, k operand) {
	p.Raw(e.h(hTouch) + "(")
	e.again(p, o)
	p.Raw(")")
	e.property(p, m, k)
}

func (e *emitter) property(p *printer.Printer, m member, k operand) {
	if m.key == nil {
		p.Raw("." + m.name)
		return
	}
	p.Raw("[")
	e.again(p, k)
	p.Raw("]")
}

// objectAndKey prints a site's object and key as arguments of a helper, where both
// are yet to be evaluated.
func objectAndKey(p *printer.Printer, m member) {
	p.Sub(m.object)
	p.Raw(", ")
	if m.key == nil {
		p.Raw(strconv.Quote(m.name))
	} else {
		p.Sub(m.key)
	}
}

// keyText prints a site's key as an argument of a helper.
func (e *emitter) keyText(p *printer.Printer, m member, k operand) {
	if m.key == nil {
		p.Raw(strconv.Quote(m.name))
		return
	}
	e.again(p, k)
}

func (e *emitter) getHelper(p *printer.Printer, m member, o, k operand) {
	if m.name == "length" {
		e.helper(p, hLength, o)
		return
	}
	e.helper(p, hGet, o, k)
}

// load prints a read of operands that have been evaluated. The access comes before
// the test, so that errors are the language's own.
func (e *emitter) load(p *printer.Printer, x ast.Expression, m member, o, k operand) {
	switch {
	case !m.special():
		mark(p, x)
		e.access(p, m, o, k)
	case !m.tracked:
		p.Raw("(")
		e.keyGuard(p, k)
		p.Raw(" ? ")
		mark(p, x)
		e.access(p, m, o, k)
		p.Raw(" : ")
		e.getHelper(p, m, o, k)
		p.Raw(")")
	default:
		v := e.take()
		p.Raw("(")
		if m.keyed {
			e.keyGuard(p, k)
			p.Raw(" && ")
		}
		p.Raw("(" + v + " = ")
		mark(p, x)
		e.access(p, m, o, k)
		p.Raw(", ")
		e.again(p, o)
		p.Raw("[" + e.k + ".T] === void 0) ? " + v + " : ")
		e.getHelper(p, m, o, k)
		p.Raw(")")
	}
}

// keyGuard tests that a key is neither a multivalue nor the symbol that natives ask
// objects for.
func (e *emitter) keyGuard(p *printer.Printer, k operand) {
	if !e.asksTag {
		e.guard(p, k)
		return
	}
	p.Raw("(typeof ")
	e.again(p, k)
	p.Raw(` === "string" || typeof `)
	e.again(p, k)
	p.Raw(` === "number")`)
}

// store prints a write of operands that have been evaluated; value prints the
// value, perhaps twice.
func (e *emitter) store(p *printer.Printer, x ast.Expression, m member, o, k operand, value func()) {
	plain := func() {
		mark(p, x)
		e.place(p, m, o, k)
		p.Raw(" = ")
		value()
	}
	if !m.special() {
		p.Raw("(")
		plain()
		p.Raw(")")
		return
	}
	p.Raw("(")
	if m.keyed {
		e.guard(p, k)
	}
	if m.tracked {
		if m.keyed {
			p.Raw(" && ")
		}
		p.Raw("(")
		e.again(p, o)
		p.Raw(" == null || ")
		e.again(p, o)
		p.Raw("[" + e.k + ".T] === void 0)")
	}
	p.Raw(" ? ")
	plain()
	p.Raw(" : " + e.h(e.setHelper()) + "(")
	e.again(p, o)
	p.Raw(", ")
	e.keyText(p, m, k)
	p.Raw(", ")
	value()
	p.Raw("))")
}

func (e *emitter) setHelper() string {
	if e.fn.Strict {
		return hSetStrict
	}
	return hSet
}

// read prints a member that is read for its value.
func (e *emitter) read(p *printer.Printer, x ast.Expression) bool {
	m, ok := e.site(x)
	if !ok {
		return false
	}
	if readsConstructor(x) {
		p.Raw("(" + e.h(hConstr) + "(")
		p.DefaultExpr(x, printer.PrecAssign)
		p.Raw("))")
		return true
	}
	if m.key == nil && variantMethods[m.name] && !m.tracked && !e.never(m.object) {
		return e.method(p, x, m)
	}
	if !m.special() {
		return false
	}
	if !e.fn.body {
		if m.name == "length" {
			p.Raw(e.h(hPlace) + "(")
			p.Sub(m.object)
			p.Raw(`, "length").v`)
		} else {
			e.invoke(p, hGet, m.object, m.key)
		}
		return true
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m)
	if o.temp == "" && k.temp == "" {
		e.load(p, x, m, o, k)
		return true
	}
	p.Raw("(")
	e.begin(p, o, k)
	e.load(p, x, m, o, k)
	p.Raw(")")
	return true
}

// method prints a well-known method that is not called: the program must see the
// function that the language has there.
func (e *emitter) method(p *printer.Printer, x ast.Expression, m member) bool {
	if id, ok := m.object.(*ast.DotExpression); ok && id.Identifier.Name == "prototype" {
		return false
	}
	if !e.fn.body {
		p.Raw(e.h(hFunction) + "(")
		p.DefaultExpr(x, printer.PrecAssign)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	v := e.take()
	e.release(used)
	p.Raw("(typeof (" + v + " = ")
	p.DefaultExpr(x, printer.PrecAssign)
	p.Raw(`) !== "function" ? ` + v + " : " + e.h(hFunction) + "(" + v + "))")
	return true
}

func (e *emitter) assign(p *printer.Printer, x *ast.AssignExpression) bool {
	switch x.Operator {
	case token.ASSIGN:
		switch x.Left.(type) {
		case *ast.ArrayPattern, *ast.ObjectPattern:
			return e.assignPattern(p, x)
		case *ast.Identifier:
			return false
		}
		return e.assignMember(p, x)
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return e.assignLogical(p, x)
	}
	if id, ok := x.Left.(*ast.Identifier); ok {
		return e.assignName(p, id, x)
	}
	return e.compound(p, x)
}

func (e *emitter) assignMember(p *printer.Printer, x *ast.AssignExpression) bool {
	if throughSuper(x.Left) {
		p.Raw("(" + e.h(hTouch) + "(this), ")
		p.DefaultExpr(x, printer.PrecAssign)
		p.Raw(")")
		return true
	}
	m, ok := e.site(x.Left)
	if ok && m.name == "done" && e.customIterators && !e.never(x.Right) {
		if _, twice := x.Right.(*iteratorDone); !twice {
			y := *x
			y.Right = &iteratorDone{x.Right}
			p.Raw("(")
			p.Expr(&y, printer.PrecAssign)
			p.Raw(")")
			return true
		}
	}
	if !ok || !m.special() {
		return false // see Target
	}
	if !e.fn.body {
		p.Raw(e.h(e.setHelper()) + "(")
		objectAndKey(p, m)
		p.Raw(", ")
		p.Sub(x.Right)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m, x.Right)
	v := e.hold(x.Right)
	p.Raw("(")
	e.begin(p, o, k, v)
	e.store(p, x.Left, m, o, k, func() { e.again(p, v) })
	p.Raw(")")
	return true
}

// throughSuper: what is written to is a property of this.
func throughSuper(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.DotExpression:
		_, ok := x.Left.(*ast.SuperExpression)
		return ok
	case *ast.BracketExpression:
		_, ok := x.Left.(*ast.SuperExpression)
		return ok
	}
	return false
}

// iteratorDone stands for what is written to a property named done: an iterator's
// result may be built that way.
type iteratorDone struct{ ast.Expression }

// name prints a variable that is written to.
func (e *emitter) name(p *printer.Printer, id *ast.Identifier) {
	if !e.Target(p, id, false) {
		p.DefaultTarget(id)
	}
}

// assignName prints x op= R.
func (e *emitter) assignName(p *printer.Printer, id *ast.Identifier, x *ast.AssignExpression) bool {
	if e.scalar(id) && e.scalar(x.Right) {
		return false
	}
	helper := operators[x.Operator]
	p.Raw("(")
	e.name(p, id)
	p.Raw(" = ")
	if !e.fn.body && !(e.stable(id, x.Right) && e.stable(x.Right)) {
		e.invoke(p, helper, id, x.Right)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	defer e.release(used)
	a := e.holdScalar(id, x.Right)
	p.Raw("(")
	e.begin(p, a)
	b := e.holdScalar(x.Right)
	e.begin(p, b)
	e.guard(p, a, b)
	e.operation(p, a, x.Operator, b, helper)
	p.Raw(")")
	return true
}

// compound prints o.p op= R and o[k] op= R.
func (e *emitter) compound(p *printer.Printer, x *ast.AssignExpression) bool {
	m, ok := e.site(x.Left)
	if !ok || !e.fn.body {
		return false
	}
	used := e.fn.used
	defer e.release(used)
	// The read may run an accessor. An object that is a key is converted twice, as V8 does.
	o, k := e.parts(m, x.Left, x.Right)
	p.Raw("(")
	e.begin(p, o, k)
	old := operand{temp: e.take()}
	p.Raw(old.temp + " = ")
	inner := e.fn.used
	e.load(p, x.Left, m, o, k)
	e.release(inner)
	p.Raw(", ")
	r := e.holdScalar(x.Right)
	e.begin(p, r)
	p.Raw(old.temp + " = (")
	e.guard(p, old, r)
	e.operation(p, old, x.Operator, r, operators[x.Operator])
	p.Raw(", ")
	e.store(p, x.Left, m, o, k, func() { p.Raw(old.temp) })
	p.Raw(")")
	return true
}

// assignLogical prints &&= ||= ??=. The bundler lowers these, but the language has them.
func (e *emitter) assignLogical(p *printer.Printer, x *ast.AssignExpression) bool {
	if !e.fn.body {
		return false
	}
	if id, ok := x.Left.(*ast.Identifier); ok {
		if e.never(id) {
			return false
		}
		write := &ast.AssignExpression{Operator: token.ASSIGN, Left: id, Right: x.Right}
		return e.logical(p, &ast.BinaryExpression{Operator: x.Operator, Left: id, Right: write})
	}
	m, ok := e.site(x.Left)
	if !ok {
		return false
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m, x.Left, x.Right)
	p.Raw("(")
	e.begin(p, o, k)
	t := e.take()
	v := operand{temp: e.take()}
	store := func() {
		p.Raw("(" + v.temp + " = ")
		e.unnamed(p, x.Right)
		p.Raw(", ")
		e.store(p, x.Left, m, o, k, func() { p.Raw(v.temp) })
		p.Raw(")")
	}
	first := func() {
		p.Raw("(" + t + " = ")
		e.load(p, x.Left, m, o, k)
		p.Raw(")")
	}
	p.Raw("(typeof ")
	first()
	p.Raw(notObject + " ? " + t + " : ")
	switch x.Operator {
	case token.COALESCE:
		p.Raw(e.h(hNullish) + "(" + t + ")) ?? ")
		store()
	case token.LOGICAL_AND:
		p.Raw(e.h(hTruth) + "(" + t + ")) ? ")
		store()
		p.Raw(" : " + t)
	default:
		p.Raw(e.h(hTruth) + "(" + t + ")) ? " + t + " : ")
		store()
	}
	p.Raw(")")
	return true
}

func (e *emitter) update(p *printer.Printer, x *ast.UnaryExpression, unused bool) bool {
	op, helper, sign := x.Operator.String(), hIncrement, " + 1"
	if x.Operator == token.DECREMENT {
		helper, sign = hDecrement, " - 1"
	}
	old := x.Postfix && !unused
	if id, ok := x.Operand.(*ast.Identifier); ok {
		if e.scalar(id) {
			return false
		}
		if !e.fn.body && old {
			return false // a multivalue diverges where it is converted
		}
		p.Raw("(typeof ")
		p.Sub(id)
		p.Raw(notObject + " ? ")
		if old {
			e.name(p, id)
			p.Raw(op)
		} else {
			p.Raw(op)
			e.name(p, id)
		}
		p.Raw(" : (")
		if !old {
			e.name(p, id)
			p.Raw(" = ")
			e.invoke(p, helper, id)
			p.Raw("))")
			return true
		}
		used := e.fn.used
		defer e.release(used)
		t := e.take()
		p.Raw(t + " = ")
		e.invoke(p, hNumeric, id)
		p.Raw(", ")
		e.name(p, id)
		p.Raw(" = " + e.h(helper) + "(" + t + "), " + t + "))")
		return true
	}
	m, ok := e.site(x.Operand)
	if !ok || !e.fn.body {
		return false
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m, x.Operand)
	p.Raw("(")
	e.begin(p, o, k)
	v := e.take()
	p.Raw(v + " = ")
	inner := e.fn.used
	e.load(p, x.Operand, m, o, k)
	e.release(inner)
	p.Raw(", ")
	if old {
		p.Raw("typeof " + v + ` === "number" || (` + v + " = " + e.h(hNumeric) + "(" + v + ")), ")
	}
	n := e.take()
	p.Raw(n + " = typeof " + v + ` === "number" ? ` + v + sign + " : " + e.h(helper) + "(" + v + "), ")
	e.store(p, x.Operand, m, o, k, func() { p.Raw(n) })
	if old {
		p.Raw(", " + v)
	}
	p.Raw(")")
	return true
}

func (e *emitter) delete(p *printer.Printer, x *ast.UnaryExpression) bool {
	m, ok := e.site(x.Operand)
	if !ok {
		return false
	}
	strict := "0"
	if e.fn.Strict {
		strict = "1"
	}
	p.Mark(x.Idx)
	if !e.fn.body {
		p.Raw(e.h(hDelete) + "(")
		objectAndKey(p, m)
		p.Raw(", " + strict + ")")
		return true
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m)
	p.Raw("(")
	e.begin(p, o, k)
	p.Raw("typeof ")
	e.again(p, o)
	p.Raw(notObject)
	if m.keyed {
		p.Raw(" && ")
		e.guard(p, k)
	}
	p.Raw(" ? delete ")
	e.access(p, m, o, k)
	p.Raw(" : " + e.h(hDelete) + "(")
	e.again(p, o)
	p.Raw(", ")
	e.keyText(p, m, k)
	p.Raw(", " + strict + "))")
	return true
}
