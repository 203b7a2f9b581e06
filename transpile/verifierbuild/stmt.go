package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Stmt implements printer.Hooks.
func (e *emitter) Stmt(p *printer.Printer, s ast.Statement) bool {
	used := e.fn.used
	defer e.release(used)
	if e.Common.Stmt(p, s) {
		return true
	}
	switch s := s.(type) {
	case *ast.BlockStatement:
		e.inner(p, s)
		return true
	case *ast.ExpressionStatement:
		switch x := s.Expression.(type) {
		case *ast.UnaryExpression:
			if (x.Operator == token.INCREMENT || x.Operator == token.DECREMENT) && e.update(p, x, true) {
				p.Raw(";")
				return true
			}
		case *ast.SequenceExpression:
			e.sequence(p, x.Sequence)
			p.Raw(";")
			return true
		}
	case *ast.IfStatement:
		p.Mark(s.If)
		p.Raw("if (")
		e.test(p, s.Test)
		p.Raw(")")
		p.IfSides(s)
		return true
	case *ast.WhileStatement:
		p.Mark(s.While)
		p.Raw("while (")
		e.test(p, s.Test)
		p.Raw(")")
		p.Body(printer.SideLoop, s, s.Body)
		return true
	case *ast.DoWhileStatement:
		p.Mark(s.Do)
		p.Raw("do")
		p.Body(printer.SideLoop, s, s.Body)
		p.Raw(" while (")
		e.test(p, s.Test)
		p.Raw(");")
		return true
	case *ast.ForStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInit(s.Initializer)
		p.Raw(";")
		if s.Test != nil {
			p.Raw(" ")
			e.test(p, s.Test)
		}
		p.Raw(";")
		if s.Update != nil {
			p.Raw(" ")
			e.unused(p, s.Update)
		}
		p.Raw(")")
		p.Body(printer.SideLoop, s, s.Body)
		return true
	case *ast.ForInStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInto(s.Into)
		p.Raw(" in ")
		e.invoke(p, hForIn, s.Source)
		p.Raw(")")
		p.Body(printer.SideLoop, s, s.Body)
		return true
	case *ast.SwitchStatement:
		return e.switchStmt(p, s)
	case *ast.TryStatement:
		e.try(p, s)
		return true
	case *ast.ReturnStatement:
		return e.returns(p, s)
	case *ast.VariableStatement:
		if patterned(s.List) {
			p.Mark(s.Var)
			p.Raw("var ")
			e.declare(p, s.List)
			return true
		}
	case *ast.LexicalDeclaration:
		if patterned(s.List) {
			p.Mark(s.Idx)
			p.Raw(s.Token.String() + " ")
			e.declare(p, s.List)
			return true
		}
	}
	return false
}

// declare prints a declaration's list and the checks of its patterns.
func (e *emitter) declare(p *printer.Printer, list []*ast.Binding) {
	p.Bindings(list)
	p.Raw(";")
	for _, b := range list {
		for _, id := range defaulted(b.Target, nil) {
			p.Raw(" ")
			e.check(p, id)
		}
	}
}

// returns tells the runtime about answers for Symbol.toStringTag, and about objects
// that a pure function made itself: each lane has one of its own.
func (e *emitter) returns(p *printer.Printer, s *ast.ReturnStatement) bool {
	if s.Argument != nil && e.tagGetters[e.fn.Node] && !e.never(s.Argument) {
		p.Mark(s.Return)
		p.Raw("return ")
		e.invoke(p, hTag, s.Argument)
		p.Raw(";")
		return true
	}
	if !e.fn.twice || s.Argument == nil || !e.made(s.Argument) {
		return false
	}
	p.Mark(s.Return)
	p.Raw("return ")
	e.invoke(p, hFresh, s.Argument)
	p.Raw(";")
	return true
}

// made: x is an object made in this function, or no object.
func (e *emitter) made(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.ObjectLiteral, *ast.ArrayLiteral, *ast.NewExpression:
		return true
	case *ast.ConditionalExpression:
		return e.made(x.Consequent) && e.made(x.Alternate)
	case *ast.Identifier:
		b := e.prog.Binding(x)
		if b == nil || b.Func() != e.fn.Func || b.Kind == program.Param || b.Assigned || b.Init == nil {
			return false
		}
		if _, ok := b.Init.(*ast.Identifier); ok {
			return false
		}
		return e.made(b.Init)
	}
	return false
}

// switchStmt: lanes must go to the same clause.
func (e *emitter) switchStmt(p *printer.Printer, s *ast.SwitchStatement) bool {
	literals, plain := true, true
	for _, c := range s.Body {
		if c.Test != nil {
			literals = literals && literal(c.Test)
			plain = plain && e.never(c.Test)
		}
	}
	if e.never(s.Discriminant) && plain {
		return false
	}
	used := e.fn.used
	p.Mark(s.Switch)
	p.Raw("switch (")
	var o operand
	switch {
	case !plain: // the clauses look at the discriminant again
		o = operand{x: s.Discriminant, temp: e.take(), never: e.never(s.Discriminant)}
	case e.fn.body:
		o = e.hold(s.Discriminant)
	}
	if o.never {
		e.first(p, o)
	} else {
		if !plain {
			p.Raw(o.temp + " = ")
			p.Raw("typeof ")
			e.first(p, o)
		} else {
			p.Raw("typeof ")
			e.first(p, o)
		}
		p.Raw(notObject + " ? ")
		e.again(p, o)
		p.Raw(" : " + e.h(hSwitch) + "(")
		e.again(p, o)
		if literals {
			e.clauses(p, s)
		} else {
			p.Raw(", null")
		}
		p.Raw(")")
	}
	p.Raw(") ")
	if plain {
		e.release(used)
		p.SwitchBody(s)
		return true
	}
	e.caseTests(p, s, o)
	e.release(used)
	return true
}

// clauses prints, for each literal label, which statements it leads to; the last
// number is default's, or -1.
func (e *emitter) clauses(p *printer.Printer, s *ast.SwitchStatement) {
	leads := func(i int) int { // an empty clause falls through
		for i < len(s.Body)-1 && len(s.Body[i].Consequent) == 0 {
			i++
		}
		return i
	}
	labels, numbers, none := "", "", -1
	for i, c := range s.Body {
		if c.Test == nil {
			none = leads(i)
			continue
		}
		if labels != "" {
			labels += ", "
			numbers += ", "
		}
		labels += e.prog.Text[syntax.Start(c.Test):syntax.Offset(c.Test.Idx1())]
		numbers += strconv.Itoa(leads(i))
	}
	p.Raw(", [" + labels + "], [" + numbers + "], " + strconv.Itoa(none))
}

// caseTests prints clauses whose labels are computed and may be multivalues.
func (e *emitter) caseTests(p *printer.Printer, s *ast.SwitchStatement, o operand) {
	tests := map[*ast.CaseStatement]ast.Expression{}
	for _, c := range s.Body {
		if c.Test != nil && !e.never(c.Test) {
			tests[c] = c.Test
			c.Test = &caseTest{c.Test, o.temp}
		}
	}
	p.SwitchBody(s)
	for c, t := range tests {
		c.Test = t
	}
}

// caseTest stands for a label while a switch is printed.
type caseTest struct {
	ast.Expression
	discriminant string
}

func (e *emitter) try(p *printer.Printer, s *ast.TryStatement) {
	// A finally that leaves by itself would swallow an error unseen.
	swallows := s.Finally != nil && leaves(s.Finally)
	p.Mark(s.Try)
	p.Raw("try ")
	if swallows && s.Catch != nil {
		p.Raw("{ try ")
	}
	e.inner(p, s.Body)
	if c := s.Catch; c != nil {
		p.Raw(" ")
		p.Mark(c.Catch)
		p.Raw("catch (")
		id, simple := c.Parameter.(*ast.Identifier)
		if simple {
			p.Pattern(id, true)
			p.Raw(") { " + e.h(hCatch) + "(")
			p.Sub(id)
			p.Raw("); ")
		} else {
			p.Raw(e.caught + ") { " + e.h(hCatch) + "(" + e.caught + "); ")
			if c.Parameter != nil {
				p.Raw("let ")
				p.Pattern(c.Parameter, true)
				p.Raw(" = " + e.caught + "; ")
				e.checkDefaults(p, c.Parameter)
			}
		}
		e.scope(p, e.prog.CapturedBy(c), false)
		e.inner(p, c.Body)
		p.Raw(" }")
		if swallows {
			p.Raw(" }")
		}
	}
	if s.Finally == nil {
		return
	}
	if swallows {
		p.Raw(" catch (" + e.caught + ") { " + e.h(hCatch) + "(" + e.caught + "); throw " + e.caught + "; }")
	}
	p.Raw(" finally { " + e.h(hFinally) + "(); ")
	e.inner(p, s.Finally)
	p.Raw(" }")
}

// inner prints a block that no branch leads to, whose variables may outlive it.
func (e *emitter) inner(p *printer.Printer, b *ast.BlockStatement) {
	captured := e.prog.CapturedIn(b.List)
	if e.models || len(captured) == 0 {
		p.Block(b)
		return
	}
	p.Raw("{ ")
	e.scope(p, captured, false)
	p.Stmts(b.List)
	p.Raw(" }")
}

// leaves reports whether a statement may end otherwise than at its end.
func leaves(n ast.Node) bool {
	switch n.(type) {
	case *ast.ReturnStatement, *ast.ThrowStatement, *ast.BranchStatement, *ast.YieldExpression:
		return true
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return false
	}
	found := false
	syntax.Children(n, func(c ast.Node) { found = found || leaves(c) })
	return found
}
