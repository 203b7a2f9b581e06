package verifierbuild_test

import "testing"

// Whatever can change an object that init left behind, in the language or among the engine's functions, tells the
// runtime so: else what requests share in it, and put back, would go unnoticed.
func TestTouches(t *testing.T) {
	type statement struct {
		Text    string `json:"text"`
		Emitted string `json:"emitted"`
	}
	var statements []statement
	for _, text := range []string{
		`o.a = 2;`, `o['a'] = 2;`, `o[k] = 2;`, `o.a += 1;`, `o[k] += 1;`, `o[k] *= 3;`, `o.a++;`, `--o.a;`, `o[k]++;`, `delete o.a;`, `delete o[k];`,
		`[o.a] = [2];`, `[o[k]] = [2];`, `[...o.a] = [2];`, `[o.a = 5] = [];`, `for (o.a of [2]);`, `for (o.a in { x: 1 });`, `for (o[k] of [2]);`,
		`o.a &&= 2;`, `o.b ||= 2;`, `o.b ??= 2;`, `o[k] &&= 2;`, `o.list.length = 0;`, `o.list[0] = 5;`, `o.list[0]++;`, `o.n.c = 2;`, `(o.n || o).c = 2;`, `o.n.c = o.a = 2;`,
		`((x = (o.a = 2)) => x)();`, `(function (x = o[k]++) {})();`, `(() => { 'use strict'; o.a = 2; delete o.b; })();`, `new (class { constructor() { o.a = 2; } })();`, `(function () { this.a = 2; }).call(o);`,
		`({ m() { super.a = 2; } }).m.call(o);`, `({ m() { super[k] = 2; } }).m.call(o);`, `o.list.push(1);`, `Object.assign(o, { z: 1 });`, `o.__proto__ = null;`,
		`(function* () { o.a = yield; })().next(); o.a = 2;`, `o.list.push.apply(o.list, [1]);`,
	} {
		statements = append(statements, statement{text, emit(t, text)})
	}
	var out struct {
		Functions, Changes int
		Silent             []string
	}
	node(t, "testdata/touches.js", map[string]any{"runtime": runtime(t) + stub, "statements": statements}, &out)
	for _, s := range out.Silent {
		t.Errorf("silent: %s", s)
	}
	if out.Functions < 300 || out.Changes < 500 {
		t.Errorf("only %d functions were tried, which changed something %d times", out.Functions, out.Changes)
	}
	t.Logf("%d functions and %d statements, %d changes", out.Functions, len(statements), out.Changes)
}
