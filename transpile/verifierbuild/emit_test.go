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
  const ops = { add: '+', sub: '-', mul: '*', div: '/', mod: '%', pow: '**', and: '&', or: '|', xor: '^', shl: '<<', sar: '>>', shr: '>>>',
    lt: '<', gt: '>', le: '<=', ge: '>=', eq: '==', ne: '!=', seq: '===', sne: '!==', in: 'in', inst: 'instanceof' };
  for (const k in ops) { g['$_' + k] = new Function('a', 'b', 'return a ' + ops[k] + ' b'); g['$_t' + k] = g['$_' + k]; }
  g.$_T = (x) => !!x; g.$_not = (x) => !x; g.$_neg = (x) => -x; g.$_pos = (x) => +x; g.$_bnot = (x) => ~x;
  g.$_typeof = (x) => typeof x;
  g.$_del = (o, k, strict) => { if (strict) { return Function('o', 'k', '"use strict"; return delete o[k]')(o, k); } return delete o[k]; };
  g.$_geti = (o, k) => o[k]; g.$_seti = (o, k, v) => o[k] = v; g.$_key = () => {}; g.$_len = (o) => o.length;
  g.$_fi = (o) => o; g.$_sw = (x) => x; g.$_c = () => {}; g.$_f = () => {}; g.$_und = () => {}; g.$_nl = (x) => x;
  g.$_tpl = (strings, ...values) => strings.reduce((s, t, i) => s + String(values[i - 1]) + t);
  g.$_sm = (o, k, ...a) => o[k](...a); g.$_ncall = (C, ...a) => C(...a); g.$_nnew = (C, ...a) => new C(...a);
  g.$_num = (x) => { let y = x; return y++; }; g.$_inc = (x) => { let y = x; return ++y; }; g.$_dec = (x) => { let y = x; return --y; };
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
