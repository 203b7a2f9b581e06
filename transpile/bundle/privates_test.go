package bundle

import (
	"os"
	"path/filepath"
	"testing"
)

const misused = `const t = (f) => { try { console.log(f()); } catch (e) { console.log(e.message) } };
class A { #p = 1; #p2 = 2; #m() { return 1; } get #g() { return 2; } set #s(v) {} static #sp = 3; static #sm() { return 4; } static get #sg() { return 5; }
  static get(o) { return o.#p; } static get2(o) { return o.#p2; } static set(o) { o.#p = 2; return 'set'; } static inc(o) { return ++o.#p; } static call(o) { return o.#m(); } static ref(o) { return typeof o.#m; } static got(o) { return o.#g; } static put(o) { o.#s = 1; return 'put'; } static has(o) { return #p in o; } static has2(o) { return #m in o; }
  static sp(o) { return o.#sp; } static sm(o) { return o.#sm(); } static sg(o) { return o.#sg; } static ssp(o) { o.#sp = 2; return 'ssp'; } static opt(o) { return o?.#p; } static deep(o) { return o.#p.x.y; } static add(o) { return o.#p += 1; } read() { return this.#p; } }
for (const k of ['get', 'get2', 'set', 'inc', 'call', 'ref', 'got', 'put', 'has', 'has2', 'sp', 'sm', 'sg', 'ssp', 'opt', 'add']) for (const o of [null, undefined, {}, 1, 'abc', new A(), A]) t(() => A[k](o));
const { read } = new A(); t(() => read());
const B = class { #m() {} static t(o) { o.#m(); } }; t(() => B.t({})); t(() => (class { #m() {} static t(o) { o.#m(); } }).t({}));
class R { constructor(o) { return o; } } class S extends R { #q = 1; #w() {} } const o = {}; new S(o); t(() => new S(o)); class U extends R { #w() {} } new U(o); t(() => new U(o));
`

// What is wrong with a private member is said as Node.js says it. (A bundle that is not lowered
// has other names for classes.)
func TestPrivateMembers(t *testing.T) {
	dir := t.TempDir()
	said := func(file, text string) string {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return node(t, path)
	}
	want, got := said("plain.js", misused), said("bundle.js", first(t, files{"main.js": misused}).Text)
	if got != want || len(want) < 5000 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
