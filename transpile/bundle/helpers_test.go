package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An async generator takes as many turns as the language says, however it is used.
func TestAsyncGeneratorTurns(t *testing.T) {
	const main = `
const log = [];
const show = (p, n) => p.then((v) => log.push(n + JSON.stringify(v)), (e) => log.push(n + '!' + e));
function* sync() { try { yield 's1'; yield 's2'; return 'sr'; } finally { log.push('closed'); } }
const generators = {
  async *plain() { log.push('in'); const got = yield 1; log.push('got' + got); yield Promise.resolve(2); return 3; },
  async *left() { try { yield 1; yield 2; } finally { log.push('f'); await null; log.push('ff'); } },
  async *over() { try { yield 1; } finally { return 'over'; } },
  async *star() { const r = yield* sync(); log.push('r' + r); yield* [1]; log.push('q' + (yield* generators.left())); },
  async *caught() { try { yield 1; } catch (e) { log.push('c' + e); yield Promise.reject('x').catch((x) => x); } throw 'end'; },
  async *refused() { try { yield Promise.reject('x'); } catch (e) { log.push('c' + e); yield 'after'; } },
  async *returns() { return Promise.reject('no'); },
  async *bare() { try { log.push('r' + (yield* counted(['next']))); } catch (e) { log.push('c' + e.name + (e.message === "The iterator does not provide a 'throw' method.")); } finally { log.push('f'); } },
  async *closing() { try { log.push('r' + (yield* counted(['next', 'return']))); } catch (e) { log.push('c' + e.name); } },
  async *full() { log.push('r' + (yield* counted(['next', 'return', 'throw']))); },
  async *odd() { log.push('r' + (yield* counted(['next'], Symbol.iterator))); },
  async *nothing() { try { yield* { [Symbol.asyncIterator]: () => ({ next: () => 5 }) }; } catch (e) { log.push(e.name + e.message); } },
  async *nobody() { try { yield* { [Symbol.asyncIterator]: () => 5 }; } catch (e) { log.push(e.name + e.message); } },
  async *noSync() { try { yield* { [Symbol.iterator]: () => 5 }; } catch (e) { log.push(e.name); } },
};
// counted tells of all that is asked of an iterator.
function counted(methods, symbol = Symbol.asyncIterator) {
  const it = { n: 0 };
  for (const m of methods) Object.defineProperty(it, m, { get() {
    log.push('get ' + m);
    return (...args) => {
      log.push(m + args.length + args);
      const n = ++it.n;
      return Object.create(null, { done: { get() { log.push('done'); return n > 2 || m === 'return'; } }, value: { get() { log.push('value'); return 'v' + n; } } });
    };
  } });
  return { [symbol]: () => (log.push('open'), it) };
}
const uses = {
  nexts(g) { for (const n of 'ABCDE') show(g.next(n), n); },
  return0(g) { show(g.return('r'), 'R'); show(g.next(), 'N'); },
  return1(g) { show(g.next(), 'A'); show(g.return(Promise.resolve('r')), 'R'); show(g.next(), 'N'); },
  async return2(g) { await g.next(); log.push('|'); show(g.return('r'), 'R'); show(g.return('q'), 'Q'); },
  returnRefused(g) { show(g.next(), 'A'); show(g.return(Promise.reject('r')), 'R'); show(g.next(), 'N'); },
  throw0(g) { show(g.throw('t'), 'T'); show(g.next(), 'N'); },
  throw1(g) { show(g.next(), 'A'); show(g.throw('t'), 'T'); show(g.next(), 'N'); show(g.throw('u'), 'U'); },
  async loop(g) { for await (const x of g) log.push('x' + x); log.push('end'); },
  async leave(g) { for await (const x of g) { log.push('x' + x); break; } log.push('end'); },
  async list() { for await (const x of [1, Promise.resolve(2), 3]) { log.push('x' + x); if (x === 2) break; } log.push('end'); },
  async sync() { for await (const x of sync()) { log.push('x' + x); break; } log.push('end'); },
  async counted() { for await (const x of counted(['next', 'return'])) { log.push('x' + x); break; } log.push('end'); for await (const x of counted(['next'], Symbol.iterator)) { log.push('x' + x); if (x === 'v2') break; } },
  async nothing() { for (const bad of [{ [Symbol.asyncIterator]: () => 5 }, { [Symbol.asyncIterator]: () => ({ next: () => 5 }) }, { [Symbol.iterator]: () => ({ next: () => 5 }) }]) try { for await (const x of bad) log.push('x' + x); } catch (e) { log.push(e.name + e.message); } },
};
(async () => {
  for (const [name, make] of Object.entries(generators)) for (const [use, f] of Object.entries(uses)) {
    log.length = 0;
    let stop = false;
    (async () => { for (let i = 0; i < 40 && !stop; i++) { await null; log.push(i); } })();
    Promise.resolve(f(make())).catch((e) => log.push('failed ' + e));
    await new Promise((r) => setTimeout(r, 2));
    stop = true;
    console.log(name, use, log.join(' '));
  }
})();
`
	b := sameBundled(t, main, 150)
	for name := range helpers {
		if name == "__objRest" || name == "__spreadValues" || strings.HasPrefix(name, "__private") {
			continue // the program has none of these
		}
		if !strings.Contains(b.Text, helpers[name]) {
			t.Errorf("%s is the bundler's", name)
		}
	}
}

// What a pattern leaves over is own, whatever its name, and of null there is nothing.
func TestObjectRest(t *testing.T) {
	b := sameBundled(t, `
const failing = (f) => { try { return f(); } catch (e) { return e.name; } };
const { a, ...r } = JSON.parse('{ "a": 1, "__proto__": { "x": 2 }, "b": 3 }');
console.log(Object.keys(r), Object.getPrototypeOf(r) === Object.prototype, r.x);
for (const v of [null, undefined, 5, 'ab', [1, 2], Object.create({ inherited: 1 }), { [Symbol('s')]: 1 }]) {
  let rest;
  console.log(failing(() => (({ ...rest } = v), rest)), failing(() => { const { ...q } = v; return q; }), failing(() => (({ ...q }) => q)(v)), failing(() => (({ x, ...q }) => q)(v)));
}
`, 8)
	if !strings.Contains(b.Text, helpers["__objRest"]) {
		t.Error("__objRest is the bundler's")
	}
}

// What is spread is asked for what the language asks for.
func TestSpread(t *testing.T) {
	b := sameBundled(t, `
const asked = (o) => {
  const log = [];
  return [new Proxy(o, new Proxy({}, { get: (_, trap) => (...args) => (log.push(trap + ' ' + String(args[1])), Reflect[trap](...args)) })), log];
};
for (const o of [{ a: 1, b: 2, [Symbol('s')]: 3 }, [1, 2], Object.create({ inherited: 1 }, { hidden: { value: 1 } }), JSON.parse('{ "__proto__": 1 }')]) {
  const [p, log] = asked(o);
  const q = { z: 0, ...p, z: 1 }, { a, ...r } = p;
  console.log(Reflect.ownKeys(q), Object.values(q), Reflect.ownKeys(r), log.join());
}
for (const v of [null, undefined, 5, 'ab', [1, , 2], true, Object.create({ inherited: 1 })]) console.log(Reflect.ownKeys({ ...v, x: 1 }));
`, 11)
	if !strings.Contains(b.Text, helpers["__spreadValues"]) {
		t.Error("__spreadValues is the bundler's")
	}
}

// sameBundled bundles a program, which must print what it prints by itself, in at
// least so many lines.
func sameBundled(t *testing.T, main string, least int) *Bundle {
	t.Helper()
	dir := app(t, files{"main.js": main})
	a, err := OpenApp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := First(a)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "bundle.js")
	if err := os.WriteFile(script, []byte(b.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	ours, theirs := strings.Split(node(t, script), "\n"), strings.Split(node(t, filepath.Join(dir, "main.js")), "\n")
	if len(ours) != len(theirs) || len(ours) < least {
		t.Fatalf("%d and %d lines", len(ours), len(theirs))
	}
	for i := range ours {
		if ours[i] != theirs[i] {
			t.Errorf("got  %s\nwant %s", ours[i], theirs[i])
		}
	}
	return b
}
