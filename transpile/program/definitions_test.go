package program

import (
	"strings"
	"testing"
)

// TestDefinitions: what shared state may refer to is noted where it is defined, and
// keeps its name.
func TestDefinitions(t *testing.T) {
	const head = "__karousos_loggable(0);"
	for _, c := range []struct{ in, want string }{
		// Classes, wherever they stand.
		{"class A {}", "class A {} $k.def(A);"},
		{"var A = class {};", `var A = $k.def(({A: class {}})["A"]);`},
		{"var A = class B {};", "var A = $k.def(class B {});"},
		{"x.A = class {};", "x.A = $k.def(class {});"},
		{"({'@@a/b': class {}});", `({'@@a/b': $k.def(({"@@a/b": class {}})["@@a/b"])});`},
		{"({A: class {}});", `({A: $k.def(({A: class {}})["A"])});`},
		{"() => { class A {} };", "() => {class A {} $k.def(A);};"},
		{"B => class extends B {};", "(B) => $k.def(class extends B {});"},
		{"f(class extends B {});", "f($k.def(class extends B {}));"},
		// Functions of code that runs once.
		{"function f() {}", "$k.defs(f);function f() {}"},
		{"x.f = function () {};", "x.f = $k.def(function () {});"},
		{"var f = () => 1;", `var f = $k.def(({f: () => 1})["f"]);`},
		{"function f() { return () => 1; }", "$k.defs(f);function f() {return () => 1;}"},
		{"(function () { function f() {} x.f = f; })();", "(function () {$k.defs(f);function f() {} x.f = f;})();"},
		{`var r = __commonJS({"a.js"(exports) { function f() {} exports.f = f; }});`, `var r = __commonJS({"a.js"(exports) {$k.defs(f);function f() {} exports.f = f;}});`},
		{"({m() {}, get g() {}});", "({m() {}, get g() {}});"},
		{"({['a' + b]: function () {}});", "({['a' + b]: function () {}});"},
		// Symbols and weak collections.
		{"var s = Symbol('s');", "var s = $k.def(Symbol('s'));"},
		{"var s = Symbol.for('s');", "var s = $k.def(Symbol.for('s'));"},
		{"() => Symbol('s');", "() => Symbol('s');"},
		{"() => new WeakMap();", "() => $k.weak(new WeakMap());"},
		{"new WeakSet([a]);", "$k.weak(new WeakSet([a]));"},
		{"(WeakMap) => new WeakMap();", "(WeakMap) => new WeakMap();"},
	} {
		got := strings.Replace(emitCommon(t, head+c.in, WithDefinitions()), "$k.loggable(0);", "", 1)
		if got = squash(got); got != squash(c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}
