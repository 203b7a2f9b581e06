package program

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/syntax"
)

// Kind is how a name was declared.
type Kind int

const (
	Var Kind = iota
	Let
	Const
	Function  // a function declaration
	Class     // a class declaration, or a class's own name inside it
	Param     // a parameter; a var of the same name is the same variable
	Catch     // what catch binds
	FuncName  // a function expression's own name
	Arguments // a function's implicit arguments
)

// Scope holds bindings.
type Scope struct {
	Parent   *Scope
	Func     *Func
	Bindings []*Binding // in order of declaration

	byName map[string]*Binding
	vars   bool // var declarations land here
	params bool // a function's parameters (and, without parameter expressions, its vars)
}

// OfFunc tells a function's own level from its blocks.
func (s *Scope) OfFunc() bool { return s.vars || s.params }

// Binding is one variable.
type Binding struct {
	Name     string
	Kind     Kind
	Scope    *Scope
	Offset   int // of the declaration
	Refs     []*Ref
	Assigned bool           // written to other than by its (one) initialiser
	Init     ast.Expression // that initialiser, when the binding is var, let or const and has exactly one
	Node     ast.Node       // the function or class literal of a declaration
	Boxed    bool           // a location: lives in a box, see Common
	Box      string         // the box's name
	Inferred bool           // boxed although nobody annotated it
	AtLoad   bool           // then: only while the app loads

	inits     int
	blockFunc bool // a function in a block is assigned to it
	again     bool // declared more than once
}

// Func is the function whose call makes the binding.
func (b *Binding) Func() *Func { return b.Scope.Func }

// Ref is one occurrence of a name as an expression, target or declaration.
type Ref struct {
	ID      *ast.Identifier
	Binding *Binding // nil: free
	Scope   *Scope
	Read    bool
	Write   bool // includes initialisation
	Init    bool // the initialiser of a declaration
}

// Func is the function in which the reference stands.
func (r *Ref) Func() *Func { return r.Scope.Func }

// Lookup finds a name from this scope outwards.
func (s *Scope) Lookup(name string) *Binding {
	for ; s != nil; s = s.Parent {
		if b := s.byName[name]; b != nil {
			return b
		}
	}
	return nil
}

type resolver struct {
	p      *Program
	scope  *Scope
	fn     *Func
	names  []string // suggestions for the function about to be met
	strict bool     // inside a class
}

func (p *Program) resolve() {
	strict := syntax.Strict(p.Text, p.AST.Body)
	top := &Func{ID: 0, Name: "program", Strict: strict}
	p.Funcs = []*Func{top}
	r := &resolver{p: p, fn: top}
	p.Scope = r.push()
	p.Scope.vars = true
	r.hoist(p.AST.Body, p.Scope)
	r.lexical(p.AST.Body)
	for _, s := range p.AST.Body {
		top.Strict = p.strict[s] || strict
		r.stmt(s)
	}
	r.pop()
	p.settle()
}

// settle draws conclusions from the references.
func (p *Program) settle() {
	var scan func(s *Scope)
	seen := map[*Scope]bool{}
	scan = func(s *Scope) {
		for _, b := range s.Bindings {
			for _, ref := range b.Refs {
				if ref.Write && !ref.Init {
					b.Assigned = true
				}
			}
			if b.inits > 1 || b.inits > 0 && b.Kind != Var && b.Kind != Let && b.Kind != Const {
				b.Assigned = true
			}
			if b.Assigned {
				b.Init = nil
			}
			// In sloppy functions writes through arguments[i] reach parameters.
			if b.Kind == Param && s.Func.Arguments && !s.Func.Strict {
				b.Assigned = true
			}
		}
	}
	for _, ref := range p.refs {
		if ref.Binding != nil && !seen[ref.Binding.Scope] {
			seen[ref.Binding.Scope] = true
			scan(ref.Binding.Scope)
		}
	}
}

func (r *resolver) push() *Scope {
	r.scope = &Scope{Parent: r.scope, Func: r.fn, byName: map[string]*Binding{}}
	return r.scope
}

func (r *resolver) pop() { r.scope = r.scope.Parent }

func (r *resolver) declare(s *Scope, name string, kind Kind, offset int) *Binding {
	if b := s.byName[name]; b != nil {
		b.again = true
		r.p.decls[offset] = append(r.p.decls[offset], b)
		return b
	}
	b := &Binding{Name: name, Kind: kind, Scope: s, Offset: offset}
	r.p.decls[offset] = append(r.p.decls[offset], b)
	s.byName[name] = b
	s.Bindings = append(s.Bindings, b)
	r.p.names[name] = true
	return b
}

// pattern calls f for each name that a target binds.
func patternNames(e ast.Expression, f func(*ast.Identifier)) {
	switch e := e.(type) {
	case nil:
	case *ast.Identifier:
		f(e)
	case *ast.ArrayPattern:
		for _, v := range e.Elements {
			patternNames(v, f)
		}
		patternNames(e.Rest, f)
	case *ast.ObjectPattern:
		for _, prop := range e.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				f(&prop.Name)
			case *ast.PropertyKeyed:
				patternNames(prop.Value, f)
			}
		}
		patternNames(e.Rest, f)
	case *ast.AssignExpression:
		patternNames(e.Left, f)
	}
}

// hoist declares the vars and functions of a function's body in s.
func (r *resolver) hoist(body []ast.Statement, s *Scope) {
	decl := func(e ast.Expression) {
		patternNames(e, func(id *ast.Identifier) { r.declare(s, id.Name.String(), Var, syntax.Offset(id.Idx)) })
	}
	var nested [][]string // names of the blocks round a statement: they keep a block's function from becoming a var
	var walk func(st ast.Statement, top bool)
	block := func(list []ast.Statement) {
		names := lexicalNames(list)
		nested = append(nested, names)
		for _, st := range list {
			walk(st, false)
		}
		nested = nested[:len(nested)-1]
	}
	head := func(names []string, f func()) {
		nested = append(nested, names)
		f()
		nested = nested[:len(nested)-1]
	}
	function := func(fn *ast.FunctionLiteral, top bool) {
		name := fn.Name.Name.String()
		offset := syntax.Offset(fn.Name.Idx)
		if top {
			b := r.declare(s, name, Function, offset)
			switch b.Kind {
			case Function:
				if b.Node != nil {
					b.Assigned = true // declared twice: the last one wins
				}
				b.Node = fn
			default: // a parameter or a var of that name: the function is put into it
				b.Assigned = true
			}
			return
		}
		// Sloppy code also makes a var of a function in a block, where that clashes
		// with nothing; it is assigned when the block is entered.
		if r.fn.Strict || fn.Async || fn.Generator {
			return
		}
		for _, names := range nested[:len(nested)-1] {
			for _, n := range names {
				if n == name {
					return
				}
			}
		}
		if !s.params && s.Parent != nil && s.Parent.params && s.Parent.byName[name] != nil {
			return // a parameter, which keeps its value
		}
		b := r.declare(s, name, Var, offset)
		b.Assigned, b.blockFunc = true, true
	}
	walk = func(st ast.Statement, top bool) {
		switch st := st.(type) {
		case *ast.VariableStatement:
			for _, b := range st.List {
				decl(b.Target)
			}
		case *ast.FunctionDeclaration:
			function(st.Function, top)
		case *ast.BlockStatement:
			block(st.List)
		case *ast.IfStatement:
			for _, side := range []ast.Statement{st.Consequent, st.Alternate} {
				if side == nil {
					continue
				}
				block([]ast.Statement{side}) // if (a) function f() {} is a block of its own
			}
		case *ast.ForStatement:
			var names []string
			switch init := st.Initializer.(type) {
			case *ast.ForLoopInitializerVarDeclList:
				for _, b := range init.List {
					decl(b.Target)
				}
			case *ast.ForLoopInitializerLexicalDecl:
				for _, b := range init.LexicalDeclaration.List {
					patternNames(b.Target, func(id *ast.Identifier) { names = append(names, id.Name.String()) })
				}
			}
			head(names, func() { walk(st.Body, false) })
		case *ast.ForInStatement:
			head(r.intoNames(st.Into, decl), func() { walk(st.Body, false) })
		case *ast.ForOfStatement:
			head(r.intoNames(st.Into, decl), func() { walk(st.Body, false) })
		case *ast.WhileStatement:
			walk(st.Body, false)
		case *ast.DoWhileStatement:
			walk(st.Body, false)
		case *ast.LabelledStatement:
			walk(st.Statement, top)
		case *ast.SwitchStatement:
			var all []ast.Statement
			for _, c := range st.Body {
				all = append(all, c.Consequent...)
			}
			block(all)
		case *ast.TryStatement:
			block(st.Body.List)
			if st.Catch != nil {
				var names []string
				if _, simple := st.Catch.Parameter.(*ast.Identifier); !simple && st.Catch.Parameter != nil {
					patternNames(st.Catch.Parameter, func(id *ast.Identifier) { names = append(names, id.Name.String()) })
				}
				head(names, func() { block(st.Catch.Body.List) })
			}
			if st.Finally != nil {
				block(st.Finally.List)
			}
		case *ast.WithStatement:
			walk(st.Body, false)
		}
	}
	nested = append(nested, lexicalNames(body))
	// Vars first, so that a function of the same name finds what it overwrites.
	for _, st := range body {
		walk(st, true)
	}
}

func (r *resolver) intoNames(into ast.ForInto, decl func(ast.Expression)) []string {
	var names []string
	switch into := into.(type) {
	case *ast.ForIntoVar:
		decl(into.Binding.Target)
	case *ast.ForDeclaration:
		patternNames(into.Target, func(id *ast.Identifier) { names = append(names, id.Name.String()) })
	}
	return names
}

// lexicalNames are the names that a statement list binds by let, const or class.
func lexicalNames(list []ast.Statement) []string {
	var names []string
	for _, st := range list {
		switch st := st.(type) {
		case *ast.LexicalDeclaration:
			for _, b := range st.List {
				patternNames(b.Target, func(id *ast.Identifier) { names = append(names, id.Name.String()) })
			}
		case *ast.ClassDeclaration:
			names = append(names, st.Class.Name.Name.String())
		}
	}
	return names
}

// lexical declares the let, const and class names of a statement list in the current scope.
func (r *resolver) lexical(list []ast.Statement) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.LexicalDeclaration:
			kind := Let
			if st.Token == token.CONST {
				kind = Const
			}
			for _, b := range st.List {
				patternNames(b.Target, func(id *ast.Identifier) {
					r.declare(r.scope, id.Name.String(), kind, syntax.Offset(id.Idx))
				})
			}
		case *ast.ClassDeclaration:
			b := r.declare(r.scope, st.Class.Name.Name.String(), Class, syntax.Offset(st.Class.Name.Idx))
			b.Node = st.Class
		}
	}
}

// blockFunctions declares the functions of a block in the block.
func (r *resolver) blockFunctions(list []ast.Statement) {
	for _, st := range list {
		for {
			l, ok := st.(*ast.LabelledStatement)
			if !ok {
				break
			}
			st = l.Statement
		}
		if fd, ok := st.(*ast.FunctionDeclaration); ok {
			b := r.declare(r.scope, fd.Function.Name.Name.String(), Function, syntax.Offset(fd.Function.Name.Idx))
			if b.Node != nil {
				b.Assigned = true
			}
			b.Node = fd.Function
		}
	}
}

func (r *resolver) stmts(list []ast.Statement) {
	for _, s := range list {
		r.stmt(s)
	}
}

// block is a statement list with a scope of its own.
func (r *resolver) block(list []ast.Statement) {
	r.push()
	r.blockFunctions(list)
	r.lexical(list)
	r.stmts(list)
	r.pop()
}

// body is a statement that may be a lone function declaration.
func (r *resolver) body(s ast.Statement) {
	if _, ok := s.(*ast.BlockStatement); ok {
		r.stmt(s)
		return
	}
	r.block([]ast.Statement{s})
}

func (r *resolver) branch(side printer.Side, n ast.Node, offset int) {
	b := &Branch{ID: len(r.p.Branches), Side: side, Node: n, Func: r.fn, Offset: offset}
	r.p.Branches = append(r.p.Branches, b)
	r.p.branches[branchKey{n, side}] = b
}

func (r *resolver) stmt(s ast.Statement) {
	switch s := s.(type) {
	case *ast.EmptyStatement, *ast.DebuggerStatement, *ast.BranchStatement:
	case *ast.BlockStatement:
		r.block(s.List)
	case *ast.ExpressionStatement:
		r.expr(s.Expression)
	case *ast.VariableStatement:
		r.bindings(s.List, Var)
	case *ast.LexicalDeclaration:
		r.bindings(s.List, Let)
	case *ast.FunctionDeclaration:
		r.function(s.Function, s.Function.Name.Name.String(), funcKind{})
	case *ast.ClassDeclaration:
		// The declaration writes its binding once, where it stands.
		r.class(s.Class)
	case *ast.IfStatement:
		r.expr(s.Test)
		r.branch(printer.SideThen, s, syntax.Offset(s.If))
		r.body(s.Consequent)
		if s.Alternate != nil {
			r.body(s.Alternate)
		}
	case *ast.ForStatement:
		r.fn.Loop = true
		r.push()
		switch init := s.Initializer.(type) {
		case nil:
		case *ast.ForLoopInitializerExpression:
			r.expr(init.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			r.bindings(init.List, Var)
		case *ast.ForLoopInitializerLexicalDecl:
			r.lexical([]ast.Statement{&init.LexicalDeclaration})
			r.bindings(init.LexicalDeclaration.List, Let)
		}
		if s.Test != nil {
			r.expr(s.Test)
		}
		if s.Update != nil {
			r.expr(s.Update)
		}
		r.branch(printer.SideLoop, s, syntax.Offset(s.For))
		r.body(s.Body)
		r.pop()
	case *ast.ForInStatement:
		r.forInto(s, s.Into, s.Source, s.Body, syntax.Offset(s.For))
	case *ast.ForOfStatement:
		r.forInto(s, s.Into, s.Source, s.Body, syntax.Offset(s.For))
	case *ast.WhileStatement:
		r.fn.Loop = true
		r.expr(s.Test)
		r.branch(printer.SideLoop, s, syntax.Offset(s.While))
		r.body(s.Body)
	case *ast.DoWhileStatement:
		r.fn.Loop = true
		r.branch(printer.SideLoop, s, syntax.Offset(s.Do))
		r.body(s.Body)
		r.expr(s.Test)
	case *ast.LabelledStatement:
		r.stmt(s.Statement)
	case *ast.ReturnStatement:
		if s.Argument != nil {
			r.expr(s.Argument)
		}
	case *ast.ThrowStatement:
		r.expr(s.Argument)
	case *ast.SwitchStatement:
		r.expr(s.Discriminant)
		var all []ast.Statement
		for _, c := range s.Body {
			all = append(all, c.Consequent...)
		}
		r.push()
		r.blockFunctions(all)
		r.lexical(all)
		for _, c := range s.Body {
			if c.Test != nil {
				r.expr(c.Test)
			}
			r.branch(printer.SideCase, c, syntax.Offset(c.Case))
			r.stmts(c.Consequent)
		}
		r.pop()
	case *ast.TryStatement:
		r.stmt(s.Body)
		if c := s.Catch; c != nil {
			r.push()
			if c.Parameter != nil {
				patternNames(c.Parameter, func(id *ast.Identifier) {
					r.declare(r.scope, id.Name.String(), Catch, syntax.Offset(id.Idx))
				})
				r.target(c.Parameter, true, Catch)
			}
			r.branch(printer.SideCatch, c, syntax.Offset(c.Catch))
			r.stmt(c.Body)
			r.pop()
		}
		if s.Finally != nil {
			r.stmt(s.Finally)
		}
	case *ast.WithStatement:
		r.p.problem(syntax.Offset(s.With), "`with` cannot be audited: it hides what names mean")
	default:
		r.p.problem(syntax.Offset(s.Idx0()), "%T is not supported", s)
	}
}

func (r *resolver) forInto(n ast.Node, into ast.ForInto, source ast.Expression, body ast.Statement, offset int) {
	r.fn.Loop = true
	r.push()
	switch into := into.(type) {
	case *ast.ForIntoVar:
		r.target(into.Binding.Target, false, Var) // written again and again
	case *ast.ForDeclaration:
		kind := Let
		if into.IsConst {
			kind = Const
		}
		patternNames(into.Target, func(id *ast.Identifier) {
			r.declare(r.scope, id.Name.String(), kind, syntax.Offset(id.Idx))
		})
		r.target(into.Target, true, kind)
	case *ast.ForIntoExpression:
		r.target(into.Expression, false, Var)
	}
	r.expr(source)
	r.branch(printer.SideLoop, n, offset)
	r.body(body)
	r.pop()
}

// bindings are a declaration's declarators.
func (r *resolver) bindings(list []*ast.Binding, kind Kind) {
	for _, b := range list {
		id, simple := b.Target.(*ast.Identifier)
		if simple {
			ref := r.ref(id)
			if b.Initializer != nil {
				ref.Write, ref.Init = true, true
				if bind := ref.Binding; bind != nil {
					bind.inits++
					bind.Init = b.Initializer
				}
				r.named(b.Initializer, id.Name.String())
			}
			continue
		}
		r.target(b.Target, true, kind)
		if b.Initializer != nil {
			r.expr(b.Initializer)
		}
	}
}

// named is an expression that stands where a function would take the name.
func (r *resolver) named(e ast.Expression, name string) {
	r.names = append(r.names, name)
	r.expr(e)
	r.names = r.names[:len(r.names)-1]
}

// ref records an occurrence of a name.
func (r *resolver) ref(id *ast.Identifier) *Ref {
	name := id.Name.String()
	b := r.scope.Lookup(name)
	if b == nil || b.Scope.Func != r.fn {
		// A function's own `arguments` comes before an outer variable of that name.
		if name == "arguments" {
			if fn := r.thisFunc(); fn.Node != nil {
				if b == nil || !within(b.Scope.Func, fn) {
					for s := r.scope; s != nil; s = s.Parent {
						if s.Func == fn && s.params {
							b = r.declare(s, name, Arguments, syntax.Offset(id.Idx))
						}
					}
				}
			}
		}
	}
	if b != nil && b.Kind == Arguments {
		for f := r.fn; f != nil; f = f.Parent {
			f.Arguments = true
			if !f.Arrow {
				break
			}
		}
	}
	ref := &Ref{ID: id, Binding: b, Scope: r.scope}
	r.p.refs[id] = ref
	r.p.names[name] = true
	if b != nil {
		b.Refs = append(b.Refs, ref)
	} else {
		r.p.Free[name] = append(r.p.Free[name], ref)
	}
	return ref
}

// within reports whether f is outer or one of its arrow functions, transitively.
func within(f, outer *Func) bool {
	for ; f != nil; f = f.Parent {
		if f == outer {
			return true
		}
	}
	return false
}

// thisFunc is the innermost function that is no arrow function.
func (r *resolver) thisFunc() *Func {
	f := r.fn
	for f.Arrow {
		f = f.Parent
	}
	return f
}

func (r *resolver) usesThis() {
	for f := r.fn; f != nil; f = f.Parent {
		f.This = true
		if !f.Arrow {
			return
		}
	}
}

// target is a name, member or pattern that is written to. With init, by the
// declaration that stands here.
func (r *resolver) target(e ast.Expression, init bool, kind Kind) {
	switch e := e.(type) {
	case nil:
	case *ast.Identifier:
		ref := r.ref(e)
		ref.Write = true
		if init && kind != Var {
			ref.Init = true
		}
	case *ast.ArrayPattern:
		for _, v := range e.Elements {
			r.element(v, init, kind)
		}
		r.target(e.Rest, init, kind)
	case *ast.ObjectPattern:
		for _, prop := range e.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				r.target(&prop.Name, init, kind)
				if prop.Initializer != nil {
					r.initializer(prop.Initializer, prop.Name.Name.String())
				}
			case *ast.PropertyKeyed:
				if prop.Computed {
					r.expr(prop.Key)
				}
				r.element(prop.Value, init, kind)
			}
		}
		r.target(e.Rest, init, kind)
	case *ast.DotExpression:
		r.p.props[e.Identifier.Name.String()] = true
		r.p.written = append(r.p.written, e.Left)
		r.changed(e.Left, e.Identifier.Name.String())
		r.expr(e.Left)
	case *ast.PrivateDotExpression:
		r.expr(e.Left)
	case *ast.BracketExpression:
		if lit, ok := e.Member.(*ast.StringLiteral); ok {
			r.p.props[lit.Value.String()] = true
			r.changed(e.Left, lit.Value.String())
		} else {
			r.changed(e.Left, "")
		}
		r.p.written = append(r.p.written, e.Left)
		r.expr(e.Left)
		r.expr(e.Member)
	default:
		r.p.problem(syntax.Start(e), "cannot be assigned to")
	}
}

func (r *resolver) element(e ast.Expression, init bool, kind Kind) {
	if a, ok := e.(*ast.AssignExpression); ok {
		r.target(a.Left, init, kind)
		name := ""
		if id, ok := a.Left.(*ast.Identifier); ok {
			name = id.Name.String()
		}
		r.initializer(a.Right, name)
		return
	}
	r.target(e, init, kind)
}

// initializer is a default value.
func (r *resolver) initializer(e ast.Expression, name string) {
	if !syntax.AnonymousFunction(e) {
		r.branch(printer.SideDefault, e, syntax.Start(e))
	}
	r.named(e, name)
}

// hint takes the name that the place suggests; it holds for the next expression only.
func (r *resolver) hint() string {
	if n := len(r.names); n > 0 {
		h := r.names[n-1]
		r.names[n-1] = ""
		return h
	}
	return ""
}

func (r *resolver) expr(e ast.Expression) {
	hint := r.hint()
	r.names = append(r.names, "")
	defer func() { r.names = r.names[:len(r.names)-1] }()
	switch e := e.(type) {
	case nil:
	case *ast.Identifier:
		r.ref(e).Read = true
	case *ast.ThisExpression, *ast.SuperExpression:
		r.usesThis()
	case *ast.MetaProperty:
		r.usesThis()
	case *ast.FunctionLiteral:
		name := hint
		if e.Name != nil {
			name = e.Name.Name.String()
		}
		r.function(e, name, funcKind{expression: true})
	case *ast.ArrowFunctionLiteral:
		r.arrow(e, hint)
	case *ast.ClassLiteral:
		r.class(e)
	case *ast.AssignExpression:
		r.assign(e)
	case *ast.UnaryExpression:
		switch e.Operator {
		case token.INCREMENT, token.DECREMENT:
			if id, ok := e.Operand.(*ast.Identifier); ok {
				ref := r.ref(id)
				ref.Read, ref.Write = true, true
			} else {
				r.target(e.Operand, false, Var)
			}
		default:
			r.expr(e.Operand)
		}
	case *ast.BinaryExpression:
		if _, private := e.Left.(*ast.PrivateIdentifier); !private {
			r.expr(e.Left)
		}
		switch e.Operator {
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			r.branch(printer.SideRight, e, syntax.Start(e.Right))
		}
		r.expr(e.Right)
	case *ast.ConditionalExpression:
		r.expr(e.Test)
		r.branch(printer.SideCondThen, e, syntax.Start(e.Consequent))
		r.expr(e.Consequent)
		r.expr(e.Alternate)
	case *ast.ObjectLiteral:
		for _, prop := range e.Value {
			r.property(prop)
		}
	case *ast.CallExpression:
		r.expr(e.Callee)
		r.exprs(e.ArgumentList)
		r.checkCall(e, e.Callee, e.ArgumentList)
	case *ast.NewExpression:
		r.expr(e.Callee)
		r.exprs(e.ArgumentList)
		r.checkCall(e, e.Callee, e.ArgumentList)
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			r.expr(e.Tag)
		}
		r.exprs(e.Expressions)
	case *ast.ArrayPattern, *ast.ObjectPattern:
		r.target(e, false, Var)
	default:
		syntax.Children(e, func(c ast.Node) {
			if x, ok := c.(ast.Expression); ok {
				r.expr(x)
			} else {
				r.p.problem(syntax.Offset(c.Idx0()), "%T is not supported here", c)
			}
		})
	}
}

func (r *resolver) exprs(list []ast.Expression) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *resolver) assign(e *ast.AssignExpression) {
	name := ""
	switch l := e.Left.(type) {
	case *ast.Identifier:
		name = l.Name.String()
		ref := r.ref(l)
		ref.Write = true
		ref.Read = e.Operator != token.ASSIGN
	default:
		r.target(l, false, Var)
		if d, ok := l.(*ast.DotExpression); ok {
			name = d.Identifier.Name.String()
		}
	}
	switch e.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		if !syntax.AnonymousFunction(e.Right) {
			r.branch(printer.SideRight, e, syntax.Start(e.Right))
		}
	}
	r.named(e.Right, name)
}

func keyName(key ast.Expression, computed bool) string {
	switch k := key.(type) {
	case *ast.StringLiteral:
		return k.Value.String()
	case *ast.NumberLiteral:
		return k.Literal
	case *ast.PrivateIdentifier:
		return "#" + k.Name.String()
	case *ast.Identifier:
		if computed {
			return "[" + k.Name.String() + "]"
		}
	}
	return "[…]"
}

func (r *resolver) property(prop ast.Property) {
	switch prop := prop.(type) {
	case *ast.PropertyShort:
		r.p.props[prop.Name.Name.String()] = true
		r.expr(&prop.Name)
	case *ast.PropertyKeyed:
		name := keyName(prop.Key, prop.Computed)
		r.p.props[name] = true
		if prop.Computed {
			r.expr(prop.Key)
		}
		if fn, ok := prop.Value.(*ast.FunctionLiteral); ok && prop.Kind != ast.PropertyKindValue {
			r.function(fn, accessor(prop.Kind)+name, funcKind{method: true})
			return
		}
		r.named(prop.Value, name)
	case *ast.SpreadElement:
		r.expr(prop.Expression)
	}
}

func accessor(k ast.PropertyKind) string {
	switch k {
	case ast.PropertyKindGet:
		return "get "
	case ast.PropertyKindSet:
		return "set "
	}
	return ""
}

type funcKind struct{ expression, method, ctor bool }

func (r *resolver) enter(n ast.Node, name string, offset int, body []ast.Statement) *Func {
	f := &Func{ID: len(r.p.Funcs), Node: n, Name: name, Offset: offset, Parent: r.fn}
	f.Strict = r.fn.Strict || r.strict || syntax.Strict(r.p.Text, body)
	r.p.Funcs = append(r.p.Funcs, f)
	r.p.funcs[n] = f
	return f
}

func (r *resolver) function(fn *ast.FunctionLiteral, name string, kind funcKind) {
	f := r.enter(fn, name, syntax.Offset(fn.Function), fn.Body.List)
	f.Generator, f.Async, f.Method, f.Ctor = fn.Generator, fn.Async, kind.method, kind.ctor
	outer := r.scope
	if kind.expression && fn.Name != nil {
		r.push()
		b := r.declare(r.scope, fn.Name.Name.String(), FuncName, syntax.Offset(fn.Name.Idx))
		b.Node = fn
	}
	r.inside(f, fn.ParameterList, fn.Body.List)
	r.scope = outer
}

func (r *resolver) arrow(fn *ast.ArrowFunctionLiteral, name string) {
	outer := r.scope
	switch b := fn.Body.(type) {
	case *ast.BlockStatement:
		f := r.enter(fn, name, syntax.Offset(fn.Start), b.List)
		f.Arrow, f.Async = true, fn.Async
		r.inside(f, fn.ParameterList, b.List)
	case *ast.ExpressionBody:
		f := r.enter(fn, name, syntax.Offset(fn.Start), nil)
		f.Arrow, f.Async = true, fn.Async
		r.inside(f, fn.ParameterList, []ast.Statement{&ast.ExpressionStatement{Expression: b.Expression}})
	}
	r.scope = outer
}

// inside resolves a function's parameters and body.
func (r *resolver) inside(f *Func, params *ast.ParameterList, body []ast.Statement) {
	outerFn, outerNames := r.fn, r.names
	r.fn, r.names = f, nil
	s := r.push()
	s.params = true
	expressions := false
	if params != nil {
		for _, b := range params.List {
			patternNames(b.Target, func(id *ast.Identifier) {
				r.declare(s, id.Name.String(), Param, syntax.Offset(id.Idx))
			})
			expressions = expressions || b.Initializer != nil || hasExpressions(b.Target)
		}
		patternNames(params.Rest, func(id *ast.Identifier) {
			r.declare(s, id.Name.String(), Param, syntax.Offset(id.Idx))
		})
		expressions = expressions || hasExpressions(params.Rest)
		for _, b := range params.List {
			r.target(b.Target, true, Param)
			if b.Initializer != nil {
				name := ""
				if id, ok := b.Target.(*ast.Identifier); ok {
					name = id.Name.String()
				}
				r.initializer(b.Initializer, name)
			}
		}
		r.target(params.Rest, true, Param)
	}
	if expressions { // the body's vars are then variables of their own
		s = r.push()
	}
	s.vars = true
	r.hoist(body, s)
	r.lexical(body)
	r.stmts(body)
	if expressions {
		r.pop()
	}
	r.pop()
	r.fn, r.names = outerFn, outerNames
}

// hasExpressions reports whether a parameter's pattern evaluates anything.
func hasExpressions(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.AssignExpression:
		return true
	case *ast.ArrayPattern:
		for _, v := range e.Elements {
			if v != nil && hasExpressions(v) {
				return true
			}
		}
		return e.Rest != nil && hasExpressions(e.Rest)
	case *ast.ObjectPattern:
		for _, prop := range e.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				if prop.Initializer != nil {
					return true
				}
			case *ast.PropertyKeyed:
				if prop.Computed || hasExpressions(prop.Value) {
					return true
				}
			}
		}
	}
	return false
}

func (r *resolver) class(c *ast.ClassLiteral) {
	strict := r.strict
	r.strict = true // class code always is
	defer func() { r.strict = strict }()
	r.push()
	name := ""
	if c.Name != nil {
		name = c.Name.Name.String()
		b := r.declare(r.scope, name, Class, syntax.Offset(c.Name.Idx))
		b.Node = c
	}
	r.expr(c.SuperClass)
	for _, el := range c.Body {
		switch el := el.(type) {
		case *ast.MethodDefinition:
			key := keyName(el.Key, el.Computed)
			r.p.props[key] = true
			if el.Computed {
				r.expr(el.Key)
			}
			ctor := key == "constructor" && !el.Static && !el.Computed
			full := accessor(el.Kind) + key
			if name != "" {
				full = name + "." + full
			}
			if ctor {
				full = name
			}
			r.function(el.Body, full, funcKind{method: true, ctor: ctor})
		case *ast.FieldDefinition:
			r.p.props[keyName(el.Key, el.Computed)] = true
			if el.Computed {
				r.expr(el.Key)
			}
			if el.Initializer != nil {
				r.named(el.Initializer, keyName(el.Key, el.Computed))
			}
		case *ast.ClassStaticBlock:
			f := r.enter(el, name+" static block", syntax.Offset(el.Static), nil)
			outer := r.scope
			r.inside(f, nil, el.Block.List)
			r.scope = outer
		}
	}
	r.pop()
}

// checkCall looks for code that is made at run time.
func (r *resolver) checkCall(e, callee ast.Expression, args []ast.Expression) {
	_, isNew := e.(*ast.NewExpression)
	if d, ok := callee.(*ast.DotExpression); ok {
		switch name := d.Identifier.Name; name {
		case "defineProperty", "__defineGetter__", "__defineSetter__":
			for _, a := range args {
				if lit, ok := a.(*ast.StringLiteral); ok {
					r.p.props[lit.Value.String()] = true
				}
			}
			if len(args) > 0 {
				r.p.written = append(r.p.written, args[0])
				r.changed(args[0], "")
			}
		}
	}
	if id, ok := callee.(*ast.Identifier); ok && id.Name == "eval" && !isNew {
		if at := syntax.Offset(id.Idx); r.p.dependency(at) {
			// In packages it mostly hides a require from bundlers, and failing is expected.
			r.p.warn(at, "direct eval cannot be audited; the call will throw")
			r.p.refused[e] = r.p.Position(at).String() + ": direct eval cannot be audited"
		} else {
			r.p.problem(at, "direct eval cannot be audited")
		}
		return
	}
	what := ""
	switch {
	case r.p.IsFree(callee, "Function"):
		what = "Function"
	default:
		if seq, ok := callee.(*ast.SequenceExpression); ok && r.p.IsFree(seq.Sequence[len(seq.Sequence)-1], "eval") {
			what = "eval"
		}
	}
	if what == "" {
		return
	}
	for _, a := range args {
		switch a := a.(type) {
		case *ast.StringLiteral:
			continue
		case *ast.TemplateLiteral:
			if a.Tag == nil && len(a.Expressions) == 0 {
				continue
			}
		}
		at := syntax.Start(e)
		if !r.p.dependency(at) {
			r.p.problem(at, "%s of computed text cannot be audited", what)
			return
		}
		if what == "Function" {
			// It runs as it is; runtime/js/shared/generated.ts.
			r.p.warn(at, "makes code at run time, which is audited one request at a time")
			return
		}
		r.p.warn(at, "%s of computed text cannot be audited; the call will throw", what)
		pos := r.p.Position(at)
		r.p.refused[e] = pos.String() + ": " + what + " of computed text cannot be audited"
		return
	}
}
