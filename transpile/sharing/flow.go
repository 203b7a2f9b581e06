package sharing

import (
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/program"
)

// A node stands for what a variable, property or expression may hold.
type node struct {
	sites map[*site]bool
	out   map[*node]bool
	react []func(*site)
}

// kind tells sites apart.
type kind int

const (
	object    kind = iota // a literal, or an instance of one of the app's classes
	container             // an array, Map, Set or the like, or plain data that came of a native function
	function              // a function or class
	exported              // the exports of a module, a module, or a class's prototype
	global                // the global object
	opaque                // what a package or Node gave
	unknown               // what may be anything: there is one
)

// A site is a place that makes objects, and stands for all that it makes.
type site struct {
	kind    kind
	expr    ast.Expression // that makes it, if one does
	offset  int
	fn      *program.Func // in which that is
	name    string        // as its author would call it
	pkg     string        // of something opaque
	core    bool          // a module of Node's
	classes []*site       // of an instance

	indexed    bool // an array, Map or the like: what it holds has no names
	collection bool // a class that extends Map or the like, or an instance of it
	iterator   bool // what a generator yields, or the contents of a container, one by one

	fields map[string]*node
	looks  map[string]*node
	elem   *node // what keys that are not known hold
	all    *node // what any key holds
	inside *node // what any key holds, also one that was copied
	protos *node // what it inherits from, or was copied from

	// Functions.
	f         *program.Func
	params    []*node
	rest      *node // what arguments beyond them are, or all of them
	ret, this *node
	proto     *site
	made      *node // its instances
	escaped   bool

	// Exports of a module: the parameter that is them.
	param *program.Binding

	// A property of something opaque.
	parent *site
	key    string
}

// graph is the constraints and their solution so far.
type graph struct {
	work    []func()
	unknown *site
	stored  map[string]*node // what is stored under a name, in whatever
	foreign map[string]*node // what is stored under a name in something unknown
	sites   []*site
	facts   int // how often holds was news
}

// budget is how many facts a build has time for: some seconds.
var budget = 1_500_000

func newGraph() *graph {
	g := &graph{stored: map[string]*node{}, foreign: map[string]*node{}}
	g.unknown = g.site(unknown)
	return g
}

func newNode() *node { return &node{sites: map[*site]bool{}, out: map[*node]bool{}} }

func (g *graph) site(k kind) *site {
	s := &site{kind: k, fields: map[string]*node{}, looks: map[string]*node{}, elem: newNode(), all: newNode(), protos: newNode()}
	g.flow(s.elem, s.all)
	g.sites = append(g.sites, s)
	return s
}

// holds says that n may hold s.
func (g *graph) holds(n *node, s *site) {
	if n.sites[s] || g.facts == budget {
		return
	}
	g.facts++
	n.sites[s] = true
	g.work = append(g.work, func() {
		for to := range n.out {
			g.holds(to, s)
		}
		for _, f := range n.react {
			f(s)
		}
	})
}

// flow says that to may hold what from may hold.
func (g *graph) flow(from, to *node) {
	if from == nil || to == nil || from == to || from.out[to] {
		return
	}
	from.out[to] = true
	for s := range from.sites {
		g.holds(to, s)
	}
}

// each calls f once for each of what n turns out to hold, when everything is built.
func (g *graph) each(n *node, do func(*site)) {
	if n == nil {
		return
	}
	seen := map[*site]bool{}
	f := func(s *site) {
		if !seen[s] {
			seen[s] = true
			do(s)
		}
	}
	n.react = append(n.react, f)
	for s := range n.sites {
		g.work = append(g.work, func() { f(s) })
	}
}

func (g *graph) solve() {
	for len(g.work) > 0 {
		f := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		f()
	}
}

func named(m map[string]*node, name string) *node {
	n := m[name]
	if n == nil {
		n = newNode()
		m[name] = n
	}
	return n
}

func (g *graph) field(s *site, name string) *node {
	n := s.fields[name]
	if n == nil {
		n = named(s.fields, name)
		g.flow(n, s.all)
	}
	return n
}

// lookup is what s may have under a name, of its own or inherited.
func (g *graph) lookup(s *site, name string) *node {
	if n := s.looks[name]; n != nil {
		return n
	}
	n := named(s.looks, name)
	g.flow(g.field(s, name), n)
	if !s.indexed && s.kind != opaque {
		g.flow(s.elem, n)
	}
	g.flow(named(g.foreign, name), n)
	switch s.kind {
	case unknown:
		g.holds(n, s)
		g.flow(named(g.stored, name), n)
	case opaque:
		g.holds(n, g.part(s, name))
	}
	g.each(s.protos, func(t *site) { g.flow(g.lookup(t, name), n) })
	return n
}

// spent tells that the solution is not complete.
func (g *graph) spent() bool { return g.facts == budget }

// part is a property of something opaque; what that has for properties is not told
// apart from it.
func (g *graph) part(s *site, name string) *site {
	if s.parent != nil {
		return s
	}
	p := g.site(opaque)
	p.parent, p.key, p.fn, p.offset, p.pkg = s, name, s.fn, s.offset, s.pkg
	g.flow(s.elem, p.elem)
	return p
}

// load is what base.name may be; any of its contents if name is empty.
func (g *graph) load(base *node, name string) *node {
	n := newNode()
	g.each(base, func(s *site) {
		if name != "" {
			g.flow(g.lookup(s, name), n)
			return
		}
		g.flow(g.contents(s), n)
	})
	return n
}

// branded is what base has in a private field. Only instances of the class have it: of what may
// be anything, they are what stores to the field tell of.
func (g *graph) branded(base *node, field string) *node {
	n := newNode()
	g.each(base, func(s *site) {
		if s.kind == unknown || s.kind == opaque {
			g.flow(named(g.stored, field), n)
			return
		}
		g.flow(g.lookup(s, field), n)
	})
	return n
}

// contents is whatever s holds, of its own or copied.
func (g *graph) contents(s *site) *node {
	if s.inside != nil {
		return s.inside
	}
	n := newNode()
	s.inside = n
	g.flow(s.all, n)
	if s.kind == unknown || s.kind == opaque {
		g.holds(n, s)
	}
	g.each(s.protos, func(t *site) {
		if t.kind != exported {
			g.flow(g.contents(t), n)
		}
	})
	return n
}

// store says that base.name is given a value.
func (g *graph) store(base *node, name string, v *node) {
	if name != "" {
		g.flow(v, named(g.stored, name))
	}
	g.each(base, func(s *site) {
		switch {
		case name == "":
			g.flow(v, s.elem)
		case s.kind == unknown:
			g.flow(v, named(g.foreign, name))
		default:
			g.flow(v, g.field(s, name))
		}
	})
}
