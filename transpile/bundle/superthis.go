package bundle

import (
	"regexp"
	"sort"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// The bundler makes functions of arrow functions and has them use a variable that
// holds `this`. It sets the variable where the function around them begins; but in
// the constructor of a derived class there is no `this` before super() returns,
// unless that happens to come first. Here the variable is set by the calls of super.

var earlyThis = regexp.MustCompile(`constructor\([^\n]*\) \{\n\s*var (?:_this\d* = this\b|__super\d* =)`)

func (b *Bundle) thisAfterSuper() {
	if !earlyThis.MatchString(b.Text) {
		return
	}
	tree, err := syntax.Parse(b.Text)
	if err != nil {
		return // whoever parses it next says where
	}
	var edits []edit
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if c, ok := n.(*ast.ClassLiteral); ok && c.SuperClass != nil {
			for _, el := range c.Body {
				if m, ok := el.(*ast.MethodDefinition); ok && !m.Static && !m.Computed && m.Kind == "method" && isName(m.Key, "constructor") {
					edits = append(edits, constructorEdits(m.Body)...)
				}
			}
		}
		syntax.Children(n, walk)
	}
	for _, n := range tree.Body {
		walk(n)
	}
	// Classes inside of constructors come after what they are in.
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
	b.apply(edits)
}

func isName(key ast.Expression, name string) bool {
	switch key := key.(type) {
	case *ast.Identifier:
		return key.Name.String() == name
	case *ast.StringLiteral:
		return key.Value.String() == name
	}
	return false
}

// constructorEdits rewrites a derived class's constructor that begins with a
// variable for `this`.
func constructorEdits(f *ast.FunctionLiteral) []edit {
	var edits []edit
	name := ""
	for _, s := range f.Body.List[:min(2, len(f.Body.List))] { // __super may come first, an arrow function
		head, _ := s.(*ast.VariableStatement)
		if head == nil {
			break
		}
		for _, v := range head.List {
			this, isThis := v.Initializer.(*ast.ThisExpression)
			id, isID := v.Target.(*ast.Identifier)
			if isThis && isID && name == "" {
				name = id.Name.String()
				edits = append(edits, edit{syntax.Offset(this.Idx), len("this"), "void 0"})
			}
		}
	}
	if name == "" {
		return nil
	}
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FunctionLiteral, *ast.ClassLiteral:
			return // super means something else there
		case *ast.CallExpression:
			if _, ok := n.Callee.(*ast.SuperExpression); ok {
				edits = append(edits, edit{syntax.Start(n), 0, "("}, edit{syntax.Offset(n.RightParenthesis) + 1, 0, ", " + name + " = this)"})
			}
		}
		syntax.Children(n, walk)
	}
	for _, s := range f.Body.List {
		walk(s)
	}
	return edits
}
