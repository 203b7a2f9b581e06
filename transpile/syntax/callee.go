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
func CalleeText(x ast.Expression) string { return text{}.of(x) }

// IteratedText is how V8 shows what a for-of or a spread goes over in "… is not iterable",
// or "" where it tells no more than its type.
func IteratedText(x ast.Expression) string {
	t := text{iterated: true}
	const result = " is not a function or its return value"
	switch x := x.(type) {
	case *ast.CallExpression:
		return t.of(x.Callee) + result
	case *ast.NewExpression:
		return t.of(x.Callee) + result
	case *ast.BinaryExpression:
		if x.Operator == token.LOGICAL_AND || x.Operator == token.LOGICAL_OR {
			return ""
		}
	case *ast.ObjectLiteral:
		return "{" + strings.Repeat(intermediate, len(x.Value)) + "}"
	}
	return t.of(x)
}

// Named tells whether V8 shows more than the type of x where an array pattern that is declared
// takes x apart.
func Named(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.CallExpression:
		_, ok := x.Callee.(*ast.Identifier)
		return ok
	case *ast.NewExpression:
		_, ok := x.Callee.(*ast.Identifier)
		return ok
	case *ast.Identifier, *ast.ThisExpression, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral,
		*ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral, *ast.ObjectLiteral:
		return true
	}
	return false
}

// Constant tells whether V8 makes an object literal before any code runs.
func Constant(x *ast.ObjectLiteral) bool {
	for _, prop := range x.Value {
		switch prop := prop.(type) {
		case *ast.SpreadElement:
		case *ast.PropertyKeyed:
			if prop.Computed {
				return false
			}
			switch prop.Value.(type) {
			case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.ObjectLiteral, *ast.ArrayLiteral:
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// text shows expressions; of what is iterated over, calls are shown by their callees.
type text struct{ iterated bool }

func (t text) of(x ast.Expression) string {
	switch x := x.(type) {
	case *ast.Identifier:
		return x.Name.String()
	case *ast.ThisExpression:
		return "this"
	case *ast.DotExpression:
		return t.of(x.Left) + "." + x.Identifier.Name.String()
	case *ast.BracketExpression:
		if lit, ok := x.Member.(*ast.StringLiteral); ok {
			if _, err := strconv.Atoi(lit.Value.String()); err != nil {
				return t.of(x.Left) + "." + lit.Value.String()
			}
		}
		return t.of(x.Left) + "[" + t.of(x.Member) + "]"
	case *ast.CallExpression:
		if t.iterated {
			return t.of(x.Callee)
		}
		return t.of(x.Callee) + "(...)"
	case *ast.NewExpression:
		if t.iterated {
			return t.of(x.Callee)
		}
	case *ast.StringLiteral:
		return `"` + x.Value.String() + `"`
	case *ast.NumberLiteral:
		if strings.HasSuffix(x.Literal, "n") && !strings.HasPrefix(x.Literal, "0x") {
			return intermediate
		}
		return strings.TrimSuffix(x.Literal, ".")
	case *ast.BooleanLiteral:
		return x.Literal
	case *ast.NullLiteral:
		return "null"
	case *ast.RegExpLiteral:
		return "/" + x.Pattern + "/" + x.Flags
	case *ast.BinaryExpression:
		return "(" + t.chain(x, x.Operator) + ")"
	case *ast.UnaryExpression:
		op := x.Operator.String()
		switch x.Operator {
		case token.TYPEOF, token.VOID, token.DELETE:
			op += " "
		}
		if x.Postfix {
			return "(" + t.of(x.Operand) + op + ")"
		}
		return "(" + op + t.of(x.Operand) + ")"
	case *ast.AssignExpression:
		if id, ok := x.Left.(*ast.Identifier); ok {
			return id.Name.String()
		}
		if t.iterated {
			return t.of(x.Left)
		}
	case *ast.ArrayLiteral:
		if t.iterated {
			parts := make([]string, len(x.Value))
			for i, y := range x.Value {
				if y != nil {
					parts[i] = t.of(y)
				}
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
	case *ast.SequenceExpression:
		parts := make([]string, len(x.Sequence))
		for i, y := range x.Sequence {
			parts[i] = t.of(y)
		}
		return "(" + strings.Join(parts, " , ") + ")"
	case *ast.ConditionalExpression:
		return intermediate + intermediate + intermediate
	case *ast.TemplateLiteral:
		if x.Tag != nil {
			return t.of(x.Tag) + "(...)"
		}
		if len(x.Expressions) == 0 {
			return `"` + x.Elements[0].Parsed.String() + `"`
		}
		text := ""
		for _, y := range x.Expressions {
			text += t.of(y)
		}
		return text
	}
	return intermediate
}

// chainText joins a op b op c, which V8 keeps as one.
func (t text) chain(x ast.Expression, op token.Token) string {
	if b, ok := x.(*ast.BinaryExpression); ok && b.Operator == op {
		return t.chain(b.Left, op) + " " + op.String() + " " + t.of(b.Right)
	}
	return t.of(x)
}
