package serverbuild

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"karousosc/transpile/internal/nodetest"
)

// Small random programs do the same as emitted. They always end: loops count, and
// functions call only functions that were declared before them.

type gen struct {
	*rapid.T
	vars  []string
	funcs []string
	depth int
	loops int
	inGen bool
	n     int
}

func (g *gen) pick(label string, options ...func() string) string {
	return options[rapid.IntRange(0, len(options)-1).Draw(g.T, label)]()
}

func (g *gen) of(list ...string) string { return rapid.SampledFrom(list).Draw(g.T, "of") }

func (g *gen) fresh() string {
	g.n++
	return fmt.Sprintf("v%d", g.n)
}

func (g *gen) variable() string { return g.of(g.vars...) }

func (g *gen) place() string {
	return g.pick("place",
		g.variable,
		func() string { return "o." + g.of("a", "b", "length") },
		func() string { return "o[" + g.expr() + "]" },
		func() string { return "arr[" + g.index() + "]" },
		func() string { return "(" + g.expr() + ", arr)[" + g.index() + "]" },
		func() string { return "arr.n" },
	)
}

func (g *gen) index() string {
	return g.pick("index", func() string { return g.of("0", "1", "2") }, func() string { return "(" + g.expr() + ") & 3" })
}

func (g *gen) expr() string {
	if g.depth > 4 {
		return g.pick("leaf", g.variable, func() string { return g.of("1", "2", "'s'", "null", "undefined", "true", "o", "arr", "0", "''") })
	}
	g.depth++
	defer func() { g.depth-- }()
	return g.pick("expr",
		g.variable,
		func() string { return g.of("1", "2", "3", "'s'", "null", "o", "arr", "0") },
		func() string {
			return "(" + g.expr() + " " + g.of("+", "-", "*", "&&", "||", "===", "<", "!==", ",", "&", "??") + " (" + g.expr() + "))"
		},
		func() string { return "(" + g.expr() + " ? " + g.expr() + " : " + g.expr() + ")" },
		func() string { return "(" + g.place() + " " + g.of("=", "=", "+=", "-=", "|=") + " " + g.expr() + ")" },
		func() string { return g.of("++", "--") + g.place() },
		func() string { return "(" + g.place() + g.of("++", "--") + ")" },
		g.place, g.place,
		func() string { return g.of("typeof ", "!", "-", "void ", "+") + "(" + g.expr() + ")" },
		func() string { return "[" + g.expr() + ", ..." + g.of("arr", "'ab'", "[]") + ", " + g.expr() + "]" },
		func() string { return "{ a: " + g.expr() + ", [" + g.expr() + "]: " + g.expr() + " }.a" },
		func() string { return "`x${" + g.expr() + "}`" },
		func() string { return "arr.length" },
		func() string { return "(" + g.expr() + " in o)" },
		func() string { return "delete o[" + g.expr() + "]" },
		func() string { return "t(" + g.expr() + ")" },
		func() string { return "fs[" + g.of("0", "1", "'m'") + "](" + g.expr() + ", " + g.expr() + ")" },
		func() string {
			if len(g.funcs) == 0 {
				return "t(0)"
			}
			return g.of(g.funcs...) + "(" + g.expr() + ", " + g.expr() + ")"
		},
		func() string {
			return "([" + g.place() + ", " + g.place() + " = " + g.expr() + "] = [" + g.expr() + "])"
		},
		func() string { return "(({ a: " + g.place() + " } = { a: " + g.expr() + " }), 1)" },
		func() string {
			if g.inGen {
				return "(yield " + g.expr() + ")"
			}
			return "((x) => x)(" + g.expr() + ")"
		},
		func() string {
			loops, inGen := g.loops, g.inGen
			g.loops, g.inGen = 0, false
			f := "((p, q = arr[" + g.index() + "]) => { " + g.stmtIn() + " return p; })"
			g.loops, g.inGen = loops, inGen
			return f + "(" + g.expr() + ")"
		},
	)
}

func (g *gen) block() string {
	n := len(g.vars)
	var b strings.Builder
	b.WriteString("{ ")
	for range rapid.IntRange(0, 3).Draw(g.T, "statements") {
		b.WriteString(g.stmt() + " ")
	}
	b.WriteString("}")
	g.vars = g.vars[:n]
	return b.String()
}

func (g *gen) stmt() string {
	if g.depth > 3 {
		return "(" + g.expr() + ");"
	}
	g.depth++
	defer func() { g.depth-- }()
	return g.pick("stmt",
		func() string { return "(" + g.expr() + ");" },
		func() string { return "print(" + g.expr() + ");" },
		func() string {
			e := g.expr()
			v := g.fresh()
			g.vars = append(g.vars, v)
			return g.of("let", "var") + " " + v + " = " + e + ";"
		},
		func() string { return "if (" + g.expr() + ") " + g.block() + g.of(" else ", " else ") + g.block() },
		func() string { return "if (" + g.expr() + ") " + "(" + g.expr() + ");" },
		func() string {
			i := g.fresh()
			g.loops++
			body := g.block()
			g.loops--
			return "for (let " + i + " = 0; " + i + " < 3; " + i + "++) " + body
		},
		func() string {
			g.loops++
			body := g.block()
			g.loops--
			return "for (" + g.of("const k of [1, 'x']", "var k in { a: 1, b: 2 }", "o.a of [3, 4]", "arr[0] of [5]") + ") " + body
		},
		func() string {
			return "switch (" + g.expr() + ") { case " + g.expr() + ": " + g.block() + " default: " + g.block() + g.of("", " break;") + " case 1: " + g.block() + " }"
		},
		func() string {
			return "try " + g.block() + " catch (e) { print(e.name); " + g.stmtIn() + " }" + g.of("", " finally { print('f'); }")
		},
		func() string {
			if g.loops == 0 {
				return ";"
			}
			return "if (" + g.expr() + ") " + g.of("break;", "continue;")
		},
		func() string { return "throw_(" + g.expr() + ");" },
		func() string { return "fs.m = " + g.of("function (a, b) { return this === fs; };", "(a) => o.a;") },
		func() string { return "arr.length = (" + g.expr() + ") & 3;" },
	)
}

func (g *gen) stmtIn() string {
	n := len(g.vars)
	s := g.stmt()
	g.vars = g.vars[:n]
	return "{ " + s + " }"
}

func (g *gen) function() string {
	name := fmt.Sprintf("f%d", len(g.funcs))
	vars, inGen, loops := g.vars, g.inGen, g.loops
	g.loops = 0
	g.vars = append(append([]string{}, vars...), "a", "b")
	g.inGen = rapid.Bool().Draw(g.T, "generator")
	body := g.block()
	ret := g.expr()
	s := "function " + name + "(a, b = " + g.of("1", "a", "arr[0]", "arr.length") + ") { " + body + " return " + ret + "; }\n"
	if g.inGen {
		s = "function* " + name + "_(a, b) { " + body + " return " + ret + "; }\n" +
			"function " + name + "(a, b) { let r, i = 0, it = " + name + "_(a, b); do { r = it.next(i); } while (!r.done && i++ < 5); return r.value; }\n"
	}
	g.vars, g.inGen, g.loops = vars, inGen, loops
	g.funcs = append(g.funcs, name)
	return s
}

func (g *gen) program() string {
	g.vars = []string{"g0", "g1"}
	var b strings.Builder
	b.WriteString(`let g0 = 1, g1 = 'one', fuel = 200; const o = { a: 1, get length() { return 2; }, set length(v) { print('length', v); } }, arr = [1, 2];
const show = (v) => typeof v === 'object' && v ? Object.keys(v).join() : typeof v === 'function' ? v.name : v;
const print0 = print; print = (v) => { if (fuel-- > 0) print0(show(v)); }; const t = (v) => { print(v); return v; };
const throw_ = (v) => { if (v === 3) throw new RangeError('x'); }; const fs = [function (a, b) { return this === fs ? a : b; }, (a) => a];
`)
	if rapid.Bool().Draw(g.T, "strict") {
		s := b.String()
		b.Reset()
		b.WriteString("'use strict';\n" + s)
	}
	for range rapid.IntRange(0, 3).Draw(g.T, "functions") {
		b.WriteString(g.function())
	}
	for range rapid.IntRange(1, 6).Draw(g.T, "statements") {
		b.WriteString("try { " + g.stmtIn() + " } catch (e) { print('top ' + e.name); }\n")
	}
	b.WriteString("print(g0); print(g1); print(o); print(arr);\n")
	return b.String()
}

func TestRandomPrograms(t *testing.T) {
	// One Node process runs a batch, so few checks go far.
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == "100" {
		defer f.Value.Set(f.Value.String())
		f.Value.Set("12")
	}
	rapid.Check(t, func(rt *rapid.T) {
		var programs []nodetest.Program
		for i := range rapid.IntRange(1, 25).Draw(rt, "programs") {
			g := &gen{T: rt}
			programs = append(programs, nodetest.Program{Name: fmt.Sprint("random ", i), Text: g.program()})
		}
		for _, d := range differences(t, programs) {
			rt.Fatal(d)
		}
	})
}
