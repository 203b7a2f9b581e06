package sharing

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// changers are the methods that change a Map, Set, array or the like.
var changers = map[string]bool{
	"set": true, "add": true, "delete": true, "clear": true, "push": true, "pop": true, "shift": true, "unshift": true,
	"splice": true, "sort": true, "reverse": true, "fill": true, "copyWithin": true,
}

// synchronous are the methods of arrays and their kin that call a function, given
// first, while they run.
var synchronous = map[string]bool{
	"forEach": true, "map": true, "filter": true, "reduce": true, "reduceRight": true, "some": true, "every": true, "find": true, "findIndex": true,
	"findLast": true, "findLastIndex": true, "sort": true, "toSorted": true, "flatMap": true,
}

// copying methods yield a new container of what their receiver holds.
var copying = map[string]bool{
	"slice": true, "filter": true, "concat": true, "flat": true, "entries": true, "values": true, "keys": true, "toSorted": true, "toReversed": true,
	"toSpliced": true, "with": true, "splice": true, "split": true, "match": true, "map": true, "flatMap": true,
}

// yielding methods yield something that their receiver holds.
var yielding = map[string]bool{"get": true, "pop": true, "shift": true, "at": true, "find": true, "findLast": true}

// advance is the method by which an iterator goes on.
const advance = "next"

// iterating methods yield an iterator.
var iterating = map[string]bool{"entries": true, "values": true, "keys": true}

// listening are those among them that are told what an emitter is given.
var listening = map[string]bool{"on": true, "once": true, "addListener": true, "prependListener": true, "prependOnceListener": true, "addEventListener": true}

// registering are methods and functions that keep a function to call it later,
// when an event or a request comes.
var registering = map[string]bool{
	"on": true, "once": true, "addListener": true, "prependListener": true, "prependOnceListener": true, "addEventListener": true,
	"get": true, "post": true, "put": true, "delete": true, "patch": true, "all": true, "use": true, "head": true, "options": true, "param": true, "route": true,
	"createServer": true, "listen": true, "setErrorHandler": true, "setNotFoundHandler": true, "addHook": true,
}

// mutators are functions of packages that write to their first argument.
var mutators = map[string]bool{
	"assign": true, "extend": true, "merge": true, "mergeWith": true, "defaults": true, "defaultsDeep": true, "set": true, "unset": true, "update": true,
	"remove": true, "pull": true, "pullAll": true, "pullAt": true, "assignIn": true,
}

func (b *builder) call(e *ast.CallExpression, name string) *node {
	if h := b.helper(e.Callee); h != "" {
		return b.helped(h, e, name)
	}
	if b.p.IsFree(e.Callee, program.Annotation) && len(e.ArgumentList) == 1 {
		return b.eval(e.ArgumentList[0], name)
	}
	switch callee := e.Callee.(type) {
	case *ast.SuperExpression:
		return b.superCall(e)
	case *ast.DotExpression:
		return b.method(e, callee, name)
	case *ast.SequenceExpression:
		// (0, x.f)(…), by which the bundler calls without a this.
		if d, ok := callee.Sequence[len(callee.Sequence)-1].(*ast.DotExpression); ok && len(callee.Sequence) == 2 {
			return b.method(e, d, name)
		}
	case *ast.Identifier:
		if b.p.Binding(callee) == nil {
			switch callee.Name.String() {
			case "require":
				b.args(e.ArgumentList)
				s, n := b.make(opaque, e, name)
				s.core = true
				if len(e.ArgumentList) == 1 {
					s.pkg = literal(e.ArgumentList[0])
				}
				return n
			case "setTimeout", "setInterval", "setImmediate", "queueMicrotask":
				args := b.args(e.ArgumentList)
				b.callBack(args)
				b.callbackArgs(args, 2)
				return newNode()
			case "structuredClone":
				return b.copied(e, b.args(e.ArgumentList), name)
			}
		}
	}
	f := b.eval(e.Callee, "")
	return b.invoke(f, newNode(), b.args(e.ArgumentList), e, name)
}

// callbackArgs gives a function, the first argument, those from index on.
func (b *builder) callbackArgs(args []*node, from int) {
	if len(args) > from {
		rest := args[from:]
		b.each(args[0], func(f *site) {
			if f.kind == function {
				b.arguments(f, rest)
			}
		})
	}
}

func (b *builder) args(list []ast.Expression) []*node {
	out := make([]*node, 0, len(list))
	for _, a := range list {
		if sp, ok := a.(*ast.SpreadElement); ok {
			n := b.load(b.eval(sp.Expression, ""), "")
			out = append(out, n, n, n, n)
			continue
		}
		out = append(out, b.eval(a, ""))
	}
	return out
}

func (b *builder) handOver(args []*node, to *node) {
	for _, a := range args {
		b.flow(a, to)
	}
}

// callBack says that code outside is given values by the running function, and may
// call what functions they hold at once, or at any time from then on.
func (b *builder) callBack(args []*node) { b.handOver(args, b.handed(b.at(b.fn))) }

// handed is what a function gives to code outside.
func (b *builder) handed(by *program.Func) *node {
	n := b.given[by]
	if n == nil {
		n = newNode()
		b.given[by] = n
		b.escapes(n)
	}
	return n
}

// arguments passes values to a function.
func (b *builder) arguments(f *site, args []*node) {
	for i, a := range args {
		if i < len(f.params) {
			b.flow(a, f.params[i])
		}
		if f.rest != nil {
			b.flow(a, f.rest)
		}
	}
}

// pass notes who calls a function with what.
func (b *builder) pass(s *site, args []*node, by *program.Func) {
	list := b.passed[s.f]
	if s.f == nil || slices.ContainsFunc(list, func(p passing) bool { return p.by == by && slices.Equal(p.args, args) }) {
		return
	}
	b.passed[s.f] = append(list, passing{args, by})
}

// invoke calls whatever f is. e is the call, and names what comes of it.
func (b *builder) invoke(f, this *node, args []*node, e ast.Expression, name string) *node {
	result := newNode()
	by := b.at(b.fn)
	var made *site
	b.each(f, func(s *site) {
		switch s.kind {
		case function:
			b.called(by, s.f)
			b.arguments(s, args)
			b.pass(s, args, by)
			b.flow(this, s.this)
			if e == nil || s.f == nil || !s.f.Generator {
				b.flow(s.ret, result)
				return
			}
			b.holds(result, b.iterator(e, by, name, s.ret))
		case opaque, unknown:
			b.handOver(args, b.handed(by))
			if s.kind == unknown || e == nil {
				b.holds(result, b.unknown)
				return
			}
			if made == nil {
				made = b.site(opaque)
				made.expr, made.offset, made.fn, made.name, made.pkg = e, syntax.Start(e), by, name, s.pkg
				for _, a := range args {
					b.flow(a, made.elem)
					b.flow(a, result)
				}
				b.flow(s.elem, made.elem)
				if s.pkg == "express" && s.expr == nil && s.parent == nil {
					b.holds(named(b.foreign, "app"), made) // req.app
				}
			}
			b.holds(result, made)
		}
	})
	return result
}

// iterator is what by gets where it calls a generator or the like: the items, one by one.
func (b *builder) iterator(e ast.Expression, by *program.Func, name string, items *node) *site {
	s := b.iterators[e]
	if s == nil {
		s = b.site(container)
		s.expr, s.offset, s.fn, s.name, s.indexed, s.iterator = e, syntax.Start(e), by, name, true, true
		b.iterators[e] = s
	}
	b.flow(items, s.elem)
	return s
}

// method calls a method.
func (b *builder) method(e *ast.CallExpression, d *ast.DotExpression, name string) *node {
	m := d.Identifier.Name.String()
	if id, ok := d.Left.(*ast.Identifier); ok && b.p.Binding(id) == nil {
		if n, ok := b.static(e, id.Name.String(), m, name); ok {
			return n
		}
	}
	var recv, f *node
	if _, ok := d.Left.(*ast.SuperExpression); ok {
		recv = b.eval(&ast.ThisExpression{Idx: d.Idx0()}, "")
		f = b.load(b.parent(), m)
	} else {
		recv = b.eval(d.Left, "")
		f = b.load(recv, m)
	}
	b.now(e, m)
	args := b.args(e.ArgumentList)
	out := newNode()
	key := ""
	if len(e.ArgumentList) > 0 {
		key = literal(e.ArgumentList[0])
	}
	if key != "" {
		b.byName(f, key, m, args, out)
	}
	switch m {
	case "call", "apply", "bind":
		return b.indirect(e, m, recv, f, args, name)
	case "then", "catch", "finally":
		// A promise is taken for what it comes to.
		b.callBack(args)
		for _, a := range args {
			b.each(a, func(s *site) {
				if s.kind == function {
					b.arguments(s, []*node{recv})
					b.flow(s.ret, out)
				}
			})
		}
		b.flow(recv, out)
		return out
	}
	if changers[m] && !b.fresh(d.Left) {
		b.changed(d.Left, recv, "", m, syntax.Start(d))
	}
	if m == advance {
		b.advanced(d.Left, recv, syntax.Start(d))
	}
	b.native(e, m, recv, args, out, name)
	if mutators[m] && len(args) > 0 {
		first, at, by := args[0], syntax.Start(e), b.at(b.fn)
		n := newNode()
		b.each(f, func(s *site) {
			if s.kind == opaque {
				b.flow(first, n)
			}
		})
		b.changes = append(b.changes, &change{base: n, offset: at, fn: by})
	}
	if registering[m] {
		// A handler runs later, and not while the app loads.
		g := newNode()
		b.each(f, func(s *site) {
			switch s.kind {
			case opaque, unknown:
				b.handOver(args, b.later)
				b.holds(out, s) // chaining
			default:
				b.holds(g, s)
			}
		})
		if len(recv.sites) == 0 && key != "" {
			b.handOver(args, b.later)
		}
		f = g
	}
	// Each function that is called so has those of the objects for this that have it.
	b.each(recv, func(s *site) {
		this := newNode()
		b.holds(this, s)
		b.methods(b.lookup(s, m), this)
	})
	b.flow(b.invoke(f, newNode(), args, e, name), out)
	return out
}

// byName joins what is handed to something unknown under a name with what comes
// back under that name: app.set('db', db) and app.get('db'), emit and on.
func (b *builder) byName(f *node, key, m string, args []*node, out *node) {
	bag := named(b.bags, key)
	b.flow(bag, out)
	switch {
	case listening[m]:
		for _, a := range args[1:] {
			b.callbackArgs([]*node{a, bag, bag, bag}, 1)
		}
	case !registering[m]:
		b.each(f, func(s *site) {
			if s.kind != opaque && s.kind != unknown {
				return
			}
			for _, a := range args[1:] {
				b.flow(a, bag)
				if m == "decorate" || m == "register" {
					b.flow(a, named(b.foreign, key))
				}
			}
		})
	}
}

// now says of a function literal that a method calls at once that it is part of
// what calls the method.
func (b *builder) now(e *ast.CallExpression, m string) {
	if synchronous[m] && len(e.ArgumentList) > 0 {
		b.calledNow(e.ArgumentList[0])
	}
}

// calledNow: what f's body does belongs to the function that hands it over.
func (b *builder) calledNow(f ast.Node) {
	switch f := f.(type) {
	case *ast.FunctionLiteral:
		b.inside(f)
	case *ast.ArrowFunctionLiteral:
		b.inside(f)
	}
}

func (b *builder) inside(f ast.Node) { b.home[b.p.Func(f)] = b.fn }

// native does what methods of arrays, Maps and their kin do.
func (b *builder) native(e *ast.CallExpression, m string, recv *node, args []*node, out *node, name string) {
	held := newNode()
	collection := newNode()
	b.each(recv, func(s *site) {
		if s.kind == container || s.kind == opaque || s.kind == unknown || s.collection {
			b.holds(collection, s)
		}
	})
	if synchronous[m] || copying[m] || yielding[m] || m == advance {
		b.flow(b.load(collection, ""), held)
	}
	switch m {
	case "push", "unshift", "add", "set", "splice", "fill":
		b.each(recv, func(s *site) {
			if s.kind == container || s.kind == opaque {
				for _, a := range args {
					b.flow(a, s.elem)
				}
			}
		})
	}
	if synchronous[m] && len(args) > 0 {
		by := b.at(b.fn)
		b.each(args[0], func(s *site) {
			if s.kind != function {
				return
			}
			b.called(by, s.f)
			in := []*node{held, held, held}
			if strings.HasPrefix(m, "reduce") {
				acc := newNode()
				b.flow(s.ret, acc)
				if len(args) > 1 {
					b.flow(args[1], acc)
				}
				b.flow(acc, out)
				in[0] = acc
			}
			b.arguments(s, in)
		})
	}
	if yielding[m] {
		b.flow(held, out)
	}
	if iterating[m] {
		by := b.at(b.fn)
		b.each(collection, func(c *site) {
			if c.kind == container || c.collection {
				b.holds(out, b.iterator(e, by, name, held))
			}
		})
	}
	if m == advance {
		step := b.site(object)
		step.fn = b.at(b.fn)
		b.flow(held, b.field(step, "value"))
		b.holds(out, step)
	}
	if m == "sort" || m == "reverse" || m == "fill" || m == "set" || m == "add" {
		b.flow(collection, out)
	}
	if copying[m] {
		s, n := b.make(container, e, name)
		s.indexed = true
		b.flow(held, s.elem)
		if m == "concat" {
			for _, a := range args {
				b.flow(a, s.elem)
				b.flow(b.load(a, ""), s.elem)
			}
		}
		if (m == "map" || m == "flatMap") && len(args) > 0 {
			b.each(args[0], func(f *site) { b.flow(f.ret, s.elem) })
		}
		b.flow(n, out)
	}
}

// indirect is f.call(this, …) and its kin.
func (b *builder) indirect(e *ast.CallExpression, m string, f, own *node, args []*node, name string) *node {
	out := newNode()
	this := newNode()
	if len(args) > 0 {
		this, args = args[0], args[1:]
	}
	if m == "apply" && len(args) > 0 {
		n := b.load(args[0], "")
		args = []*node{n, n, n, n}
	}
	// Array.prototype.push.call(list, …)
	if d, ok := e.Callee.(*ast.DotExpression).Left.(*ast.DotExpression); ok && changers[d.Identifier.Name.String()] && m != "bind" {
		b.changed(nil, this, "", d.Identifier.Name.String(), syntax.Start(e))
		b.native(e, d.Identifier.Name.String(), this, args, out, name)
	}
	if m == "bind" {
		b.flow(f, out)
		b.each(f, func(s *site) {
			if s.kind == function {
				b.flow(this, s.this)
				b.arguments(s, args)
				if len(args) > 0 && s.rest == nil {
					// What it is called with comes behind what is bound.
					for _, p := range s.params {
						for _, q := range s.params {
							b.flow(p, q)
						}
					}
				}
			}
		})
		return out
	}
	b.flow(b.invoke(f, this, args, e, name), out)
	// An object may have a method of that name itself.
	b.flow(b.invoke(own, newNode(), append([]*node{this}, args...), nil, ""), out)
	return out
}

// copied is a new container of what the arguments hold.
func (b *builder) copied(e ast.Expression, args []*node, name string) *node {
	s, n := b.make(container, e, name)
	for _, a := range args {
		b.flow(b.load(a, ""), s.elem)
	}
	return n
}

// static does what functions of the global objects do.
func (b *builder) static(e *ast.CallExpression, on, m, name string) (*node, bool) {
	switch on + "." + m {
	case "Object.assign", "Object.setPrototypeOf", "Reflect.set", "Object.defineProperty", "Object.defineProperties", "Reflect.defineProperty", "Reflect.deleteProperty":
		if len(e.ArgumentList) == 0 {
			return newNode(), true
		}
		args := b.args(e.ArgumentList)
		key := ""
		if len(e.ArgumentList) > 1 && m != "assign" {
			key = literal(e.ArgumentList[1])
		}
		if !b.fresh(e.ArgumentList[0]) {
			b.changed(e.ArgumentList[0], args[0], key, "", syntax.Start(e))
		}
		for _, a := range args[1:] {
			switch m {
			case "assign", "setPrototypeOf":
				b.each(args[0], func(s *site) {
					b.flow(a, s.protos)
				})
			case "set":
				b.store(args[0], key, a)
			default:
				b.store(args[0], key, b.load(a, "value"))
			}
		}
		return args[0], true
	case "Object.freeze", "Object.seal", "Object.preventExtensions", "Promise.resolve", "Promise.all", "Promise.allSettled":
		args := b.args(e.ArgumentList)
		if len(args) == 0 {
			return newNode(), true
		}
		return args[0], true
	case "Promise.race", "Promise.any":
		args := b.args(e.ArgumentList)
		if len(args) == 0 {
			return newNode(), true
		}
		return b.load(args[0], ""), true
	case "Object.create":
		args := b.args(e.ArgumentList)
		s, n := b.make(container, e, name)
		if len(args) > 0 {
			b.flow(args[0], s.protos)
			b.each(args[0], func(t *site) { b.methods(t.all, n) })
		}
		return n, true
	case "Object.values", "Object.entries", "Object.fromEntries", "Array.from", "Array.of", "Object.groupBy", "Map.groupBy", "Object.keys":
		if m == "from" && len(e.ArgumentList) > 1 {
			b.calledNow(e.ArgumentList[1])
		}
		args := b.args(e.ArgumentList)
		items := args
		if m != "of" {
			items = args[:min(1, len(args))] // the other is a function that is called with them
		}
		n := b.copied(e, items, name)
		for s := range n.sites {
			if m == "of" {
				b.handOver(args, s.elem)
			}
			if m == "entries" || m == "fromEntries" {
				b.flow(b.items(args0(args)), s.elem)
				b.flow(b.load(b.load(args0(args), ""), ""), s.elem)
			}
			if len(args) > 1 {
				by := b.at(b.fn)
				b.each(args[1], func(f *site) {
					if f.kind == function {
						b.called(by, f.f)
						b.arguments(f, []*node{b.load(args[0], "")})
						b.flow(f.ret, s.elem)
					}
				})
			}
		}
		return n, true
	case "process.nextTick":
		args := b.args(e.ArgumentList)
		b.callBack(args)
		b.callbackArgs(args, 1)
		return newNode(), true
	case "JSON.parse":
		b.args(e.ArgumentList)
		s, n := b.make(container, e, name)
		b.holds(s.elem, s)
		return n, true
	case "Reflect.construct":
		args := b.args(e.ArgumentList)
		return b.instance(args0(args), nil, e, name), true
	}
	return nil, false
}

func args0(args []*node) *node {
	if len(args) == 0 {
		return newNode()
	}
	return args[0]
}

func (b *builder) construct(e *ast.NewExpression, name string) *node {
	if id, ok := e.Callee.(*ast.Identifier); ok && b.p.Binding(id) == nil {
		switch n := id.Name.String(); {
		case collections[n]:
			args := b.args(e.ArgumentList)
			s, out := b.make(container, e, name)
			s.indexed = n != "Object"
			for _, a := range args {
				held := b.load(a, "")
				b.flow(held, s.elem)
				if n == "Map" || n == "WeakMap" {
					b.flow(b.load(held, ""), s.elem)
				}
			}
			return out
		case n == "Promise":
			return b.promise(e)
		case n == "Proxy":
			args := b.args(e.ArgumentList)
			b.callBack(args[min(1, len(args)):])
			return args0(args)
		}
	}
	f := b.eval(e.Callee, "")
	return b.instance(f, b.args(e.ArgumentList), e, name)
}

// instance is what new makes of whatever f is.
func (b *builder) instance(f *node, args []*node, e ast.Expression, name string) *node {
	out := newNode()
	by := b.at(b.fn)
	var made, given *site
	b.each(f, func(s *site) {
		switch s.kind {
		case function:
			if made == nil {
				made = b.site(object)
				made.expr, made.offset, made.fn, made.name = e, syntax.Start(e), by, name
			}
			made.classes = append(made.classes, s)
			made.collection = made.collection || s.collection
			b.holds(out, made)
			if s.proto != nil {
				b.holds(made.protos, s.proto)
				b.holds(s.made, made)
			}
			b.called(by, s.f)
			b.arguments(s, args)
			b.pass(s, args, by)
			b.flow(s.made, s.this)
			b.flow(s.ret, out)
		case opaque, unknown:
			b.handOver(args, b.handed(by))
			if given == nil {
				given = b.site(opaque)
				given.expr, given.offset, given.fn, given.name, given.pkg = e, syntax.Start(e), by, name, s.pkg
				for _, a := range args {
					b.flow(a, given.elem)
				}
			}
			b.holds(out, given)
		}
	})
	return out
}

// promise: the executor runs at once, and what it resolves with is the promise.
func (b *builder) promise(e *ast.NewExpression) *node {
	if len(e.ArgumentList) > 0 {
		b.calledNow(e.ArgumentList[0])
	}
	args := b.args(e.ArgumentList)
	out := newNode()
	resolve := b.site(function)
	resolve.ret, resolve.this = newNode(), newNode()
	resolve.params = []*node{out}
	n := newNode()
	b.holds(n, resolve)
	if len(args) > 0 {
		by := b.at(b.fn)
		b.each(args[0], func(s *site) {
			if s.kind == function {
				b.called(by, s.f)
				b.arguments(s, []*node{n, n})
			}
		})
	}
	return out
}

func (b *builder) superCall(e *ast.CallExpression) *node {
	args := b.args(e.ArgumentList)
	f := b.thisOf()
	s := b.funcs[f]
	if s == nil {
		return newNode()
	}
	by := b.at(b.fn)
	// The constructor's own site is replaced by its class's when that is complete.
	b.work = append(b.work, func() {
		c := b.funcs[f]
		b.each(c.protos, func(t *site) {
			if t.kind == function {
				b.called(by, t.f)
				b.arguments(t, args)
			} else {
				b.handOver(args, b.handed(by))
			}
		})
	})
	return s.this
}

// helped does what the bundler's helpers do.
func (b *builder) helped(h string, e *ast.CallExpression, name string) *node {
	list := e.ArgumentList
	switch h {
	case "__name", "__toESM", "__toCommonJS", "__spreadValues", "__spreadProps", "__objRest", "__template", "__decorateClass", "__spreadArray":
		if len(list) == 0 {
			break
		}
		v := b.eval(list[0], name)
		if h == "__name" && len(list) == 2 {
			for s := range v.sites {
				if s.kind == function && literal(list[1]) != "" {
					s.name = literal(list[1])
				}
			}
		}
		for _, a := range list[1:] {
			x := b.eval(a, name)
			if h == "__spreadValues" || h == "__spreadProps" {
				b.each(v, func(s *site) { b.flow(x, s.protos) })
			}
		}
		return v
	case "__publicField", "__privateAdd":
		if len(list) < 2 {
			break
		}
		v := newNode()
		key, say := b.fieldName(h, list[1])
		if _, ok := list[0].(*ast.ThisExpression); ok {
			if f := b.thisOf(); f != nil && f.Name != "" {
				say = "this." + say + " of " + tidy(f.Name)
			}
		} else if id, ok := list[0].(*ast.Identifier); ok {
			say = tidy(id.Name.String()) + "." + say
		}
		if len(list) > 2 {
			v = b.eval(list[2], say)
			b.fills(list[0], key, list[2])
		}
		b.store(b.eval(list[0], ""), key, v)
		return v
	case "__privateGet", "__privateSet", "__privateMethod", "__privateWrapper":
		if len(list) < 2 {
			break
		}
		base := b.eval(list[0], "")
		key, _ := b.fieldName(h, list[1])
		switch h {
		case "__privateGet":
			if key == "" {
				return b.load(base, key)
			}
			return b.branded(base, key)
		case "__privateMethod":
			return b.eval(list[2], "")
		case "__privateSet":
			v := b.eval(list[2], name)
			b.store(base, key, v)
			b.member(base, list[0], key, syntax.Start(e))
			return v
		default:
			b.member(base, list[0], key, syntax.Start(e))
			return newNode()
		}
	case "__async", "__asyncGenerator":
		if f, ok := list[len(list)-1].(*ast.FunctionLiteral); ok {
			b.inside(f)
		}
		this := b.eval(list[0], "")
		for _, a := range list[1 : len(list)-1] {
			b.eval(a, "")
		}
		return b.invoke(b.eval(list[len(list)-1], ""), this, nil, nil, "")
	case "__export":
		if len(list) < 2 {
			break
		}
		base := b.eval(list[0], "")
		lit, ok := list[1].(*ast.ObjectLiteral)
		if !ok {
			break
		}
		for _, prop := range lit.Value {
			if k, ok := prop.(*ast.PropertyKeyed); ok {
				key, got := literal(k.Key), b.invoke(b.eval(k.Value, ""), newNode(), nil, nil, "")
				b.store(base, key, got)
			}
		}
		return newNode()
	case "__reExport", "__copyProps":
		if len(list) > 1 {
			to, from := b.eval(list[0], ""), b.eval(list[1], "")
			b.each(to, func(s *site) { b.flow(from, s.protos) })
			return to
		}
	}
	n := newNode()
	for _, a := range list {
		b.flow(b.eval(a, name), n)
	}
	return n
}

// asWritten is what its author calls the field that has a key.
func asWritten(key string) string {
	if private, ok := strings.CutPrefix(key, "#"); ok {
		return "#" + strings.TrimRight(strings.TrimPrefix(private, "_"), "0123456789")
	}
	return key
}

// fieldName is the key of a field, and what its author calls it. A private one is
// a variable that holds the instances' values.
func (b *builder) fieldName(h string, e ast.Expression) (key, say string) {
	if h == "__publicField" {
		key = literal(e)
		return key, key
	}
	if id, ok := e.(*ast.Identifier); ok {
		if bind := b.p.Binding(id); bind != nil {
			key = "#" + bind.Name
			return key, asWritten(key)
		}
	}
	return "", ""
}
