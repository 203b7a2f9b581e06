package reexec

import (
	"slices"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/order"
	"karousosc/verifier/reexec/fake"
)

// good is the result of a group of two: each reads what write 1 of the job left, overwrites it twice in its second
// activation, and reads what it wrote.
func good() *result {
	return &result{
		start: []int32{0, 0, 1}, parents: []int32{0}, responds: 1, sent: -1, loaded: -1, keys: []string{"sk", `#["r",0]`},
		ops: slices.Concat(
			op(0, 0, 0, -1, 0, 0, 1, 0, 0, -1), op(1, 0, 0, -1, 0, 0, 1, 0, 0, -1),
			op(0, 1, 1, -1, 0, 1, 1, 0, 0, 1), op(0, 1, 1, -1, 0, 2, 2, 1, 1, -1), op(1, 1, 1, -1, 0, 1, 0, 0, 0, -1),
			op(0, 1, 0, 0, 1, 2, 0, 0, 0, -1), op(0, 1, 0, -1, 0, 2, 2, 1, 2, -1),
		),
	}
}

func op(fields ...int32) []int32 { return fields }

func collected2() *collector { return newCollector([]*life{newLife(sample(20).Life, 0)}) }

var jobTables = tables{writes: []jobWrite{{w: 2}, {w: 3}}, objs: []int32{5}}

func TestCollect(t *testing.T) {
	c := collected2()
	if err := c.add(0, []lane{1, 2}, false, jobTables, good()); err != nil {
		t.Fatal(err)
	}
	last := c.h.Reads[len(c.h.Reads)-1]
	if len(c.h.Reads) != 4 || len(c.h.Writes) != 3 || c.h.Reads[0].Src != order.FromLog(2) || c.h.Writes[0].Logged != 3 ||
		c.h.Writes[1].Prev != order.FromOwn(0) || c.h.Writes[2].Prev != order.Initial || last.Src != order.FromOwn(1) || last.Node != 1 || c.h.Reads[1].Node != 2 {
		t.Errorf("%+v %+v", c.h.Reads, c.h.Writes)
	}
	if loc, ok := c.lives[0].locs[locName{5, refKey(5)}]; !ok || c.h.Reads[2].Loc != loc {
		t.Errorf("the key that is object 5 of itself is location %d: %+v", loc, c.h.Reads[2])
	}
	if c.h.Shapes[0].Sent != 1 || !c.h.Shapes[0].InOrder {
		t.Errorf("%+v", c.h.Shapes[0])
	}
}

// Keys that come where none was: each is told with the shape of its object, however often it comes.
func TestCollectWhatWasLacking(t *testing.T) {
	c := collected2()
	r := good()
	r.keys = []string{"sk", "sl"}
	r.ops = slices.Concat(
		op(0, 0, 1, 0, 1, 1, 3, 0, 0, -1), op(0, 0, 1, -1, 1, 1, 3, 0, 0, -1), op(0, 0, 1, -1, 0, 2, 0, 0, 0, -1), op(1, 0, 1, 0, 1, 1, 3, 0, 0, -1),
	)
	if err := c.add(0, []lane{1, 2}, false, jobTables, r); err != nil {
		t.Fatal(err)
	}
	shape := func(obj int32) int32 { return c.lives[0].locs[locName{obj, shapeName}] }
	for i, want := range []int32{shape(5), shape(-1), -1, shape(5)} {
		w := c.h.Writes[i]
		got := int32(-1)
		if int(w.Loc) < len(c.h.Shape) {
			got = c.h.Shape[w.Loc]
		}
		if got != want || (w.Prev == order.Lacking) != (want >= 0) {
			t.Errorf("write %d: shape %d, want %d: %+v", i, got, want, w)
		}
	}
	if shape(5) == shape(-1) {
		t.Errorf("two objects have the shape %d", shape(5))
	}
}

// What the engine says comes from beside a program that may be hostile: nothing in it may be followed out of a table.
func TestResultsThatDoNotFit(t *testing.T) {
	first := func(field int, v int32) func(r *result) { return func(r *result) { r.ops[field] = v } }
	for name, c := range map[string]struct {
		spoil func(r *result)
		says  string
	}{
		"no activation":                    {func(r *result) { r.start, r.parents, r.responds, r.ops = []int32{0}, nil, -1, nil }, "0 activations"},
		"an answer in a later activation":  {func(r *result) { r.responds = 2 }, "names number 2"},
		"an answer sent after the last":    {func(r *result) { r.sent = 2 }, "names number 2"},
		"a first activation with a parent": {func(r *result) { r.start = []int32{0, 1, 1} }, "parents"},
		"an activation without a parent":   {func(r *result) { r.start = []int32{0, 0, 0} }, "parents"},
		"lane -1":                          {first(opLane, -1), "out of range"},
		"a lane too many":                  {first(opLane, 2), "out of range"},
		"activation -1":                    {first(opAct, -1), "out of range"},
		"an activation too many":           {first(opAct, 2), "out of range"},
		"key -1":                           {first(opKey, -1), "out of range"},
		"a key too many":                   {first(opKey, 2), "out of range"},
		"an object too many":               {first(opObj, 1), "object 1 of 1"},
		"a read of write -1":               {first(opSrcA, -1), "write -1 of 2"},
		"a read of a write too many":       {first(opSrcA, 2), "write 2 of 2"},
		"a source of another kind":         {first(opSrcKind, 4), "kind 4"},
		"a read of what was there last":    {first(opSrcKind, 3), "what was there last"},
		"a source of kind -1":              {first(opSrcKind, -1), "kind -1"},
		"a write logged as one too many":   {func(r *result) { r.ops[2*opFields+opLogged] = 2 }, "write 2 of 2"},
		"a write of its own by -1":         {func(r *result) { r.ops[3*opFields+opSrcA] = -1 }, "activation -1 of 2"},
		"a write of its own by another":    {func(r *result) { r.ops[3*opFields+opSrcA] = 2 }, "activation 2 of 2"},
		"a write of its own that is none":  {func(r *result) { r.ops[3*opFields+opSrcB] = 7 }, "does not have"},
		"another lane's write as its own":  {func(r *result) { r.ops[3*opFields+opLane] = 1 }, "does not have"},
		"a key that is an object too many": {func(r *result) { r.keys[1] = `#["r",1]` }, "the key"},
		"times of another number":          {func(r *result) { r.clocks = map[string][]int64{"now": {1, 2, 3}} }, "3 times for 2 requests"},
		"times of an activation too many":  {func(r *result) { r.clocks = map[string][]int64{"now": {2, 1, 1, 1, 1}} }, "activation 2 of 2"},
		"times of activation -1":           {func(r *result) { r.clocks = map[string][]int64{"now": {-1, 1, 1, 1, 1}} }, "activation -1 of 2"},
		"a key that is no object":          {func(r *result) { r.keys[1] = `#["r",x]` }, "the key"},
	} {
		r := good()
		c.spoil(r)
		if err := collected2().add(0, []lane{1, 2}, false, jobTables, r); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
	c := collected2()
	if err := c.add(0, []lane{1, 1}, false, jobTables, good()); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a request that is two lanes: %v", err)
	}
}

// What was found for one job is not found for the next.
func TestOwnWritesAreOfOneGroup(t *testing.T) {
	c := collected2()
	if err := c.add(0, []lane{1, 2}, false, jobTables, good()); err != nil {
		t.Fatal(err)
	}
	c.nodes = 0 // as if the next group's activations had the same numbers
	r := good()
	r.ops = r.ops[3*opFields:]
	if err := c.add(0, []lane{3, 4}, false, jobTables, r); err == nil {
		t.Error("a write of another group was taken")
	}
}

// timed re-executes requests, each alone, and says what the first turn of each was told by a clock.
func timed(t *testing.T, s *fake.Server, lives []*advice.Life, clock func(url string) []int64) []order.Reading {
	t.Helper()
	res, err := New(s.Trace, &advice.Advice{Lives: lives}, Options{MaxGroup: 1, Start: spoiling(func(j *fake.Job, out map[string]any) {
		if !j.Init && !j.Look {
			out["clocks"] = map[string]any{"now": append([]int64{0}, clock(string(j.Req.URL))...)}
		}
	})}).Run(t.Context())
	if err != nil || res.History == nil {
		t.Fatal(res, err)
	}
	return res.History.Readings
}

// What each turn was told by a clock is part of the history. Another life has another clock.
func TestClocks(t *testing.T) {
	s, second := fake.New(), fake.New()
	s.Serve("GET a")
	second.Trace = s.Trace
	second.Serve("GET b")
	second.Serve("GET c")
	times := map[string][]int64{`"/a"`: {10, 20}, `"/b"`: {5, 7}, `"/c"`: {-1, -1}}
	got := timed(t, s, []*advice.Life{s.Life, second.Life}, func(url string) []int64 { return times[url] })
	slices.SortFunc(got, func(a, b order.Reading) int { return int(b.First - a.First) })
	if len(got) != 2 || got[0].First != 10 || got[0].Last != 20 || got[1].First != 5 || got[1].Last != 7 || got[0].Clock == got[1].Clock || got[0].Node == got[1].Node {
		t.Errorf("%+v", got)
	}
}
