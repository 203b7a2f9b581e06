package verifierbuild_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var randoms = flag.Int("programs", 150, "random programs to compare")

// Random programs give in lockstep what they give lane by lane, or they diverge.
// They are typed loosely, so that most of what they do succeeds, and they always
// end: loops count, and functions call only functions declared before them.
func TestRandomPrograms(t *testing.T) {
	generator := rapid.Custom(randomProgram)
	var list []fixture
	for i := range *randoms {
		list = append(list, fixture{Name: fmt.Sprint("random ", i), Plain: generator.Example(i), Inputs: []string{`"a1"`, `"b2"`, `"c"`, `3`, `-0.5`, `undefined`}})
	}
	sources := map[string]string{}
	for _, fx := range list {
		sources[fx.Name] = fx.Plain
	}
	runs, diverged, shown := 0, 0, 0
	for _, r := range runFixtures(t, list) {
		runs += r.Runs
		diverged += len(r.Diverged)
		if len(r.Wrong) > 0 && shown < 8 {
			shown++
			t.Errorf("%s: %s\n%s", r.Name, r.Wrong[0], sources[r.Name])
		}
	}
	t.Logf("%d programs, %d runs, %d diverged", len(list), runs, diverged)
}

type gen struct {
	*rapid.T
	funcs int
	depth int
	loops int
	fresh int
}

func randomProgram(t *rapid.T) string {
	g := &gen{T: t}
	var b strings.Builder
	b.WriteString("function (x) {\n  var log = [];\n")
	for i := range g.n(3) {
		fmt.Fprintf(&b, "  function f%d(p, q%s) { %s return %s; }\n", i, g.pick("", " = 'dq'", ", ...r"), g.simple("p", "q"), g.in("p", "q"))
		g.funcs++
	}
	b.WriteString("  class K { constructor(v) { this.v = v; this.c = 0; } m(y) { this.c++; return this.v + y; } get w() { return '<' + this.v + '>'; } static of(v) { return new K(v); } }\n")
	b.WriteString("  class L extends K { #p = x; static n = 0; constructor(v, ...r) { super(v); L.n += r.length; } m(y) { return super.m(y) + this.#q(y); } #q(y) { return this.#p + typeof y; } get w() { return 'l' + super.w; } get p() { return this.#p; } set p(y) { this.#p = y; } static { this.s = x; } static has(o) { try { return #p in o; } catch { return 'no object'; } } *[Symbol.iterator]() { yield this.v; yield this.#p; } }\n")
	b.WriteString("  class A extends Array { get last() { return this[this.length - 1]; } }\n  class M extends Map { get(k) { return super.get(k) ?? 'none'; } }\n")
	b.WriteString("  function* gen(p, q) { try { var got = yield p; log.push(got); yield* [q, p]; return q; } finally { log.push('g'); } }\n")
	b.WriteString("  function tag(t, ...v) { return t.raw.join('~') + v.join('^'); }\n  function sloppy(p, q) { arguments[0] = q; return [p, arguments.length, typeof this]; }\n  function strict(p, q) { 'use strict'; arguments[0] = q; return [p, arguments.length, typeof this]; }\n")
	b.WriteString("  var px = new Proxy({ p: x, n: 1 }, { get: (t, k, r) => (k === 'virtual' ? x : Reflect.get(t, k, r)), has: (t, k) => k === 'virtual' || k in t });\n")
	b.WriteString("  var conv = { toString: () => 'c' + x, valueOf: () => 4 }, map = new Map([['k', 1]]), set = new Set(['a1']);\n")
	b.WriteString("  var s = 'i' + x, n = 3, o = { p: x, q: { r: 1 } }, a = [x, 'z'], k = new K('k'), u = x;\n")
	for range 3 + g.n(8) {
		if st := g.stmt("  "); g.n(3) == 0 {
			b.WriteString("  try {\n" + st + "  } catch (e) { log.push(e && e.message); }\n")
		} else {
			b.WriteString(st)
		}
	}
	b.WriteString("  return [s, n, o, a, k, u, log, L.n, map, set];\n}")
	return b.String()
}

func (g *gen) n(max int) int              { return rapid.IntRange(0, max-1).Draw(g.T, "n") }
func (g *gen) pick(list ...string) string { return list[g.n(len(list))] }

// deep runs f unless expressions are nested too deeply already.
func (g *gen) deep(f func() string, leaf ...string) string {
	if g.depth > 3 {
		return g.pick(leaf...)
	}
	g.depth++
	defer func() { g.depth-- }()
	return f()
}

func (g *gen) str() string {
	return g.deep(func() string {
		switch g.n(21) {
		case 16:
			return "tag`" + g.pick("a", "\\n", "") + "${" + g.any() + "}z`"
		case 17:
			return g.pick("`${conv}`", "('' + conv)", "String(conv)", "(conv + s)", "new L("+g.any()+", 1).m("+g.any()+")", "String(new L("+g.any()+").w)")
		case 18:
			return "[..." + g.iter() + "].join('/')"
		case 19:
			return "(" + g.any() + " instanceof K ? 'K' : " + g.str() + ")"
		case 20:
			return "[" + g.any() + "].map(String)[0]"
		case 0:
			return "(" + g.str() + " + " + g.any() + ")"
		case 1:
			return "`" + g.pick("", "t") + "${" + g.any() + "}-${" + g.str() + "}`"
		case 2:
			return g.str() + "." + g.pick("toUpperCase()", "trim()", "toString()", "slice(1)", "charAt(0)", "substring(0, 2)", "toLowerCase()", "repeat(2)", "concat('z', s)", "padStart(4, s)")
		case 3:
			return g.str() + ".slice(" + g.num() + " % 3)"
		case 4:
			return "String(" + g.any() + ")"
		case 5:
			return "(typeof " + g.any() + ")"
		case 6:
			return g.arr() + ".join(" + g.pick("", "'+'", "s") + ")"
		case 7:
			return "JSON.stringify(" + g.pick("o", "{ z: "+g.any()+" }", "["+g.any()+"]", "s", "n") + ")"
		case 8:
			return g.str() + ".replace(" + g.pick("/[a-z]/g", "/\\d/", "'a'", "/(.)/") + ", " + g.pick("'_'", "(m) => m + n", "function (m) { return '[' + m + ']'; }", "s") + ")"
		case 9:
			return "(" + g.bool() + " ? " + g.str() + " : " + g.str() + ")"
		case 10:
			return "(" + g.str() + " || 'empty')"
		case 11:
			return "k.m(" + g.str() + ")"
		case 12:
			return "k.w"
		case 13:
			return "(" + g.num() + ").toString(" + g.pick("", "16") + ")"
		case 14:
			return g.str() + "[" + g.num() + " & 1]"
		default:
			return g.pick("s", "'lit'", "'a1'", "''", "String(x)", "('' + u)")
		}
	}, "s", "'a1'", "'q'", "String(x)")
}

func (g *gen) num() string {
	return g.deep(func() string {
		switch g.n(16) {
		case 12:
			return g.pick("map.size", "set.size", "(conv * 2)", "+conv", "L.n", "(n ** 2)")
		case 13:
			return "[" + g.num() + ", " + g.num() + "].reduce((p, q) => p - q)"
		case 14:
			return g.pick("sloppy", "strict") + "(" + g.any() + ", " + g.any() + ")[1]"
		case 15:
			return "Math.max(..." + g.pick("[n, 1]", "[2, "+g.num()+"]") + ")"
		case 0:
			return "(" + g.num() + g.pick(" + ", " - ", " * ", " % ", " & ", " | ", " ^ ", " >> ", " >>> ", " / ") + g.num() + ")"
		case 1:
			return "(" + g.pick("-", "+", "~") + " " + g.num() + ")"
		case 2:
			return g.str() + ".length"
		case 3:
			return g.arr() + ".length"
		case 4:
			return "Math." + g.pick("max(", "min(", "abs(", "floor(") + g.num() + ")"
		case 5:
			return g.pick("n++", "--n", "(n += 2)", "o.q.r++", "(o.q.r -= 1)", "++k.c")
		case 6:
			return g.str() + "." + g.pick("indexOf(", "lastIndexOf(") + g.str() + ")"
		case 7:
			return "parseInt(" + g.str() + ", 10)"
		case 8:
			return "Number(" + g.any() + ")"
		case 9:
			return g.arr() + ".indexOf(" + g.any() + ")"
		case 10:
			return g.str() + ".charCodeAt(0)"
		default:
			return g.pick("n", "0", "1", "2", "7", "1.5", "k.c", "o.q.r")
		}
	}, "n", "1", "2", "k.c")
}

func (g *gen) bool() string {
	return g.deep(func() string {
		switch g.n(11) {
		case 0:
			return "(" + g.any() + g.pick(" === ", " !== ", " == ", " != ") + g.any() + ")"
		case 1:
			return "(" + g.num() + g.pick(" < ", " > ", " <= ", " >= ") + g.num() + ")"
		case 2:
			return "!" + g.paren(g.any())
		case 3:
			return "(typeof " + g.any() + " === " + g.pick("'string'", "'number'", "'object'", "'undefined'") + ")"
		case 4:
			return "(" + g.str() + " in " + g.obj() + ")"
		case 5:
			return "(" + g.any() + " instanceof " + g.pick("Object", "K", "Array") + ")"
		case 6:
			return g.arr() + "." + g.pick("includes(", "some((e) => e === ", "every((e) => e !== ") + g.any() + ")"
		case 7:
			return "/[a-c]/" + g.pick("", "i") + ".test(" + g.str() + ")"
		case 8:
			return "(" + g.bool() + g.pick(" && ", " || ") + g.bool() + ")"
		case 9:
			return "o.hasOwnProperty(" + g.pick("'p'", "'zz'", g.str()) + ")"
		default:
			return g.pick("true", "false", "Array.isArray(u)", "(s.length < 99)", "(n === n)")
		}
	}, "true", "false", "(n < 5)", "(s.length < 99)")
}

func (g *gen) arr() string {
	return g.deep(func() string {
		switch g.n(10) {
		case 0:
			return "[" + g.any() + ", " + g.any() + "]"
		case 1:
			return g.arr() + ".map((e) => " + g.in("e") + ")"
		case 2:
			return g.arr() + ".filter((e) => " + g.pick("e", "typeof e === 'string'", "e !== s") + ")"
		case 3:
			return g.str() + ".split(" + g.pick("''", "'-'", "s", "/\\d/") + ")"
		case 4:
			return "[..." + g.arr() + ", " + g.any() + "]"
		case 5:
			return "Object." + g.pick("keys(", "values(", "entries(") + g.obj() + ")"
		case 6:
			return g.arr() + "." + g.pick("slice(1)", "concat([1])", "concat("+g.any()+")", "slice().reverse()", "flat()")
		case 7:
			return "Array.from(" + g.str() + ")"
		default:
			return g.pick("a", "[s, n]", "[x, 1]", "['a1', 'b2']")
		}
	}, "a", "[s]", "['a1']")
}

// iter is something that iterates, and ends.
func (g *gen) iter() string {
	return g.pick("gen("+g.any()+", "+g.any()+")", "new L("+g.any()+")", "set", "map.keys()", "new Set(["+g.any()+", x])", g.arr()+".slice(0, 4)", g.arr()+".entries()")
}

func (g *gen) obj() string {
	return g.deep(func() string {
		switch g.n(12) {
		case 8:
			return "px"
		case 9:
			return "new L(" + g.any() + g.pick("", ", 1", ", ..."+g.arr()) + ")"
		case 10:
			return "{ __proto__: o, get p() { return s + n; }, ['a' + 1]: " + g.any() + ", get w() { return super.p; } }"
		case 11:
			return "Object.fromEntries([['p', " + g.any() + "], [" + g.str() + ", 1]])"
		case 0:
			return "{ p: " + g.any() + ", [" + g.pick("'z'", "'p'") + "]: " + g.any() + " }"
		case 1:
			return "{ ...o, t: " + g.any() + " }"
		case 2:
			return "Object.assign({}, o, { y: " + g.any() + " })"
		case 3:
			return "JSON.parse(JSON.stringify({ j: " + g.any() + " }))"
		case 4:
			return "new K(" + g.any() + ")"
		default:
			return g.pick("o", "o.q", "k", "{ a1: 1, b2: x }", "{ s, n }")
		}
	}, "o", "o.q", "{ a1: 1 }")
}

func (g *gen) any() string {
	return g.deep(func() string {
		switch g.n(22) {
		case 14:
			return "px." + g.pick("p", "virtual", "n", "nope")
		case 15:
			return "Reflect." + g.pick("get("+g.obj()+", "+g.str()+")", "has("+g.obj()+", "+g.str()+")", "ownKeys("+g.obj()+")", "construct(K, ["+g.any()+"])", "getPrototypeOf("+g.obj()+") === K.prototype")
		case 16:
			return "map." + g.pick("get(", "has(") + g.any() + ")"
		case 17:
			return g.pick("sloppy", "strict") + "(" + g.any() + ", " + g.any() + ")"
		case 18:
			return g.pick("new L("+g.any()+").p", "L.has("+g.paren(g.obj())+")", "L.s", "A.of("+g.any()+", 2).last", "new A("+g.num()+" & 3).length", "new M([["+g.str()+", "+g.any()+"]]).get("+g.str()+")", "A.from("+g.arr()+").map((e) => e) instanceof A")
		case 19:
			return "set.has(" + g.any() + ")"
		case 20:
			return g.paren(g.obj()) + "?." + g.pick("p", "q?.r", "zz?.y", "["+g.str()+"]", "m?.("+g.any()+")")
		case 21:
			return "(" + g.any() + ", [" + g.any() + ", " + g.any() + "].at(" + g.pick("-1", "0", g.num()) + "))"
		case 0, 1, 2:
			return g.str()
		case 3, 4:
			return g.num()
		case 5:
			return g.bool()
		case 6:
			return g.arr()
		case 7:
			return g.paren(g.obj())
		case 8:
			return "o." + g.pick("p", "q", "q.r", "zz", "p")
		case 9:
			return "a[" + g.num() + "]"
		case 10:
			return g.paren(g.obj()) + "[" + g.str() + "]"
		case 11:
			if g.funcs > 0 {
				return fmt.Sprintf("f%d(%s%s)", g.n(g.funcs), g.any(), g.pick("", ", "+g.any(), ", ..."+g.arr()))
			}
			return "x"
		case 12:
			return "(" + g.any() + g.pick(" && ", " || ", " ?? ") + g.paren(g.any()) + ")"
		default:
			return g.pick("x", "u", "null", "undefined", "s", "n", "(log.push(s), x)")
		}
	}, "x", "u", "s", "n", "null")
}

func (g *gen) paren(e string) string { return "(" + e + ")" }

// in is a small expression over the names given.
func (g *gen) in(names ...string) string {
	a, b := g.pick(names...), g.pick(append(names, "x", "1", "'k'")...)
	return g.pick(a+" + "+b, "typeof "+a, "["+a+", "+b+"]", a, a+" === "+b, "'<' + "+a+" + '>'", "("+a+" || "+b+")", "({ v: "+a+" }).v", "`${"+a+"}`")
}

func (g *gen) simple(names ...string) string {
	a := g.pick(names...)
	return g.pick("", "log.push("+a+");", a+" = "+g.in(names...)+";", "if (typeof "+a+" === 'number') return -1;", "try { "+a+".foo.bar; } catch (e) { log.push(e.name); }")
}

func (g *gen) stmt(indent string) string {
	if g.depth > 3 {
		return indent + "log.push(n);\n"
	}
	g.depth++
	defer func() { g.depth-- }()
	block := func() string {
		var b strings.Builder
		for range 1 + g.n(2) {
			b.WriteString(g.stmt(indent + "  "))
		}
		return "{\n" + b.String() + indent + "}"
	}
	switch g.n(36) {
	case 17:
		return indent + "for (const e of " + g.iter() + ") { log.push(e, " + g.in("e") + "); " + g.pick("", "if (log.length > 9) break; ", "if (typeof e === 'number') continue; ") + "}\n"
	case 28:
		return indent + "{ const fs = []; for (let j = 0, w = " + g.any() + "; j < 3; j++) { fs.push(() => [j, w]); " + g.pick("j += 0;", "w = "+g.any()+";", "if ("+g.bool()+") continue;") + " } log.push(fs.map((f) => f())); }\n"
	case 29:
		return indent + "{ const early = () => late; try { log.push(early()); } catch (e) { log.push(e.name); } let late = " + g.any() + "; log.push(early()); }\n"
	case 30:
		g.fresh++
		v := fmt.Sprint("dg", g.fresh)
		return indent + "var " + v + " = (function* () { try { for (let c of String(" + g.str() + ")) { const got = yield c; if (got === s) return c; } log.push(yield* gen(" + g.any() + ", x)); } catch (e) { log.push('c', e && e.message); yield " + g.any() + "; } finally { log.push('left'); yield 'last'; } })();\n" +
			indent + "try { log.push(" + v + ".next(), " + v + ".next(" + g.any() + ")); for (let j = 0; j < 2; j++) log.push(" + v + "." + g.pick("next(s)", "return("+g.any()+")", "throw(new Error("+g.str()+"))", "throw(x)") + "); log.push([..." + v + "]); } catch (e) { log.push(e && e.message); }\n"
	case 31:
		return indent + "for (const [j, e] of Object.entries(" + g.obj() + ")) { try { if (" + g.bool() + ") continue; log.push(j, e); if (log.length > 12) break; } finally { n++; } }\n"
	case 32:
		return indent + "log.push(`${{ [Symbol.toPrimitive]: (hint) => hint + " + g.pick("s", "x", "n") + " }}`, +{ valueOf: () => " + g.num() + " }, Object.prototype.toString.call({ get [Symbol.toStringTag]() { return " + g.str() + "; } }));\n"
	case 33:
		return indent + "{ class P { static made = " + g.any() + "; [" + g.str() + "] = " + g.any() + "; static #k = " + g.any() + "; static k() { return P.#k; } get [s]() { return this.set0; } set [s](v) { this.set0 = [v]; } constructor(v = " + g.any() + ") { this.v = v; if (" + g.bool() + ") return { instead: v }; } } const p = new P(); p[s] = " + g.any() + "; log.push(p, p[s], P.made, P.k(), P.name, p instanceof P); }\n"
	case 34:
		return indent + "{ const seen = []; const q = new Proxy(" + g.paren(g.obj()) + ", { ownKeys: (t) => (seen.push('keys'), Reflect.ownKeys(t)), deleteProperty: (t, k) => (seen.push('delete ' + String(k)), Reflect.deleteProperty(t, k)), set: (t, k, v, r) => (seen.push(k), Reflect.set(t, k, v, r)) }); q.z1 = " + g.any() + "; delete q." + g.pick("z1", "p", "none") + "; log.push(Object.keys(q), seen); }\n"
	case 35:
		return indent + "(function () { var r = 0; o1: for (const e of " + g.iter() + ") { switch (typeof e) { case 'string': if (" + g.bool() + ") continue o1; r++; break; case 'number': break o1; default: r += 2; } } log.push(r, arguments.length, [...arguments]); })(" + g.any() + ", ..." + g.arr() + ");\n"
	case 18:
		if g.loops > 1 {
			return indent + "log.push(n);\n"
		}
		g.loops++
		defer func() { g.loops-- }()
		g.fresh++
		l := fmt.Sprint(g.fresh)
		return indent + "o" + l + ": for (let j" + l + " = 0; j" + l + " < 3; j" + l + "++) { for (const e of [1, x]) { try { if (" + g.bool() + ") " + g.pick("continue", "break") + " o" + l + "; log.push(e); } finally { " + strings.TrimSpace(g.stmt("")) + " } } }\n"
	case 19:
		return indent + "log.push((function () { try { " + g.pick("return "+g.any()+";", "throw new Error("+g.any()+");", strings.TrimSpace(g.stmt(""))) + " } " + g.pick("", "catch (e) { return e && e.message; } ") + "finally { " + g.pick("log.push('fin');", "return "+g.any()+";", "s += 'f';") + " } })());\n"
	case 20:
		g.fresh++
		v := fmt.Sprint("it", g.fresh)
		return indent + "var " + v + " = gen(" + g.any() + ", " + g.any() + "); log.push(" + v + ".next(), " + v + "." + g.pick("next("+g.any()+")", "return("+g.any()+")", "next().value") + ", " + v + ".next().done);\n"
	case 21:
		return indent + "map." + g.pick("set("+g.any()+", "+g.any()+")", "delete("+g.any()+")", "set('k', "+g.any()+")", "forEach((v, k) => log.push(k, v))") + ";\n"
	case 22:
		return indent + "set." + g.pick("add("+g.any()+")", "delete("+g.any()+")", "forEach((v) => log.push(v))") + ";\n"
	case 23:
		return indent + "(function ({ p = " + g.any() + ", q: { r: d = 2, ...e } = {}, ...h }, [i, j = " + g.any() + ", ...y] = " + g.arr() + ", z = p) { log.push(p, d, e, h, i, j, y, z, arguments.length); })(" + g.pick("o", "{ p: x }", g.paren(g.obj())) + g.pick("", ", "+g.arr(), ", undefined, "+g.any()) + ");\n"
	case 24:
		return indent + g.pick("[s, u] = ['t' + x, s];", "[o.p, ...a] = "+g.arr()+";", "({ p: o.z, [s]: u = "+g.any()+" } = "+g.obj()+");", "[u, n] = [n, 5];") + "\n"
	case 25:
		return indent + g.pick("o.zz ??= ", "o.p &&= ", "o.p ||= ", "u ??= ", "o[s] ??= ") + g.any() + ";\n"
	case 26:
		return indent + "k = new L(" + g.any() + "); k.p = " + g.any() + "; log.push(k.p, k.w, [...k], L.has(k));\n"
	case 27:
		return indent + "Object." + g.pick("defineProperty(o, 'dp', { value: "+g.any()+", enumerable: true, configurable: true, writable: "+g.bool()+" })", "defineProperty(o, 'ac', { get() { return typeof this.p + s; }, enumerable: true, configurable: true })", "assign(o, "+g.obj()+")", "freeze({ p: "+g.any()+" })", "setPrototypeOf({ a: 1 }, "+g.pick("o", "K.prototype")+")") + ";\n"
	case 0:
		return indent + "s " + g.pick("=", "+=") + " " + g.str() + ";\n"
	case 1:
		return indent + "n " + g.pick("=", "+=", "*=", "|=") + " " + g.num() + ";\n"
	case 2:
		return indent + "o." + g.pick("p", "z", "q.r", "q.s") + " " + g.pick("=", "+=") + " " + g.any() + ";\n"
	case 3:
		return indent + "o[" + g.pick("'p'", "'y' + 1", g.str()) + "] = " + g.any() + ";\n"
	case 4:
		return indent + "a[" + g.pick("0", "1", "a.length", g.num()+" & 1") + "] = " + g.any() + ";\n"
	case 5:
		return indent + "a." + g.pick("push("+g.any()+")", "unshift("+g.any()+")", "pop()", "shift()", "reverse()", "splice(0, 1, "+g.any()+")", "sort()") + ";\n"
	case 6, 7:
		return indent + "if (" + g.bool() + ") " + block() + g.pick("", " else "+block()) + "\n"
	case 8:
		if g.loops > 1 {
			return indent + "log.push(s);\n"
		}
		g.loops++
		defer func() { g.loops-- }()
		g.fresh++
		i := fmt.Sprint("i", g.fresh)
		return indent + "for (" + g.pick("var", "let") + " " + i + " = 0; " + i + " < " + g.pick("3", "2 && "+i+" < a.length", "Math.min(s.length, 3)") + "; " + i + "++) " + block() + "\n"
	case 9:
		return indent + "for (const e of " + g.arr() + ".slice(0, 3)) { log.push(e, " + g.in("e") + "); }\n"
	case 10:
		return indent + "for (const e in " + g.obj() + ") { log.push(e); }\n"
	case 11:
		return indent + "try { " + strings.TrimSpace(g.stmt("")) + " " + g.pick("", "throw new Error(s);", "throw x;", "null.x;") + " } catch (e) { log.push(" + g.pick("e", "e && e.message", "String(e)", "e instanceof Error") + "); }" + g.pick("", " finally { log.push('f'); }") + "\n"
	case 12:
		return indent + "switch (" + g.any() + ") { case 'a1': log.push(1); case 'b2': log.push(2); break; " + g.pick("", "default: ") + "log.push(3); }\n"
	case 13:
		return indent + "var { p: d1 = " + g.any() + ", q: { r: d2 } = {} } = " + g.pick("o", "{ p: x, q: { r: n } }") + ", [d3, d4 = 'D'] = " + g.arr() + "; log.push(d1, d2, d3, d4);\n"
	case 14:
		return indent + "delete o." + g.pick("z", "p", "nope") + ";\n"
	case 15:
		return indent + "k = " + g.pick("new K("+g.any()+")", "K.of("+g.any()+")", "k") + "; log.push(k.m(" + g.any() + "));\n"
	default:
		return indent + "u = " + g.any() + ";\n"
	}
}
