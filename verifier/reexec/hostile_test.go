package reexec

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/order"
	"karousosc/verifier/reexec/fake"
	"karousosc/verifier/trace"
)

// anything makes a value such as no honest server would write, but the format allows.
func anything(r *rand.Rand, objects int32, depth int) record.Value {
	texts := []string{"", "x", "__proto__", "\x00", "é", "\xed\xa0\x80"}
	s := texts[r.IntN(len(texts))]
	switch k := record.Kind(r.IntN(int(record.Bytes) + 1)); k {
	case record.Int, record.Date, record.Double:
		return record.Value{Kind: k, Num: r.Int64()>>11 - 1<<40}
	case record.Bool:
		return record.Boolean(r.IntN(2) == 0)
	case record.RegExp:
		return record.Value{Kind: k, Str: s, Ext: &record.Ext{Text: s, List: []record.Value{record.Number(1)}}}
	case record.Error, record.Bytes:
		return record.Value{Kind: k, Str: s, Ext: &record.Ext{Text: s}}
	case record.RefValue:
		return record.RefTo(record.Ref(r.Int32N(objects+3) - 3))
	case record.List:
		var l []record.Value
		for range r.IntN(4) {
			if depth < 4 {
				l = append(l, anything(r, objects, depth+1))
			}
		}
		return record.ListOf(l...)
	case record.Delta:
		return record.Value{Kind: record.Null}
	default:
		return record.Value{Kind: k, Str: s, Num: int64(r.IntN(5))}
	}
}

func anyKey(r *rand.Rand, objects int32) record.Key {
	switch r.IntN(6) {
	case 0:
		return record.Key{KeyKind: record.ShapeKey}
	case 1:
		return record.Key{KeyKind: record.AllKey}
	}
	for {
		if k, ok := record.KeyOf(anything(r, objects, 9)); ok {
			return k
		}
	}
}

// hostile makes a life that obeys the format (every index is in range, what is referred to comes first) and nothing
// else.
func hostile(r *rand.Rand, requests int) *advice.Life {
	l := &advice.Life{Complete: true}
	for q := range requests + 1 {
		x := advice.Request{RID: uint64(q), Tag: r.Uint32N(3), HasTag: r.IntN(4) > 0, Acts: []advice.Act{{Parent: -1}}}
		for i := range r.Int32N(4) {
			x.Acts = append(x.Acts, advice.Act{Parent: r.Int32N(i + 1), Op: r.Int32N(3), Firing: r.Int32N(2)})
		}
		l.Requests = append(l.Requests, x)
	}
	const objects = 6
	someone := func() (q, a int32) {
		q = r.Int32N(int32(requests) + 1)
		return q, r.Int32N(int32(len(l.Requests[q].Acts)))
	}
	for range objects {
		q, a := someone()
		o := advice.Object{Req: q, Act: a, Op: r.Int32N(4), Index: r.Int32N(3), Kind: record.ObjectKind(r.IntN(5))}
		for range r.IntN(3) {
			o.Fields = append(o.Fields, advice.Field{Key: anyKey(r, objects), Value: anything(r, objects, 0)})
		}
		l.Objects = append(l.Objects, o)
	}
	for range 5 {
		l.Locations = append(l.Locations, advice.Location{Obj: record.Ref(r.Int32N(objects+2) - 2), Key: anyKey(r, objects)})
	}
	for i := range int32(30) {
		q, a := someone()
		w := advice.Write{Req: q, Act: a, Op: r.Int32N(4), Loc: r.Int32N(5), Prev: -1, Value: anything(r, objects, 0)}
		pick := func() int32 {
			if k := r.Int32N(i + 1); k < i && l.Writes[k].Loc == w.Loc {
				return k
			}
			return -1
		}
		w.Prev = pick()
		if base := pick(); base >= 0 {
			w.Value = record.DeltaFrom(base,
				record.DeltaOp{Kind: record.Splice, Start: r.Int32N(9), Del: r.Int32N(9), Values: []record.Value{anything(r, objects, 0)}},
				record.DeltaOp{Kind: record.DeltaKind(1 + r.IntN(3)), Values: []record.Value{anything(r, objects, 0)}})
		}
		l.Writes = append(l.Writes, w)
	}
	for range 10 {
		q, a := someone()
		l.Reads = append(l.Reads, advice.Read{Req: q, Act: a, Write: r.Int32N(30)})
		q, a = someone()
		l.ND = append(l.ND, advice.ND{Req: q, Act: a, Type: "x\"", Value: anything(r, objects, 0)})
	}
	return l
}

// Whatever advice says, jobs are JSON that only refers to what is in it, and the audit ends without a panic.
func TestHostileAdvice(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		n := 1 + r.IntN(5)
		l := hostile(r, n)
		s := &fake.Server{Trace: &trace.Trace{}, Life: l}
		for i := range n {
			x := trace.Exchange{RID: uint64(i + 1), HasResponse: true, Request: trace.Request{Method: "GET", Target: "/x"}}
			s.Trace.Exchanges = append(s.Trace.Exchanges, x)
			s.Trace.Events = append(s.Trace.Events, trace.Event{RID: x.RID, Exchange: int32(i), Kind: trace.RequestEvent}, trace.Event{RID: x.RID, Exchange: int32(i), Kind: trace.ResponseEvent})
		}
		li := newLife(l, 0)
		for q := range li.exchange {
			li.exchange[q] = int32(q - 1)
		}
		b := newBuilder(s.Trace, li)
		var lanes []lane
		for q := 1; q <= n; q++ {
			lanes = append(lanes, int32(q))
		}
		checkJob(t, b.build(1, lanes, false, 1<<20))
		checkJob(t, b.build(2, []lane{0}, true, 1<<20))
		res, err := New(s.Trace, s.Advice(), Options{Start: func(context.Context) (Engine, error) { return &fake.Engine{}, nil }}).Run(t.Context())
		if err == nil && res.History != nil {
			if _, err := order.Check(res.History); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkJob(t *testing.T, text []byte) {
	t.Helper()
	var j struct {
		N          int
		R, W, O    []int
		ND         [][3]any
		Acts       [][3]int
		Writes     [][3]any
		Objs, Locs []any
	}
	if err := json.Unmarshal(text, &j); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	in := func(what string, i, n int) {
		if i < 0 || i >= n {
			t.Fatalf("%s %d of %d in\n%s", what, i, n, text)
		}
	}
	for i := 0; i < len(j.R); i += 3 {
		in("activation", j.R[i], len(j.Acts))
		in("lane", j.R[i+1], j.N)
		in("write", j.R[i+2], len(j.Writes))
	}
	for i := 0; i < len(j.W); i += 4 {
		in("activation", j.W[i], len(j.Acts))
		in("lane", j.W[i+1], j.N)
		in("write", j.W[i+3], len(j.Writes))
	}
	for i := 0; i < len(j.O); i += 5 {
		in("activation", j.O[i], len(j.Acts))
		in("object", j.O[i+4], len(j.Objs))
	}
	for i, a := range j.Acts {
		in("parent", a[0]+1, i+1)
	}
	for _, w := range j.Writes {
		in("location", int(w[0].(float64)), len(j.Locs))
		in("predecessor", int(w[1].(float64))+1, len(j.Writes)+1)
	}
	var refs func(v any)
	refs = func(v any) {
		l, ok := v.([]any)
		if !ok {
			return
		}
		if len(l) == 2 && l[0] == "r" {
			in("object", max(int(l[1].(float64)), 0), max(len(j.Objs), 1))
		}
		if len(l) == 3 && l[0] == "D" {
			if base, ok := l[1].(float64); ok {
				in("base", int(base), len(j.Writes))
			}
		}
		for _, x := range l {
			refs(x)
		}
	}
	for _, w := range j.Writes {
		refs(w[2])
	}
	refs([]any{j.Objs, j.Locs})
	for _, nd := range j.ND {
		refs(nd[2])
	}
}
