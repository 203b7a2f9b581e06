package advice_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"karousosc/verifier/advice"
)

// lines exports a life without its first line, which names the file.
func lines(t testing.TB, dir string) []string {
	t.Helper()
	var b bytes.Buffer
	if _, err := advice.Export(dir, &b, advice.Limits{}); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	return all[1:]
}

// Each value as the server's JavaScript has it, and as the export shows it.
var oddValues = []struct{ js, json string }{
	{`undefined`, `["u"]`},
	{`null`, `null`},
	{`true`, `true`},
	{`false`, `false`},
	{`0`, `0`},
	{`-0`, `["n","-0"]`},
	{`1`, `1`},
	{`-1`, `-1`},
	{`127`, `127`},
	{`128`, `128`},
	{`-128`, `-128`},
	{`2147483647`, `2147483647`},
	{`-2147483648`, `-2147483648`},
	{`2147483648`, `2147483648`},
	{`4294967296`, `4294967296`},
	{`-4294967297`, `-4294967297`},
	{`2**53-1`, `9007199254740991`},
	{`-(2**53-1)`, `-9007199254740991`},
	{`2**53`, `9007199254740992`},
	{`-(2**53)`, `-9007199254740992`},
	{`1e21`, `1e+21`},
	{`1.5`, `1.5`},
	{`-1e-7`, `-1e-07`},
	{`5e-324`, `5e-324`},
	{`1.7976931348623157e308`, `1.7976931348623157e+308`},
	{`NaN`, `["n","NaN"]`},
	{`Infinity`, `["n","Infinity"]`},
	{`-Infinity`, `["n","-Infinity"]`},
	{`0n`, `["b","0"]`},
	{`-12345678901234567890123n`, `["b","-12345678901234567890123"]`},
	{`2n**4096n`, ``},
	{`''`, `""`},
	{`'a'.repeat(15)`, `"aaaaaaaaaaaaaaa"`},
	{`'a'.repeat(16)`, `"aaaaaaaaaaaaaaaa"`},
	{`'é'.repeat(3)`, `"ééé"`},
	{`'a'.repeat(63)`, ``},
	{`'a'.repeat(64)`, ``},
	{`'a'.repeat(62) + 'é'`, ``},
	{`'é'.repeat(40)`, ``},
	{`'aaaaaaaaaaaaaaaaaaaaaé'`, `"aaaaaaaaaaaaaaaaaaaaaé"`},
	{`'日本語'`, `"日本語"`},
	{`'😀'`, `"😀"`},
	{`'\ud800'`, `"\ud800"`},
	{`'\udfff'`, `"\udfff"`},
	{`'a\udc00\ud800b'`, `"a\udc00\ud800b"`},
	{`'\ud800\ud83d\ude00\udc00'`, `"\ud800😀\udc00"`},
	{`'x'.repeat(100) + '\udbff'`, ``},
	{`'\u0000\n"\\\u007f\u2028'`, `"\u0000\n\"\\\u007f` + "\u2028" + `"`},
	{`'\ufffd'`, `"` + "\ufffd" + `"`},
	{`'__proto__'`, `"__proto__"`},
	{`new Ref(6)`, `["r",-4]`},
	{`new Ref(1)`, `["r",0]`},
	{`new Absent()`, `["z"]`},
	{`new Hole()`, `["h"]`},
	{`new FnRef(300)`, `["f",300]`},
	{`new DateV(1700000000123)`, `["d",1700000000123]`},
	{`new DateV(-1)`, `["d",-1]`},
	{`new DateV(NaN)`, `["d",null]`},
	{`new RegExpV('a/b', 'gi', 3)`, `["x","a/b","gi",3]`},
	{`new RegExpV('a', 'y', -1.5)`, `["x","a","y",-1.5]`},
	{`new ErrorV('TypeError', 'no \ud800')`, `["e","TypeError","no \ud800"]`},
	{`new BytesV('Buffer', Buffer.from([0, 255, 128]))`, `["y","Buffer","AP+A"]`},
	{`new BytesV('Uint8Array', Buffer.alloc(100))`, ``},
	{`new List([])`, `["A",[]]`},
	{`new List([1, 'x', new List([undefined, new Hole(), new List([])]), new Ref(1)])`, `["A",[1,"x",["A",[["u"],["h"],["A",[]]]],["r",0]]]`},
}

func TestEveryValueSurvives(t *testing.T) {
	dir := t.TempDir()
	var p strings.Builder
	p.WriteString(`const q = w.request(1); w.object(q, 0, 1, 0, 0, 0, []); const l = w.location(1, 'k'); const vs = [`)
	for _, v := range oddValues {
		p.WriteString(v.js + ",\n")
	}
	// What has no text above is compared with JSON.stringify.
	p.WriteString(`];
for (const v of vs) w.write(q, 0, 1, l, -1, v);
for (const v of vs) w.nd(q, 0, 'x', v);
w.close();
const plain = (v) => typeof v === 'bigint' ? '["b","' + v + '"]' : v instanceof BytesV ? '["y","' + v.type + '","' + Buffer.from(v.bytes).toString('base64') + '"]' : JSON.stringify(v);
console.log(vs.map(plain).join('\n'));`)
	fromNode := strings.Split(mustNode(t, dir, p.String()), "\n")
	got := lines(t, dir)[3:]
	for i, v := range oddValues {
		json := v.json
		if json == "" {
			json = fromNode[i]
		}
		for _, line := range []string{got[i], got[len(oddValues)+i]} {
			if value := line[strings.Index(line, `"value":`)+8 : len(line)-1]; value != json {
				t.Errorf("%s: got %.200s, want %.200s", v.js, value, json)
			}
		}
	}
	if end := got[2*len(oddValues)]; end != `{"end":true}` {
		t.Errorf("after the values: %s", end)
	}
	roundTrip(t, dir)
}

// roundTrip exports dir, imports it elsewhere, and exports it again.
func roundTrip(t testing.TB, dir string) {
	t.Helper()
	var first, second bytes.Buffer
	if _, err := advice.Export(dir, &first, advice.Limits{}); err != nil {
		t.Fatal(err)
	}
	again := t.TempDir()
	importInto(t, again, first.String())
	if _, err := advice.Export(again, &second, advice.Limits{}); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("export, import and export differ from export")
	}
}

func TestEveryRecordSurvives(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `
w.env('HOME', '/root'); w.env('NONE', undefined);
w.nd(0, 0, 'now', 1700000000000);
const l0 = w.location(4, 'config'), l1 = w.location(4, ['#', 5]), l2 = w.location(6, ['shape']), l3 = w.location(6, ['all']);
for (const k of [undefined, null, true, 1.5, -1, 10n, new Ref(4)]) w.location(4, ['#', k]);
const w0 = w.write(0, 0, 1, l0, -1, 'first');
const q1 = w.request(1), q3 = w.request(3), q2 = w.request(2);
const a1 = w.activation(q1, 0, 1, 0), a3 = w.activation(q3, 0, 1, 0), a11 = w.activation(q1, a1, 2, 7);
const init = w.activation(0, 0, 9, 1);
w.read(q3, 0, w0); w.read(q3, a3, w0); w.read(q1, a11, w0); w.read(q1, a1, w0); w.read(q1, 0, w0); w.read(0, init, w0);
const w1 = w.write(q1, a11, 3, l0, w0, 2), w2 = w.write(q2, 0, 1, l0, w1, 3), w3 = w.write(q3, a3, 1, l0, w0, 4);
w.nd(q2, 0, 'now', 1700000000005); w.nd(q2, 0, 'now', 1699999999990); w.nd(q2, 0, 'now', 1.5); w.nd(q1, a1, 'random', 0.25);
for (const tag of [[q1, 0xdeadbeef], [q2, 7], [q3, -559038737]]) w.tag(...tag);
w.chunks(q2, [65536, 1, 100000]); w.unauditable(q2, 'a socket is shared', 'app.js:1:2', false);
// Objects: plain, two that refer to one another, an array, a map with odd keys, a class, a set.
const o0 = w.object(q1, a1, 1, 0, 0, 0, [['name', 'x'], ['n', 1]]);
let inner;
const o1 = w.object(q1, a1, 1, 1, 0, 0, (o) => {
  inner = w.object(q1, a1, 1, 2, 0, 0, (i) => [['back', new Ref(2 * o + 1)], ['self', new Ref(2 * i + 1)]]);
  return [['name', 'y'], ['inner', new Ref(2 * inner + 1)]];
});
w.object(q1, a1, 1, 3, 1, 0, [[['#', 0], 'a'], [['#', 1], new Hole()]]);
w.object(q1, a1, 1, 4, 1, 0, [[['all'], new Hole()]]);
w.object(q1, a1, 1, 5, 2, 0, [['k', 1], [['#', 1], 2], [['#', new Ref(1)], 3], [['#', NaN], 4]]);
w.object(q1, a1, 1, 6, 4, 17, () => [['name', 'z']]);
w.object(q1, a1, 1, 7, 3, 0, [['k', true]]);
w.location(2 * inner + 1, 'name'); w.location(2 * inner + 1, 'other'); w.location(1, 'back');
const s0 = w.write(q1, 0, 1, l2, -1, new List(['a', 'b']));
const s1 = w.write(q2, 0, 1, l2, s0, new Delta(s0, [{ add: 'c' }, { remove: 'a' }]));
const s2 = w.write(q3, 0, 1, l2, s1, new Delta(s0, [{ clear: true }, { add: undefined }]));
const s3 = w.write(q3, 0, 2, l3, -1, new List([1, 2, 3]));
const s4 = w.write(q3, 0, 2, l3, s3, new Delta(s3, [{ start: 1, del: 2, items: [new List([]), 'x', 5] }, { start: 4, del: 0, items: [] }]));
w.close();`)
	want := `{"env":"HOME","value":"/root"}
{"env":"NONE","value":["u"]}
{"nd":"now","req":0,"act":0,"value":1700000000000}
{"location":0,"obj":-3,"key":"config"}
{"location":1,"obj":-3,"key":["#",5]}
{"location":2,"obj":-4,"key":["shape"]}
{"location":3,"obj":-4,"key":["all"]}
{"location":4,"obj":-3,"key":["#",["u"]]}
{"location":5,"obj":-3,"key":["#",null]}
{"location":6,"obj":-3,"key":["#",true]}
{"location":7,"obj":-3,"key":["#",1.5]}
{"location":8,"obj":-3,"key":["#",-1]}
{"location":9,"obj":-3,"key":["#",["b","10"]]}
{"location":10,"obj":-3,"key":["#",["r",-3]]}
{"write":0,"req":0,"act":0,"op":1,"loc":0,"prev":-1,"value":"first"}
{"request":1,"rid":1}
{"request":2,"rid":3}
{"request":3,"rid":2}
{"activation":1,"req":1,"parent":0,"op":1,"firing":0}
{"activation":1,"req":2,"parent":0,"op":1,"firing":0}
{"activation":2,"req":1,"parent":1,"op":2,"firing":7}
{"activation":1,"req":0,"parent":0,"op":9,"firing":1}
{"read":0,"req":2,"act":0}
{"read":0,"req":2,"act":1}
{"read":0,"req":1,"act":2}
{"read":0,"req":1,"act":1}
{"read":0,"req":1,"act":0}
{"read":0,"req":0,"act":1}
{"write":1,"req":1,"act":2,"op":3,"loc":0,"prev":0,"value":2}
{"write":2,"req":3,"act":0,"op":1,"loc":0,"prev":1,"value":3}
{"write":3,"req":2,"act":1,"op":1,"loc":0,"prev":0,"value":4}
{"nd":"now","req":3,"act":0,"value":1700000000005}
{"nd":"now","req":3,"act":0,"value":1699999999990}
{"nd":"now","req":3,"act":0,"value":1.5}
{"nd":"random","req":1,"act":1,"value":0.25}
{"tag":3735928559,"req":1}
{"tag":7,"req":3}
{"tag":3735928559,"req":2}
{"chunks":[65536,1,100000],"req":3}
{"unauditable":"a socket is shared","req":3,"where":"app.js:1:2"}
{"object":0,"req":1,"act":1,"op":1,"index":0,"kind":"object","class":0,"fields":[["name","x"],["n",1]]}
{"object":1,"req":1,"act":1,"op":1,"index":1,"kind":"object","class":0}
{"object":2,"req":1,"act":1,"op":1,"index":2,"kind":"object","class":0,"fields":[["back",["r",1]],["self",["r",2]]]}
{"of":1,"fields":[["name","y"],["inner",["r",2]]]}
{"object":3,"req":1,"act":1,"op":1,"index":3,"kind":"array","class":0,"fields":[[["#",0],"a"],[["#",1],["h"]]]}
{"object":4,"req":1,"act":1,"op":1,"index":4,"kind":"array","class":0,"fields":[[["all"],["h"]]]}
{"object":5,"req":1,"act":1,"op":1,"index":5,"kind":"map","class":0,"fields":[["k",1],[["#",1],2],[["#",["r",0]],3],[["#",["n","NaN"]],4]]}
{"object":6,"req":1,"act":1,"op":1,"index":6,"kind":"class","class":17,"fields":[["name","z"]]}
{"object":7,"req":1,"act":1,"op":1,"index":7,"kind":"set","class":0,"fields":[["k",true]]}
{"location":11,"obj":2,"key":"name"}
{"location":12,"obj":2,"key":"other"}
{"location":13,"obj":0,"key":"back"}
{"write":4,"req":1,"act":0,"op":1,"loc":2,"prev":-1,"value":["A",["a","b"]]}
{"write":5,"req":3,"act":0,"op":1,"loc":2,"prev":4,"value":["D",4,[["add","c"],["remove","a"]]]}
{"write":6,"req":2,"act":0,"op":1,"loc":2,"prev":5,"value":["D",4,[["clear"],["add",["u"]]]]}
{"write":7,"req":2,"act":0,"op":2,"loc":3,"prev":-1,"value":["A",[1,2,3]]}
{"write":8,"req":2,"act":0,"op":2,"loc":3,"prev":7,"value":["D",7,[["splice",1,2,[["A",[]],"x",5]],["splice",4,0,[]]]]}
{"end":true}`
	got := lines(t, dir)
	for i, line := range strings.Split(want, "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d: got  %s\nwant %s", i+1, append(got, "nothing")[i], line)
		}
	}
	roundTrip(t, dir)

	l := loadOne(t, dir)
	if l.BuildID != "c0ffee" || !l.Complete || len(l.Requests) != 4 || l.Requests[2].RID != 3 || l.Requests[3].Tag != 7 ||
		len(l.Unauditable) != 1 || l.Unauditable[0].Req != 3 || len(l.Requests[3].Chunks) != 3 {
		t.Errorf("%+v", l.Requests)
	}
	if acts := l.Requests[1].Acts; len(acts) != 3 || acts[0] != (advice.Act{Parent: -1}) || acts[2] != (advice.Act{Parent: 1, Op: 2, Firing: 7}) {
		t.Errorf("activations of the first request: %v", acts)
	}
	if o := l.Objects[1]; o.NoFields || len(o.Fields) != 2 {
		t.Errorf("%+v", o)
	}
	for w, want := range map[int32]string{5: `["A",["b","c"]]`, 6: `["A",[["u"]]]`, 8: `["A",[1,["A",[]],"x",5]]`} {
		c, err := l.Contents(w)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(list(c).AppendJSON(nil, renumber)); got != want {
			t.Errorf("contents after write %d: %s, want %s", w, got, want)
		}
	}
}

// Records that are larger than a block, or straddle two, and strings that a
// native call and the loop write.
func TestLargeRecords(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `
const q = w.request(1), l = w.location(0, 'k');
w.write(q, 0, 1, l, -1, 'x'.repeat(1 << 20));
for (let i = 0; i < 3000; i++) w.write(q, 0, 1, l, i, 'y'.repeat(i) + (i % 3 ? '' : 'é'));
w.write(q, 0, 2, l, -1, new List(Array.from({ length: 100000 }, (_, i) => 'element ' + i)));
w.write(q, 0, 2, l, -1, 'é'.repeat(600000));
w.write(q, 0, 2, l, -1, new BytesV('Buffer', Buffer.alloc(700000, 7)));
w.close();`)
	l := loadOne(t, dir)
	if len(l.Writes) != 3004 || !l.Complete {
		t.Fatalf("%d writes, %s", len(l.Writes), l.MissingNote)
	}
	if l.Writes[0].Value.Str != strings.Repeat("x", 1<<20) {
		t.Error("the first string differs")
	}
	for i := range 3000 {
		want := strings.Repeat("y", i)
		if i%3 == 0 {
			want += "é"
		}
		if l.Writes[1+i].Value.Str != want {
			t.Fatalf("string %d differs", i)
		}
	}
	if list := l.Writes[3001].Value.Ext.List; len(list) != 100000 || list[99999].Str != "element 99999" {
		t.Error("the list differs")
	}
	if l.Writes[3002].Value.Str != strings.Repeat("é", 600000) || l.Writes[3003].Value.Str != strings.Repeat("\x07", 700000) {
		t.Error("a large value differs")
	}
	roundTrip(t, dir)
}

// More names than the table holds.
func TestManyNames(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `
const q = w.request(1);
for (let i = 0; i < 10000; i++) w.object(q, 0, 1, i, 0, 0, [['field' + i % 5000, i], ['common', i]]);
for (let i = 0; i < 5000; i++) w.location(1, 'field' + i);
w.close();`)
	l := loadOne(t, dir)
	for i, o := range l.Objects {
		if want := "field" + itoa(i%5000); o.Fields[0].Key.Str != want || o.Fields[1].Key.Str != "common" {
			t.Fatalf("object %d: %+v", i, o.Fields)
		}
	}
	for i, loc := range l.Locations {
		if loc.Key.Str != "field"+itoa(i) {
			t.Fatalf("location %d: %+v", i, loc)
		}
	}
	roundTrip(t, dir)
}

func TestUnloggableValues(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `
const q = w.request(1), l = w.location(0, 'k');
w.write(q, 0, 1, l, -1, Symbol('s'));
w.write(q, 0, 2, l, -1, { an: 'object' });
let deep = new List([]); for (let i = 0; i < 1000; i++) deep = new List([deep]);
w.write(q, 0, 3, l, -1, deep);
w.close();`)
	l := loadOne(t, dir)
	if len(l.Writes) != 3 || len(l.Unauditable) != 3 || l.Unauditable[0].Req != 1 {
		t.Errorf("%+v", l.Unauditable)
	}
}

func TestProcessEnds(t *testing.T) {
	const entries = `const q = w.request(1), l = w.location(0, 'k'); let p = -1;
const some = (n) => { for (let i = 0; i < n; i++) p = w.write(q, 0, 1, l, p, 'value number ' + i); };
`
	for _, c := range []struct {
		name, program  string
		writes         int
		complete, fail bool
	}{
		{"close", `some(100000); w.close();`, 100000, true, false},
		{"nothing", `w.close();`, 0, true, false},
		{"close again", `some(10); w.close(); w.close();`, 10, true, false},
		{"go on after close", `some(10); w.close(); some(10); w.close();`, 20, true, false},
		{"go on after close for a while", `some(100000); w.close(); some(100000); setTimeout(() => { some(100000); w.close(); }, 300);`, 300000, true, false},
		{"go on after close, then die", `some(10); w.close(); some(10); process.kill(process.pid, 'SIGKILL');`, 10, false, true},
		{"go on after close, without closing again", `some(10); w.close(); some(10); w.sync();`, 20, false, false},
		{"exit handler", `process.on('exit', () => { some(100000); w.close(); }); some(200000);`, 300000, true, false},
		{"process.exit", `process.on('exit', () => w.close()); some(200000); process.exit(0);`, 200000, true, false},
		{"process.exit at once", `process.on('exit', () => w.close()); process.exit(0);`, 0, true, false},
		{"uncaught", `process.on('exit', () => w.close()); some(200000); throw new Error('x');`, 200000, true, true},
		{"SIGTERM", `process.on('SIGTERM', () => { w.close(); process.exit(0); }); some(200000); setTimeout(() => process.kill(process.pid, 'SIGTERM'), 20); setInterval(() => {}, 1e6);`, 200000, true, false},
		{"sync and go on", `for (let i = 0; i < 20; i++) { some(5000); w.sync(); } setTimeout(() => { some(50000); w.close(); }, 50);`, 150000, true, false},
		// When nothing more has come into the file for two seconds, the timer has done what it does.
		{"killed after the timer", `some(50000); let size = 0, same = 0;
setInterval(() => { const n = fs.readdirSync(process.argv[3]).reduce((n, f) => n + fs.statSync(process.argv[3] + '/' + f).size, 0); same = n === size ? same + 1 : 0; size = n; if (same === 20) process.kill(process.pid, 'SIGKILL'); }, 100);`, 50000, false, true},
		{"natural end without close", `some(10); w.sync();`, 10, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			_, stderr, err := node(t, dir, entries+c.program)
			if (err != nil) != c.fail {
				t.Fatalf("%v\n%s", err, stderr)
			}
			l := loadOne(t, dir)
			if len(l.Writes) != c.writes || l.Complete != c.complete {
				t.Errorf("%d writes, want %d; complete %v; %s", len(l.Writes), c.writes, l.Complete, l.MissingNote)
			}
			for i, w := range l.Writes {
				if int(w.Prev) != i-1 {
					t.Fatalf("write %d has predecessor %d", i, w.Prev)
				}
			}
		})
	}
}

// The server keeps serving when its advice cannot be written.
func TestUnwritable(t *testing.T) {
	for _, c := range []struct{ name, prepare, program string }{
		{"directory is a file", "file", ``},
		{"disk full", "", `
const real = fs.writeSync;
let left = 100000;
fs.writeSync = (fd, b, o, n, p) => { if ((left -= n) < 0) { const e = new Error('ENOSPC: no space left on device, write'); e.code = 'ENOSPC'; throw e; } return real(fd, b, o, n, p); };
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "advice")
			if c.prepare == "file" {
				if err := os.WriteFile(dir, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			// Without a worker the main thread writes, so that its fs can be broken.
			out, stderr, err := node(t, dir, c.program+`
w.file.worker = null; w.file.started = true;
const q = w.request(1), l = w.location(0, 'k');
for (let i = 0; i < 200000; i++) w.write(q, 0, 1, l, -1, 'value ' + i * 7919 % 1e6);
console.log(w.incomplete);
w.close();
console.log('still here');`)
			if err != nil || out != "true\nstill here\n" {
				t.Fatalf("%v %s %s", err, out, stderr)
			}
			if !regexp.MustCompile(`^karousos: the advice is incomplete, [^\n]*\n$`).MatchString(stderr) {
				t.Errorf("stderr: %q", stderr)
			}
			if c.prepare == "file" {
				return
			}
			l := loadOne(t, dir)
			if l.Complete || len(l.Writes) == 0 || !strings.Contains(l.MissingNote, "ENOSPC") && !strings.Contains(l.MissingNote, "end") {
				t.Errorf("complete %v, %d writes, %q", l.Complete, len(l.Writes), l.MissingNote)
			}
		})
	}
}

// A real disk that is full, written to by the worker: /dev/full refuses all writes.
func TestWorkerCannotWrite(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	out, stderr, err := node(t, t.TempDir(), `
const full = fs.openSync('/dev/full', 'w');
const { Worker } = require('worker_threads');
const state = new Int32Array(w.file.state.buffer);
const worker = new Worker(process.argv[2] + '/flush-worker.js', { workerData: { fd: full, shared: state.buffer } });
worker.on('message', (m) => w.file.fail(m));
worker.unref();
w.file.worker = worker; w.file.started = true;
const q = w.request(1), l = w.location(0, 'k');
for (let i = 0; i < 100000; i++) w.write(q, 0, 1, l, -1, 'value ' + i);
setTimeout(() => { console.log(w.incomplete); for (let i = 0; i < 100000; i++) w.write(q, 0, 1, l, -1, 'value ' + i); w.close(); }, 500);`)
	if err != nil || out != "true\n" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "ENOSPC") {
		t.Errorf("%v\nstdout %q\nstderr %q", err, out, stderr)
	}
}

// Two servers that start in the same millisecond, and one whose worker cannot start.
func TestLivesInOneDirectory(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `
Date.now = () => 1700000000000;
const w2 = new AdviceWriter(process.argv[3], 'c0ffee', process.argv[2] + '/flush-worker.js');
const w3 = new AdviceWriter(process.argv[3], 'c0ffee', '/nowhere/flush-worker.js');
const w4 = new AdviceWriter(process.argv[3], 'c0ffee', process.argv[2] + '/flush-worker.js');
w2.request(2); w3.request(3); w4.request(4);
setTimeout(() => { for (const x of [w, w2, w3, w4]) x.close(); }, 100);`)
	a, err := advice.Load(dir, advice.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var rids []uint64
	for _, l := range a.Lives {
		if !l.Complete {
			t.Errorf("%s: %s", l.File, l.MissingNote)
		}
		if len(l.Requests) > 1 {
			rids = append(rids, l.Requests[1].RID)
		}
	}
	if len(a.Lives) != 4 || len(rids) != 3 || rids[0] != 2 || rids[1] != 3 || rids[2] != 4 {
		t.Errorf("%d lives, requests %v", len(a.Lives), rids)
	}
	roundTrip(t, dir)
}
