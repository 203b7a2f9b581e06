package program

import (
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
	"karousosc/transpile/printer"
)

// What the bundler loses of `this` where it lowers `super` is put back.
func TestMendLowering(t *testing.T) {
	for src, want := range map[string]string{
		"class A extends B { async m() { return async () => super.m(); } }":                 `() => { "async"; return __async(this, null,`,
		"class A extends B { async m() { return async () => async () => super.m(); } }":     `() => { "async"; return __async(this, null, function* () { return () => { "async"; return __async(this, null,`,
		"class A extends B { static x = super.m(); }":                                       `__superGet(_A, _A, "m").call(_A)`,
		"class A extends B { static { super.m(1); } }":                                      `__superGet(_A, _A, "m").call(_A, 1)`,
		"class A extends B { async m() { return async () => (function () { this; })(); } }": `() => { "async"; return __async(null, null,`,
		"function* f() { yield* g; }":                                                       "function* f() { yield* g; }",
		"async function* f() { yield* g; function* h() { yield* i; } }":                     "yield* __yieldStar(g); function* h() { yield* i; }",
	} {
		prog, err := Parse(nodetest.Lower(t, src))
		if err != nil {
			t.Fatal(err)
		}
		p := printer.New(prog.Text, nil)
		p.Program(prog.AST)
		got := strings.Join(strings.Fields(string(p.Bytes())), " ")
		if !strings.Contains(got, want) {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}
