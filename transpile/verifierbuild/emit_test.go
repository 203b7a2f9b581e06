package verifierbuild_test

import (
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
	"karousosc/transpile/program"
	"karousosc/transpile/verifierbuild"
)

// oneLane has the helpers' meaning where there are no multivalues.
const oneLane = `
var $k = { T: Symbol('tracked'), np: (f) => new Promise(f), on: (o, m, ...a) => o[m](...a), require: (n) => { throw new Error(n); } };
{
  const g = globalThis;
  const ops = { add: '+', sub: '-', mul: '*', dv: '/', mod: '%', pow: '**', and: '&', or: '|', xor: '^', shl: '<<', sar: '>>', shr: '>>>',
    lt: '<', gt: '>', le: '<=', ge: '>=', eq: '==', ne: '!=', seq: '===', sne: '!==' };
  for (const k in ops) { g['$' + k] = new Function('a', 'b', 'return a ' + ops[k] + ' b'); g['$t_' + k] = g['$' + k]; }
  g.$T = (x) => !!x; g.$not = (x) => !x; g.$neg = (x) => -x; g.$pos = (x) => +x; g.$bnot = (x) => ~x;
  g.$typeof = (x) => typeof x;
  g.$in = g.$t_in = (k, o) => k in o; g.$inst = g.$t_inst = (x, C) => x instanceof C;
  g.$del = (o, k, strict) => { if (strict) { 'use strict'; return Function('o', 'k', '"use strict"; return delete o[k]')(o, k); } return delete o[k]; };
  g.$geti = (o, k) => o[k]; g.$seti = (o, k, v) => o[k] = v; g.$key = (k) => k; g.$len = (o, v) => v;
  g.$fi = (o) => o; g.$sw = (x) => x; g.$c = () => {}; g.$f = () => {}; g.$chkU = () => {};
  g.$tpl = (...strings) => (...values) => strings.reduce((s, t, i) => s + String(values[i - 1]) + t);
  g.$sm = (o, k, ...a) => o[k](...a); g.$ncall = (C, ...a) => C(...a); g.$new = (C, ...a) => new C(...a);
  g.$num = (x) => { let y = x; return y++; }; g.$inc = (x, d) => { let y = x; return d > 0 ? ++y : --y; };
  g.$land = (x, f) => x && f(); g.$lor = (x, f) => x || f(); g.$lnul = (x, f) => x ?? f(); g.$N_ = (x) => x == null;
  g.$pureQ = () => false;
}
`

func emit(t *testing.T, text string) string {
	t.Helper()
	prog, err := program.Parse(text, program.WithOrigin(func(int) (program.Position, bool) {
		return program.Position{File: "node_modules/p/index.js", Line: 1, Column: 1}, true
	}))
	if err != nil {
		t.Fatalf("%v", err)
	}
	out, maps, err := verifierbuild.Emit(prog, verifierbuild.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range maps {
		if m.Gen < 0 || m.Gen > len(out) || m.Src < 0 || m.Src > len(text) || i > 0 && m.Gen < maps[i-1].Gen {
			t.Fatalf("mapping %d of %d is out of place: %v", i, len(maps), m)
		}
	}
	return out
}

// Without multivalues an emitted program does what the program does.
func TestOneLane(t *testing.T) {
	var texts []string
	var programs []nodetest.Program
	for _, p := range nodetest.Corpus(t) {
		p.Text = nodetest.Lower(t, p.Text)
		programs = append(programs, p)
		texts = append(texts, p.Text, oneLane+emit(t, p.Text))
	}
	out := nodetest.Run(t, texts)
	for i, p := range programs {
		if out[2*i] != out[2*i+1] {
			t.Errorf("%s differs\nplain:\n%s\nemitted:\n%s\ntext:\n%s", p.Name, out[2*i], out[2*i+1], strings.TrimPrefix(texts[2*i+1], oneLane))
		}
	}
}

func TestBundles(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5", "catalog"} {
		t.Run(app, func(t *testing.T) {
			text := nodetest.Bundle(t, app, "server.js", "express")
			out := emit(t, text)
			t.Logf("%d bytes became %d", len(text), len(out))
			if _, err := program.Parse(out); err != nil {
				t.Error(err)
			}
		})
	}
}
