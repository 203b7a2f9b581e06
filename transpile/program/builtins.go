package program

import (
	"maps"
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// What a program does to the built-ins changes what the runtime of either build finds
// there, and the verifier has replacements of its own in their places. So an app is
// told not to; in a package it is said, because most only add what is there already.

var builtins = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`Object Array String Number Boolean Symbol BigInt Function Map Set WeakMap WeakSet WeakRef Promise RegExp Date Math JSON
		Reflect Proxy Buffer ArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array
		Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError`) {
		m[name] = true
	}
	return m
}()

// changed sees the object of a member that is written to or defined, and the member's
// name if it is known.
func (r *resolver) changed(object ast.Expression, member string) {
	name := ""
	switch o := object.(type) {
	case *ast.Identifier:
		switch s := o.Name.String(); {
		case (s == "global" || s == "globalThis") && builtins[member]:
			name = member
		case builtins[s] && !strings.HasSuffix(s, "Error"): // Error.stackTraceLimit is there to be set
			name = s
		}
		if name == "" || r.bound(o) {
			return
		}
	case *ast.DotExpression:
		id, ok := o.Left.(*ast.Identifier)
		if !ok || o.Identifier.Name != "prototype" || !builtins[id.Name.String()] || r.bound(id) {
			return
		}
		name = id.Name.String() + ".prototype"
	default:
		return
	}
	r.p.builtin(syntax.Start(object), name)
}

func (r *resolver) bound(id *ast.Identifier) bool { return r.scope.Lookup(id.Name.String()) != nil }

func (p *Program) builtin(at int, name string) {
	if p.origin == nil {
		return
	}
	if _, known := p.origin(at); !known {
		return // the bundler's own helpers
	}
	const text = "changes the built-in %s, which both builds rely on; use a function of your own instead"
	if p.dependency(at) {
		p.warn(at, text, name)
		return
	}
	p.problem(at, text, name)
}

// replacedBuiltins finds those that are assigned whole.
func (p *Program) replacedBuiltins() {
	names := slices.Sorted(maps.Keys(builtins))
	for _, name := range names {
		for _, ref := range p.Free[name] {
			if ref.Write {
				p.builtin(syntax.Offset(ref.ID.Idx), name)
			}
		}
	}
}
