package syntax

import (
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"
)

const intermediate = "(intermediate value)"

// CalleeText is how V8 shows a callee in "… is not a function", for calls whose
// callee is not printed as it was (V8's CallPrinter).
func CalleeText(x ast.Expression) string {
	switch x := x.(type) {
	case *ast.Identifier:
		return x.Name.String()
	case *ast.ThisExpression:
		return "this"
	case *ast.DotExpression:
		return CalleeText(x.Left) + "." + x.Identifier.Name.String()
	case *ast.BracketExpression:
		if lit, ok := x.Member.(*ast.StringLiteral); ok {
			if _, err := strconv.Atoi(lit.Value.String()); err != nil {
				return CalleeText(x.Left) + "." + lit.Value.String()
			}
		}
		return CalleeText(x.Left) + "[" + CalleeText(x.Member) + "]"
	case *ast.CallExpression:
		return CalleeText(x.Callee) + "(...)"
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
			return "(" + CalleeText(x.Operand) + op + ")"
		}
		return "(" + op + CalleeText(x.Operand) + ")"
	case *ast.AssignExpression:
		if id, ok := x.Left.(*ast.Identifier); ok {
			return id.Name.String()
		}
	case *ast.SequenceExpression:
		parts := make([]string, len(x.Sequence))
		for i, y := range x.Sequence {
			parts[i] = CalleeText(y)
		}
		return "(" + strings.Join(parts, " , ") + ")"
	case *ast.ConditionalExpression:
		return intermediate + intermediate + intermediate
	case *ast.TemplateLiteral:
		if x.Tag != nil {
			return CalleeText(x.Tag) + "(...)"
		}
		if len(x.Expressions) == 0 {
			return `"` + x.Elements[0].Parsed.String() + `"`
		}
		text := ""
		for _, y := range x.Expressions {
			text += CalleeText(y)
		}
		return text
	}
	return intermediate
}

// chainText joins a op b op c, which V8 keeps as one.
func chainText(x ast.Expression, op token.Token) string {
	if b, ok := x.(*ast.BinaryExpression); ok && b.Operator == op {
		return chainText(b.Left, op) + " " + op.String() + " " + CalleeText(b.Right)
	}
	return CalleeText(x)
}

// IteratedText is how V8 shows what a for-of goes over in "… is not iterable", or "" where
// that takes more than names.
func IteratedText(x ast.Expression) string {
	if c, ok := x.(*ast.CallExpression); ok && named(c.Callee) {
		return CalleeText(c.Callee) + " is not a function or its return value"
	}
	if named(x) {
		return CalleeText(x)
	}
	return ""
}

func named(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.Identifier, *ast.ThisExpression:
		return true
	case *ast.DotExpression:
		return named(x.Left)
	case *ast.BracketExpression:
		switch x.Member.(type) {
		case *ast.Identifier, *ast.StringLiteral, *ast.NumberLiteral:
			return named(x.Left)
		}
	}
	return false
}
