package sharing

import (
	"cmp"
	"slices"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Found is one thing that requests can share.
type Found struct {
	Name   string // as its author would call it
	Offset int    // of its declaration, or of what makes it
	How    string // "assigned" for a variable, "changed" for an object, "advanced" for an iterator
	Why    string // it lives longer than a request
	Writes []Write

	Tracked  bool // false: the build cannot do so
	Declared bool // can be: it stands in a declaration, and load time puts only data there

	binding *program.Binding
	object  *program.SharedObject
}

// Write is a place that may run after load.
type Write struct {
	Offset int
	Func   *program.Func
	Field  string // what is written, if it is a named property
}

// Find finds what requests share in a program, and what the builds are to do about
// it. complete is false if the app is too large for all of it to be followed.
func Find(p *program.Program) (found []*Found, s program.Sharing, complete bool) {
	b := build(p)
	f := &finder{builder: b, late: map[*program.Func]bool{}, load: map[*program.Func]bool{}, objects: map[any]*program.SharedObject{}, entries: map[entry]*Found{}}
	f.run()
	f.variables()
	f.contents()
	f.nest()
	f.packages()
	var out []*Found
	for _, x := range f.found {
		if x != nil {
			slices.SortFunc(x.Writes, func(a, b Write) int { return a.Offset - b.Offset })
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b *Found) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Name, b.Name), cmp.Compare(a.How, b.How))
	})
	s.Objects = f.more
	var objects []*program.SharedObject
	for _, x := range out {
		switch {
		case !x.Tracked:
		case x.object != nil:
			if !slices.Contains(objects, x.object) {
				objects = append(objects, x.object)
				s.Objects = append(s.Objects, *x.object)
			}
		default:
			s.Variables = append(s.Variables, program.SharedVariable{Binding: x.binding, AtLoad: !b.modules[x.binding.Func()]})
		}
	}
	return out, s, !b.spent()
}

// run finds which functions may run during load, and after it.
func (f *finder) run() {
	for m := range f.modules {
		f.closure(f.load, m)
	}
	for more := true; more; {
		more = false
		for by, n := range f.given {
			if f.load[f.at(by)] && f.reach(f.load, n) {
				more = true
			}
		}
	}
	f.reach(f.late, f.later)
	for _, n := range f.given {
		f.reach(f.late, n)
	}
}

// reach adds the functions that run when those of a node are called.
func (b *builder) reach(seen map[*program.Func]bool, n *node) bool {
	before := len(seen)
	for s := range n.sites {
		if s.f != nil {
			b.closure(seen, s.f)
		}
	}
	return len(seen) > before
}

func (b *builder) closure(seen map[*program.Func]bool, f *program.Func) {
	f = b.at(f)
	if seen[f] {
		return
	}
	seen[f] = true
	for _, g := range b.calls[f] {
		b.closure(seen, g)
	}
}

// passedLate tells whether the function that changes its parameter may be given s
// after load: by a caller that may run then, or by nobody in particular.
func (f *finder) passedLate(c *change, s *site) bool {
	seen := false
	for _, p := range f.passed[c.fn] {
		if i := c.param - 1; i < len(p.args) && p.args[i].sites[s] {
			if f.late[p.by] {
				return true
			}
			seen = true
		}
	}
	return !seen
}

// entry is what one thing found is about: objects, or a property of theirs.
type entry struct {
	object any
	name   string
}

type finder struct {
	*builder
	late, load map[*program.Func]bool        // functions that may run after load, and during it
	objects    map[any]*program.SharedObject // by expression, or by site
	entries    map[entry]*Found
	found      []*Found
	more       []program.SharedObject // that are not worth a mention
}

// outlives tells why what f makes may live longer than a request, or "".
func (f *finder) outlives(fn *program.Func) string {
	switch {
	case fn == nil || f.modules[fn]:
		return "made when its module is loaded"
	case f.load[fn]:
		switch fn.Name {
		case "":
			return "made by a function that may run while the app loads"
		case "exports":
			return "made by the function that its module exports, which may run while the app loads"
		}
		return "made by " + tidy(fn.Name) + ", which may run while the app loads"
	}
	return ""
}

// variables finds those that are assigned to by other functions than their own.
func (f *finder) variables() {
	for b, n := range f.vars {
		why := f.outlives(f.at(b.Func()))
		if why == "" || b.Boxed || f.p.Position(b.Offset).File == "" {
			continue
		}
		x := &Found{Name: b.Name, Offset: b.Offset, How: "assigned", Why: why, Tracked: f.p.Boxable(b), Declared: f.plain(n, 0), binding: b}
		for _, r := range b.Refs {
			fn := f.at(r.Func())
			if r.Write && !r.Init && fn != f.at(b.Func()) && f.late[fn] {
				x.write(Write{Offset: syntax.Offset(r.ID.Idx), Func: r.Func()})
			}
		}
		if len(x.Writes) > 0 {
			x.Declared = x.Declared && x.Tracked && b.Kind != program.Param
			f.found = append(f.found, x)
		}
	}
}

func (x *Found) write(w Write) {
	if !slices.Contains(x.Writes, w) {
		x.Writes = append(x.Writes, w)
	}
}

// contents finds the objects that are changed.
func (f *finder) contents() {
	for _, c := range f.changes {
		if !f.late[c.fn] {
			continue
		}
		for s := range c.base.sites {
			f.changedSite(c, s)
		}
	}
}

func (f *finder) changedSite(c *change, s *site) {
	if c.method != "" && s.kind != container && !s.collection || c.method == advance && !s.iterator {
		return // a method of its own shows what it does
	}
	if c.of != nil && c.of == s.expr {
		return // a list, say, that a function makes and sorts
	}
	if c.maker != nil && c.maker.made != nil && c.maker.made.sites[s] && c.maker.f != nil && !c.maker.f.Method && !c.maker.f.Arrow {
		return // a constructor fills its new object
	}
	if c.param > 0 && !f.passedLate(c, s) {
		return
	}
	why := f.outlives(s.fn)
	if why == "" {
		return
	}
	root, path := s, []string{}
	if c.name != "" {
		path = append(path, c.name)
	}
	for root.parent != nil {
		path = slices.Insert(path, 0, root.key)
		root = root.parent
	}
	x := f.of(root, path, why)
	if x == nil {
		return
	}
	x.write(Write{Offset: c.offset, Func: c.fn, Field: c.name})
	if len(path) > 0 && !slices.ContainsFunc(x.object.Paths, func(p []string) bool { return slices.Equal(p, path) }) {
		x.object.Paths = append(x.object.Paths, path)
		slices.SortFunc(x.object.Paths, slices.Compare[[]string])
	}
}

// of is what was found about the objects of a site; or, of what can hardly be tracked
// as a whole, about the property to which path leads.
func (f *finder) of(s *site, path []string, why string) *Found {
	x := &Found{Name: s.name, Offset: s.offset, How: "changed", Why: why, Tracked: !s.iterator}
	if s.iterator {
		x.How = "advanced" // how far it has come, nothing can tell
	}
	o := program.SharedObject{Expr: s.expr, AtLoad: !f.modules[s.fn]}
	var key any = s
	switch {
	case s.kind == global:
		o.Global, o.AtLoad = true, false
		x.Why = "a global variable"
	case s.kind == exported && s.param != nil:
		o.Param = s.param
	case s.expr == nil || s.core:
		// Of Node's modules the models have less: what these hold would not be numbered alike.
		return nil
	case s.kind == function:
		o.Function = true
		if d := f.declaration(s); d != nil {
			o.Param, o.Expr = d, nil
			x.Name, x.Offset, x.Tracked = d.Name, d.Offset, f.p.Hoisted(d)
		}
	default:
		key = s.expr
	}
	if owner := f.owner[s.expr]; owner != nil && s.expr != nil {
		x.Name, x.Offset, x.binding = tidy(owner.Name), owner.Offset, owner
	}
	if f.p.Position(x.Offset).File == "" {
		x.Offset = s.offset
	}
	if x.Name == "" && s.f != nil {
		x.Name = tidy(s.f.Name)
	}
	if (key == any(s) || s.kind == opaque) && len(path) > 0 {
		for _, key := range path {
			x.Name += "." + asWritten(key)
		}
		if s.kind != function && s.kind != opaque {
			x.Offset = f.first(s, path[0], x.Offset)
		}
	}
	as := entry{key, x.Name}
	if old := f.entries[as]; old != nil {
		return old
	}
	class := s.class()
	if class != "" {
		x.Why = "an instance of " + class + ", " + why
	}
	if x.Name == "" {
		x.Name = "an object"
		if class != "" {
			x.Name = "new " + class
		} else if outer := f.around(s); outer != nil {
			x.Name = "part of " + tidy(outer.Name)
		}
	}
	x.Declared = x.Tracked && x.binding != nil && s.kind != function && s.kind != opaque && class == "" && f.plainSite(s, 0)
	if f.objects[key] == nil {
		f.objects[key] = &o
	}
	x.object = f.objects[key]
	f.entries[as] = x
	f.found = append(f.found, x)
	return x
}

// around is the variable in whose initial value an object is made, if the same function declares it.
func (f *finder) around(s *site) *program.Binding {
	var found *program.Binding
	least := 0
	for value, b := range f.owner {
		if b == nil || value == nil || f.at(b.Func()) != f.at(s.fn) {
			continue
		}
		from, to := syntax.Start(value), syntax.Offset(value.Idx1())
		if from <= s.offset && s.offset < to && (found == nil || to-from < least) {
			found, least = b, to-from
		}
	}
	return found
}

// class is the name of an instance's class.
func (s *site) class() string {
	name := ""
	for _, c := range s.classes {
		if n := c.name; name == "" || n < name {
			name = n
		}
	}
	return name
}

// first is the first place that writes to a property.
func (f *finder) first(s *site, name string, otherwise int) int {
	at := -1
	for _, c := range f.changes {
		if c.name == name && c.base.sites[s] && (at < 0 || c.offset < at) {
			at = c.offset
		}
	}
	if at < 0 {
		return otherwise
	}
	return at
}

// plain tells whether load time puts only data where n is.
func (f *finder) plain(n *node, depth int) bool {
	for s := range n.sites {
		if !f.plainSite(s, depth) {
			return false
		}
	}
	return true
}

func (f *finder) plainSite(s *site, depth int) bool {
	if s.kind == unknown || f.outlives(s.fn) == "" {
		return true
	}
	if s.kind != container && (s.kind != object || len(s.classes) > 0) {
		return false
	}
	return depth > 4 || f.plain(s.all, depth+1)
}

// declaration is the variable of a function declaration.
func (f *finder) declaration(s *site) *program.Binding {
	lit, ok := s.expr.(*ast.FunctionLiteral)
	if !ok || lit.Name == nil {
		return nil
	}
	if b := f.p.Declared(lit.Name); b != nil && b.Kind == program.Function && b.Node == ast.Node(lit) {
		return b
	}
	return nil
}

// nest leaves out what lies in the initial value of something that is tracked as a
// whole, which makes it tracked as well.
func (f *finder) nest() {
	inside := map[ast.Expression]*Found{}
	var walk func(n ast.Node, x *Found)
	walk = func(n ast.Node, x *Found) {
		switch n := n.(type) {
		case *ast.NewExpression:
			inside[n] = x
			if isNew(n) {
				syntax.Children(n, func(c ast.Node) { walk(c, x) })
			}
		case *ast.ArrayLiteral, *ast.ObjectLiteral, *ast.PropertyKeyed:
			inside[n.(ast.Expression)] = x
			syntax.Children(n, func(c ast.Node) { walk(c, x) })
		}
	}
	whole := &Found{}
	for e := range f.declared {
		inside[e] = whole
		walk(e, whole)
	}
	for _, x := range f.found {
		if x.object != nil && x.object.Expr != nil && !x.object.Function && isNew(x.object.Expr) {
			syntax.Children(x.object.Expr, func(c ast.Node) { walk(c, x) })
		}
	}
	for i, x := range f.found {
		if x.object == nil || x.object.Expr == nil {
			continue
		}
		outer := inside[x.object.Expr]
		if outer == nil || outer == x {
			continue
		}
		for o := outer; o != nil && o != whole && o.object != nil; o = inside[o.object.Expr] {
			outer = o
		}
		if outer != whole {
			for _, w := range x.Writes {
				outer.write(w)
			}
		}
		f.found[i] = nil
	}
}
