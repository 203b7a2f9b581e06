package program

import (
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// Shared state may refer to what the program defines at load: classes, functions,
// symbols. Requests are re-executed apart from each other, so a reference needs a
// name that means the same in both builds: the number of the definition among those
// that init comes by, which $k.def gives out.
//
// All classes are noted, wherever they stand (a class that a request makes shows by
// having no number), and functions and symbols of code that runs once: that of
// modules, and of functions that are called where they stand.

// define finds the definitions. Only programs with loggable state need them.
func (p *Program) define() {
	d := &definer{p: p}
	d.body(nil, p.AST.Body, true)
}

type definer struct{ p *Program }

// body walks the statements of function fn.
func (d *definer) body(fn ast.Node, list []ast.Statement, once bool) {
	for _, s := range list {
		if f, ok := s.(*ast.FunctionDeclaration); ok && once && f.Function.Name != nil {
			d.p.hoisted[fn] = append(d.p.hoisted[fn], f.Function.Name.Name.String())
		}
		d.walk(s, once)
	}
}

func (d *definer) walk(n ast.Node, once bool) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		d.function(n, false)
		return
	case *ast.ArrowFunctionLiteral:
		d.function(n, false)
		return
	case *ast.ClassLiteral:
		syntax.Children(n, func(c ast.Node) { d.walk(c, false) })
		return
	case *ast.Binding:
		if id, ok := n.Target.(*ast.Identifier); ok {
			d.value(n.Initializer, id.Name.String(), once)
		}
	case *ast.AssignExpression:
		name := ""
		if id, ok := n.Left.(*ast.Identifier); ok && !syntax.InParens(d.p.Text, id) {
			name = id.Name.String()
		}
		if n.Operator == token.ASSIGN {
			d.value(n.Right, name, once)
		}
	case *ast.PropertyKeyed:
		if key, ok := n.Key.(*ast.StringLiteral); ok && !n.Computed && n.Kind == ast.PropertyKindValue && key.Value.String() != "__proto__" {
			d.value(n.Value, key.Value.String(), once)
		}
	case *ast.ReturnStatement:
		d.value(n.Argument, "", once)
	case *ast.SequenceExpression:
		for _, e := range n.Sequence {
			d.value(e, "", once)
		}
	case *ast.ConditionalExpression:
		d.value(n.Consequent, "", once)
		d.value(n.Alternate, "", once)
	case *ast.NewExpression:
		for _, e := range n.ArgumentList {
			d.value(e, "", once)
		}
	case *ast.CallExpression:
		if d.call(n, once) {
			return
		}
	}
	syntax.Children(n, func(c ast.Node) { d.walk(c, once) })
}

// call walks a call that runs a function where it stands.
func (d *definer) call(n *ast.CallExpression, once bool) bool {
	if once && d.module(n) {
		return true
	}
	for _, e := range n.ArgumentList {
		d.value(e, "", once)
	}
	callee := n.Callee
	if once && helper(n, "__async") && len(n.ArgumentList) == 3 {
		d.function(n.ArgumentList[2], true) // of a module that waits outside of functions
		return true
	}
	if dot, ok := callee.(*ast.DotExpression); ok && (dot.Identifier.Name == "call" || dot.Identifier.Name == "apply") {
		callee = dot.Left
	}
	switch callee.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		d.function(callee, once)
		for _, e := range n.ArgumentList {
			d.walk(e, once)
		}
		return true
	}
	return false
}

// module walks what the bundler made of a module: __commonJS({ "file"(exports) {…} }).
func (d *definer) module(n *ast.CallExpression) bool {
	id, ok := n.Callee.(*ast.Identifier)
	if !ok || len(n.ArgumentList) != 1 || !strings.HasPrefix(id.Name.String(), "__commonJS") && !strings.HasPrefix(id.Name.String(), "__esm") {
		return false
	}
	lit, ok := n.ArgumentList[0].(*ast.ObjectLiteral)
	if !ok || len(lit.Value) != 1 {
		return false
	}
	prop, ok := lit.Value[0].(*ast.PropertyKeyed)
	if !ok {
		return false
	}
	f, ok := prop.Value.(*ast.FunctionLiteral)
	if ok {
		d.function(f, true)
	}
	return ok
}

func (d *definer) function(n ast.Node, once bool) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		d.walk(n.ParameterList, false)
		d.body(n, n.Body.List, once)
	case *ast.ArrowFunctionLiteral:
		d.walk(n.ParameterList, false)
		switch b := n.Body.(type) {
		case *ast.BlockStatement:
			d.body(n, b.List, once)
		case *ast.ExpressionBody:
			d.value(b.Expression, "", once)
			d.walk(b.Expression, once)
		}
	}
}

// value sees an expression where the language would call an anonymous function name.
func (d *definer) value(e ast.Expression, name string, once bool) {
	switch e := e.(type) {
	case *ast.ClassLiteral:
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		if !once {
			return
		}
	case *ast.CallExpression:
		callee := e.Callee
		if dot, ok := callee.(*ast.DotExpression); ok && dot.Identifier.Name == "for" {
			callee = dot.Left
		}
		if once && d.p.IsFree(callee, "Symbol") {
			d.p.defines[e] = true
		}
		return
	default:
		return
	}
	d.p.defines[e] = true
	if name != "" && syntax.AnonymousFunction(e) {
		d.p.naming[e] = name
	}
}
