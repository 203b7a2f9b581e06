package transpile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Shared is one variable that requests may share, with what was found about it.
type Shared struct {
	Name     string            `json:"name"`
	Position manifest.Position `json:"position"`
	How      string            `json:"how"`    // "assigned", or "changed" for the contents of a container
	Writes   []Write           `json:"writes"` // where functions do so
	Tracked  bool              `json:"tracked"`
}

// Write is a place where a function changes what is shared.
type Write struct {
	manifest.Position
	Function string `json:"function,omitempty"`
}

// inferred finds the state that requests share although nobody declared it so:
// variables of the app's own modules (packages are left to themselves) that a
// function assigns, and containers in them that a function changes. It cannot see
// who calls the function (load time may be all), which makes too much of it tracked
// and nothing wrong; nor changes made through another name of a container, which
// show in verification.
type inferred struct {
	list []Shared
}

// find is given to program.WithSharing.
func (f *inferred) find(p *program.Program) program.Sharing {
	s := &sharing{p: p, how: map[*program.Binding]string{}, annotated: map[*program.Binding]bool{}, writes: map[*program.Binding][]Write{}, modules: map[*program.Func]bool{p.Func(nil): true}}
	for _, n := range p.AST.Body {
		s.findModules(n)
	}
	for _, n := range p.AST.Body {
		s.walk(n)
	}
	var out program.Sharing
	for b, how := range s.how {
		pos := p.Position(b.Offset)
		if s.annotated[b] || b.Boxed || pos.File == "" || strings.Contains("/"+pos.File, "/node_modules/") || strings.Contains(pos.File, ":") {
			continue
		}
		x := Shared{Name: b.Name, Position: manifest.Position(pos), How: how, Writes: s.writes[b], Tracked: true}
		switch {
		case how == "changed":
			out.Containers = append(out.Containers, b)
		case p.Boxable(b):
			out.Variables = append(out.Variables, b)
		default:
			x.Tracked = false
		}
		f.list = append(f.list, x)
	}
	byOffset := func(a, b *program.Binding) int { return a.Offset - b.Offset }
	slices.SortFunc(out.Variables, byOffset)
	slices.SortFunc(out.Containers, byOffset)
	slices.SortFunc(f.list, func(a, b Shared) int {
		return compare(bundle.Diagnostic{Position: a.Position, Text: a.Name}, bundle.Diagnostic{Position: b.Position, Text: b.Name})
	})
	return out
}

// warnings are of what could not be tracked.
func (f *inferred) warnings() []bundle.Diagnostic {
	var out []bundle.Diagnostic
	for _, x := range f.list {
		if !x.Tracked {
			out = append(out, bundle.Diagnostic{
				Position: x.Position,
				Text:     fmt.Sprintf("%s is %s in a function; if requests share it, declare it by itself, with let", x.Name, x.How),
			})
		}
	}
	return out
}

type sharing struct {
	p         *program.Program
	modules   map[*program.Func]bool // functions that are the body of a module
	how       map[*program.Binding]string
	writes    map[*program.Binding][]Write
	annotated map[*program.Binding]bool
}

// findModules finds the functions that the bundler made of modules: the one method
// of the literal that __commonJS or __esm is called with.
func (s *sharing) findModules(n ast.Node) {
	v, ok := n.(*ast.VariableStatement)
	if !ok {
		return
	}
	for _, b := range v.List {
		call, ok := b.Initializer.(*ast.CallExpression)
		if !ok || len(call.ArgumentList) != 1 {
			continue
		}
		callee, ok := call.Callee.(*ast.Identifier)
		lit, isLit := call.ArgumentList[0].(*ast.ObjectLiteral)
		if !ok || !isLit || !strings.HasPrefix(callee.Name.String(), "__commonJS") && !strings.HasPrefix(callee.Name.String(), "__esm") {
			continue
		}
		for _, prop := range lit.Value {
			if k, ok := prop.(*ast.PropertyKeyed); ok {
				if f, ok := k.Value.(*ast.FunctionLiteral); ok {
					s.modules[s.p.Func(f)] = true
				}
			}
		}
	}
}

// changers are the methods that change a Map, Set, array or the like.
var changers = map[string]bool{
	"set": true, "add": true, "delete": true, "clear": true, "push": true, "pop": true, "shift": true, "unshift": true,
	"splice": true, "sort": true, "reverse": true, "fill": true, "copyWithin": true,
}

func (s *sharing) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignExpression:
		if id, ok := n.Left.(*ast.Identifier); ok && s.marked(n.Right) {
			if b := s.p.Binding(id); b != nil {
				s.annotated[b] = true
			}
		}
		s.target(n.Left)
	case *ast.UnaryExpression:
		if n.Operator == token.INCREMENT || n.Operator == token.DECREMENT || n.Operator == token.DELETE {
			s.target(n.Operand)
		}
	case *ast.CallExpression:
		if d, ok := n.Callee.(*ast.DotExpression); ok && changers[d.Identifier.Name.String()] && !s.plainObject(d.Left) {
			s.changed(d.Left)
		}
	}
	syntax.Children(n, s.walk)
}

// plainObject tells whether e is a variable that holds an object literal: what
// such an object does when its own method set or add is called, that method shows.
func (s *sharing) plainObject(e ast.Expression) bool {
	id, ok := e.(*ast.Identifier)
	if !ok || s.p.Binding(id) == nil {
		return false
	}
	_, ok = s.p.Binding(id).Init.(*ast.ObjectLiteral)
	return ok
}

// marked tells whether e is a call of the annotation.
func (s *sharing) marked(e ast.Expression) bool {
	call, ok := e.(*ast.CallExpression)
	return ok && s.p.IsFree(call.Callee, program.Annotation)
}

// target sees what is written to.
func (s *sharing) target(e ast.Expression) {
	switch e := e.(type) {
	case *ast.Identifier:
		if ref := s.shared(e); ref != nil && ref.Binding.Kind != program.Const {
			s.how[ref.Binding] = "assigned"
			s.wrote(ref)
		}
	case *ast.DotExpression:
		s.changed(e.Left)
	case *ast.BracketExpression:
		s.changed(e.Left)
	}
}

// changed sees an object that is changed, itself or in a part of it.
func (s *sharing) changed(e ast.Expression) {
	for {
		switch x := e.(type) {
		case *ast.DotExpression:
			e = x.Left
			continue
		case *ast.BracketExpression:
			e = x.Left
			continue
		case *ast.Identifier:
			if ref := s.shared(x); ref != nil && container(ref.Binding.Init) && s.how[ref.Binding] != "assigned" {
				s.how[ref.Binding] = "changed"
				s.wrote(ref)
			}
		}
		return
	}
}

func (s *sharing) wrote(ref *program.Ref) {
	at := Write{manifest.Position(s.p.Position(syntax.Offset(ref.ID.Idx))), ref.Func().Name}
	if !slices.Contains(s.writes[ref.Binding], at) {
		s.writes[ref.Binding] = append(s.writes[ref.Binding], at)
	}
}

// shared returns the reference if it stands in a function and means a variable
// of a module.
func (s *sharing) shared(id *ast.Identifier) *program.Ref {
	ref := s.p.Ref(id)
	if ref == nil || ref.Binding == nil || s.modules[ref.Func()] || !s.modules[ref.Binding.Func()] {
		return nil
	}
	switch ref.Binding.Kind {
	case program.Var, program.Let, program.Const:
	default:
		return nil
	}
	if ref.Binding.Init != nil && s.marked(ref.Binding.Init) {
		return nil
	}
	return ref
}

// container tells whether a variable's initial value is a new collection.
func container(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ObjectLiteral, *ast.ArrayLiteral:
		return true
	case *ast.CallExpression:
		d, ok := e.Callee.(*ast.DotExpression)
		if !ok {
			return false
		}
		id, ok := d.Left.(*ast.Identifier)
		return ok && (id.Name == "Object" && (d.Identifier.Name == "create" || d.Identifier.Name == "fromEntries") || id.Name == "Array" && (d.Identifier.Name == "from" || d.Identifier.Name == "of"))
	case *ast.NewExpression:
		id, ok := e.Callee.(*ast.Identifier)
		return ok && slices.Contains([]string{"Map", "Set", "WeakMap", "WeakSet", "Array", "Object"}, id.Name.String())
	}
	return false
}

// compare orders what is said by its place.
func compare(a, b bundle.Diagnostic) int {
	if a.File != b.File {
		return strings.Compare(a.File, b.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}
