package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

// A story is an honest run that many tests change, each on a copy of its own.
type story struct {
	app   *app
	drive func(ctx context.Context, addr string) error

	once     sync.Once
	evidence scenario.Evidence
	err      error
}

func (s *story) honest(t *testing.T) scenario.Evidence {
	t.Helper()
	dist := s.app.build(t)
	s.once.Do(func() {
		var dir string
		if dir, s.err = os.MkdirTemp(workDir, "story-"); s.err != nil {
			return
		}
		var r *scenario.Recording
		if r, s.err = kit.Record(context.Background(), dist, dir, s.drive); s.err == nil {
			s.evidence = r.Evidence
		}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.evidence
}

// oneByOne is a story in which no request overlaps another.
func oneByOne(a *app, requests ...request) *story {
	return &story{app: a, drive: func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, 1, requests)
		return err
	}}
}

func post(date, message string, readable bool) request {
	return jsonBody("POST", "/post", fmt.Sprintf(`{"date":%q,"message":%q,"readable":%t}`, date, message, readable))
}

func getdate(date string) request {
	return jsonBody("POST", "/getdate", fmt.Sprintf(`{"date":%q}`, date))
}

// The requests of the board's story have the numbers of their lines, from 1.
func boardRequests() []request {
	return []request{
		post("A", "one", true),
		getdate("A"),
		post("A", "two", true),
		getdate("A"),
		getdate("B"), // 5: nothing there
		post("B", "b-one", true),
		getdate("B"),
		post("A", "three", true),
		getdate("A"),
		jsonBody("POST", "/post", `{"date":5}`), // 10: refused
		get("/nowhere"),
		post("C", "hidden", false),
		getdate("C"), // 13: not shown
		post("D", "d-one", true),
		post("D", "d-two", true),
		getdate("D"), // 16
		getdate("B"),
		post("E", "e", true),
	}
}

var (
	board5     = oneByOne(motd5, boardRequests()...)
	boardTS    = oneByOne(motdTS, boardRequests()...)
	board      = oneByOne(motd, boardRequests()...)
	chances    = oneByOne(pages, get("/chance"), get("/pages/home"))
	flags      = oneByOne(figures, get("/flag?on=1"), get("/flag"), get("/set?x=5"), get("/set?x=6"))
	sides      = oneByOne(figures, get("/left"), get("/right"))
	difference = &story{app: figures, drive: func(ctx context.Context, addr string) error {
		// The second request comes while the first is at its first await.
		done := make(chan error, 1)
		go func() {
			_, err := drive(ctx, addr, 1, []request{get("/difference?ms=100")})
			done <- err
		}()
		time.Sleep(50 * time.Millisecond)
		if _, err := drive(ctx, addr, 1, []request{get("/set?x=9")}); err != nil {
			return err
		}
		return <-done
	}}
)

func life(t *testing.T, e *forge.Evidence) *forge.Life {
	t.Helper()
	if len(e.Lives) != 1 {
		t.Fatalf("the advice has %d lives", len(e.Lives))
	}
	return e.Lives[0]
}

// some fails the test if what the forger looks for is not in the advice.
func some(t *testing.T, what string, r *forge.Record) *forge.Record {
	t.Helper()
	if r == nil {
		t.Fatalf("the honest advice holds no %s", what)
	}
	return r
}

func read(t *testing.T, l *forge.Life, rid uint64, key string) *forge.Record {
	t.Helper()
	rs := l.ReadsOf(rid, key)
	if len(rs) == 0 {
		t.Fatalf("the honest advice holds no read of %q by request %d", key, rid)
	}
	return rs[0]
}

func write(t *testing.T, l *forge.Life, rid uint64, key string) *forge.Record {
	t.Helper()
	return some(t, fmt.Sprintf("write to %q by request %d", key, rid), l.WriteTo(rid, key))
}

// An attack is one change of an honest run, and the rule that must find it.
type attack struct {
	name   string
	rules  string
	change func(t *testing.T, e *forge.Evidence)
}

func (s *story) attack(t *testing.T, attacks ...attack) {
	t.Helper()
	honest := s.honest(t)
	mustAccept(t, honest)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			lie := lieOf(t, honest, func(e *forge.Evidence) { a.change(t, e) })
			v := verify(t, lie)
			mustReject(t, v, a.rules)
			t.Log(v.Text())
			// A forger may also say that groups do not do, so that nobody looks at the logs. That must not help.
			if !sameTrace(t, honest, lie) {
				mustNotAccept(t, verify(t, lie, "--workers", "1", "--together"))
			}
		})
	}
}

// sameTrace tells whether the clients were told the same.
func sameTrace(t *testing.T, a, b scenario.Evidence) bool {
	t.Helper()
	var texts [2][]byte
	for i, e := range []scenario.Evidence{a, b} {
		x, err := trace.Load(e.Trace, trace.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = fmt.Appendf(nil, "%v %v", x.Exchanges, x.Events)
	}
	return bytes.Equal(texts[0], texts[1])
}

func header(x *trace.Exchange, name string) *trace.Header {
	x.Response.Headers = slices.Clone(x.Response.Headers)
	for i := range x.Response.Headers {
		if h := &x.Response.Headers[i]; strings.EqualFold(h.Name, name) {
			return h
		}
	}
	return nil
}

var traceAttacks = []attack{
	{"a changed reason phrase", "R-response", func(t *testing.T, e *forge.Evidence) { e.Exchange(2).Response.Reason = "Fine" }},
	{"a changed status", "R-response", func(t *testing.T, e *forge.Evidence) { e.Exchange(2).Response.Status = 201 }},
	{"a changed header", "R-response", func(t *testing.T, e *forge.Evidence) {
		header(e.Exchange(2), "content-type").Value = "text/plain; charset=latin1"
	}},
	{"an added header", "R-response", func(t *testing.T, e *forge.Evidence) {
		x := e.Exchange(2)
		x.Response.Headers = append(slices.Clone(x.Response.Headers), trace.Header{Name: "X-Extra", Value: "1"})
	}},
	{"a header twice", "R-response", func(t *testing.T, e *forge.Evidence) {
		x := e.Exchange(2)
		x.Response.Headers = append(slices.Clone(x.Response.Headers), *header(x, "etag"))
	}},
	{"a removed header", "R-response", func(t *testing.T, e *forge.Evidence) {
		x := e.Exchange(2)
		x.Response.Headers = slices.DeleteFunc(slices.Clone(x.Response.Headers), func(h trace.Header) bool { return strings.EqualFold(h.Name, "etag") })
	}},
	{"a changed body byte", "R-response", func(t *testing.T, e *forge.Evidence) { forge.FlipByte(e.Exchange(4)) }},
	{"a shortened body", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(4, "A: tw") }},
	{"an emptied body", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(4, "") }},
	{"swapped responses", "R-response", func(t *testing.T, e *forge.Evidence) {
		x, y := e.Exchange(2), e.Exchange(4)
		x.Response, y.Response = y.Response, x.Response
	}},
	{"a missing response", "A8", func(t *testing.T, e *forge.Evidence) {
		x := e.Exchange(17)
		x.HasResponse, x.Response = false, trace.Response{}
		e.Trace.Events = slices.DeleteFunc(e.Trace.Events, func(v trace.Event) bool { return v.RID == 17 && v.Kind == trace.ResponseEvent })
	}},
	{"a request that the server says nothing of", "A2", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.Of(11, record.Tag)...)
		for _, q := range l.All(record.Request) {
			if q.RID == 11 {
				l.Drop(q)
			}
		}
	}},
	{"a request that the server has twice", "A2", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		q := l.All(record.Request)[10]
		l.InsertAfter(q, q.Record)
	}},
	{"a request that nobody sent", "A1", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		last := l.All(record.Request)[len(l.All(record.Request))-1]
		l.InsertAfter(last, advice.Record{Op: record.Request, RID: 99})
	}},
	{"a request answered by another route's handler", "R-response R-leftover R-unlogged", func(t *testing.T, e *forge.Evidence) {
		e.Exchange(4).Request.Target = "/post"
	}},
	{"a response of another route", "R-response", func(t *testing.T, e *forge.Evidence) {
		e.Exchange(4).Response = e.Exchange(3).Response
	}},
	{"another request body", "R-response R-leftover R-value R-object R-unlogged", func(t *testing.T, e *forge.Evidence) {
		x := e.Exchange(6)
		x.Request.Body = []byte(strings.Replace(string(x.Request.Body), "b-one", "b-two", 1))
	}},
}

// Family: the trace.
func TestTraceAttacks(t *testing.T) { board.attack(t, traceAttacks...) }

// A doubled response cannot even be written down: what is no trace is no evidence.
func TestDoubledResponseIsNoTrace(t *testing.T) {
	t.Parallel()
	honest := board.honest(t)
	dir := t.TempDir()
	lines, _, u, err := kit.Run(t.Context(), "trace", "export", honest.Trace)
	if err != nil || u.Code != 0 {
		t.Fatal(u.Code, err)
	}
	all := strings.SplitAfter(lines, "\n")
	for i, line := range all {
		if strings.Contains(line, `"response"`) {
			all = slices.Insert(all, i+1, line)
			break
		}
	}
	file := filepath.Join(dir, "twice.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(all, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, u, err := kit.Run(t.Context(), "trace", "import", file, filepath.Join(dir, "twice.ktrace"))
	if err != nil || u.Code != 2 || !strings.Contains(stderr, "twice") && !strings.Contains(stderr, "already") {
		t.Errorf("exit status %d: %s", u.Code, stderr)
	}
}

// Family: grouping. Tags are hints.
func TestTagsNeverChangeAVerdict(t *testing.T) {
	honest := board.honest(t)
	tags := func(l *forge.Life, tag func(i int) uint32) {
		for i, r := range l.All(record.Tag) {
			r.Tag = tag(i)
		}
	}
	changes := []struct {
		name   string
		change func(l *forge.Life)
	}{
		{"one tag for all", func(l *forge.Life) { tags(l, func(int) uint32 { return 7 }) }},
		{"a tag for each", func(l *forge.Life) { tags(l, func(i int) uint32 { return uint32(i) }) }},
		{"two tags, mixed", func(l *forge.Life) { tags(l, func(i int) uint32 { return uint32(i * i % 3) }) }},
		{"no tags", func(l *forge.Life) { l.Drop(l.All(record.Tag)...) }},
	}
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := forged(t, honest, func(e *forge.Evidence) { c.change(life(t, e)) })
			if v.Outcome != verdict.Accept {
				t.Errorf("an honest run with other tags was not accepted:\n%s", v.Text())
			}
			// A lie stays one, whoever shares the group.
			v = forged(t, honest, func(e *forge.Evidence) {
				c.change(life(t, e))
				e.Answer(5, "B: b-one")
			})
			mustReject(t, v, "R-response")
			if v.RID != 5 {
				t.Errorf("the reject is about request %d", v.RID)
			}
		})
	}
}

// A divergence that a wrong tag hides: request 5 finds nothing where its group
// finds a message, and it was answered as if it had found one.
func TestDivergenceHiddenByATag(t *testing.T) {
	board.attack(t,
		attack{"absent among present", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, rid := range []uint64{2, 4, 5, 7, 9} {
				l.Of(rid, record.Tag)[0].Tag = 1
			}
			e.Answer(5, "B: two")
		}},
		attack{"hidden among shown", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, rid := range []uint64{2, 4, 13, 7, 9} {
				l.Of(rid, record.Tag)[0].Tag = 1
			}
			e.Answer(13, "C: hidden")
		}},
		attack{"refused among accepted", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, rid := range []uint64{1, 3, 10, 8} {
				l.Of(rid, record.Tag)[0].Tag = 1
			}
			x := e.Exchange(10)
			x.Response = e.Exchange(1).Response
		}},
	)
}

// forgeField changes one field of the object that a write published.
func forgeField(t *testing.T, l *forge.Life, w *forge.Record, field string, v record.Value) {
	t.Helper()
	id := w.Value.Ref()
	for _, r := range l.Records {
		if r.Op == record.Object && record.Ref(r.ID) == id || r.Op == record.Fields && r.Obj == id {
			for i := range r.Fields {
				if r.Fields[i].Key == record.Name(field) {
					r.Fields[i].Value = v
					return
				}
			}
		}
	}
	t.Fatalf("the object that was written has no field %s", field)
}

// variableAttacks are lies about what was read and written. clock records the time
// in the turn of a read, for apps that ask for it when they find nothing.
func variableAttacks(clock func(l *forge.Life, r *forge.Record)) []attack {
	return []attack{
		{"a forged string", "R-value R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			forgeField(t, l, write(t, l, 6, "B"), "message", record.Text("b-two"))
			e.Answer(7, "B: b-two")
			e.Answer(17, "B: b-two")
		}},
		{"a forged boolean", "R-value R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			forgeField(t, l, write(t, l, 12, "C"), "readable", record.Boolean(true))
			l.Drop(l.Of(13, record.Recorded)...) // what day it is, is no longer asked
			l.Tidy()
			e.Answer(13, "C: hidden")
		}},
		{"a boolean forged into a number", "R-value R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			forgeField(t, l, write(t, l, 12, "C"), "readable", record.Number(1))
			l.Drop(l.Of(13, record.Recorded)...) // what day it is, is no longer asked
			l.Tidy()
			e.Answer(13, "C: hidden")
		}},
		{"an object forged into undefined", "R-value R-object R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, 6, "B").Value = record.Value{Kind: record.Undefined}
			clock(l, read(t, l, 7, "B"))
			clock(l, read(t, l, 17, "B"))
			l.Tidy()
			e.Answer(7, "No message for B")
			e.Answer(17, "No message for B")
		}},
		{"an object forged into another one", "R-value R-object R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, 6, "B").Value = write(t, l, 1, "A").Value
			l.Tidy()
			e.Answer(7, "B: one")
			e.Answer(17, "B: one")
		}},
		{"a read of a write that never happened", "R1 R-leftover R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			last := write(t, l, 8, "A")
			w := l.InsertAfter(last, advice.Record{Op: record.Write, Req: last.Req, Act: last.Act, OpNum: last.OpNum + 1, Loc: last.Loc, Prev: last.ID, Value: write(t, l, 1, "A").Value})
			read(t, l, 9, "A").Write = w.ID
			e.Answer(9, "A: one")
		}},
		{"a read of a write by a request that writes nothing", "R1 R-leftover R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			last := write(t, l, 8, "A")
			q := l.Of(10, record.Tag)[0]
			w := l.InsertAfter(last, advice.Record{Op: record.Write, Req: q.Req, OpNum: 1, Loc: last.Loc, Prev: last.ID, Value: write(t, l, 1, "A").Value})
			i := slices.IndexFunc(l.Records, func(r *forge.Record) bool { return r.Op == record.Request && r.ID == q.Req })
			l.MoveAfter(l.Records[i], l.Records[0])
			reorderRequests(l)
			read(t, l, 9, "A").Write = w.ID
			e.Answer(9, "A: one")
		}},
		{"a read from the future", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r, w := read(t, l, 2, "A"), write(t, l, 8, "A")
			l.MoveAfter(r, w)
			r.Write = w.ID
			e.Answer(2, "A: three")
		}},
		{"a stale read after an acknowledged write", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			read(t, l, 9, "A").Write = write(t, l, 3, "A").ID
			e.Answer(9, "A: two")
		}},
		{"a stale read, long after", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			read(t, l, 9, "A").Write = write(t, l, 1, "A").ID
			e.Answer(9, "A: one")
		}},
		{"a lost write: it is said to have come first", "R8", func(t *testing.T, e *forge.Evidence) {
			// The chain one, two, three becomes one, three, two.
			l := life(t, e)
			two, three := write(t, l, 3, "A"), write(t, l, 8, "A")
			r4, r9 := read(t, l, 4, "A"), read(t, l, 9, "A")
			l.MoveAfter(two, three)
			l.MoveAfter(r4, two)
			three.Prev, two.Prev = two.Prev, three.ID
			r9.Write = two.ID
			e.Answer(9, "A: two")
		}},
		{"conflicting writes left out, a third request reads stale", "R3 R4 R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			clock(l, read(t, l, 16, "D"))
			l.Drop(write(t, l, 14, "D"), write(t, l, 15, "D"), read(t, l, 16, "D"))
			l.Tidy()
			e.Answer(16, "No message for D")
		}},
		{"conflicting writes left out, while all requests overlap", "R3 R4", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			clock(l, read(t, l, 16, "D"))
			l.Drop(write(t, l, 14, "D"), write(t, l, 15, "D"), read(t, l, 16, "D"))
			l.Tidy()
			e.Overlap()
			e.Answer(16, "No message for D")
		}},
		{"one of two writes left out, while all requests overlap", "R3 R4", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			first, second := write(t, l, 14, "D"), write(t, l, 15, "D")
			read(t, l, 16, "D").Write = first.ID
			l.Drop(second)
			l.Tidy()
			e.Overlap()
			e.Answer(16, "D: d-one")
		}},
		{"absence claimed for a key that was written", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			clock(l, read(t, l, 7, "B"))
			l.Drop(read(t, l, 7, "B"))
			l.Tidy()
			e.Answer(7, "No message for B")
		}},
		{"two overwriters", "R3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, 8, "A").Prev = write(t, l, 1, "A").ID
		}},
		{"two overwriters of the first version", "R3 R4", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, 8, "A").Prev = -1
		}},
		{"a dropped read", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			clock(l, read(t, l, 4, "A"))
			l.Drop(read(t, l, 4, "A"))
			l.Tidy()
		}},
		{"a doubled read", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 4, "A")
			l.InsertAfter(r, r.Record)
		}},
		{"a doubled write", "R1 R3 R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			w := write(t, l, 8, "A")
			l.InsertAfter(w, w.Record)
		}},
		{"a write at another operation", "R-leftover R1 R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, 8, "A").OpNum++
		}},
		{"swapped values of two writes", "R-value R-object", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			a, b := write(t, l, 1, "A"), write(t, l, 3, "A")
			forgeField(t, l, a, "message", record.Text("two"))
			forgeField(t, l, b, "message", record.Text("one"))
			e.Answer(2, "A: two")
			e.Answer(4, "A: one")
		}},
		{"a read entry of a request that reads nothing", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			q := l.Of(10, record.Tag)[0]
			l.InsertAfter(q, advice.Record{Op: record.Read, Req: q.Req, Write: write(t, l, 8, "A").ID})
		}},
		{"an entry of an activation that never runs", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 9, "A")
			act := l.InsertAfter(r, advice.Record{Op: record.Activation, Req: r.Req, Act: r.Act, OpNum: 77})
			l.InsertAfter(act, advice.Record{Op: record.Read, Req: r.Req, Act: act.ID, Write: r.Write})
		}},
		{"a turn that never came", "R-leftover R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 9, "A")
			act := l.InsertAfter(r, advice.Record{Op: record.Activation, Req: r.Req, Act: r.Act, OpNum: 77})
			l.InsertAfter(act, advice.Record{Op: record.Turn, Req: r.Req, Act: act.ID})
		}},
		{"an object that is never made", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 9, "A")
			l.InsertAfter(r, advice.Record{Op: record.Object, Req: r.Req, Act: r.Act, OpNum: 77})
		}},
		{"an activation without entries", "A3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := read(t, l, 9, "A")
			l.InsertAfter(r, advice.Record{Op: record.Activation, Req: r.Req, Act: r.Act, OpNum: 77})
		}},
		{"a location that nobody wrote", "A4", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.InsertAfter(l.All(record.Location)[0], advice.Record{Op: record.Location, Obj: record.InitRef(0), Key: record.Name("never")})
		}},
		{"a location twice", "R3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			w := write(t, l, 8, "A")
			loc := l.Get(record.Location, w.Loc)
			w.Loc, w.Prev = l.InsertAfter(loc, loc.Record).ID, -1
		}},
	}
}

// reorderRequests sorts the records so that requests come first: numbers follow.
func reorderRequests(l *forge.Life) {
	slices.SortStableFunc(l.Records, func(a, b *forge.Record) int {
		rank := func(r *forge.Record) int {
			if r.Op == record.Request {
				return 0
			}
			return 1
		}
		return rank(a) - rank(b)
	})
}

// Family: variable logs.
func TestVariableAttacks(t *testing.T) { board.attack(t, variableAttacks(noClock)...) }

func noClock(*forge.Life, *forge.Record) {}

func askTheTime(l *forge.Life, r *forge.Record) {
	// As late as it had become: clocks do not run backwards.
	now := record.Number(1_700_000_000_000)
	for _, x := range l.Records[:slices.Index(l.Records, r)] {
		if x.Op == record.Recorded && x.Name == "now" {
			now = x.Value
		}
	}
	l.InsertAfter(r, advice.Record{Op: record.Recorded, Req: r.Req, Act: r.Act, Name: "now", Value: now})
}

// The same lies, told of handlers that await, on Express 5 and in TypeScript.
func TestAttacksOnAsyncHandlers(t *testing.T) {
	t.Parallel()
	t.Run("motd-express5", func(t *testing.T) { board5.attack(t, variableAttacks(noClock)...) })
	t.Run("motd-ts", func(t *testing.T) { boardTS.attack(t, variableAttacks(askTheTime)...) })
}

func TestForgedPrimitives(t *testing.T) {
	flags.attack(t,
		attack{"a boolean", "R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, w := range l.All(record.Write) {
				if w.Value.Kind == record.Bool {
					w.Value = record.Boolean(false)
					e.Answer(2, "off")
					return
				}
			}
			t.Fatal("no boolean was logged")
		}},
		attack{"a number", "R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, w := range l.All(record.Write) {
				if w.Value.Kind == record.Int && w.Value.Num == 5 {
					w.Value = record.Number(6)
					return
				}
			}
			t.Fatal("no number was logged")
		}},
		attack{"a number forged into its text", "R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, w := range l.All(record.Write) {
				if w.Value.Kind == record.Int && w.Value.Num == 5 {
					w.Value = record.Text("5")
					return
				}
			}
			t.Fatal("no number was logged")
		}},
	)
}

// Figure 5 of the paper: a variable does not go back to what it was.
func TestFigure5(t *testing.T) {
	reads := func(t *testing.T, l *forge.Life) (y, z, own *forge.Record) {
		nine := func(v record.Value) bool { return v.Kind == record.Int && v.Num == 9 }
		var rs []*forge.Record
		for _, r := range l.All(record.Read) {
			if nine(l.Get(record.Write, r.Write).Value) {
				rs = append(rs, r)
			}
		}
		if len(rs) != 2 {
			t.Fatalf("the honest advice holds %d reads of 9, want 2", len(rs))
		}
		return rs[0], rs[1], l.Get(record.Write, l.Get(record.Write, rs[0].Write).Prev)
	}
	difference.attack(t,
		attack{"read backwards", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			_, z, own := reads(t, l)
			z.Write = some(t, "write of 1", own).ID
			e.Answer(l.RID(z), "8")
		}},
		attack{"read backwards, without saying so", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			_, z, _ := reads(t, l)
			rid := l.RID(z)
			l.Drop(z)
			l.Tidy()
			e.Answer(rid, "8")
		}},
	)
}

// Two requests that each write one variable and read the other cannot both have
// come first.
func TestCycleThroughTwoVariables(t *testing.T) {
	sides.attack(t, attack{"each before the other", "R8", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		rs := l.Of(2, record.Read)
		if len(rs) != 1 {
			t.Fatalf("%d logged reads by request 2", len(rs))
		}
		l.Drop(rs...)
		l.Tidy()
		e.Overlap()
		e.Answer(2, "left is 0")
	}})
}

// Family: non-determinism.
func TestNondeterminismAttacks(t *testing.T) {
	nth := func(t *testing.T, l *forge.Life, name string, n int) *forge.Record {
		t.Helper()
		for _, r := range l.Of(1, record.Recorded) {
			if r.Name == name {
				if n == 0 {
					return r
				}
				n--
			}
		}
		t.Fatalf("no recorded result %s", name)
		return nil
	}
	set := func(name string, n int, v record.Value) func(t *testing.T, e *forge.Evidence) {
		return func(t *testing.T, e *forge.Evidence) { nth(t, life(t, e), name, n).Value = v }
	}
	b64 := func(n int) record.Value {
		return record.Text(base64.StdEncoding.EncodeToString(make([]byte, n)))
	}
	chances.attack(t,
		attack{"a clock that runs backwards", "R-clock", func(t *testing.T, e *forge.Evidence) {
			r := nth(t, life(t, e), "now", 1)
			r.Value = record.Number(float64(r.Value.Num - 60_000))
		}},
		attack{"a clock that is text", "R-nondet", set("now", 1, record.Text("soon"))},
		attack{"a random number that is text", "R-nondet", set("random", 0, record.Text("0.5"))},
		attack{"a random number of 1", "R-nondet", set("random", 0, record.Number(1))},
		attack{"a negative random number", "R-nondet", set("random", 0, record.Number(-0.25))},
		attack{"another random number", "R-response", func(t *testing.T, e *forge.Evidence) {
			// One that makes another throw of the die.
			r := nth(t, life(t, e), "random", 0)
			if r.Value.Float() < 0.5 {
				r.Value = record.Number(0.9999)
			} else {
				r.Value = record.Number(0.0001)
			}
		}},
		attack{"too few random bytes", "R-nondet", set("bytes", 0, b64(7))},
		attack{"too many random bytes", "R-nondet", set("bytes", 0, b64(9))},
		attack{"random bytes that are none", "R-nondet", set("bytes", 0, record.Text("§"))},
		attack{"a random integer out of range", "R-nondet", set("int", 0, record.Number(10))},
		attack{"no UUID", "R-nondet", set("uuid", 0, record.Text("00000000-0000-0000-0000-000000000000"))},
		attack{"a missing record", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(nth(t, l, "random", 2))
		}},
		attack{"no records at all", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(l.Of(1, record.Recorded)...)
			l.Tidy()
		}},
		attack{"one record too many", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rs := l.Of(1, record.Recorded)
			last := rs[len(rs)-1]
			l.InsertAfter(last, last.Record)
		}},
		attack{"records in another order", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.MoveAfter(nth(t, l, "uuid", 0), nth(t, l, "random", 1))
		}},
		attack{"records for a request that asks for none", "R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			q := l.Of(2, record.Tag)[0]
			l.InsertAfter(q, advice.Record{Op: record.Recorded, Req: q.Req, Name: "random", Value: record.Number(0.5)})
		}},
	)
}

// TestFoundStateAttacks: what nobody declared shared is held to its history as well.
func TestFoundStateAttacks(t *testing.T) {
	score := func(n int) request { return jsonBody("POST", "/score", fmt.Sprintf(`{"name":"ann","score":%d}`, n)) }
	oneByOne(lounge, score(5), score(9), score(7)).attack(t,
		attack{"a stale read of a closure's object", "R8 R-value", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			read(t, l, 3, "ann").Write = write(t, l, 1, "ann").ID
			e.Answer(3, `{"place":0,"top":[{"name":"ann","score":7}]}`)
		}},
		attack{"a forged write to a closure's object", "R-value", func(t *testing.T, e *forge.Evidence) {
			write(t, life(t, e), 2, "ann").Value = record.Number(50)
			e.Answer(3, `{"place":0,"top":[{"name":"ann","score":50}]}`)
		}})
	oneByOne(shop, get("/products/p1"), get("/products/p1"), get("/products")).attack(t,
		attack{"a stale read of an instance's field", "R8", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			read(t, l, 3, "p1").Write = write(t, l, 1, "p1").ID
			e.Answer(3, `[{"id":"p1","price":3,"seen":1},{"id":"p2","price":11,"seen":0},{"id":"p3","price":5,"seen":0}]`)
		}})
}

// Where requests hand the platform different things, a tag must not have them taken for none, nor for the last one's.
func TestChoiceHiddenByATag(t *testing.T) {
	choices := &app{name: "choices", dir: "gallery", entry: "choices.js"}
	for thing, wrong := range map[string][2]string{
		"reaction": {"passed", "passed"},
		"caught":   {"passed", "passed"},
		"promise":  {"[object Promise]", "B"},
		"thenable": {"[object Object]", "[object Object]"},
		"any":      {"none", "none"},
		"tick":     {"ERR_INVALID_ARG_TYPE", "ERR_INVALID_ARG_TYPE"},
		"each":     {"B", "B"},
	} {
		t.Run(thing, func(t *testing.T) {
			t.Parallel()
			r := choices.record(t, 1, []request{get("/" + thing + "/a"), get("/" + thing + "/b")})
			mustAccept(t, r.Evidence)
			oneTag := func(e *forge.Evidence) {
				for _, tag := range life(t, e).All(record.Tag) {
					tag.Tag = 7
				}
			}
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
				oneTag(e)
				for i, body := range wrong {
					e.Answer(uint64(i+1), body)
				}
			}), "R-response")
		})
	}
}
