package program

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// ES modules are strict. The bundler puts their statements side by side at the top of
// the script, where also the functions lie that it makes of other modules, which may be sloppy. So
// where a bundle has ES modules, emitters print what is the bundler's and what it made of
// other modules first, and then the statements of ES modules in a function that is strict:
//
//	var require_a = __commonJS({ … }), init_b;
//	(() => { "use strict"; init_b = __esm({ … }); … })();
//
// For everybody but the emitters they stay where they are.

// WithModules says that the bundle has ES modules.
func WithModules() Option {
	return func(p *Program) { p.strict = map[ast.Statement]bool{} }
}

// divide finds the statements of ES modules. If what other modules use of them cannot be
// declared outside of the function, it finds none.
func (p *Program) divide(body []ast.Statement) {
	helpers := true
	used := map[string]bool{}
	for _, s := range body {
		switch helpers = helpers && bundlers(s); {
		case helpers: // knows of no module
		case required(s):
			names(s, used)
		default:
			p.strict[s] = true
		}
	}
	for _, s := range body {
		if p.strict[s] && !p.declareOutside(s, used) {
			p.strict, p.outside = nil, nil
			return
		}
	}
}

// bundlers tells whether a statement at the beginning is the bundler's own: the
// guard, one of its helpers, or a module of Node's.
func bundlers(s ast.Statement) bool {
	switch s := s.(type) {
	case *ast.ExpressionStatement:
		a, ok := s.Expression.(*ast.AssignExpression)
		if !ok {
			return false
		}
		id, ok := a.Left.(*ast.Identifier)
		return ok && id.Name == "require"
	case *ast.VariableStatement:
		if nodes(s.List[0].Initializer) {
			return true // where some modules wait, the bundler puts these first
		}
		id, ok := s.List[0].Target.(*ast.Identifier)
		return ok && strings.HasPrefix(id.Name.String(), "__")
	}
	return false
}

// nodes tells whether an expression is a module of Node's own, by itself or as an ES module.
func nodes(e ast.Expression) bool {
	call, ok := e.(*ast.CallExpression)
	return ok && (helper(call, "require") || helper(call, "__toESM") && len(call.ArgumentList) > 0 && nodes(call.ArgumentList[0]))
}

// required tells whether a statement defines a module that is required.
func required(s ast.Statement) bool {
	v, ok := s.(*ast.VariableStatement)
	if !ok || len(v.List) != 1 {
		return false
	}
	call, ok := v.List[0].Initializer.(*ast.CallExpression)
	return ok && helper(call, "__commonJS")
}

// names gathers all names that occur in n.
func names(n ast.Node, into map[string]bool) {
	switch n := n.(type) {
	case *ast.Identifier:
		into[n.Name.String()] = true
	case *ast.PropertyShort:
		into[n.Name.Name.String()] = true
	}
	syntax.Children(n, func(c ast.Node) { names(c, into) })
}

// declareOutside notes the variables of an ES module's statement that others use, and tells
// whether that is all of it that they use.
func (p *Program) declareOutside(s ast.Statement, used map[string]bool) bool {
	declares := func(target ast.Node) bool {
		found := map[string]bool{}
		names(target, found)
		for name := range found {
			if used[name] {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case *ast.VariableStatement:
		for _, b := range s.List {
			id, ok := b.Target.(*ast.Identifier)
			switch {
			case !declares(b.Target):
			case !ok || strings.HasPrefix(id.Name.String(), "__"): // a helper, which must be there first
				return false
			default:
				p.outside = append(p.outside, id.Name.String())
			}
		}
	case *ast.LexicalDeclaration:
		for _, b := range s.List {
			if declares(b.Target) {
				return false
			}
		}
	case *ast.FunctionDeclaration:
		return !used[s.Function.Name.Name.String()]
	case *ast.ClassDeclaration:
		return !used[s.Class.Name.Name.String()]
	}
	return true
}

// Parts divides statements of the program for the emitters: what is printed first, the variables
// of ES modules that are to be declared there, and the statements of ES modules.
func (p *Program) Parts(body []ast.Statement) (first []ast.Statement, outside []string, modules []ast.Statement) {
	for _, s := range body {
		if !p.strict[s] {
			first = append(first, s)
			continue
		}
		modules = append(modules, p.inside(s)...)
	}
	return first, p.outside, modules
}

// StrictHead and StrictTail are what emitters print in front of and behind ES modules' statements.
func StrictHead(outside []string) string {
	head := "\n(() => {\"use strict\";\n"
	if len(outside) > 0 {
		head = "\nvar " + strings.Join(outside, ", ") + ";" + head
	}
	return head
}

const StrictTail = "\n})();"

// inside is what is left of a statement when its variables that are declared outside are not declared.
func (p *Program) inside(s ast.Statement) []ast.Statement {
	v, ok := s.(*ast.VariableStatement)
	if !ok {
		return []ast.Statement{s}
	}
	var out []ast.Statement
	for _, b := range v.List {
		id, ok := b.Target.(*ast.Identifier)
		if !ok || !slices.Contains(p.outside, id.Name.String()) {
			out = append(out, &ast.VariableStatement{Var: v.Var, List: []*ast.Binding{b}})
		} else if b.Initializer != nil {
			out = append(out, &ast.ExpressionStatement{Expression: &ast.AssignExpression{Operator: token.ASSIGN, Left: id, Right: b.Initializer}})
		}
	}
	if len(out) == len(v.List) && len(p.outside) == 0 {
		return []ast.Statement{s}
	}
	return out
}
