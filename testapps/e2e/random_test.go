package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var (
	randoms    = flag.Int("programs", 40, "random asynchronous programs to compare")
	randomSeed = flag.Int("programseed", 0, "number of the first of them")
)

// A randomProgram is the statements of an async function of a string.
type randomProgram []string

func (p randomProgram) text(name string) string {
	return "exports." + name + " = async (x) => {\n" + prelude + "  " + strings.Join(p, "\n  ") + "\n" + postlude + "};\n"
}

// Every program has these to play with. Timers and immediates note what they do apart,
// because Node does not say which of them comes first.
const prelude = `  const log = [], later = [], timed = [];
  let n = 3, s = 's' + x, o = { p: x, q: { r: 1 }, async m(v) { await null; return [this.p, v]; } };
  const note = (v) => (log.push(v), v), turn = (v) => new Promise((resolve) => setImmediate(resolve, v)), sleep = (v) => new Promise((resolve) => setTimeout(resolve, 1, v));
  const fail = (v) => Promise.reject(v), thenable = (v) => ({ then(ok, no) { v === n ? no(v) : ok(v); } }), say = (e) => (e instanceof Error ? e.name + ':' + e.message : e);
  function* gen(a, b) { try { const got = yield a; log.push(['got', got]); yield* [b, n]; return s; } finally { log.push('closed'); } }
  async function* flow(a, b) { try { const got = yield a; log.push(['flowed', got]); await null; yield b; yield* gen(a, s); return n; } finally { log.push('end'); await null; log.push('ended'); } }
  class Base { #v; static made = 0; constructor(v) { this.#v = v; Base.made++; } async get() { await null; return this.#v; } set v(y) { this.#v = y; } get v() { return this.#v; } async *[Symbol.asyncIterator]() { yield this.#v; yield await this.get(); } static async of(v) { return new this(await v); } }
  class Sub extends Base { own = s; async get() { const g = async () => [await super.get(), this.own]; return g(); } *[Symbol.iterator]() { yield this.v; yield this.own; } }
  const tag = async (t, ...v) => t.raw.join('|') + (await Promise.all(v)).join('~'), px = new Proxy({ a: x }, { get: (t, k) => (k in t ? t[k] : k === 'then' ? undefined : String(k) + x) });
`

const postlude = `  await new Promise((resolve) => setTimeout(resolve, 12));
  return [log, later, timed, n, s, o.q, Base.made];
`

const randomServer = `'use strict';
const http = require('http'), programs = require('./programs');
const show = (k, v) => (v === undefined ? 'undefined' : typeof v === 'function' ? v.name : v instanceof Error ? String(v) : v);
http.createServer(async (req, res) => {
  const [name, x] = req.url.slice(1).split('?');
  let out;
  try { out = await programs[name](decodeURIComponent(x)); } catch (e) { out = ['threw', e instanceof Error ? e.name + ': ' + e.message : e]; }
  res.write(JSON.stringify(out, show));
  res.end();
}).listen(process.env.PORT);
`

// TestRandomAsync: random programs answer alike plain, as a server build, and re-executed
// alone and in groups with other inputs.
func TestRandomAsync(t *testing.T) {
	generator := rapid.Custom(func(t *rapid.T) randomProgram { return (&asyncGen{T: t}).program() })
	var programs []randomProgram
	for i := range *randoms {
		programs = append(programs, generator.Example(*randomSeed+i))
	}
	for i, why := range faults(t, programs) {
		t.Errorf("program %d: %s", *randomSeed+i, why)
		small := shrink(t, programs[i])
		t.Logf("the least that is wrong: %s\n%s", faults(t, []randomProgram{small})[0], small.text("p"))
		if t.Context().Err() != nil {
			return
		}
	}
}

// shrink leaves out statements as long as something is wrong.
func shrink(t *testing.T, p randomProgram) randomProgram {
	for again := true; again; {
		again = false
		for i := range p {
			if less := slices.Delete(slices.Clone(p), i, i+1); len(faults(t, []randomProgram{less})) > 0 {
				p, again = less, true
				break
			}
		}
	}
	return p
}

// faults tells by program what differs, or is not accepted.
func faults(t *testing.T, programs []randomProgram) map[int]string {
	t.Helper()
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("'use strict';\n")
	var requests []request
	inputs := []string{"ab", "ab", "cd", "xyz", ""}
	for i, p := range programs {
		name := fmt.Sprint("p", i)
		text.WriteString(p.text(name))
		for _, in := range inputs {
			requests = append(requests, get("/"+name+"?"+url.PathEscape(in)))
		}
	}
	src := filepath.Join(dir, "app")
	for name, text := range map[string]string{"package.json": `{"name":"random","version":"1.0.0","main":"server.js"}`, "server.js": randomServer, "programs.js": text.String()} {
		if err := os.MkdirAll(src, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := map[int]string{}
	add := func(request int, why string) {
		if i := request / len(inputs); found[i] == "" {
			found[i] = why
		}
	}
	dist := filepath.Join(dir, "dist")
	if _, err := kit.Build(t.Context(), src, dist); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain")
	if _, err := kit.RunPlain(t.Context(), src, "server.js", plain, func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, 1, requests)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	theirs, err := trace.Load(filepath.Join(plain, "trace.ktrace"), trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, connections := range []int{1, 8} {
		r, err := kit.Record(t.Context(), dist, filepath.Join(dir, fmt.Sprint("run", connections)), func(ctx context.Context, addr string) error {
			_, err := drive(ctx, addr, connections, requests)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if connections == 1 {
			ours, err := trace.Load(r.Trace, trace.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range requests {
				if a, b := ours.Exchanges[i].Response.Body, theirs.Exchanges[i].Response.Body; !bytes.Equal(a, b) {
					add(i, fmt.Sprintf("%s: the server build answers\n%s\nthe app\n%s", requests[i].path, a, b))
				}
			}
		}
		for _, group := range []string{"1200", "1"} {
			audit(t, r, requests, group, add)
		}
	}
	return found
}

func audit(t *testing.T, r *scenario.Recording, requests []request, group string, add func(request int, why string)) {
	v := verify(t, r.Evidence, "--workers", "1", "--max-group", group)
	if v.Outcome == verdict.Accept {
		return
	}
	tr, err := trace.Load(r.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range tr.Exchanges {
		if x.RID == v.RID {
			add(slices.IndexFunc(requests, func(q request) bool { return q.path == x.Request.Target }), "groups of up to "+group+": "+v.Text())
			return
		}
	}
	add(0, "groups of up to "+group+": "+v.Text())
}

// asyncGen makes programs whose answers depend on nothing that Node leaves open.
type asyncGen struct {
	*rapid.T
	depth int
	fresh int
	alone bool // no other flow of the program runs meanwhile
}

func (g *asyncGen) n(max int) int              { return rapid.IntRange(0, max-1).Draw(g.T, "n") }
func (g *asyncGen) pick(list ...string) string { return list[g.n(len(list))] }
func (g *asyncGen) name(prefix string) string  { g.fresh++; return fmt.Sprint(prefix, g.fresh) }

func (g *asyncGen) program() randomProgram {
	var p randomProgram
	for range 2 + g.n(6) {
		g.alone = true
		p = append(p, g.stmt())
	}
	return p
}

// value is an expression without waiting.
func (g *asyncGen) value() string {
	return g.pick("x", "s", "n", "n++", "x.length", "x + 'k'", "o.p", "o.q?.r", "[x, n]", "{ v: x }.v", "null", "undefined", "`${x}!`", "x || 'empty'", "[...x]", "px.zz", "px.a", "typeof x", "note(x)", "(() => x)()")
}

func (g *asyncGen) object() string {
	return g.pick("{ a: x, b: [n] }", "[x, s]", "{ }", "{ b: [] }", "o")
}

// promise is an expression to wait for.
func (g *asyncGen) promise() string {
	if g.depth > 3 {
		return g.pick("x", "Promise.resolve(x)", "null", "n")
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.n(20) {
	case 0:
		return "Promise.resolve(" + g.value() + ")"
	case 1:
		return "(async () => " + g.pick("("+g.value()+")", "{ "+g.inner()+" return "+g.value()+"; }", "(await "+g.promise()+")") + ")()"
	case 2:
		return "thenable(" + g.value() + ")"
	case 3:
		return "Promise." + g.pick("all", "allSettled", "race", "any") + "([" + g.promise() + ", " + g.promise() + ", " + g.pick(g.value(), "fail("+g.value()+")", g.promise()) + "])"
	case 4:
		return "(" + g.chain() + ")"
	case 5:
		return "o.m(" + g.value() + ")"
	case 6:
		return g.pick("Base", "Sub") + ".of(" + g.promise() + ").then((b) => b.get())"
	case 7:
		return "new Promise((resolve, reject) => { " + g.pick("resolve", "reject", "resolve", "process.nextTick(resolve, x); void", "queueMicrotask(() => resolve(s)); void") + "(" + g.value() + "); " + g.pick("", "reject(n);", "throw x;") + " })"
	case 8:
		return g.pick("flow", "gen") + "(" + g.value() + ", " + g.value() + ")." + g.pick("next()", "return("+g.value()+")", "next().done")
	case 9:
		return "fail(" + g.pick(g.value(), "new TypeError(x)") + ")"
	case 10:
		return "tag`a${" + g.promise() + "}b${" + g.value() + "}`"
	case 11:
		return "(async function () { " + g.inner() + " return [arguments.length, arguments[0], typeof this]; })(" + g.value() + ", 2)"
	case 12:
		return "(async ({ a = " + g.value() + ", b: [c = " + g.value() + "] = [] } = {}, ...r) => { await null; return [a, c, r]; })(" + g.pick("", g.object()+", "+g.value()) + ")"
	case 13:
		return "turn(" + g.value() + ")"
	case 14:
		if g.alone {
			return "sleep(" + g.value() + ")"
		}
		return "turn(" + g.value() + ")"
	default:
		return g.pick(g.value(), "Promise.resolve(x)", "Promise.resolve(Promise.resolve(n))", "(async () => x)()")
	}
}

func (g *asyncGen) chain() string {
	s := g.promise()
	for range 1 + g.n(3) {
		s += g.pick(".then((v) => ["+g.pick("v", "v, x", "n")+"])", ".then((v) => "+g.promise()+")", ".catch((e) => ['caught', say(e)])", ".finally(() => { log.push('fin'); })", ".finally(() => "+g.promise()+")", ".then(() => { throw "+g.value()+"; })", ".then("+g.pick("5", "null, (e) => say(e)", "undefined")+")")
	}
	return s
}

// inner is a short statement inside of a flow.
func (g *asyncGen) inner() string {
	return g.pick("", "await null;", "log.push(x);", "await null; log.push(n);", "s += '.';", "n++; await null;", "try { await fail(x); } catch (e) { log.push(say(e)); }", "if (x) await null;", "await turn();", "process.nextTick(() => log.push('tick'));")
}

func (g *asyncGen) block() string {
	if g.depth > 3 {
		return "{ " + g.inner() + " }"
	}
	var b strings.Builder
	for range 1 + g.n(2) {
		b.WriteString(g.stmt() + " ")
	}
	return "{ " + b.String() + "}"
}

func (g *asyncGen) stmt() string {
	if g.depth > 3 {
		return "log.push(" + g.value() + ");"
	}
	g.depth++
	defer func() { g.depth-- }()
	flow := func(f func() string) string {
		before := g.alone
		g.alone = false
		defer func() { g.alone = before }()
		return f()
	}
	v := g.name("v")
	switch g.n(24) {
	case 0:
		return "try { log.push(await " + g.promise() + "); } catch (e) { log.push(['threw', say(e)]); }"
	case 1:
		return "for await (const " + v + " of " + g.source() + ") { log.push(" + v + "); " + g.inner() + g.pick("", " if (log.length > 6) break;", " if (x) continue;", " n += 1;") + " }"
	case 2:
		return "const " + v + " = await Promise.allSettled([1, x, 3].map(async (e, i) => " + flow(g.block) + ")); log.push(" + v + ".map((r) => r.status));"
	case 3:
		return flow(func() string { return g.chain() }) + ".then((v) => log.push(v), (e) => log.push(['no', say(e)]));"
	case 4:
		return "process.nextTick((a) => { log.push(['tick', a]); " + g.pick("", "Promise.resolve().then(() => log.push('after tick'));", "process.nextTick(() => log.push('tock'));") + " }, " + g.value() + ");"
	case 5:
		return "queueMicrotask(() => { log.push('micro'); " + g.pick("", "queueMicrotask(() => log.push(x));", "process.nextTick(() => log.push(n));") + " });"
	case 6:
		return "setImmediate((a) => { later.push(a); " + g.pick("", "Promise.resolve(x).then((w) => later.push(w));", "process.nextTick(() => later.push('tick'));") + " }, " + g.value() + ");"
	case 7:
		return g.pick("", "const "+v+" = ") + "setTimeout((a) => { timed.push(a); " + g.pick("", "Promise.resolve().then(() => timed.push(x));") + " }, 2, " + g.value() + ");" + g.pick("", " clearTimeout(setTimeout(() => timed.push('never'), 2));", " clearImmediate(setImmediate(() => later.push('never')));")
	case 8:
		return "await (async () => { try { " + g.inner() + " " + g.pick("return "+g.promise()+";", "return await "+g.promise()+";", "throw "+g.value()+";", "await "+g.promise()+";") + " } " + g.pick("", "catch (e) { log.push(say(e)); "+g.pick("", "throw e;")+" } ") + "finally { await null; log.push('finally'); " + g.pick("", "return 'over';") + " } })().then(note, (e) => log.push(['out', say(e)]));"
	case 9:
		return "for (let " + v + " = 0; " + v + " < 3; " + v + "++) { later.push(() => " + v + "); " + g.inner() + " " + g.pick("", "if ("+v+" === 1) continue;", "if ("+v+" === 1) break;") + " log.push(await " + g.pick(v, "null", "turn("+v+")") + "); }"
	case 10:
		l := g.name("l")
		return l + ": for (const " + v + " of [1, x]) { for await (const w of " + g.source() + ") { try { log.push(w); if (w === x) " + g.pick("continue", "break") + " " + l + "; } finally { " + g.inner() + " log.push('left'); } } }"
	case 11:
		return "switch (await " + g.pick("x", "turn(x)", "Promise.resolve(n)") + ") { case 'ab': " + g.inner() + " log.push('AB'); case await null: log.push('through'); break; default: log.push(await " + g.pick("x", "s") + "); }"
	case 12:
		return "const { a: " + v + " = await " + g.pick("x", "turn(s)", "Promise.resolve([x])") + ", ...r" + v + " } = " + g.pick("o", "{ a: x }", "await Promise.resolve({ b: x })", "{}") + "; log.push(" + v + ", Object.keys(r" + v + "));"
	case 13:
		return "const " + v + " = " + g.pick("flow", "gen") + "(" + g.value() + ", " + g.value() + "); log.push(await " + v + ".next(), await " + v + "." + g.pick("next("+g.value()+")", "return("+g.value()+")", "next()") + ", await " + v + ".next());"
	case 14:
		return "const " + v + " = new Sub(" + g.value() + "); " + v + ".v = " + g.value() + "; log.push(await " + v + ".get(), [..." + v + "], " + v + ".v); for await (const w of " + v + ") log.push(w);"
	case 15:
		return "if (" + g.pick("await "+g.promise2(), "x", "x.length > 2", "n % 2") + ") " + g.block() + g.pick("", " else "+g.block())
	case 16:
		return "o." + g.pick("p", "z", "q.r") + g.pick(" = ", " += ", " ??= ", " ||= ") + "await " + g.promise2() + ";"
	case 17:
		return "await Promise.all([" + flow(func() string { return "(async () => " + g.block() + ")(), (async () => " + g.block() + ")()" }) + "]).catch((e) => log.push(['all', say(e)]));"
	case 18:
		return "const " + v + " = []; for (const f of [1, 2]) " + v + ".push(async () => { " + g.inner() + " return [f, await " + flow(g.promise2) + "]; }); log.push(await Promise.all(" + v + ".map((f) => f())));"
	case 19:
		return "log.push(await [1, 2, 3].reduce(async (p, e) => [...(await p), e + n, " + g.value() + "], Promise.resolve([])));"
	case 20:
		return "const " + v + " = flow(" + g.value() + ", x); log.push(await Promise.all([" + v + ".next(), " + v + ".next(s), " + v + "." + g.pick("next()", "return(x)") + "]));"
	case 21:
		return "log.push(await new Promise((resolve) => { const E = new (require('events'))(); E.once('go', resolve); E.on('go', (v) => log.push(['heard', v])); " + g.pick("E.emit('go', x);", "process.nextTick(() => E.emit('go', s));", "setImmediate(() => E.emit('go', n));") + " }));"
	case 22:
		return "log.push([...gen(" + g.value() + ", x)].length, await (await " + g.promise2() + ")?.toString?.());"
	default:
		return "{ let " + v + " = " + g.value() + "; " + v + " = await " + g.promise2() + "; log.push(" + v + "); }"
	}
}

// promise2 is something to wait for that is not refused.
func (g *asyncGen) promise2() string {
	return g.pick("x", "Promise.resolve("+g.value()+")", "turn("+g.value()+")", "(async () => { "+g.inner()+" return "+g.value()+"; })()", "o.m("+g.value()+")", "Promise.all(["+g.value()+", turn(x)])", "fail(x).catch((e) => e)")
}

// source is what for await goes over.
func (g *asyncGen) source() string {
	return g.pick("flow("+g.value()+", "+g.value()+")", "gen("+g.value()+", x)", "[x, Promise.resolve(s), "+g.value()+"]", "new Base(x)", "new Sub(n)", "x", "[turn(1), turn(x)]", "(async function* () { for (const c of x) yield c; })()")
}
