package verifierbuild

import (
	"strconv"

	"github.com/grafana/sobek/ast"
)

// calleeText is how V8 would show a callee in "… is not a function", for calls
// whose callee has to be taken apart.
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
		return x.Literal
	case *ast.BooleanLiteral:
		return x.Literal
	case *ast.NullLiteral:
		return "null"
	}
	return "(intermediate value)"
}
