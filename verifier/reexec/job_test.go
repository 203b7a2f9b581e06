package reexec

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// handlers is a request with n activations below its handler, each the child of the one before.
func handlers(rid uint64, n int) advice.Request {
	r := advice.Request{RID: rid, Acts: []advice.Act{{Parent: -1}}}
	for i := 0; i < n; i++ {
		r.Acts = append(r.Acts, advice.Act{Parent: int32(i), Op: int32(i + 1), Firing: int32(i)})
	}
	return r
}

// jobOf builds the whole job of some lanes and reads it back.
func jobOf(t *testing.T, a *advice.Life, lanes ...lane) map[string]json.RawMessage {
	t.Helper()
	return builtJob(t, a, true, lanes)
}

func builtJob(t *testing.T, a *advice.Life, whole bool, lanes []lane) map[string]json.RawMessage {
	t.Helper()
	tr := &trace.Trace{}
	for i := range a.Requests[1:] {
		tr.Exchanges = append(tr.Exchanges, trace.Exchange{RID: uint64(i + 1)})
	}
	l := newLife(a, 0)
	for q := range l.exchange {
		l.exchange[q] = int32(q - 1)
	}
	j := newBuilder(tr, l)
	j.whole = whole
	var m map[string]json.RawMessage
	for range 2 { // the tables must be clean after the first
		job := j.build(1, lanes, lanes[0] == 0, 1<<20)
		m = nil
		if err := json.Unmarshal(job, &m); err != nil {
			t.Fatalf("%v: %s", err, job)
		}
	}
	return m
}

func expectJob(t *testing.T, job map[string]json.RawMessage, want map[string]string) {
	t.Helper()
	for k, w := range want {
		if got := string(job[k]); got != w {
			t.Errorf("%s:\ngot  %s\nwant %s", k, got, w)
		}
	}
}

func TestJobValues(t *testing.T) {
	vs := []record.Value{
		{Kind: record.Undefined}, {Kind: record.Null}, record.Boolean(true), record.Boolean(false), record.Number(7), record.Number(-7), record.Number(0.5),
		record.Number(1e300), record.Number(math.NaN()), record.Number(math.Inf(1)), record.Number(math.Inf(-1)), record.Number(math.Copysign(0, -1)),
		record.Text("a\"b\\c\n\u2028é\xed\xa0\x80"), {Kind: record.BigInt, Str: "-12"}, {Kind: record.Date, Num: record.NumBits(5)}, {Kind: record.Date, Num: record.NumBits(math.NaN())},
		{Kind: record.RegExp, Str: "a+", Ext: &record.Ext{Text: "g", List: []record.Value{record.Number(3)}}},
		{Kind: record.Error, Str: "no", Ext: &record.Ext{Text: "TypeError"}}, record.RefTo(record.InitRef(2)), record.RefTo(0),
		{Kind: record.Fn, Num: 4}, {Kind: record.Absent}, {Kind: record.Hole}, record.ListOf(record.Number(1), record.ListOf()),
		{Kind: record.Bytes, Str: "\x00\xff", Ext: &record.Ext{Text: "Buffer"}}, record.DeltaFrom(0),
	}
	a := &advice.Life{Requests: []advice.Request{handlers(0, 0), handlers(1, 0)}, Objects: []advice.Object{{Req: 1, Kind: record.Array, Fields: []record.Field{}}}}
	for _, v := range vs {
		a.ND = append(a.ND, advice.ND{Req: 1, Type: "x", Value: v})
	}
	job := jobOf(t, a, 1)
	want := []string{`["u"]`, "null", "true", "false", "7", "-7", "0.5", "1e+300", `["n","NaN"]`, `["n","Infinity"]`, `["n","-Infinity"]`, `["n","-0"]`,
		`"a\"b\\c\n` + "\u2028" + `é\ud800"`, `["b","-12"]`, `["d",5]`, `["d",["n","NaN"]]`, `["x","a+","g",3]`, `["e","TypeError","no"]`, `["r",-3]`, `["r",0]`, `["f",4]`, `["z"]`, `["h"]`,
		`["A",[1,["A",[]]]]`, `["y","Buffer","AP8="]`, `["?"]`}
	expectJob(t, job, map[string]string{
		"nd":   `[[0,0,[["x",` + strings.Join(want, `],["x",`) + `]]]]`,
		"objs": `[[1,0,[]]]`,
		"o":    `[0,0,0,0,0]`,
	})
}

func TestJobEntries(t *testing.T) {
	a := &advice.Life{
		Requests:  []advice.Request{handlers(0, 0), handlers(1, 2), handlers(2, 0), handlers(3, 1)},
		Locations: []advice.Location{{Obj: record.InitRef(0), Key: record.Name("k")}, {Obj: 1, Key: record.Key{KeyKind: record.ShapeKey}}, {Obj: 1, Key: record.Key{KeyKind: record.ValueKey, Kind: record.RefValue, Num: 0}}},
		Objects: []advice.Object{
			{Req: 2, Op: 1, Kind: record.PlainObject, Fields: []record.Field{{Key: record.Name("f"), Value: record.RefTo(1)}}},
			{Req: 2, Op: 1, Index: 1, Kind: record.Map, Fields: []record.Field{{Key: record.Key{KeyKind: record.ValueKey, Kind: record.Int, Num: 5}, Value: record.Value{Kind: record.Hole}}}},
		},
		Writes: []advice.Write{
			{Req: 2, Op: 1, Loc: 0, Prev: -1, Value: record.RefTo(0)},
			{Req: 2, Op: 2, Loc: 0, Prev: 0, Value: record.Value{Kind: record.Absent}},
			{Req: 1, Act: 2, Op: 1, Loc: 0, Prev: 1, Value: record.Text("x")},
			{Req: 3, Act: 1, Op: 1, Loc: 2, Prev: -1, Value: record.Text("y")},
		},
		Reads: []advice.Read{{Req: 3, Act: 1, Write: 0}, {Req: 1, Act: 1, Write: 0}},
		ND: []advice.ND{
			{Req: 1, Act: 1, Type: "now", Value: record.Number(1)}, {Req: 1, Act: 2, Type: "now", Value: record.Number(2)}, {Req: 1, Act: 1, Type: "now", Value: record.Number(3)},
		},
	}
	expectJob(t, jobOf(t, a, 1, 3), map[string]string{
		"n": `2`, "init": `false`,
		// Lane 1's activation is not the first lane's second one: it has another name.
		"acts": `[[-1,0,0],[0,1,0],[1,2,1]]`,
		"r":    `[1,0,0,1,1,0]`,
		"w":    `[2,0,1,1,1,1,1,2]`,
		"nd":   `[[1,0,[["now",1],["now",3]]],[2,0,[["now",2]]]]`,
		// Of write 1 of the advice only matters that it left nothing; the read one comes with the objects it leads to.
		"writes": `[[0,-1,["r",0]],[0,3,"x"],[1,-1,"y"],[0,-1,["z"]]]`,
		"objs":   `[[0,0,[["f",["r",1]]]],[2,0,[[["#",5],["h"]]]]]`,
		"locs":   `[[-1,"k"],[1,["#",["r",0]]]]`,
	})
	a.ND = append(a.ND, advice.ND{Type: "now", Value: record.Number(4)})
	expectJob(t, jobOf(t, a, 0), map[string]string{"nd": `[[0,0,[["now",4]]]]`})
	a.Env = []advice.EnvVar{{Name: "PORT", Value: record.Text("1")}, {Name: "NOT", Value: record.Value{}}}
	expectJob(t, jobOf(t, a, 0), map[string]string{"init": `true`, "env": `{"PORT":"1","NOT":null}`, "acts": `[[-1,0,0]]`})
}

func TestJobLists(t *testing.T) {
	add := func(base int32, n float64) record.Value {
		return record.DeltaFrom(base, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Number(n)}})
	}
	a := &advice.Life{
		Requests:  []advice.Request{handlers(0, 0), handlers(1, 0), handlers(2, 0), handlers(3, 0), handlers(4, 0)},
		Locations: []advice.Location{{Obj: record.InitRef(0), Key: record.Key{KeyKind: record.AllKey}}},
		Writes: []advice.Write{
			{Req: 1, Op: 1, Prev: -1, Value: record.ListOf(record.Number(1))},
			{Req: 2, Op: 1, Prev: 0, Value: add(0, 2)},
			{Req: 3, Op: 1, Prev: 1, Value: add(1, 3)},
			{Req: 4, Op: 1, Prev: -1, Value: add(2, 4)},
		},
		Reads: []advice.Read{{Req: 1, Write: 2}},
	}
	// A lane that makes a change is told the change; what it changed comes as a chain.
	expectJob(t, jobOf(t, a, 3), map[string]string{"writes": `[[0,1,["D",1,[["add",3]]]],[0,-1,["D",2,[["add",2]]]],[0,-1,["A",[1]]]]`})
	// One that reads gets the list, and so does one whose entry is no single change of what it overwrote.
	expectJob(t, jobOf(t, a, 1), map[string]string{"writes": `[[0,-1,["A",[1,2,3]]],[0,-1,["A",[1]]]]`})
	expectJob(t, jobOf(t, a, 4), map[string]string{"writes": `[[0,-1,["A",[1,2,3,4]]]]`})
}

// TestJobLeavesOut: what builds upon a long list, or only leads to an object by way of many others, is told without.
func TestJobLeavesOut(t *testing.T) {
	var long []record.Value
	for i := range shortList + 1 {
		long = append(long, record.Number(float64(i)))
	}
	grow := func(base int32) record.Value {
		return record.DeltaFrom(base, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Text("a")}}, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Text("b")}})
	}
	a := &advice.Life{
		Requests:  []advice.Request{handlers(0, 0), handlers(1, 0), handlers(2, 0), handlers(3, 0)},
		Locations: []advice.Location{{Obj: record.InitRef(0), Key: record.Key{KeyKind: record.ShapeKey}}},
		Writes: []advice.Write{
			{Req: 1, Op: 1, Prev: -1, Value: record.ListOf(long...)},
			{Req: 2, Op: 1, Prev: 0, Value: grow(0)},
			{Req: 3, Op: 1, Prev: 1, Value: grow(1)},
		},
		Reads: []advice.Read{{Req: 3, Write: 1}},
	}
	changes := `[["add","a"],["add","b"]]`
	expectJob(t, builtJob(t, a, false, []lane{2}), map[string]string{"writes": `[[0,1,["D",1,` + changes + `]],[0,-1,["N",33]]]`})
	// Who reads what another lane made is told how long it is.
	expectJob(t, builtJob(t, a, false, []lane{2, 3}), map[string]string{"writes": `[[0,2,["D",2,` + changes + `,35]],[0,0,["D",0,` + changes + `]],[0,-1,["N",33]]]`})

	list := &advice.Life{
		Requests:  []advice.Request{handlers(0, 0), handlers(1, 0), handlers(2, 0)},
		Locations: []advice.Location{{Obj: record.InitRef(0), Key: record.Name("head")}},
	}
	const n = 2 * nearby
	for i := range int32(n) {
		list.Objects = append(list.Objects, advice.Object{Req: 1, Op: 1, Index: i, Kind: record.PlainObject, Fields: []record.Field{{Key: record.Name("next"), Value: record.RefTo(record.Ref(min(i+1, n-1)))}}})
	}
	list.Writes = []advice.Write{{Req: 1, Op: 1, Prev: -1, Value: record.RefTo(0)}}
	list.Reads = []advice.Read{{Req: 2, Write: 0}}
	for whole, want := range map[bool]int{false: nearby + 1, true: n} {
		if objs := string(builtJob(t, list, whole, []lane{2})["objs"]); strings.Count(objs, `"next"`) != want {
			t.Errorf("whole %t: %d objects, want %d", whole, strings.Count(objs, `"next"`), want)
		}
	}
}

func TestLongChainsAreCut(t *testing.T) {
	a := &advice.Life{Requests: []advice.Request{handlers(0, 0), handlers(1, 0)}, Locations: []advice.Location{{Obj: record.InitRef(0), Key: record.Key{KeyKind: record.AllKey}}}}
	a.Writes = append(a.Writes, advice.Write{Prev: -1, Value: record.ListOf()})
	const n = 3*maxDepth + 10
	for i := int32(0); i < n; i++ {
		req := int32(0)
		if i == n-1 {
			req = 1
		}
		a.Writes = append(a.Writes, advice.Write{Req: req, Op: 1, Prev: i, Value: record.DeltaFrom(i, record.DeltaOp{Kind: record.Splice, Start: 0, Del: min(i, 1), Values: []record.Value{record.Number(float64(i))}})})
	}
	job := string(jobOf(t, a, 1)["writes"])
	if c := strings.Count(job, `"D"`); c < maxDepth-2 || c > maxDepth+2 {
		t.Errorf("%d deltas", c)
	}
	if !strings.Contains(job, fmt.Sprintf(`["A",[%d]]`, n-maxDepth-1)) {
		t.Errorf("no list at the end of the chain: …%s", job[len(job)-100:])
	}
}

// What lists makes of deltas is what the format says, in whatever order versions are asked for.
func TestListsAgreeWithTheFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := &advice.Life{Requests: []advice.Request{handlers(0, 0)}, Locations: make([]advice.Location, 2)}
	length := map[int32]int{}
	for i := int32(0); i < 400; i++ {
		w := advice.Write{Loc: r.Int32N(2), Prev: -1}
		base := int32(-1)
		for k := i - 1; k >= 0 && base < 0; k-- {
			if a.Writes[k].Loc == w.Loc && r.IntN(3) > 0 {
				base = k
			}
		}
		if base < 0 || r.IntN(20) == 0 {
			w.Value = record.ListOf(record.Number(1), record.Number(2), record.Number(3))
		} else {
			n := length[base]
			start := r.IntN(n + 1)
			op := record.DeltaOp{Kind: record.Splice, Start: int32(start), Del: int32(r.IntN(n - start + 1)), Values: []record.Value{record.Number(float64(i)), record.Number(2)}[:r.IntN(3)]}
			switch r.IntN(5) {
			case 0:
				op = record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Number(2)}}
			case 1:
				op = record.DeltaOp{Kind: record.Remove, Values: []record.Value{record.Number(2)}}
			case 2:
				op = record.DeltaOp{Kind: record.Clear}
			}
			w.Value = record.DeltaFrom(base, op)
		}
		a.Writes = append(a.Writes, w)
		list, err := a.Contents(i)
		if err != nil {
			t.Fatal(err)
		}
		length[i] = len(list)
	}
	s := newLists(newLife(a, 0))
	for range 2000 {
		w := r.Int32N(400)
		want, _ := a.Contents(w)
		if got := s.at(w); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("write %d: %v, want %v", w, got, want)
		}
	}
}

func TestTextOfJobs(t *testing.T) {
	for _, s := range []string{"", "plain", "\x00\x1f\x7f\"\\/", "é€😀", "\xff\xfe", "a\xed\xa0\x80\xed\xb0\x80b", "\uFFFD", "cut \xf0\x9f\x98"} {
		var got string
		b := appendText(nil, s)
		if err := json.Unmarshal(b, &got); err != nil {
			t.Errorf("%q: %s: %v", s, b, err)
		}
		if p := (&scanner{s: string(b)}).str(); strings.ToValidUTF8(s, "\uFFFD") == s && (got != s || p != s) {
			t.Errorf("%q came back as %q and %q", s, got, p)
		}
		b = appendLatin(nil, s)
		if err := json.Unmarshal(b, &got); err != nil {
			t.Errorf("%q: %s: %v", s, b, err)
		}
		if r := []rune(got); len(r) != len(s) {
			t.Errorf("%q has %d characters as bytes, not %d", s, len(r), len(s))
		} else {
			for i := range r {
				if r[i] != rune(s[i]) {
					t.Errorf("%q: byte %d came back as %q", s, i, r[i])
				}
			}
		}
	}
}
