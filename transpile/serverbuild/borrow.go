package serverbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Functions of the engine may read tracked arrays that are not their receiver, or be called for a tracked object without
// having been looked up there. Where the program says so (f.call, f.apply, new Map), the runtime is asked.

// borrowed prints f.call(…) or f.apply(…), unless it is clear that nothing tracked is read by it.
func (h *hooks) borrowed(p *printer.Printer, e *ast.CallExpression) bool {
	dot, ok := e.Callee.(*ast.DotExpression)
	if !ok || len(e.ArgumentList) == 0 {
		return false
	}
	helper := map[string]string{"call": ".bc", "apply": ".ba"}[dot.Identifier.Name.String()]
	switch dot.Left.(type) {
	case *ast.SuperExpression, *ast.Optional, *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return false
	}
	if helper == "" || h.unshared(e.ArgumentList[0]) && (helper == ".bc" || len(e.ArgumentList) < 2 || h.unshared(e.ArgumentList[1])) {
		return false
	}
	p.Mark(e.Idx0())
	p.Raw(h.runtime + helper + "(" + strconv.Quote(syntax.CalleeText(dot)) + ", ")
	p.Sub(dot.Left)
	p.Raw(", ")
	p.Arguments(e.ArgumentList)
	p.Raw(")")
	return true
}

// unshared: a receiver or a list that natives are not borrowed for, or that is nobody else's.
func (h *hooks) unshared(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ThisExpression, *ast.NullLiteral, *ast.NumberLiteral, *ast.StringLiteral, *ast.TemplateLiteral, *ast.ArrayLiteral, *ast.ObjectLiteral, *ast.FunctionLiteral:
		return true
	case *ast.Identifier:
		switch e.Name {
		case "__this", "__arguments": // of the bundler's own helpers
			return true
		case "undefined":
			return h.prog.Binding(e) == nil
		}
		b := h.prog.Binding(e)
		return b != nil && b.Kind == program.Arguments
	case *ast.UnaryExpression:
		return true
	}
	return false
}

// made prints the constructors that are given entries.
func (h *hooks) made(p *printer.Printer, e *ast.NewExpression) bool {
	if len(e.ArgumentList) != 1 || !h.prog.IsFree(e.Callee, "Map") && !h.prog.IsFree(e.Callee, "URLSearchParams") {
		return false
	}
	switch e.ArgumentList[0].(type) {
	case *ast.SpreadElement, *ast.StringLiteral, *ast.TemplateLiteral:
		return false
	}
	p.Mark(e.New)
	p.Raw("new ")
	p.Expr(e.Callee, printer.PrecNew)
	p.Raw("(" + h.runtime + ".pairs(")
	p.Sub(e.ArgumentList[0])
	p.Raw("))")
	return true
}

// PatternBegin implements printer.PatternHook: a pattern that takes what a tracked array has asks it first.
func (h *hooks) PatternBegin(e *ast.ObjectPattern) string {
	if !h.sites || h.fn.Pure || !program.TakesElements(e) {
		return ""
	}
	return " [" + h.runtime + ".el]: {} = 0"
}
