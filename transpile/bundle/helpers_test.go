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
};
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
	if len(ours) != len(theirs) || len(ours) < 70 {
		t.Fatalf("%d and %d lines", len(ours), len(theirs))
	}
	for i := range ours {
		if ours[i] != theirs[i] {
			t.Errorf("got  %s\nwant %s", ours[i], theirs[i])
		}
	}
	for name := range helpers {
		if !strings.Contains(b.Text, helpers[name]) {
			t.Errorf("%s is the bundler's", name)
		}
	}
}
