package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/syntax"
)

func (e *emitter) call(p *printer.Printer, x *ast.CallExpression) bool {
	switch c := x.Callee.(type) {
	case *ast.Identifier:
		if e.free(c) && lookingFunctions[c.Name.String()] {
			return e.native(p, hCall, "", c, x.ArgumentList)
		}
	case *ast.DotExpression:
		if e.isWellKnown(c, x.ArgumentList) {
			return e.wellKnown(p, c, x.ArgumentList)
		}
		if e.wantsFunction(c, x.ArgumentList) {
			return e.withFunction(p, c, x.ArgumentList)
		}
		if ordinary(c.Left) && e.fn.body && (readsConstructor(c) || !e.textual(c.Left)) {
			return e.heldMethod(p, c, x.ArgumentList)
		}
	case *ast.BracketExpression:
		return e.computedCall(p, c, x.ArgumentList)
	default:
		if e.fn.body && !e.textual(c) {
			return e.heldCallee(p, c, x.ArgumentList)
		}
	}
	return false
}

func (e *emitter) isWellKnown(c *ast.DotExpression, args []ast.Expression) bool {
	name := c.Identifier.Name.String()
	return ordinary(c.Left) && e.fn.body && wellKnown[name] && !spreads(args) && e.guardedArgs(name, args)
}

// wantsFunction: o.map(x) may be given an x that is no function.
func (e *emitter) wantsFunction(c *ast.DotExpression, args []ast.Expression) bool {
	if !takesFunction[c.Identifier.Name.String()] || !ordinary(c.Left) || !e.fn.body || len(args) == 0 || spreads(args) {
		return false
	}
	if id, ok := args[0].(*ast.Identifier); ok && e.free(id) && id.Name != "undefined" {
		return false // a native
	}
	_, this := args[0].(*ast.ThisExpression)
	return !this && e.allStable(args)
}

// withFunction prints o.map(f) so that the error is Node.js's if f is no function.
func (e *emitter) withFunction(p *printer.Printer, c *ast.DotExpression, args []ast.Expression) bool {
	name := c.Identifier.Name.String()
	twice := e.chain(c.Left) && e.textual(c.Left)
	if twice {
		p.Raw("(typeof ")
		e.again(p, operand{x: args[0]})
		p.Raw(` === "function" ? `)
		p.Object(c.Left)
		p.Mark(c.Identifier.Idx)
		p.Raw("." + name)
		p.Args(args)
		p.Raw(" : ")
	}
	p.Mark(c.Identifier.Idx)
	p.Raw(e.h(hNoFunction) + "(")
	e.unnamed(p, c.Left)
	p.Raw(", " + strconv.Quote(name) + ", " + strconv.Quote(syntax.CalleeText(c)) + ", ")
	p.Arguments(args)
	p.Raw(")")
	if twice {
		p.Raw(")")
	}
	return true
}

// heldMethod prints o.m(args) where o is printed otherwise than it was: a failing
// call's message is made by hand.
func (e *emitter) heldMethod(p *printer.Printer, c *ast.DotExpression, args []ast.Expression) bool {
	used := e.fn.used
	defer e.release(used)
	o, m := e.take(), e.take()
	p.Raw("(" + o + " = ")
	e.release(used)
	e.unnamed(p, c.Left)
	e.fn.used = used + 2
	p.Raw(", typeof (" + m + " = ")
	if readsConstructor(c) {
		p.Raw(e.h(hConstr))
	}
	p.Raw("(" + o + ".")
	p.Mark(c.Identifier.Idx)
	p.Raw(c.Identifier.Name.String() + `)) === "function" || ` + e.h(hNotFunc) + "(" + strconv.Quote(syntax.CalleeText(c)) + "), " + e.h(hMCall) + "(" + m + ", " + o)
	// From here on the temporaries are free: function and receiver are on the engine's stack.
	e.release(used)
	if len(args) > 0 {
		p.Raw(", ")
		p.Arguments(args)
	}
	p.Raw("))")
	return true
}

// heldCallee does the same for a callee that is no member.
func (e *emitter) heldCallee(p *printer.Printer, c ast.Expression, args []ast.Expression) bool {
	used := e.fn.used
	f := e.take()
	p.Raw("(" + f + " = ")
	e.release(used)
	e.unnamed(p, c)
	p.Raw(", typeof " + f + ` === "function" || ` + e.h(hNotFunc) + "(" + strconv.Quote(syntax.CalleeText(c)) + "), (0, " + f + ")")
	p.Args(args)
	p.Raw(")")
	return true
}

// callsBack: an argument may be a function whose results count.
func (e *emitter) callsBack(name string, args []ast.Expression) bool {
	for _, a := range args {
		if callbackMethods[name] && e.callback(a) {
			return true
		}
	}
	return false
}

// guardedArgs: one of the arguments must be looked at.
func (e *emitter) guardedArgs(name string, args []ast.Expression) bool {
	for _, a := range args {
		if !e.never(a) || callbackMethods[name] && e.callback(a) {
			return true
		}
	}
	return false
}

// callback: the argument is, or may be, a function whose results count.
func (e *emitter) callback(a ast.Expression) bool {
	switch a.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.Identifier:
		return true
	}
	return !e.never(a)
}

// wellKnown prints o.m(args), where m may be a native that converts its arguments.
// If it is, and an argument is a multivalue, the runtime calls it.
func (e *emitter) wellKnown(p *printer.Printer, c *ast.DotExpression, args []ast.Expression) bool {
	name := c.Identifier.Name.String()
	used := e.fn.used
	defer e.release(used)
	var o operand
	if e.chain(c.Left) && e.allStable(args) {
		o = operand{x: c.Left} // printed twice, evaluated once: the arguments only have to be looked at
	} else {
		o = e.hold(c.Left, args...)
	}
	// The receiver's text is part of error messages. Where it had to be held, the
	// message is made by hand.
	p.Raw("(")
	e.begin(p, o)
	if !e.allInert(args) { // the method is read before the arguments are evaluated
		e.access(p, member{name: name}, o, operand{})
		p.Raw(", ")
	}
	var held []operand
	for i, a := range args {
		if plainLiteral(a) {
			held = append(held, operand{x: a, never: true})
			continue
		}
		h := e.hold(a, args[i+1:]...)
		e.begin(p, h)
		held = append(held, h)
	}
	if o.temp != "" || e.callsBack(name, args) {
		p.Raw("typeof ")
		e.access(p, member{name: name}, o, operand{})
		p.Raw(` === "function" || ` + e.h(hNotFunc) + "(" + strconv.Quote(syntax.CalleeText(c)) + "), ")
	}
	e.plainArgs(p, name, held)
	p.Raw(" ? ")
	if o.temp == "" {
		p.Object(o.x)
	} else {
		p.Raw(o.temp)
	}
	p.Mark(c.Identifier.Idx)
	p.Raw("." + name + "(")
	e.operands(p, held)
	p.Raw(") : " + e.h(hMethod) + "(")
	e.again(p, o)
	p.Raw(", " + strconv.Quote(name))
	for _, h := range held {
		p.Raw(", ")
		e.again(p, h)
	}
	p.Raw("))")
	return true
}

func (e *emitter) allStable(args []ast.Expression) bool {
	for _, a := range args {
		if !e.stable(a) && !plainLiteral(a) {
			return false
		}
	}
	return true
}

// plainLiteral: a function or pattern, which is held nowhere.
func plainLiteral(a ast.Expression) bool {
	_, re := a.(*ast.RegExpLiteral)
	return re
}

func (e *emitter) allInert(args []ast.Expression) bool {
	for _, a := range args {
		if !e.inert(a) {
			return false
		}
	}
	return true
}

// plainArgs prints the test that no argument is a multivalue. An object that is
// none, such as a pattern, is an argument like any other.
func (e *emitter) plainArgs(p *printer.Printer, name string, held []operand) {
	n := 0
	and := func() {
		if n++; n > 1 {
			p.Raw(" && ")
		}
	}
	for _, h := range held {
		if callbackMethods[name] && e.callback(h.x) {
			and()
			p.Raw("typeof ")
			e.again(p, h)
			p.Raw(` !== "function"`)
		}
		if h.never {
			continue
		}
		and()
		p.Raw("(typeof ")
		e.again(p, h)
		p.Raw(notObject + " || !")
		e.helper(p, hIs, h)
		p.Raw(")")
	}
	if n == 0 {
		p.Raw("true")
	}
}

func (e *emitter) operands(p *printer.Printer, held []operand) {
	for i, h := range held {
		if i > 0 {
			p.Raw(", ")
		}
		e.again(p, h)
	}
}

// computedCall prints o[k](args): lanes must agree on the key.
func (e *emitter) computedCall(p *printer.Printer, c *ast.BracketExpression, args []ast.Expression) bool {
	m, ok := e.site(c)
	if !ok || !m.special() || m.name != "" {
		return false
	}
	if !e.fn.body {
		return false
	}
	used := e.fn.used
	defer e.release(used)
	o, k := e.parts(m)
	p.Raw("(")
	e.begin(p, o, k)
	if m.keyed {
		e.guard(p, k)
		p.Raw(" || ")
		e.helper(p, hKey, k)
		p.Raw(", ")
	}
	if m.tracked {
		e.again(p, o)
		p.Raw(" == null || ")
		e.again(p, o)
		p.Raw("[" + e.k + ".T] === void 0 || ")
		e.helper(p, hGet, o, k)
		p.Raw(", ")
	}
	p.Mark(c.LeftBracket)
	if o.temp == "" && k.temp == "" {
		e.access(p, m, o, k)
		e.release(used)
		p.Args(args)
		p.Raw(")")
		return true
	}
	// Getters and proxies notice how often they are asked.
	f := e.take()
	p.Raw("typeof (" + f + " = ")
	e.access(p, m, o, k)
	p.Raw(`) === "function" || ` + e.h(hNotFunc) + "(" + strconv.Quote(syntax.CalleeText(c)) + "), " + e.h(hMCall) + "(" + f + ", ")
	e.again(p, o)
	// From here on the temporaries are free: function and receiver are on the engine's stack.
	e.release(used)
	if len(args) > 0 {
		p.Raw(", ")
		p.Arguments(args)
	}
	p.Raw("))")
	return true
}

// native prints a call or construction of a native that looks at its arguments.
func (e *emitter) native(p *printer.Printer, helper, prefix string, id *ast.Identifier, args []ast.Expression) bool {
	plain := true
	for _, a := range args {
		plain = plain && e.scalar(a)
	}
	name := id.Name.String()
	if name == "Array" { // the engine's own (mv-constructors.ts)
		name = e.h(hArray)
	} else if plain {
		return false
	}
	if plain {
		p.Raw(prefix)
		p.Mark(id.Idx)
		p.Raw(name)
		p.Args(args)
		return true
	}
	if spreads(args) || !e.fn.body {
		p.Raw(e.h(helper) + "(")
		p.Mark(id.Idx)
		p.Raw(name + ", ")
		p.Arguments(args)
		p.Raw(")")
		return true
	}
	used := e.fn.used
	defer e.release(used)
	p.Raw("(")
	var held []operand
	for i, a := range args {
		h := e.holdScalar(a, args[i+1:]...)
		e.begin(p, h)
		held = append(held, h)
	}
	e.guard(p, held...)
	p.Raw(" ? " + prefix)
	p.Mark(id.Idx)
	p.Raw(name + "(")
	e.operands(p, held)
	p.Raw(") : " + e.h(helper) + "(" + name + ", ")
	e.operands(p, held)
	p.Raw("))")
	return true
}

// construct prints new C(args).
func (e *emitter) construct(p *printer.Printer, x *ast.NewExpression) bool {
	id, name := x.Callee.(*ast.Identifier)
	if name && e.free(id) {
		switch {
		case lookingConstructors[id.Name.String()]:
			if e.native(p, hNew, "new ", id, x.ArgumentList) {
				return true
			}
			return false
		case platformNames[id.Name.String()]:
			return false
		}
	}
	if !e.looksAtMade(x) {
		return false
	}
	p.Raw(e.h(hMade) + "(")
	p.Mark(x.New)
	p.Raw("new ")
	p.Expr(x.Callee, printer.PrecNew)
	if len(x.ArgumentList) == 1 && e.fn.body && !spreads(x.ArgumentList) && !e.never(x.ArgumentList[0]) && e.chain(x.Callee) {
		// The class may be Array or one of its kind, which look at a lone argument.
		used := e.fn.used
		a := e.hold(x.ArgumentList[0])
		p.Raw("(typeof ")
		e.release(used)
		e.first(p, a)
		p.Raw(notObject + " ? ")
		e.again(p, a)
		p.Raw(" : " + e.h(hNewArg) + "(")
		p.Expr(x.Callee, printer.PrecNew)
		p.Raw(", ")
		e.again(p, a)
		p.Raw("))")
	} else {
		p.Args(x.ArgumentList)
	}
	p.Raw(")")
	return true
}

// looksAtMade: what new makes is handed to the runtime.
func (e *emitter) looksAtMade(x *ast.NewExpression) bool {
	if id, ok := x.Callee.(*ast.Identifier); ok && e.free(id) && (lookingConstructors[id.Name.String()] || platformNames[id.Name.String()]) {
		return false
	}
	return !e.never(x)
}

// chain: x is a name, or members of one.
func (e *emitter) chain(x ast.Expression) bool {
	for {
		switch y := x.(type) {
		case *ast.Identifier:
			return e.prog.Binding(y) == nil || !e.prog.Binding(y).Boxed
		case *ast.ThisExpression:
			return true
		case *ast.DotExpression:
			x = y.Left
			continue
		}
		return false
	}
}
