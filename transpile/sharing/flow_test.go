package sharing

import (
	"testing"

	"karousosc/transpile/program"
)

// Objects that are copies of themselves, classes that extend what they make, and
// functions that hand each other on come to an end.
const circles = `
let o = { a: {} };
function f(x) { o = { ...x, ...o, f }; o.a.b = o; return f(g(o)); }
function g(x) { x.list = [x, ...x.list]; return x.list.map(f).concat(x).find(g) || new C(f, g); }
class A { make() { return new C(this.make, o); } }
class C extends A { constructor(...l) { super(...l); this.l = l; o.c = this; Object.assign(o, this, o); } }
setTimeout(f, 1, new C(f));
require('x').on('y', g);`

func find(t *testing.T) (int, bool) {
	t.Helper()
	p, err := program.Parse(circles, program.WithOrigin(func(int) (program.Position, bool) { return program.Position{File: "a.js", Line: 1, Column: 1}, true }))
	if err != nil {
		t.Fatal(err)
	}
	found, _, complete := Find(p)
	return len(found), complete
}

func TestCirclesEnd(t *testing.T) {
	if n, complete := find(t); n == 0 || !complete {
		t.Errorf("found %d, complete %v", n, complete)
	}
}

func TestBudget(t *testing.T) {
	defer func(n int) { budget = n }(budget)
	for _, n := range []int{0, 1, 10, 50} {
		budget = n
		if _, complete := find(t); complete {
			t.Errorf("complete after %d facts", n)
		}
	}
}
