package program

import (
	"strconv"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/unistring"

	"karousosc/transpile/syntax"
)

// The bundler makes plain functions of async ones, which do not know it. Their bodies
// are given a directive, so that the runtime can tell by their text; and where programs
// ask for the constructor by the usual ways, x.constructor.name, (async () => {}).constructor
// and Object.getPrototypeOf(async () => {}).constructor, they are told by the runtime.

// noteAsync gives the directive to the functions that the bundler made of async ones.
func noteAsync(n ast.Node) {
	switch f := n.(type) {
	case *ast.FunctionLiteral:
		if c := lowered(f.Body.List); c != nil {
			f.Body.List = append([]ast.Statement{asyncDirective(c)}, f.Body.List...)
		}
	case *ast.ArrowFunctionLiteral:
		switch b := f.Body.(type) {
		case *ast.BlockStatement:
			if c := lowered(b.List); c != nil {
				b.List = append([]ast.Statement{asyncDirective(c)}, b.List...)
			}
		case *ast.ExpressionBody:
			if c := lowering(b.Expression); c != nil {
				at := c.Callee.Idx0()
				f.Body = &ast.BlockStatement{LeftBrace: at, List: []ast.Statement{asyncDirective(c), &ast.ReturnStatement{Return: at, Argument: c}}, RightBrace: c.RightParenthesis}
			}
		}
	}
	syntax.Children(n, noteAsync)
}

const async = "async"

func asyncDirective(c *ast.CallExpression) ast.Statement {
	text := async
	if helper(c, "__asyncGenerator") {
		text = "async*"
	}
	return &ast.ExpressionStatement{Expression: &ast.StringLiteral{Idx: c.Callee.Idx0(), Literal: strconv.Quote(text), Value: unistring.String(text)}}
}

// lowered finds the call of the bundler's helper that is all of a body.
func lowered(body []ast.Statement) *ast.CallExpression {
	if len(body) != 1 {
		return nil
	}
	r, ok := body[0].(*ast.ReturnStatement)
	if !ok {
		return nil
	}
	return lowering(r.Argument)
}

func lowering(e ast.Expression) *ast.CallExpression {
	c, ok := e.(*ast.CallExpression)
	if !ok || !helper(c, "__async") && !helper(c, "__asyncGenerator") || len(c.ArgumentList) != 3 {
		return nil
	}
	return c
}

// constructed returns x if e asks for x.constructor in one of these ways.
func constructed(e *ast.DotExpression) ast.Expression {
	switch e.Identifier.Name {
	case "name":
		if c, ok := e.Left.(*ast.DotExpression); ok && c.Identifier.Name == "constructor" {
			if _, super := c.Left.(*ast.SuperExpression); !super {
				return c.Left
			}
		}
	case "constructor":
		x := e.Left
		if c, ok := x.(*ast.CallExpression); ok && len(c.ArgumentList) == 1 {
			if get, ok := c.Callee.(*ast.DotExpression); ok && get.Identifier.Name == "getPrototypeOf" {
				x = c.ArgumentList[0]
			}
		}
		if wasAsync(x) {
			return x
		}
	}
	return nil
}

// wasAsync tells whether e is a function that the bundler made of an async one.
func wasAsync(e ast.Expression) bool {
	var body []ast.Statement
	switch f := e.(type) {
	case *ast.ArrowFunctionLiteral:
		if b, ok := f.Body.(*ast.BlockStatement); ok {
			body = b.List
		}
	case *ast.FunctionLiteral:
		body = f.Body.List
	}
	if len(body) == 0 {
		return false
	}
	s, ok := body[0].(*ast.ExpressionStatement)
	if !ok {
		return false
	}
	lit, ok := s.Expression.(*ast.StringLiteral)
	return ok && (lit.Value == async || lit.Value == async+"*")
}
