package verifierbuild

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

// textual: x is printed so that V8 shows it as it was.
func (e *emitter) textual(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.Identifier:
		b := e.prog.Binding(x)
		return b == nil || !b.Boxed
	case *ast.DotExpression:
		m, ok := e.site(x)
		return !readsConstructor(x) && (!ok || !m.special() && !(variantMethods[m.name] && !e.never(m.object))) && e.textual(x.Left)
	case *ast.BracketExpression:
		m, ok := e.site(x)
		return (!ok || !m.special()) && e.textual(x.Left) && e.textual(x.Member)
	case *ast.CallExpression:
		switch c := x.Callee.(type) {
		case *ast.DotExpression:
			return !e.isWellKnown(c, x.ArgumentList) && !e.wantsFunction(c, x.ArgumentList) && e.textual(c.Left)
		case *ast.BracketExpression:
			m, ok := e.site(c)
			return (!ok || !m.special()) && e.textual(c.Left) && e.textual(c.Member)
		case *ast.Identifier:
			return !(e.free(c) && lookingFunctions[c.Name.String()])
		}
		return e.textual(x.Callee)
	case *ast.BinaryExpression:
		switch x.Operator {
		case token.IN, token.INSTANCEOF:
			return e.never(x.Left) && e.never(x.Right)
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			return e.never(x.Left) && e.textual(x.Left) && e.textual(x.Right)
		}
		return e.scalar(x.Left) && e.scalar(x.Right) && e.textual(x.Left) && e.textual(x.Right)
	case *ast.UnaryExpression:
		return e.scalar(x.Operand) && e.textual(x.Operand)
	case *ast.AssignExpression:
		return x.Operator == token.ASSIGN
	case *ast.ConditionalExpression:
		return false
	case *ast.NewExpression:
		return !e.looksAtMade(x) // shown as an intermediate value if it is printed so
	case *ast.SequenceExpression:
		for _, y := range x.Sequence {
			if !e.textual(y) {
				return false
			}
		}
		return true
	case *ast.TemplateLiteral:
		return e.scalar(x)
	case *ast.OptionalChain, *ast.Optional:
		return true // the engine does it all
	}
	return true
}
