package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
)

func isArguments(k program.Kind) bool { return k == program.Arguments }

func isFunctionKind(k program.Kind) bool { return k == program.Function }

// Stmt implements printer.Hooks.
func (e *emitter) Stmt(p *printer.Printer, s ast.Statement) bool {
	if e.Common.Stmt(p, s) {
		return true
	}
	switch s := s.(type) {
	case *ast.ExpressionStatement:
		if u, ok := s.Expression.(*ast.UnaryExpression); ok {
			mark := e.fn.used
			done := e.unary(p, u, true)
			e.release(mark)
			if done {
				p.Raw(";")
			}
			return done
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
		p.Raw("; ")
		if s.Test != nil {
			e.test(p, s.Test)
		}
		p.Raw("; ")
		if s.Update != nil {
			e.unusedSequence(p, s.Update)
		}
		p.Raw(")")
		p.Body(printer.SideLoop, s, s.Body)
		return true
	case *ast.ForInStatement:
		p.Mark(s.For)
		p.Raw("for (")
		p.ForInto(s.Into)
		p.Raw(" in " + helperKeys + "(")
		p.Sub(s.Source)
		p.Raw("))")
		p.Body(printer.SideLoop, s, s.Body)
		return true
	case *ast.SwitchStatement:
		return e.switchStmt(p, s)
	case *ast.TryStatement:
		e.try(p, s)
		return true
	case *ast.VariableStatement:
		return e.declaration(p, s, patterns(s.List))
	case *ast.LexicalDeclaration:
		return e.declaration(p, s, patterns(s.List))
	}
	return false
}

func patterns(list []*ast.Binding) []ast.Expression {
	var out []ast.Expression
	for _, b := range list {
		if _, ok := b.Target.(*ast.Identifier); !ok {
			out = append(out, b.Target)
		}
	}
	return out
}

// declaration checks defaults in patterns once they are bound.
func (e *emitter) declaration(p *printer.Printer, s ast.Statement, targets []ast.Expression) bool {
	if len(targets) == 0 {
		return false
	}
	p.DefaultStmt(s)
	for _, t := range targets {
		e.checkNames(p, t)
	}
	return true
}

func (e *emitter) unusedSequence(p *printer.Printer, x ast.Expression) {
	seq, ok := x.(*ast.SequenceExpression)
	if !ok {
		e.unused(p, x)
		return
	}
	for i, y := range seq.Sequence {
		if i > 0 {
			p.Raw(", ")
		}
		e.unused(p, y)
	}
}

func (e *emitter) switchStmt(p *printer.Printer, s *ast.SwitchStatement) bool {
	if e.never(s.Discriminant) {
		return false
	}
	literals := true
	for _, c := range s.Body {
		literals = literals && (c.Test == nil || literal(c.Test))
	}
	mark := e.fn.used
	p.Mark(s.Switch)
	p.Raw("switch (")
	cases := func() {
		p.Raw(", ")
		if !literals {
			p.Raw("null")
			return
		}
		p.Raw("[")
		n := 0
		for _, c := range s.Body {
			if c.Test == nil {
				continue
			}
			if n++; n > 1 {
				p.Raw(", ")
			}
			p.Sub(c.Test)
		}
		p.Raw("], [")
		n, none := 0, -1
		for i, c := range s.Body {
			if c.Test == nil {
				none = i
				continue
			}
			if n++; n > 1 {
				p.Raw(", ")
			}
			p.Raw(strconv.Itoa(leads(s.Body, i)))
		}
		if none >= 0 {
			none = leads(s.Body, none)
		}
		p.Raw("], " + strconv.Itoa(none))
	}
	if e.fn.opened {
		o := e.hold(s.Discriminant, false)
		p.Raw("typeof ")
		e.first(p, o)
		p.Raw(notObject + " ? ")
		e.again(p, o)
		p.Raw(" : " + helperSwitch + "(")
		e.again(p, o)
		cases()
		p.Raw(")")
	} else {
		p.Raw(helperSwitch + "(")
		p.Sub(s.Discriminant)
		cases()
		p.Raw(")")
	}
	e.release(mark)
	p.Raw(") ")
	p.SwitchBody(s)
	return true
}

// leads is the clause whose statements clause i runs: an empty one falls through.
func leads(list []*ast.CaseStatement, i int) int {
	for i < len(list)-1 && len(list[i].Consequent) == 0 {
		i++
	}
	return i
}

func (e *emitter) try(p *printer.Printer, s *ast.TryStatement) {
	p.Mark(s.Try)
	p.Raw("try ")
	p.Block(s.Body)
	if c := s.Catch; c != nil {
		p.Raw(" ")
		p.Mark(c.Catch)
		p.Raw("catch ")
		if c.Parameter != nil {
			p.Raw("(")
			p.Pattern(c.Parameter, true)
			p.Raw(") ")
		}
		p.Raw("{ ")
		e.MarkStmt(p, printer.SideCatch, c)
		p.Block(c.Body)
		p.Raw(" }")
	}
	if s.Finally != nil {
		p.Raw(" finally { " + helperFinally + "(); ")
		p.Block(s.Finally)
		p.Raw(" }")
	}
}
