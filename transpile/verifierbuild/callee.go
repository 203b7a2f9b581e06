package verifierbuild

import (
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

const intermediate = "(intermediate value)"

// calleeText is how V8 shows a callee in "… is not a function", for calls whose
// callee is not printed as it was (V8's CallPrinter).
func calleeText(x ast.Expression) string {
	switch x := x.(type) {
	case *ast.Identifier:
		return x.Name.String()
	case *ast.ThisExpression:
		return "this"
	case *ast.DotExpression:
		return calleeText(x.Left) + "." + x.Identifier.Name.String()
	case *ast.BracketExpression:
		if lit, ok := x.Member.(*ast.StringLiteral); ok {
			if _, err := strconv.Atoi(lit.Value.String()); err != nil {
				return calleeText(x.Left) + "." + lit.Value.String()
			}
		}
		return calleeText(x.Left) + "[" + calleeText(x.Member) + "]"
	case *ast.CallExpression:
		return calleeText(x.Callee) + "(...)"
	case *ast.StringLiteral:
		return `"` + x.Value.String() + `"`
	case *ast.NumberLiteral:
		return strings.TrimSuffix(x.Literal, ".")
	case *ast.BooleanLiteral:
		return x.Literal
	case *ast.NullLiteral:
		return "null"
	case *ast.RegExpLiteral:
		return "/" + x.Pattern + "/" + x.Flags
	case *ast.BinaryExpression:
		return "(" + chainText(x, x.Operator) + ")"
	case *ast.UnaryExpression:
		op := x.Operator.String()
		switch x.Operator {
		case token.TYPEOF, token.VOID, token.DELETE:
			op += " "
		}
		if x.Postfix {
			return "(" + calleeText(x.Operand) + op + ")"
		}
		return "(" + op + calleeText(x.Operand) + ")"
	case *ast.AssignExpression:
		if id, ok := x.Left.(*ast.Identifier); ok {
			return id.Name.String()
		}
	case *ast.SequenceExpression:
		parts := make([]string, len(x.Sequence))
		for i, y := range x.Sequence {
			parts[i] = calleeText(y)
		}
		return "(" + strings.Join(parts, " , ") + ")"
	case *ast.ConditionalExpression:
		return intermediate + intermediate + intermediate
	case *ast.TemplateLiteral:
		if x.Tag != nil {
			return calleeText(x.Tag) + "(...)"
		}
		if len(x.Expressions) == 0 {
			return `"` + x.Elements[0].Parsed.String() + `"`
		}
		text := ""
		for _, y := range x.Expressions {
			text += calleeText(y)
		}
		return text
	}
	return intermediate
}

// chainText joins a op b op c, which V8 keeps as one.
func chainText(x ast.Expression, op token.Token) string {
	if b, ok := x.(*ast.BinaryExpression); ok && b.Operator == op {
		return chainText(b.Left, op) + " " + op.String() + " " + calleeText(b.Right)
	}
	return calleeText(x)
}

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
			return !e.isWellKnown(c, x.ArgumentList) && e.textual(c.Left)
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
		return true // shown as an intermediate value either way
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
