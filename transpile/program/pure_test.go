package program

import (
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
)

func pureNames(p *Program) []string {
	var names []string
	for _, f := range p.Funcs {
		if f.Pure {
			names = append(names, f.Name)
		}
	}
	return names
}

// parseurl's scanner decides how well Express requests group.
func TestPureInBundles(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5"} {
		t.Run(app, func(t *testing.T) {
			text := nodetest.Bundle(t, app, "server.js", "express")
			p := parse(t, text, bundleOrigin(text))
			names := pureNames(p)
			t.Logf("pure: %v", names)
			found := false
			for _, n := range names {
				found = found || n == "fastparse"
			}
			if !found {
				for _, f := range p.Funcs {
					if f.Name == "fastparse" {
						t.Logf("fastparse is impure: %s", f.impure)
					}
				}
				t.Error("fastparse is not pure")
			}
		})
	}
}

func TestPure(t *testing.T) {
	const scan = "for (var i = 0; i < 9; i++) ;"
	for _, src := range []string{
		"function f(s) { if (typeof s !== 'string') return 0; for (var i = 0; i < s.length; i++) if (s.charCodeAt(i) === 47) return s.substring(0, i); return s; }",
		"function f(s) { 'use strict'; if (typeof s !== 'string' || s.length > 9) { throw new TypeError('no ' + typeof s); } let n = 0; while (n < s.length) n++; return n; }",
		"const f = (s, t) => { if (typeof s !== 'string') return; if (typeof t != 'string') return; let out = []; for (let i = 0; i < s.length; i++) out.push(s[i]); return out.join(t); };",
		"function f(x) { var o = {}; " + scan + " o.a = x; o.b = o.a; return o; }",
		"function f(x) { " + scan + " return x === null ? g(x) : x; } function g(x) { return typeof x === 'string' ? x : null; }",
		"function f(n) { do { if (n === 1) break; n = null; } while (n); return Math.max(1, 2) + parseInt('7'); }",
		"var url = require('url'), parse = url.parse; function f(s) { " + scan + " return parse(s); }",
		"var path = require('node:path'); function f(s) { " + scan + " return path.extname(s); }",
		"var LIMIT = 5, RE = /^a/; function f(s) { if (typeof s !== 'string') return; " + scan + " return RE.test(s) && i < LIMIT; }",
		"function f(s) { if (typeof s !== 'string') return; var m = s.split(','); for (var i = 0; i < m.length; i++) m[i] = m[i] + 'x'; return m; }",
		"function f(s) { if (typeof s !== 'string') return f(1); " + scan + " return s; }",
	} {
		p := parse(t, src)
		if names := pureNames(p); len(names) == 0 || names[0] != "f" {
			t.Errorf("should be pure (%s): %s", p.Funcs[1].impure, src)
		}
	}
	for _, src := range []string{ // f is not pure
		"function f(s) { for (var i = 0; i < s.length; i++) ; }",                                                          // s may be a loggable array
		"function f(s) { " + scan + " return s.x; }",                                                                      // a loggable property
		"function f(s) { " + scan + " return s[0]; }",                                                                     //
		"function f(s) { " + scan + " s.x = 1; }",                                                                         // writes outside
		"function f(s) { " + scan + " return s + 1; }",                                                                    // valueOf
		"function f(s) { " + scan + " return `${s}`; }",                                                                   // toString
		"function f(s) { " + scan + " return s == 1; }",                                                                   //
		"function f(s) { " + scan + " return s < 1; }",                                                                    //
		"function f(s) { " + scan + " return s(); }",                                                                      // a callback
		"function f(s) { " + scan + " return s.slice(1); }",                                                               //
		"function f(s) { if (typeof s !== 'string') s.x = 1; " + scan + " return s.length; }",                             // the guard does not leave
		"function f(s) { if (typeof s !== 'string') { g; } " + scan + " return s.length; }",                               //
		"function f(s) { if (typeof s !== 'string') return s.length; " + scan + " }",                                      // inside the guard it is no string
		"function f(s) { if (typeof s !== 'string' && s.a) return; " + scan + " return s.length; }",                       //
		"function f(s) { if (s.length || typeof s !== 'string') return; " + scan + " }",                                   // too early
		"function f(s, t) { if (typeof s !== 'string') return; s = t; " + scan + " return s.length; }",                    // assigned after
		"function f(s) { if (typeof s !== 'string') return; arguments[0] = []; " + scan + " return s.length; }",           //
		"function f(s) { if (typeof s !== 'string') return; " + scan + " return s.replace('a', g); }",                     // a callback
		"function f(s) { if (typeof s !== 'string') return; " + scan + " return s.unknownMethod(); }",                     //
		"String.prototype.slice = g; function f(s) { if (typeof s !== 'string') return; " + scan + " return s.slice(); }", // patched
		"Object.defineProperty(String.prototype, 'at', {}); function f(s) { if (typeof s !== 'string') return; " + scan + " return s.at(0); }",
		"Math.max = g; function f() { " + scan + " return Math.max(1); }",
		"Math = g; function f() { " + scan + " return Math.abs(1); }",
		"parseInt = g; function f() { " + scan + " return parseInt('1'); }",
		"function f(parseInt) { " + scan + " return parseInt('1'); }",
		"function f() { " + scan + " return Math.random(); }",
		"function f() { " + scan + " return Date.now(); }",
		"function f() { " + scan + " return new Date(); }",
		"function f() { " + scan + " return process.pid; }",
		"function f() { " + scan + " return globalThing; }",
		"function f() { " + scan + " console.log(1); }",
		"function f() { " + scan + " globalThing = 1; }",
		"function f() { " + scan + " return this.x; }",
		"function f() { " + scan + " this.x = 1; }",
		"function f() { " + scan + " return this; }",
		"function f() { " + scan + " return arguments.length; }",
		"function* f() { " + scan + " }",
		"async function f() { " + scan + " }",
		"var n = 0; function f() { " + scan + " n++; }",
		"var n = 0; function f() { " + scan + " return n; } n = 1;",
		"let n = 0; function f() { " + scan + " return () => n; }",
		"const t = [1]; function f(i) { " + scan + " return t[0]; }",     // may be loggable by reachability
		"const t = { a: 1 }; function f(i) { " + scan + " return t.a; }", //
		"var RE = /a/g; function f() { " + scan + " return RE.test('a'); }",
		"var RE = /a/; function f(s) { " + scan + " return RE.test(s); }",
		"var n = __karousos_loggable(0); function f() { " + scan + " return n; }",
		"let n = __karousos_loggable(0); n = 2; function f() { " + scan + " return n; }",
		"function f() { let n = __karousos_loggable(0); n = 1; " + scan + " return n; }",
		"function f() { " + scan + " return __karousos_loggable([]); }",
		"function f(x) { " + scan + " return g(x); } function g(x) { return x.y; }",
		"function f(x) { " + scan + " return g(x); } var g = function (x) { return 1; }; g = h;",
		"function f(x) { " + scan + " return g(x); } function g(x) { return h(x); } function h(x) { x.y = 1; }",
		"function f(x) { " + scan + " return g(x); } function g(x) { return f(x) + x; }",
		"function f(x) { " + scan + " function g() {} }",
		"function f(x) { " + scan + " class A {} }",
		"function f(x) { " + scan + " try { x; } catch (e) {} }",
		"function f(x) { for (var k in x) ; }",
		"function f(x) { for (var k of x) ; }",
		"function f(x) { " + scan + " return [...x]; }",
		"function f(x) { " + scan + " var { a } = x; }",
		"function f({ a }) { " + scan + " }",
		"function f(a = g()) { " + scan + " }",
		"function f(...a) { " + scan + " }",
		"function f(x) { " + scan + " return 'a' in x; }",
		"function f(x) { " + scan + " return x instanceof g; }",
		"function f(x) { " + scan + " return delete x.a; }",
		"function f(x) { " + scan + " return x`a`; }",
		"function f(x) { " + scan + " return new x(); }",
		"function f(x) { " + scan + " return import('a'); }",
		"function f(x) { var o = {}; o = x; " + scan + " o.a = 1; }",              // o may be x
		"function f(x) { var o = { a: x }; " + scan + " o.a.b = 1; }",             //
		"function f(x) { var o = { a: x }; " + scan + " return o.a.b; }",          //
		"function f(x) { var o = {}; " + scan + " o.__proto__ = x; return o.a; }", //
		"function f(x) { var o = { __proto__: x }; " + scan + " return o.a; }",    //
		"function f(x) { var o = { get a() { return g(); } }; " + scan + " return o.a; }",
		"function f(x) { var o = { [x]: 1 }; " + scan + " }",
		"function f(x) { var a = []; a.push(x); " + scan + " return a.join(); }", // join coerces
		"function f(x) { var a = [x]; " + scan + " return a; }",
		"function f(x) { var a = []; " + scan + " a[x] = 1; }",
		"function f(x) { var a = [1]; " + scan + " return a.map(g); }",
		"function f(x) { var a = [1]; " + scan + " return a.sort(x); }",
		"var url = require('url'); url = x; function f(s) { " + scan + " return url.parse(s); }",
		"var url = require('url'); url.parse = x; function f(s) { " + scan + " return url.parse(s); }",
		"var url = require('url'); require('node:url')['parse'] = x; function f(s) { " + scan + " return url.parse(s); }",
		"var url = require('fs'); function f(s) { " + scan + " return url.readFileSync(s); }",
		"var url = require('url'); function f(s) { " + scan + " return url.format(s); }",
		"function g(require) { var url = require('url'); return function f(s) { " + scan + " return url.parse(s); }; }",
		"class A { f(s) { " + scan + " } }",
		"x = { f(s) { " + scan + " } };",
		"function f(s) { return s; }", // no loop: not of interest
	} {
		p := parse(t, src)
		for _, n := range pureNames(p) {
			if strings.HasSuffix(n, "f") {
				t.Errorf("should not be pure: %s", src)
			}
		}
	}
}
