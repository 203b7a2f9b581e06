package program

import (
	"slices"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// Captured are the variables of a function's own level that functions inside it use, in the order of their
// declarations: they may outlive its calls. Boxed ones are not among them.
func (p *Program) Captured(f *Func) []*Binding {
	if p.captured == nil {
		p.captured = map[*Func][]*Binding{}
		p.held = map[*Binding]bool{}
		p.outer = map[*Func]bool{}
		p.assigned = map[*Func][]*Binding{}
		for _, r := range p.refs {
			b := r.Binding
			if b == nil || b.Boxed || b.Kind == FuncName || b.Kind == Arguments || r.Func() == b.Func() {
				continue
			}
			if r.Write && !slices.Contains(p.assigned[r.Func()], b) {
				p.assigned[r.Func()] = append(p.assigned[r.Func()], b)
			}
			if p.held[b] {
				continue
			}
			p.held[b] = true
			if b.Scope.vars || b.Scope.params {
				p.captured[b.Func()] = append(p.captured[b.Func()], b)
			}
		}
		for _, lists := range []map[*Func][]*Binding{p.captured, p.assigned} {
			for _, list := range lists {
				slices.SortFunc(list, func(a, b *Binding) int { return a.Offset - b.Offset })
			}
		}
		for _, f := range p.Funcs {
			if !f.Arrow || !f.This {
				continue
			}
			for f != nil && f.Arrow {
				f = f.Parent
			}
			p.outer[f] = true
		}
	}
	return p.captured[f]
}

// Assigned are the variables of functions around f that f itself assigns.
func (p *Program) Assigned(f *Func) []*Binding {
	p.Captured(nil)
	return p.assigned[f]
}

// CapturesThis tells whether arrow functions inside f use its this.
func (p *Program) CapturesThis(f *Func) bool {
	p.Captured(f)
	return p.outer[f]
}

// CapturedIn are those that a block declares.
func (p *Program) CapturedIn(list []ast.Statement) (out []*Binding) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			for _, b := range s.List {
				out = p.capturedNames(out, b.Target)
			}
		case *ast.ClassDeclaration:
			out = p.capturedNames(out, s.Class.Name)
		}
	}
	return out
}

// CapturedBy are those that a loop or a catch declares for its body.
func (p *Program) CapturedBy(n ast.Node) (out []*Binding) {
	switch n := n.(type) {
	case *ast.CatchStatement:
		if n.Parameter != nil {
			out = p.capturedNames(nil, n.Parameter)
		}
	case *ast.ForStatement:
		if d, ok := n.Initializer.(*ast.ForLoopInitializerLexicalDecl); ok {
			for _, b := range d.LexicalDeclaration.List {
				out = p.capturedNames(out, b.Target)
			}
		}
	case *ast.ForInStatement:
		if d, ok := n.Into.(*ast.ForDeclaration); ok {
			out = p.capturedNames(nil, d.Target)
		}
	case *ast.ForOfStatement:
		if d, ok := n.Into.(*ast.ForDeclaration); ok {
			out = p.capturedNames(nil, d.Target)
		}
	}
	return out
}

func (p *Program) capturedNames(out []*Binding, target ast.Expression) []*Binding {
	p.Captured(nil)
	patternNames(target, func(id *ast.Identifier) {
		for _, b := range p.decls[syntax.Offset(id.Idx)] {
			if p.held[b] && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	})
	return out
}
