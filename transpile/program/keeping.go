package program

import (
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// Packages that put a method of their own in front of a stream's keep the platform's under
// another name, and call it by that: `var _on = res.on; … _on.call(res, event, listener)`.

// handing tells whether methods are called by this name to which programs hand functions that
// the platform calls later.
func (p *Program) handing(name string) bool {
	return handsOver(name) || p.keeping[name]
}

// noteKeeping finds the names of variables and properties under which such methods are kept.
func (p *Program) noteKeeping(n ast.Node) {
	switch n := n.(type) {
	case *ast.Binding:
		p.keeps(n.Target, n.Initializer)
	case *ast.AssignExpression:
		p.keeps(n.Left, n.Right)
	case *ast.PropertyKeyed: // { on: _on } = res, and { _on: res.on }
		if key, ok := n.Key.(*ast.StringLiteral); ok && !n.Computed {
			if id, ok := n.Value.(*ast.Identifier); ok && handsOver(key.Value.String()) {
				p.keeping[id.Name.String()] = true
			}
			if d, ok := n.Value.(*ast.DotExpression); ok && handsOver(d.Identifier.Name.String()) {
				p.keeping[key.Value.String()] = true
			}
		}
	}
	syntax.Children(n, p.noteKeeping)
}

func (p *Program) keeps(target, value ast.Expression) {
	d, ok := value.(*ast.DotExpression)
	if !ok || !handsOver(d.Identifier.Name.String()) {
		return
	}
	switch t := target.(type) {
	case *ast.Identifier:
		p.keeping[t.Name.String()] = true
	case *ast.DotExpression:
		p.keeping[t.Identifier.Name.String()] = true
	}
}

func handsOver(name string) bool { return registrations[name] || takers[name] }
