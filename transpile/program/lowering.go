package program

import (
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// mendLowering cures what the bundler (esbuild v0.28.2) gets wrong where it lowers
// `super`: in an async arrow function that has no `this` of its own it passes null
// for the object that `super` belongs to, and in a static field or block it calls
// super's methods on the `this` outside of the class.
func mendLowering(n ast.Node) {
	syntax.Children(n, mendLowering) // inside out: an outer arrow sees the mended inner one
	c, ok := n.(*ast.CallExpression)
	if !ok {
		return
	}
	switch {
	case (helper(c, "__async") || helper(c, "__asyncGenerator")) && len(c.ArgumentList) == 3:
		if null, ok := c.ArgumentList[0].(*ast.NullLiteral); ok && usesThis(c.ArgumentList[2]) {
			c.ArgumentList[0] = &ast.ThisExpression{Idx: null.Idx}
		}
	case len(c.ArgumentList) > 0:
		call, ok := c.Callee.(*ast.DotExpression)
		if !ok || call.Identifier.Name != "call" {
			return
		}
		get, ok := call.Left.(*ast.CallExpression)
		if !ok || !helper(get, "__superGet") || len(get.ArgumentList) != 3 {
			return
		}
		class, named := get.ArgumentList[1].(*ast.Identifier)
		if this, ok := c.ArgumentList[0].(*ast.ThisExpression); ok && named {
			c.ArgumentList[0] = &ast.Identifier{Name: class.Name, Idx: this.Idx}
		}
	}
}

// mendDelegation takes the bundler's helper away from a yield* of a plain generator,
// where it means nothing (and asks for an asynchronous iterator before a plain one).
func mendDelegation(n ast.Node, async bool) {
	switch n := n.(type) {
	case *ast.CallExpression:
		if helper(n, "__asyncGenerator") && len(n.ArgumentList) == 3 {
			mendDelegation(n.ArgumentList[1], async)
			if body, ok := n.ArgumentList[2].(*ast.FunctionLiteral); ok {
				syntax.Children(body, func(c ast.Node) { mendDelegation(c, true) })
				return
			}
		}
	case *ast.FunctionLiteral:
		async = false
	case *ast.YieldExpression:
		if c, ok := n.Argument.(*ast.CallExpression); ok && n.Delegate && !async && helper(c, "__yieldStar") && len(c.ArgumentList) == 1 {
			n.Argument = c.ArgumentList[0]
		}
	}
	syntax.Children(n, func(c ast.Node) { mendDelegation(c, async) })
}

// helper tells whether the callee is one of the bundler's helpers, which have a
// number behind their names where the program uses the name.
func helper(c *ast.CallExpression, name string) bool {
	id, ok := c.Callee.(*ast.Identifier)
	if !ok {
		return false
	}
	rest, ok := strings.CutPrefix(id.Name.String(), name)
	return ok && strings.Trim(rest, "0123456789") == ""
}

// usesThis looks for `this` in a function, and in arrow functions in it.
func usesThis(f ast.Node) bool {
	found := false
	var look func(n ast.Node)
	look = func(n ast.Node) {
		switch n.(type) {
		case *ast.ThisExpression:
			found = true
		case *ast.FunctionLiteral:
			return
		}
		syntax.Children(n, look)
	}
	syntax.Children(f, look)
	return found
}
