package program

import (
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// Sharing is what was found to be shared without an annotation that says so.
type Sharing struct {
	Variables  []*Binding // that are assigned: each becomes a location
	Containers []*Binding // that keep their initial value, whose contents change
}

// share treats what was found as annotate treats what was written.
func (p *Program) share(s Sharing) {
	for _, b := range s.Variables {
		if !b.Boxed && p.Boxable(b) {
			b.Inferred = true
			p.boxed(b)
		}
	}
	for _, b := range s.Containers {
		if b.Init == nil || b.Boxed {
			continue
		}
		p.inferred[b.Init] = true
		// What it holds is no longer what its initial value looks like.
		b.Init = nil
	}
	if p.anyBoxed() {
		for _, st := range p.AST.Body {
			p.checkBoxes(st)
		}
	}
}

// Boxable tells whether a variable can live in a box: it is declared by let or var
// and nothing else, by itself, and not in the head of a loop.
func (p *Program) Boxable(b *Binding) bool {
	if b.Kind != Var && b.Kind != Let || b.blockFunc {
		return false
	}
	if p.unboxable == nil {
		p.unboxable = map[*Binding]bool{}
		for _, s := range p.AST.Body {
			p.findUnboxable(s)
		}
	}
	return !p.unboxable[b]
}

func (p *Program) findUnboxable(n ast.Node) {
	refuse := func(e ast.Expression) {
		patternNames(e, func(id *ast.Identifier) {
			for _, b := range p.declared(id) {
				p.unboxable[b] = true
			}
		})
	}
	bindings := func(list []*ast.Binding, head bool) {
		for _, d := range list {
			if _, simple := d.Target.(*ast.Identifier); head || !simple {
				refuse(d.Target)
			}
		}
	}
	switch n := n.(type) {
	case *ast.VariableStatement:
		bindings(n.List, false)
	case *ast.LexicalDeclaration:
		bindings(n.List, false)
	case *ast.ForLoopInitializerVarDeclList:
		bindings(n.List, true)
	case *ast.ForLoopInitializerLexicalDecl:
		bindings(n.LexicalDeclaration.List, true)
		for _, d := range n.LexicalDeclaration.List {
			syntax.Children(d, p.findUnboxable)
		}
		return
	case *ast.ForIntoVar:
		refuse(n.Binding.Target)
	case *ast.ForDeclaration:
		refuse(n.Target)
	}
	syntax.Children(n, p.findUnboxable)
}

// declared is what a name declares where it stands.
func (p *Program) declared(id *ast.Identifier) []*Binding {
	if b := p.Binding(id); b != nil {
		return []*Binding{b}
	}
	return p.decls[syntax.Offset(id.Idx)]
}
