package sharing

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// builder makes the constraints of a program.
type builder struct {
	*graph
	p *program.Program

	vars     map[*program.Binding]*node
	funcs    map[*program.Func]*site
	modules  map[*program.Func]bool // bodies of the app's modules, and the program itself
	home     map[*program.Func]*program.Func
	calls    map[*program.Func][]*program.Func
	changes  []*change
	bags     map[string]*node        // what is handed to something unknown under a name
	later    *node                   // handed to what calls it after load: handlers, listeners
	given    map[*program.Func]*node // handed to what may call it at once, by whom
	globe    *site
	declared map[ast.Expression]bool             // initial values of what is annotated
	owner    map[ast.Expression]*program.Binding // the variable that is given what an expression makes

	iterators map[ast.Expression]*site // by the call that yields them

	passed map[*program.Func][]passing
	filled map[filling]bool // properties that a constructor gives something new (true), or anything else
	made   map[string]bool  // what properties and undeclared variables that are assigned to are called

	fn *program.Func // in which we are
}

// A passing is a call of a function that was seen.
type passing struct {
	args []*node
	by   *program.Func
}

// A filling is a property of the new object of a constructor.
type filling struct {
	ctor *program.Func
	name string
}

// A change is a write to an object.
type change struct {
	base   *node
	name   string // of the property; "" if it is not known, or for a method
	method string // that changes its receiver
	offset int
	fn     *program.Func
	maker  *site          // the function whose this is written to, if nothing else is
	of     ast.Expression // what the same call has just made it by, if it is what that makes
	strict bool           // a variable that nobody declares, which strict code cannot make
	param  int            // 1 + the index of the parameter that is written to, if one is
}

// build makes and solves them.
func build(p *program.Program) *builder {
	b := &builder{
		graph: newGraph(), p: p, vars: map[*program.Binding]*node{}, funcs: map[*program.Func]*site{}, modules: map[*program.Func]bool{},
		home: map[*program.Func]*program.Func{}, calls: map[*program.Func][]*program.Func{}, bags: map[string]*node{}, later: newNode(), given: map[*program.Func]*node{},
		declared: map[ast.Expression]bool{}, owner: map[ast.Expression]*program.Binding{},
		iterators: map[ast.Expression]*site{}, passed: map[*program.Func][]passing{}, filled: map[filling]bool{}, made: map[string]bool{},
	}
	b.globe = b.site(global)
	b.globe.name = "globalThis"
	b.fn = p.Func(nil)
	b.modules[b.fn] = true
	for _, s := range p.AST.Body {
		b.top(s)
	}
	// Were such a variable tracked, it would be there, and assigning to it no ReferenceError.
	b.changes = slices.DeleteFunc(b.changes, func(c *change) bool { return c.strict && !b.made[c.name] })
	b.escapes(b.later)
	b.solve()
	// Who is not seen to be called may be called by anyone.
	for again := true; again; {
		again = false
		called := map[*program.Func]bool{}
		for _, list := range b.calls {
			for _, f := range list {
				called[f] = true
			}
		}
		for _, f := range p.Funcs {
			if s := b.funcs[f]; s != nil && !s.escaped && !called[f] && !b.modules[f] {
				b.holds(b.handed(b.p.Func(nil)), s)
				again = !b.spent()
			}
		}
		b.solve()
	}
	return b
}

// escapes says what follows for what code outside gets hold of.
func (b *builder) escapes(n *node) {
	b.each(n, func(s *site) {
		switch s.kind {
		case opaque, unknown, global:
			return
		case function:
			s.escaped = true
			for _, p := range s.params {
				b.holds(p, b.unknown)
			}
			if s.rest != nil {
				b.holds(s.rest, b.unknown)
			}
			b.flow(s.ret, n)
		}
		// Its methods, and what it holds, are handed over as well.
		b.flow(s.all, n)
		b.flow(s.protos, n)
	})
}

// top is a statement of the bundle itself: the bundler's helpers, modules, and
// what stems from modules that it put together in one scope.
func (b *builder) top(s ast.Statement) {
	if v, ok := s.(*ast.VariableStatement); ok && len(v.List) == 1 {
		if b.wrapped(v.List[0]) {
			return
		}
	}
	if file := b.p.Position(syntax.Offset(s.Idx0())).File; file == "" && !b.glue(s) || file != "" && !own(file) {
		b.others(s)
		return
	}
	b.node(s)
}

// glue tells whether a statement is one by which the bundler joins modules of the
// app, and not one of its helpers.
func (b *builder) glue(s ast.Statement) bool {
	switch s := s.(type) {
	case *ast.VariableStatement:
		for _, d := range s.List {
			if id, ok := d.Target.(*ast.Identifier); !ok || !strings.HasPrefix(id.Name.String(), "__") {
				return true
			}
		}
		return false
	case *ast.ExpressionStatement:
		_, ok := s.Expression.(*ast.CallExpression)
		return ok
	}
	return true
}

// others gives what a package declares at the bundle's top level a value.
func (b *builder) others(s ast.Statement) {
	var ids func(n ast.Node)
	foreign := func(id *ast.Identifier) {
		if bind := b.p.Binding(id); bind != nil {
			b.holds(b.variable(bind), b.foreignSite(nil, syntax.Offset(id.Idx), id.Name.String()))
		}
	}
	ids = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Identifier:
			if bind := b.p.Binding(n); bind != nil && bind.Scope == b.p.Scope && bind.Offset == syntax.Offset(n.Idx) {
				foreign(n)
			}
			return
		case *ast.FunctionDeclaration:
			foreign(n.Function.Name)
			return
		case *ast.ClassDeclaration:
			foreign(n.Class.Name)
			return
		case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
			return
		}
		syntax.Children(n, ids)
	}
	ids(s)
}

func (b *builder) foreignSite(e ast.Expression, offset int, name string) *site {
	s := b.site(opaque)
	s.expr, s.offset, s.fn, s.pkg = e, offset, b.fn, name
	return s
}

// module is the file and the body of a module that the bundler made a function of: the
// one method of the literal that __commonJS or __esm is called with.
func module(d *ast.Binding) (file string, body *ast.FunctionLiteral) {
	call, ok := d.Initializer.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) != 1 {
		return "", nil
	}
	helper, ok := call.Callee.(*ast.Identifier)
	lit, isLit := call.ArgumentList[0].(*ast.ObjectLiteral)
	if !ok || !isLit || len(lit.Value) != 1 || !strings.HasPrefix(helper.Name.String(), "__commonJS") && !strings.HasPrefix(helper.Name.String(), "__esm") {
		return "", nil
	}
	prop, ok := lit.Value[0].(*ast.PropertyKeyed)
	if !ok {
		return "", nil
	}
	body, ok = prop.Value.(*ast.FunctionLiteral)
	key, isText := prop.Key.(*ast.StringLiteral)
	if !ok || !isText {
		return "", nil
	}
	return key.Value.String(), body
}

// wrapped sees a module that the bundler made a function of.
func (b *builder) wrapped(d *ast.Binding) bool {
	file, body := module(d)
	id, ok := d.Target.(*ast.Identifier)
	if body == nil || !ok {
		return false
	}
	result := newNode()
	if !own(file) {
		b.holds(result, b.foreignSite(nil, syntax.Offset(id.Idx), PackageOf(file)))
	} else {
		f := b.p.Func(body)
		b.modules[f] = true
		b.calls[b.fn] = append(b.calls[b.fn], f)
		exports, module := b.site(exported), b.site(exported)
		exports.name, module.name = "exports", "module"
		exports.fn, module.fn = f, f
		b.holds(b.field(module, "exports"), exports)
		b.flow(b.lookup(module, "exports"), result)
		outer := b.fn
		b.fn = f
		for i, param := range body.ParameterList.List {
			if i < 2 {
				n := newNode()
				b.holds(n, []*site{exports, module}[i])
				b.target(param.Target, n, "")
				if id, ok := param.Target.(*ast.Identifier); ok && i == 0 {
					exports.param, exports.offset = b.p.Binding(id), syntax.Offset(id.Idx)
				}
			}
		}
		b.node(body.Body)
		b.fn = outer
	}
	s := b.site(function)
	s.ret = result
	b.holds(b.variable(b.p.Binding(id)), s)
	return true
}

// helper is the name of the bundler's helper that e means, or "".
func (b *builder) helper(e ast.Expression) string {
	id, ok := e.(*ast.Identifier)
	if !ok || !strings.HasPrefix(id.Name.String(), "__") {
		return ""
	}
	bind := b.p.Binding(id)
	if bind == nil || bind.Scope != b.p.Scope || b.p.Position(bind.Offset).File != "" {
		return ""
	}
	return strings.TrimRight(id.Name.String(), "0123456789")
}

func (b *builder) variable(bind *program.Binding) *node {
	if bind == nil {
		return newNode()
	}
	n := b.vars[bind]
	if n == nil {
		n = newNode()
		b.vars[bind] = n
	}
	return n
}

// node sees a statement, or a part of one.
func (b *builder) node(n ast.Node) {
	switch n := n.(type) {
	case ast.Expression:
		if d, ok := n.(*ast.Binding); ok {
			b.binding(d)
			return
		}
		b.eval(n, "")
		return
	case *ast.ReturnStatement:
		if n.Argument != nil {
			v := b.eval(n.Argument, "")
			if s := b.funcs[b.fn]; s != nil {
				b.flow(v, s.ret)
			}
		}
		return
	case *ast.FunctionDeclaration:
		b.flow(b.eval(n.Function, ""), b.variable(b.p.Declared(n.Function.Name)))
		return
	case *ast.ClassDeclaration:
		b.flow(b.eval(n.Class, ""), b.variable(b.p.Declared(n.Class.Name)))
		return
	case *ast.ForOfStatement:
		source := b.eval(n.Source, "")
		b.advanced(n.Source, source, syntax.Start(n.Source))
		b.into(n.Into, b.items(source))
		b.node(n.Body)
		return
	case *ast.ForInStatement:
		b.eval(n.Source, "")
		b.into(n.Into, newNode())
		b.node(n.Body)
		return
	case *ast.CatchStatement:
		if n.Parameter != nil {
			v := newNode()
			b.holds(v, b.unknown)
			b.target(n.Parameter, v, "")
		}
		b.node(n.Body)
		return
	}
	syntax.Children(n, b.node)
}

func (b *builder) into(into ast.ForInto, v *node) {
	switch into := into.(type) {
	case *ast.ForIntoVar:
		b.target(into.Binding.Target, v, "")
	case *ast.ForDeclaration:
		b.target(into.Target, v, "")
	case *ast.ForIntoExpression:
		b.assign(into.Expression, v, "")
	}
}

// items is what iteration yields: contents, or pairs of them.
func (b *builder) items(of *node) *node {
	v := b.load(of, "")
	pair := b.site(opaque)
	b.flow(v, pair.elem)
	out := newNode()
	b.flow(v, out)
	b.holds(out, pair)
	return out
}

func (b *builder) binding(d *ast.Binding) {
	if d.Initializer == nil {
		b.target(d.Target, newNode(), "")
		return
	}
	name := ""
	if id, ok := d.Target.(*ast.Identifier); ok {
		name = id.Name.String()
	}
	v := b.eval(d.Initializer, name)
	b.owns(d.Target, d.Initializer)
	b.target(d.Target, v, name)
}

// owns notes the variable that an object was made for.
func (b *builder) owns(target, value ast.Expression) {
	id, ok := target.(*ast.Identifier)
	if !ok {
		return
	}
	for {
		if call, ok := value.(*ast.CallExpression); ok && b.p.IsFree(call.Callee, program.Annotation) && len(call.ArgumentList) == 1 {
			value = call.ArgumentList[0]
			b.declared[value] = true
			continue
		}
		break
	}
	if b.owner[value] == nil {
		b.owner[value] = b.p.Binding(id)
	}
}

// target binds what a declaration or parameter declares.
func (b *builder) target(e ast.Expression, v *node, name string) {
	switch e := e.(type) {
	case *ast.Identifier:
		b.flow(v, b.variable(b.p.Binding(e)))
	default:
		b.assign(e, v, name)
	}
}

// assign sees a value that is put into a variable, property or pattern.
func (b *builder) assign(e ast.Expression, v *node, name string) {
	switch e := e.(type) {
	case nil:
	case *ast.Identifier:
		if bind := b.p.Binding(e); bind != nil {
			b.flow(v, b.variable(bind))
			return
		}
		base := newNode()
		b.holds(base, b.globe)
		b.store(base, e.Name.String(), v)
		b.changed(nil, base, e.Name.String(), "", syntax.Offset(e.Idx))
		if b.fn.Strict {
			b.changes[len(b.changes)-1].strict = true
		} else {
			b.made[e.Name.String()] = true
		}
	case *ast.DotExpression:
		b.made[e.Identifier.Name.String()] = true
		base := b.eval(e.Left, "")
		b.store(base, e.Identifier.Name.String(), v)
		b.member(base, e.Left, e.Identifier.Name.String(), syntax.Start(e))
	case *ast.BracketExpression:
		base := b.eval(e.Left, "")
		b.eval(e.Member, "")
		name := literal(e.Member)
		b.store(base, name, v)
		b.member(base, e.Left, name, syntax.Start(e))
	case *ast.AssignExpression: // with a default
		b.flow(b.eval(e.Right, name), v)
		b.assign(e.Left, v, name)
	case *ast.ArrayPattern:
		items := b.items(v)
		for _, x := range e.Elements {
			if x != nil {
				b.assign(x, items, "")
			}
		}
		b.assign(e.Rest, v, "")
	case *ast.ObjectPattern:
		for _, prop := range e.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				x := b.load(v, prop.Name.Name.String())
				if prop.Initializer != nil {
					b.flow(b.eval(prop.Initializer, prop.Name.Name.String()), x)
				}
				b.assign(&prop.Name, x, "")
			case *ast.PropertyKeyed:
				name := ""
				if !prop.Computed {
					name = literal(prop.Key)
				} else {
					b.eval(prop.Key, "")
				}
				b.assign(prop.Value, b.load(v, name), "")
			}
		}
		b.assign(e.Rest, v, "")
	}
}

// symbol is the key of a property that has one of the language's symbols for a name.
func symbol(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.DotExpression:
		if id, ok := e.Left.(*ast.Identifier); ok && id.Name == "Symbol" {
			return "@@" + e.Identifier.Name.String()
		}
	case *ast.CallExpression: // as the bundler writes it
		if id, ok := e.Callee.(*ast.Identifier); ok && strings.HasPrefix(id.Name.String(), "__knownSymbol") && len(e.ArgumentList) == 1 {
			return "@@" + literal(e.ArgumentList[0])
		}
	}
	return ""
}

func literal(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e.Value.String()
	case *ast.PropertyShort:
		return e.Name.Name.String()
	}
	return ""
}

// member sees a write to a property of what e is.
func (b *builder) member(base *node, e ast.Expression, name string, offset int) {
	if b.fresh(e) {
		return
	}
	b.changed(e, base, name, "", offset)
}

// advanced sees an iterator go on, unless the running call has just got it from another.
func (b *builder) advanced(e ast.Expression, base *node, offset int) {
	if _, ok := b.source(e).(*ast.CallExpression); !ok {
		b.changed(e, base, "", advance, offset)
	}
}

// changed sees a change of what e is, which may be base.
func (b *builder) changed(e ast.Expression, base *node, name, method string, offset int) {
	c := &change{base: base, name: name, method: method, offset: offset, fn: b.at(b.fn), of: b.source(e)}
	switch e := e.(type) {
	case *ast.ThisExpression:
		c.maker = b.funcs[b.fn]
	case *ast.Identifier:
		if bind := b.p.Binding(e); bind != nil && bind.Kind == program.Param && !bind.Assigned && bind.Func() == b.fn && c.fn == b.fn {
			c.param = 1 + b.index(bind)
		}
	}
	b.changes = append(b.changes, c)
}

// source is the expression by which the running call got what e is.
func (b *builder) source(e ast.Expression) ast.Expression {
	if id, ok := e.(*ast.Identifier); ok {
		if bind := b.p.Binding(id); bind != nil && bind.Init != nil && b.at(bind.Func()) == b.at(b.fn) {
			return bind.Init
		}
	}
	return e
}

// index is which of its function's parameters a variable is, or -1.
func (b *builder) index(bind *program.Binding) int {
	var list *ast.ParameterList
	switch fn := bind.Func().Node.(type) {
	case *ast.FunctionLiteral:
		list = fn.ParameterList
	case *ast.ArrowFunctionLiteral:
		list = fn.ParameterList
	default:
		return -1
	}
	return slices.IndexFunc(list.List, func(d *ast.Binding) bool {
		id, ok := d.Target.(*ast.Identifier)
		return ok && b.p.Binding(id) == bind
	})
}

// at is the function whose activation runs f: a callback that is called at once is
// part of its caller.
func (b *builder) at(f *program.Func) *program.Func {
	for b.home[f] != nil {
		f = b.home[f]
	}
	return f
}

// fresh tells whether e is an object that the running call has just made: this, in
// a constructor, or a variable of the call that only ever holds a new object.
func (b *builder) fresh(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ThisExpression:
		return b.constructor() != nil
	case *ast.DotExpression:
		_, ok := e.Left.(*ast.ThisExpression)
		return ok && b.filled[filling{b.constructor(), e.Identifier.Name.String()}]
	case *ast.Identifier:
		bind := b.p.Binding(e)
		return bind != nil && bind.Init != nil && b.at(bind.Func()) == b.at(b.fn) && isNew(bind.Init)
	}
	return false
}

// constructor is the constructor that is running, if its this is what it makes.
func (b *builder) constructor() *program.Func {
	f := b.fn
	for f != nil && f.Arrow && b.home[f] != nil {
		f = f.Parent
	}
	if f == nil || !f.Ctor {
		return nil
	}
	return f
}

// fills sees a constructor give its new object a property.
func (b *builder) fills(of ast.Expression, name string, value ast.Expression) {
	if _, ok := of.(*ast.ThisExpression); !ok {
		return
	}
	if c := b.constructor(); c != nil {
		key := filling{c, name}
		was, before := b.filled[key]
		b.filled[key] = isNew(value) && (was || !before)
	}
}

// isNew tells whether e makes an object each time.
func isNew(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.ObjectLiteral, *ast.ArrayLiteral:
		return true
	case *ast.NewExpression:
		id, ok := e.Callee.(*ast.Identifier)
		return ok && collections[id.Name.String()]
	}
	return false
}

// collections are the constructors of containers.
var collections = map[string]bool{
	"Map": true, "Set": true, "WeakMap": true, "WeakSet": true, "Array": true, "Object": true,
	"Int8Array": true, "Uint8Array": true, "Uint8ClampedArray": true, "Int16Array": true, "Uint16Array": true, "Int32Array": true, "Uint32Array": true,
	"Float32Array": true, "Float64Array": true, "BigInt64Array": true, "BigUint64Array": true,
}

func (b *builder) make(k kind, e ast.Expression, name string) (*site, *node) {
	s := b.site(k)
	s.expr, s.offset, s.fn, s.name = e, syntax.Start(e), b.at(b.fn), name
	n := newNode()
	b.holds(n, s)
	return s, n
}

// eval sees an expression and yields what it may be. name is what its author would
// call an object that it makes.
func (b *builder) eval(e ast.Expression, name string) *node {
	switch e := e.(type) {
	case nil:
	case *ast.Identifier:
		if bind := b.p.Binding(e); bind != nil {
			return b.variable(bind)
		}
		n := newNode()
		switch e.Name.String() {
		case "globalThis", "global":
			b.holds(n, b.globe)
		default:
			b.flow(b.lookup(b.globe, e.Name.String()), n)
		}
		return n
	case *ast.ThisExpression:
		if s := b.funcs[b.thisOf()]; s != nil {
			return s.this
		}
	case *ast.FunctionLiteral:
		return b.function(e, e.ParameterList, e.Body, name)
	case *ast.ArrowFunctionLiteral:
		return b.function(e, e.ParameterList, e.Body, name)
	case *ast.ClassLiteral:
		return b.class(e, name)
	case *ast.ObjectLiteral:
		return b.objectLiteral(e, name)
	case *ast.ArrayLiteral:
		s, n := b.make(container, e, name)
		s.indexed = true
		for _, x := range e.Value {
			if sp, ok := x.(*ast.SpreadElement); ok {
				b.flow(b.load(b.eval(sp.Expression, ""), ""), s.elem)
			} else if x != nil {
				b.flow(b.eval(x, element(name)), s.elem)
			}
		}
		return n
	case *ast.AssignExpression:
		return b.assignment(e)
	case *ast.ConditionalExpression:
		b.eval(e.Test, "")
		n := newNode()
		b.flow(b.eval(e.Consequent, name), n)
		b.flow(b.eval(e.Alternate, name), n)
		return n
	case *ast.BinaryExpression:
		n := newNode()
		l, r := b.eval(e.Left, name), b.eval(e.Right, name)
		switch e.Operator {
		case token.LOGICAL_AND:
			b.flow(r, n)
		case token.LOGICAL_OR, token.COALESCE:
			b.flow(l, n)
			b.flow(r, n)
		}
		return n
	case *ast.SequenceExpression:
		var n *node
		for _, x := range e.Sequence {
			n = b.eval(x, name)
		}
		return n
	case *ast.UnaryExpression:
		b.eval(e.Operand, "")
		switch e.Operator {
		case token.INCREMENT, token.DECREMENT, token.DELETE:
			b.assign(e.Operand, newNode(), "")
		}
	case *ast.DotExpression:
		if _, ok := e.Left.(*ast.SuperExpression); ok {
			return b.load(b.parent(), e.Identifier.Name.String())
		}
		base := b.eval(e.Left, "")
		if e.Identifier.Name == "default" {
			// The bundler's view of a CommonJS module is that module.
			n := newNode()
			b.flow(b.load(base, "default"), n)
			b.flow(base, n)
			return n
		}
		return b.load(base, e.Identifier.Name.String())
	case *ast.BracketExpression:
		b.eval(e.Member, "")
		return b.load(b.eval(e.Left, ""), literal(e.Member))
	case *ast.CallExpression:
		return b.call(e, name)
	case *ast.NewExpression:
		return b.construct(e, name)
	case *ast.YieldExpression:
		if e.Argument == nil {
			break
		}
		v := b.eval(e.Argument, name)
		if e.Delegate {
			b.advanced(e.Argument, v, syntax.Start(e.Argument))
			v = b.load(v, "")
		}
		if s := b.funcs[b.fn]; s != nil && b.home[b.fn] == nil {
			b.flow(v, s.ret) // of a generator
		}
		return v
	case *ast.AwaitExpression:
		return b.eval(e.Argument, name)
	case *ast.Optional:
		return b.eval(e.Expression, name)
	case *ast.OptionalChain:
		return b.eval(e.Expression, name)
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			f := b.eval(e.Tag, "")
			var args []*node
			for _, x := range e.Expressions {
				args = append(args, b.eval(x, ""))
			}
			return b.invoke(f, newNode(), append([]*node{newNode()}, args...), e, "")
		}
		syntax.Children(e, b.node)
	default:
		syntax.Children(e, b.node)
	}
	return newNode()
}

// element is what an element of an array is called.
func element(name string) string {
	if name == "" {
		return ""
	}
	return name + "[]"
}

func (b *builder) assignment(e *ast.AssignExpression) *node {
	name := ""
	switch l := e.Left.(type) {
	case *ast.Identifier:
		name = l.Name.String()
	case *ast.DotExpression:
		name = b.memberName(l.Left, l.Identifier.Name.String())
	case *ast.BracketExpression:
		if id, ok := l.Member.(*ast.Identifier); ok {
			name = strings.TrimSuffix(b.memberName(l.Left, ""), ".") + "[" + id.Name.String() + "]"
		}
	}
	v := b.eval(e.Right, name)
	if e.Operator == token.ASSIGN {
		b.owns(e.Left, e.Right)
	}
	if d, ok := e.Left.(*ast.DotExpression); ok {
		b.fills(d.Left, d.Identifier.Name.String(), e.Right)
	}
	b.assign(e.Left, v, name)
	if e.Operator == token.ASSIGN {
		return v
	}
	n := newNode()
	b.flow(v, n)
	b.flow(b.eval(e.Left, ""), n)
	return n
}

// memberName is what a reader would call a property.
func (b *builder) memberName(of ast.Expression, name string) string {
	switch of := of.(type) {
	case *ast.ThisExpression:
		if f := b.thisOf(); f != nil && f.Ctor && f.Name != "" {
			return "this." + name + " of " + tidy(f.Name)
		}
		return "this." + name
	case *ast.Identifier:
		return exportsName(of.Name.String()) + "." + name
	case *ast.DotExpression:
		if base := b.memberName(of.Left, of.Identifier.Name.String()); base != "" {
			return base + "." + name
		}
	}
	return name
}

// exportsName undoes what the bundler calls exports and module.
func exportsName(s string) string {
	if t := strings.TrimRight(s, "0123456789"); t == "exports" || t == "module" {
		return t
	}
	return tidy(s)
}

// tidy undoes the underscore that the bundler puts before the name of a class.
func tidy(s string) string { return strings.TrimPrefix(s, "_") }

// thisOf is the function whose this the running one sees.
func (b *builder) thisOf() *program.Func {
	f := b.fn
	for f != nil && f.Arrow {
		f = f.Parent
	}
	return f
}

func (b *builder) objectLiteral(e *ast.ObjectLiteral, name string) *node {
	s, n := b.make(object, e, name)
	of := func(key string) string {
		if name == "" || key == "" {
			return key
		}
		return name + "." + key
	}
	for _, prop := range e.Value {
		switch prop := prop.(type) {
		case *ast.PropertyShort:
			b.put(s, prop.Name.Name.String(), b.eval(&prop.Name, ""))
		case *ast.PropertyKeyed:
			key := symbol(prop.Key)
			if prop.Computed {
				b.eval(prop.Key, "")
			} else {
				key = literal(prop.Key)
			}
			v := b.eval(prop.Value, of(key))
			if prop.Kind == ast.PropertyKindGet {
				v = b.getter(v, n)
			} else if prop.Kind == ast.PropertyKindSet {
				b.setter(n, key, v)
				continue
			}
			if key == "" {
				b.flow(v, s.elem)
			} else {
				b.put(s, key, v)
			}
		case *ast.SpreadElement:
			b.flow(b.eval(prop.Expression, ""), s.protos)
		}
	}
	b.methods(s.all, n)
	return n
}

// put gives a site a property from the start, which is no change.
func (b *builder) put(s *site, key string, v *node) {
	b.flow(v, b.field(s, key))
	b.flow(v, named(b.stored, key))
}

// methods says that functions among list have one of objects for this.
func (b *builder) methods(list, objects *node) {
	b.each(list, func(f *site) {
		if f.kind == function {
			b.flow(objects, f.this)
		}
	})
}

// getter is what reading an accessor yields.
func (b *builder) getter(f, this *node) *node { return b.invoke(f, this, nil, nil, "") }

// setter: whatever is stored under the name may be its argument.
func (b *builder) setter(this *node, key string, f *node) {
	b.invoke(f, this, []*node{named(b.stored, key)}, nil, "")
}

func (b *builder) function(e ast.Expression, params *ast.ParameterList, body ast.Node, name string) *node {
	f := b.p.Func(e)
	s, n := b.make(function, e, name)
	s.f, s.ret, s.this = f, newNode(), newNode()
	b.funcs[f] = s
	b.prototype(s)
	outer := b.fn
	b.fn = f
	for _, d := range params.List {
		v := newNode()
		if d.Initializer != nil {
			b.flow(b.eval(d.Initializer, ""), v)
		}
		b.target(d.Target, v, "")
		s.params = append(s.params, v)
	}
	if params.Rest != nil || f.Arguments {
		r, v := b.make(container, e, "")
		r.expr = nil
		s.rest = r.elem
		if f.Arguments {
			for _, p := range s.params {
				b.flow(p, r.elem)
			}
		}
		if params.Rest != nil {
			b.target(params.Rest, v, "")
		}
	}
	switch body := body.(type) {
	case *ast.ExpressionBody:
		b.flow(b.eval(body.Expression, ""), s.ret)
	default:
		b.node(body)
	}
	b.fn = outer
	if fn, ok := e.(*ast.FunctionLiteral); ok && fn.Name != nil {
		b.flow(n, b.variable(b.p.Declared(fn.Name)))
	}
	return n
}

// prototype gives a function the object that its instances inherit from.
func (b *builder) prototype(s *site) {
	s.proto, s.made = b.site(exported), newNode()
	s.proto.fn, s.proto.offset, s.proto.name = s.fn, s.offset, s.name+".prototype"
	b.holds(b.field(s, "prototype"), s.proto)
	b.holds(b.field(s.proto, "constructor"), s)
	b.methods(s.proto.all, s.made)
}

func (b *builder) class(e *ast.ClassLiteral, name string) *node {
	s, n := b.make(function, e, name)
	s.ret, s.this = newNode(), newNode()
	if e.Name != nil {
		name = e.Name.Name.String()
		b.flow(n, b.variable(b.p.Declared(e.Name)))
	}
	s.name = tidy(name)
	b.prototype(s)
	b.methods(s.all, n)
	if e.SuperClass != nil {
		super := b.eval(e.SuperClass, "")
		b.flow(super, s.protos)
		b.each(super, func(t *site) {
			if t.kind == function && t.proto != nil {
				b.holds(s.proto.protos, t.proto)
				b.flow(s.made, t.made)
			}
		})
		if id, ok := e.SuperClass.(*ast.Identifier); ok && b.p.Binding(id) == nil && collections[id.Name.String()] {
			s.collection = true
		}
	}
	var ctor *program.Func
	for _, m := range e.Body {
		switch m := m.(type) {
		case *ast.MethodDefinition:
			key := symbol(m.Key)
			if m.Computed {
				b.eval(m.Key, "")
			} else {
				key = literal(m.Key)
			}
			f := b.eval(m.Body, "")
			on, this := s.proto, s.made
			if m.Static {
				on, this = s, n
			}
			switch m.Kind {
			case ast.PropertyKindGet:
				b.put(on, key, b.getter(f, this))
			case ast.PropertyKindSet:
				b.setter(this, key, f)
			default:
				if fn := b.p.Func(m.Body); fn != nil && fn.Ctor {
					ctor = fn
					continue
				}
				if key == "" {
					b.flow(f, on.elem)
				} else {
					b.put(on, key, f)
				}
			}
		default:
			// Fields and static blocks were lowered, but for those of generated code.
			outer := b.fn
			syntax.Children(m, b.node)
			b.fn = outer
		}
	}
	if ctor != nil {
		c := b.funcs[ctor]
		s.f, s.params, s.rest, s.ret = ctor, c.params, c.rest, c.ret
		b.flow(s.made, c.this)
		b.funcs[ctor] = s
		s.this = c.this
	} else if e.SuperClass != nil {
		// The constructor that a class has if it says nothing passes all on.
		s.rest = newNode()
		s.params = nil
		args := []*node{s.rest, s.rest, s.rest, s.rest, s.rest, s.rest}
		b.each(s.protos, func(t *site) {
			if t.kind == function {
				b.arguments(t, args)
				b.inherited(s, t)
			}
		})
	}
	return n
}

// inherited: what makes an instance of s runs t's constructor.
func (b *builder) inherited(s, t *site) {
	if t.f != nil {
		b.each(s.made, func(i *site) { b.called(i.fn, t.f) })
	}
}

func (b *builder) called(by, f *program.Func) {
	if f == nil || by == nil {
		return
	}
	for _, g := range b.calls[by] {
		if g == f {
			return
		}
	}
	b.calls[by] = append(b.calls[by], f)
}

// parent is what super means: the prototypes and constructors that this class
// extends.
func (b *builder) parent() *node {
	n := newNode()
	f := b.thisOf()
	if s := b.funcs[f]; s != nil {
		b.each(s.this, func(t *site) { b.flow(t.protos, n) })
	}
	return n
}
