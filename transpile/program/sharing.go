package program

import (
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// Sharing is what was found to be shared without an annotation that says so.
type Sharing struct {
	Variables []SharedVariable // that are assigned: each becomes a location
	Objects   []SharedObject   // that are changed
}

// SharedVariable is one of these. AtLoad: only what load time makes of it is shared,
// not what a request does.
type SharedVariable struct {
	*Binding
	AtLoad bool
}

// SharedObject says which objects are changed: what Expr makes; what a parameter, or
// the function of a declaration, is; or the global object. Where the objects cannot be
// tracked as a whole (functions are such), those of their properties are to which
// Paths lead.
type SharedObject struct {
	Expr     ast.Expression
	Param    *Binding
	Global   bool
	Function bool // Expr or Param is a function
	This     bool // Paths are properties of this, of which Expr is given to one
	AtLoad   bool
	Paths    [][]string
}

// share treats what was found as annotate treats what was written.
func (p *Program) share(s Sharing) {
	for _, v := range s.Variables {
		if b := v.Binding; !b.Boxed && p.Boxable(b) {
			b.Inferred, b.AtLoad = true, v.AtLoad
			p.boxed(b)
		}
	}
	for _, o := range s.Objects {
		switch {
		case o.Global:
			p.sharedIn[nil] = append(p.sharedIn[nil], o)
		case o.Param != nil:
			fn := o.Param.Scope.Func.Node
			p.sharedIn[fn] = append(p.sharedIn[fn], o)
		default:
			p.inferred[o.Expr] = o
			p.nameless(o.Expr)
		}
	}
	// What an object that changes holds is no longer what its initial value looks like.
	for _, ref := range p.refs {
		if b := ref.Binding; b != nil && b.Init != nil {
			if _, ok := p.inferred[b.Init]; ok {
				b.Init = nil
			}
		}
	}
	if p.anyBoxed() {
		for _, st := range p.AST.Body {
			p.checkBoxes(st)
		}
	}
}

// Boxable tells whether a variable can live in a box: it is declared by let or var
// and nothing else, by itself, and not in the head of a loop; or it is a parameter,
// without a var of that name, that no other parameter's default can see.
func (p *Program) Boxable(b *Binding) bool {
	if b.blockFunc {
		return false
	}
	switch b.Kind {
	case Var, Let:
	case Param:
		return p.boxableParam(b)
	default:
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

func (p *Program) boxableParam(b *Binding) bool {
	var list *ast.ParameterList
	switch fn := b.Func().Node.(type) {
	case *ast.FunctionLiteral:
		list = fn.ParameterList
	case *ast.ArrowFunctionLiteral:
		list = fn.ParameterList
	default:
		return false
	}
	if b.Func().Arguments || list.Rest != nil {
		return false
	}
	for _, d := range list.List {
		if _, simple := d.Target.(*ast.Identifier); !simple || d.Initializer != nil {
			return false
		}
	}
	return !b.again
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

// Declared is the variable that a function or class of that name is put into.
func (p *Program) Declared(id *ast.Identifier) *Binding {
	if list := p.declared(id); len(list) > 0 {
		return list[len(list)-1]
	}
	return nil
}

// declared is what a name declares where it stands.
func (p *Program) declared(id *ast.Identifier) []*Binding {
	if b := p.Binding(id); b != nil {
		return []*Binding{b}
	}
	return p.decls[syntax.Offset(id.Idx)]
}

// Hoisted tells whether a declared function is there from the beginning of the
// function it stands in.
func (p *Program) Hoisted(b *Binding) bool { return b.Kind == Function && b.Scope.vars }

// nameless notes a function or class that would lose its name behind a call.
func (p *Program) nameless(e ast.Expression) {
	if !syntax.AnonymousFunction(e) {
		return
	}
	if p.expected == nil {
		p.expected = map[ast.Expression]string{}
		for _, s := range p.AST.Body {
			p.expect(s)
		}
	}
	if name := p.expected[e]; name != "" {
		p.naming[e] = name
	}
}

// expect notes what the language calls the anonymous functions and classes of n after
// where they stand.
func (p *Program) expect(n ast.Node) {
	name := func(target, value ast.Expression) {
		if id, ok := target.(*ast.Identifier); ok && value != nil && syntax.AnonymousFunction(value) && !syntax.InParens(p.Text, id) {
			p.expected[value] = id.Name.String()
		}
	}
	switch n := n.(type) {
	case *ast.Binding:
		name(n.Target, n.Initializer)
	case *ast.AssignExpression:
		name(n.Left, n.Right)
	case *ast.PropertyShort:
		name(&n.Name, n.Initializer)
	case *ast.PropertyKeyed:
		if n.Kind == ast.PropertyKindValue && !n.Computed && syntax.AnonymousFunction(n.Value) {
			p.expected[n.Value] = keyName(n.Key, false)
		}
	}
	syntax.Children(n, p.expect)
}
