package serverbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// A site's object and key are needed twice or more: for the access, for the test
// and for the runtime. What is no plain name that stays the same meanwhile is held
// in a temporary, declared by BodyEnd. Temporaries are a stack: while a site's
// parts are printed, the sites inside take the next ones. The value that was read
// always goes through $v, because nothing else runs between its assignment and use.

// member is the access at a site.
type member struct {
	object ast.Expression
	key    ast.Expression // nil: length
}

// site recognises an access that may concern an array, or a key that is computed.
func (h *hooks) site(e ast.Expression) (member, bool) {
	if !h.sites || h.fn.Pure {
		return member{}, false
	}
	switch e := e.(type) {
	case *ast.DotExpression:
		if e.Identifier.Name == "length" && h.perhapsTracked(e.Left) {
			return member{e.Left, nil}, true
		}
	case *ast.BracketExpression:
		if lit, ok := e.Member.(*ast.StringLiteral); ok {
			return member{e.Left, nil}, lit.Value == "length" && h.perhapsTracked(e.Left)
		}
		if h.perhapsTracked(e.Left) {
			return member{e.Left, e.Member}, true
		}
	}
	return member{}, false
}

// perhapsTracked is false for what is obviously neither a tracked array nor object.
func (h *hooks) perhapsTracked(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.SuperExpression, *ast.Optional, *ast.StringLiteral, *ast.TemplateLiteral, *ast.NumberLiteral, *ast.RegExpLiteral,
		*ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral, *ast.ArrayLiteral, *ast.ObjectLiteral:
		return false
	case *ast.Identifier:
		b := h.prog.Binding(e)
		return b == nil || b.Kind != program.Arguments && b.Kind != program.FuncName && b.Kind != program.Class
	}
	return true
}

// operand is a part of a site: an expression, or the temporary that holds it.
type operand struct {
	e    ast.Expression
	temp string
}

// hold decides how to refer to e again, after what comes later has run.
func (h *hooks) hold(e ast.Expression, later ...ast.Expression) operand {
	if e == nil || h.stable(e, later) {
		return operand{e: e}
	}
	return operand{e: e, temp: h.take()}
}

func (h *hooks) take() string {
	h.fn.used++
	h.fn.most = max(h.fn.most, h.fn.used)
	return h.temp + strconv.Itoa(h.fn.used)
}

// stable reports whether e gives the same value when it is evaluated again, with
// no effect.
func (h *hooks) stable(e ast.Expression, later []ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ThisExpression, *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return true
	case *ast.Identifier:
		b := h.prog.Binding(e)
		if b == nil || b.Boxed || b.Func().Generator && b.Func() != h.fn.Func {
			return false
		}
		if b.Kind == program.Param && b.Func().Arguments && !b.Func().Strict {
			return false // arguments[i] may write it
		}
		if !b.Assigned {
			return true
		}
		// Written by nobody but this function, and not by what comes later.
		if b.Func() != h.fn.Func {
			return false
		}
		for _, ref := range b.Refs {
			if ref.Write && ref.Func() != h.fn.Func {
				return false
			}
		}
		for _, l := range later {
			if l != nil && h.writes(l, b) {
				return false
			}
		}
		return true
	}
	return false
}

// writes reports whether e itself writes b.
func (h *hooks) writes(n ast.Node, b *program.Binding) bool {
	if id, ok := n.(*ast.Identifier); ok {
		ref := h.prog.Ref(id)
		return ref != nil && ref.Binding == b && ref.Write
	}
	found := false
	syntax.Children(n, func(c ast.Node) { found = found || h.writes(c, b) })
	return found
}

// first prints an operand where it is evaluated.
func (h *hooks) first(p *printer.Printer, o operand, prec printer.Prec) {
	if o.temp == "" {
		p.Expr(o.e, prec)
		return
	}
	p.Raw("(" + o.temp + " = ")
	if syntax.AnonymousFunction(o.e) {
		p.Raw("(0, ") // or it would be named after the temporary
		p.Sub(o.e)
		p.Raw(")")
	} else {
		p.Sub(o.e)
	}
	p.Raw(")")
}

// again prints an operand whose value is known.
func (h *hooks) again(p *printer.Printer, o operand) {
	if o.temp == "" {
		p.Sub(o.e)
		return
	}
	p.Raw(o.temp)
}

// access prints o[k] or o.length of operands that have been evaluated.
func (h *hooks) access(p *printer.Printer, o, k operand) {
	h.again(p, o)
	if k.e == nil {
		p.Raw(".length")
		return
	}
	p.Raw("[")
	h.again(p, k)
	p.Raw("]")
}

// tested prints `o[$T] === void 0 ? V : $k.gi(o, k, V)` after a read.
func (h *hooks) tested(p *printer.Printer, o, k operand) {
	h.fn.value = true
	h.again(p, o)
	p.Raw("[" + h.tracked + "] === void 0 ? " + h.value + " : " + h.runtime)
	if k.e == nil {
		p.Raw(".len(")
		h.again(p, o)
	} else {
		p.Raw(".gi(")
		h.again(p, o)
		p.Raw(", ")
		h.again(p, k)
	}
	p.Raw(", " + h.value + ")")
}

// load prints a read of operands that have been evaluated.
func (h *hooks) load(p *printer.Printer, o, k operand) {
	p.Raw("(" + h.value + " = ")
	h.access(p, o, k)
	p.Raw(", ")
	h.tested(p, o, k)
	p.Raw(")")
}

// store prints a write of operands that have been evaluated.
func (h *hooks) store(p *printer.Printer, o, k, v operand) {
	p.Raw("(")
	h.again(p, o)
	p.Raw(" == null || ")
	h.again(p, o)
	p.Raw("[" + h.tracked + "] === void 0 ? ")
	h.access(p, o, k)
	p.Raw(" = ")
	h.again(p, v)
	p.Raw(" : " + h.runtime + ".si(")
	h.again(p, o)
	p.Raw(", ")
	if k.e == nil {
		p.Raw(`"length"`)
	} else {
		h.again(p, k)
	}
	p.Raw(", ")
	h.again(p, v)
	if h.fn.Strict { // where a write that fails throws
		p.Raw(", 1")
	}
	p.Raw("))")
}

// at prints a site as a place that can be read and written like a property.
func (h *hooks) at(p *printer.Printer, m member) {
	if h.fn.Strict {
		p.Raw(h.placeStrict)
	} else {
		p.Raw(h.place)
	}
	p.Raw("(")
	p.Sub(m.object)
	p.Raw(", ")
	if m.key == nil {
		p.Raw(`"length"`)
	} else {
		p.Sub(m.key)
	}
	p.Raw(").v")
}

// markMember maps what follows to the place that an error would name.
func markMember(p *printer.Printer, e ast.Expression) {
	switch e := e.(type) {
	case *ast.DotExpression:
		p.Mark(e.Identifier.Idx)
	case *ast.BracketExpression:
		p.Mark(e.LeftBracket)
	}
}

// read prints a site that is read: ($v = o[k], o[$T] === void 0 ? $v : $k.gi(o, k, $v)).
func (h *hooks) read(p *printer.Printer, e ast.Expression) bool {
	m, ok := h.site(e)
	if !ok {
		return false
	}
	if !h.fn.body {
		h.at(p, m)
		return true
	}
	used := h.fn.used
	o := h.hold(m.object, m.key)
	var k operand
	if m.key != nil {
		k = h.hold(m.key)
	}
	p.Raw("(" + h.value + " = ")
	if o.temp == "" {
		p.Object(o.e)
	} else {
		h.first(p, o, printer.PrecCall)
	}
	markMember(p, e)
	if m.key == nil {
		p.Raw(".length")
	} else {
		p.Raw("[")
		h.first(p, k, printer.PrecSequence)
		p.Raw("]")
	}
	p.Raw(", ")
	h.tested(p, o, k)
	p.Raw(")")
	h.fn.used = used
	return true
}

// begin prints the evaluation of a site's parts, each followed by a comma, unless
// they are stable.
func (h *hooks) begin(p *printer.Printer, parts ...operand) {
	for _, o := range parts {
		if o.temp != "" {
			h.first(p, o, printer.PrecAssign)
			p.Raw(", ")
		}
	}
}

func (h *hooks) assign(p *printer.Printer, e *ast.AssignExpression) bool {
	m, ok := h.site(e.Left)
	if !ok {
		return false
	}
	switch e.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return false // Target prints the place
	}
	if !h.fn.body {
		return false
	}
	used := h.fn.used
	defer func() { h.fn.used = used }()
	o := h.hold(m.object, m.key, e.Right)
	var k operand
	if m.key != nil {
		k = h.hold(m.key, e.Right)
	}
	if e.Operator == token.ASSIGN {
		v := h.hold(e.Right)
		held := o.temp != "" || k.temp != "" || v.temp != ""
		if held {
			p.Raw("(")
			h.begin(p, o, k, v)
		}
		markMember(p, e.Left)
		h.store(p, o, k, v)
		if held {
			p.Raw(")")
		}
		return true
	}
	p.Raw("(")
	h.begin(p, o, k)
	v := operand{temp: h.take()}
	p.Raw(v.temp + " = ")
	markMember(p, e.Left)
	h.load(p, o, k)
	p.Raw(" " + e.Operator.String() + " ")
	p.Expr(e.Right, printer.PrecPrimary)
	p.Raw(", ")
	h.store(p, o, k, v)
	p.Raw(")")
	return true
}

func (h *hooks) update(p *printer.Printer, e *ast.UnaryExpression) bool {
	m, ok := h.site(e.Operand)
	if !ok || !h.fn.body {
		return false
	}
	used := h.fn.used
	defer func() { h.fn.used = used }()
	o := h.hold(m.object, m.key)
	var k operand
	if m.key != nil {
		k = h.hold(m.key)
	}
	p.Raw("(")
	h.begin(p, o, k)
	v := operand{temp: h.take()}
	p.Raw(v.temp + " = ")
	markMember(p, e.Operand)
	h.load(p, o, k)
	p.Raw(", ")
	if e.Postfix { // the value is the old one, as a number
		old := h.take()
		p.Raw(old + " = " + v.temp + e.Operator.String() + ", ")
		h.store(p, o, k, v)
		p.Raw(", " + old + ")")
		return true
	}
	p.Raw(e.Operator.String() + v.temp + ", ")
	h.store(p, o, k, v)
	p.Raw(")")
	return true
}

func (h *hooks) delete(p *printer.Printer, e *ast.UnaryExpression) bool {
	var object, key ast.Expression
	name := ""
	switch m := e.Operand.(type) {
	case *ast.DotExpression:
		object, name = m.Left, m.Identifier.Name.String()
	case *ast.BracketExpression:
		object, key = m.Left, m.Member
	default:
		return false
	}
	if !h.perhapsTracked(object) {
		return false
	}
	p.Mark(e.Idx)
	p.Raw(h.runtime + ".del(")
	p.Sub(object)
	p.Raw(", ")
	if key == nil {
		p.Raw(strconv.Quote(name))
	} else {
		p.Sub(key)
	}
	if h.fn.Strict {
		p.Raw(", 1)")
	} else {
		p.Raw(", 0)")
	}
	return true
}

// callee prints a call whose callee is o[k], keeping its this. The value that is
// called is also a value that is read.
//
// Where the engine would show a temporary in "… is not a function", the runtime makes
// the call, and says what the program has there. (Not for tags: call is nil.)
func (h *hooks) callee(p *printer.Printer, callee ast.Expression, call *ast.CallExpression, rest func()) bool {
	b, ok := callee.(*ast.BracketExpression)
	if !ok || !h.fn.body {
		return false
	}
	m, ok := h.site(b)
	if !ok || m.key == nil {
		return false
	}
	used := h.fn.used
	o := h.hold(m.object, m.key)
	k := h.hold(m.key)
	p.Raw("(")
	h.begin(p, o, k)
	h.again(p, o)
	p.Raw(" == null || ")
	h.again(p, o)
	p.Raw("[" + h.tracked + "] === void 0 || " + h.runtime + ".gi(")
	h.again(p, o)
	p.Raw(", ")
	h.again(p, k)
	p.Raw(", ")
	h.access(p, o, k)
	p.Raw("), ")
	p.Mark(b.LeftBracket)
	if call != nil && (o.temp != "" || k.temp != "") {
		p.Raw(h.runtime + ".mc(" + strconv.Quote(syntax.CalleeText(callee)) + ", ")
		h.again(p, o)
		p.Raw(", ")
		h.access(p, o, k)
		h.fn.used = used
		if len(call.ArgumentList) > 0 {
			p.Raw(", ")
			p.Arguments(call.ArgumentList)
		}
		p.Raw("))")
		return true
	}
	h.access(p, o, k)
	// From here on the temporaries are free: the callee is on the engine's stack.
	h.fn.used = used
	rest()
	p.Raw(")")
	return true
}

// arrow prints an arrow function with an expression body as one with a block, so
// that temporaries have a place.
func (h *hooks) arrow(p *printer.Printer, fn *ast.ArrowFunctionLiteral) bool {
	body, ok := fn.Body.(*ast.ExpressionBody)
	if !ok {
		return false
	}
	paren := p.Level() > printer.PrecAssign
	if paren {
		p.Raw("(")
	}
	p.Mark(fn.Start)
	if fn.Async {
		p.Raw("async ")
	}
	h.FuncBegin(p, fn)
	p.Params(fn.ParameterList)
	p.Raw(" => { ")
	h.MarkStmt(p, printer.SideFunc, fn)
	p.Raw(" return ")
	p.Sub(body.Expression)
	p.Raw(";")
	h.BodyEnd(p, fn)
	p.Raw(" }")
	h.FuncEnd(p, fn)
	if paren {
		p.Raw(")")
	}
	return true
}
