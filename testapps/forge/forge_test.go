package forge

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// honest is a small life: request 1 sets a message twice by way of request 2, and
// request 3 reads what request 2 wrote.
func honest() *Evidence {
	rec := func(id int32, r advice.Record) *Record { return &Record{Record: r, ID: id} }
	object := func(text string) []record.Field {
		return []record.Field{{Key: record.Name("message"), Value: record.Text(text)}, {Key: record.Name("readable"), Value: record.Boolean(true)}}
	}
	l := &Life{File: "life-1-1.kadv", BuildID: "ab", next: 100, Records: []*Record{
		rec(1, advice.Record{Op: record.Request, RID: 1}),
		rec(2, advice.Record{Op: record.Request, RID: 2}),
		rec(3, advice.Record{Op: record.Request, RID: 3}),
		rec(0, advice.Record{Op: record.Location, Obj: record.InitRef(0), Key: record.Name("day")}),
		rec(0, advice.Record{Op: record.Object, Req: 1, OpNum: 1, Fields: object("one")}),
		rec(0, advice.Record{Op: record.Write, Req: 1, OpNum: 1, Loc: 0, Prev: -1, Value: record.RefTo(0)}),
		rec(1, advice.Record{Op: record.Activation, Req: 2, OpNum: 3}),
		rec(1, advice.Record{Op: record.Object, Req: 2, Act: 1, OpNum: 1, Fields: object("two")}),
		rec(1, advice.Record{Op: record.Write, Req: 2, Act: 1, OpNum: 1, Loc: 0, Prev: 0, Value: record.RefTo(1)}),
		rec(-1, advice.Record{Op: record.Read, Req: 3, Write: 1}),
		rec(-1, advice.Record{Op: record.End}),
	}}
	e := &Evidence{Trace: &trace.Trace{}, Lives: []*Life{l}}
	for i, body := range []string{"set", "set", "day: two"} {
		rid := uint64(i + 1)
		headers := []trace.Header{{Name: "Content-Length", Value: "8"}, {Name: "ETag", Value: ETag([]byte(body))}}
		e.Trace.Exchanges = append(e.Trace.Exchanges, trace.Exchange{RID: rid, Request: trace.Request{Method: "GET", Target: "/", Proto: "HTTP/1.1"}, HasResponse: true,
			Response: trace.Response{Status: 200, Headers: headers, Body: []byte(body)}})
		e.Trace.Events = append(e.Trace.Events, trace.Event{RID: rid, Exchange: int32(i), Kind: trace.RequestEvent}, trace.Event{RID: rid, Exchange: int32(i), Kind: trace.ResponseEvent})
	}
	return e
}

func saved(t *testing.T, e *Evidence) *Evidence {
	t.Helper()
	dir := t.TempDir()
	if err := e.Save(filepath.Join(dir, "t"), filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	back, err := Load(filepath.Join(dir, "t"), filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestSaveAndLoad(t *testing.T) {
	e := honest()
	back := saved(t, e)
	if len(back.Lives) != 1 || len(back.Lives[0].Records) != len(e.Lives[0].Records) || back.Lives[0].BuildID != "ab" {
		t.Fatalf("%+v", back.Lives)
	}
	for i, r := range back.Lives[0].Records {
		if want := e.Lives[0].Records[i]; !reflect.DeepEqual(r, want) {
			t.Errorf("record %d\n%+v\nwant\n%+v", i, r, want)
		}
	}
	if x := back.Exchange(3); x == nil || string(x.Response.Body) != "day: two" {
		t.Errorf("%+v", x)
	}
}

// What is dropped, moved and put in between changes numbers; references follow.
func TestNumbersFollow(t *testing.T) {
	e := honest()
	l := e.Lives[0]
	extra := l.InsertAfter(l.Get(record.Write, 0), advice.Record{Op: record.Write, Req: 3, OpNum: 9, Loc: 0, Prev: 0, Value: record.Text("between")})
	l.Get(record.Write, 1).Prev = extra.ID
	got := saved(t, e).Lives[0]
	ws := got.All(record.Write)
	if len(ws) != 3 || ws[1].Value.Str != "between" || ws[2].Prev != ws[1].ID || got.All(record.Read)[0].Write != ws[2].ID {
		t.Errorf("%+v", ws)
	}
	l.Drop(l.Get(record.Write, 1))
	if _, err := l.Encode(); err == nil || !strings.Contains(err.Error(), "not there") {
		t.Errorf("a read of a dropped write: %v", err)
	}
	l.Drop(l.All(record.Read)...)
	l.Tidy()
	got = saved(t, e).Lives[0]
	if len(got.All(record.Activation)) != 0 || len(got.All(record.Object)) != 1 || len(got.All(record.Write)) != 2 {
		t.Errorf("%d activations, %d objects, %d writes", len(got.All(record.Activation)), len(got.All(record.Object)), len(got.All(record.Write)))
	}
}

func TestStaleRead(t *testing.T) {
	e := honest()
	s, err := e.StaleRead()
	if err != nil {
		t.Fatal(err)
	}
	if s.Reader != 3 || s.Older != 1 || s.Newer != 2 || s.Location != `"day"` || string(s.Is) != "day: one" {
		t.Errorf("%+v", s)
	}
	if x := e.Exchange(3); string(x.Response.Body) != "day: one" || x.Response.Headers[0].Value != "8" || x.Response.Headers[1].Value != ETag([]byte("day: one")) {
		t.Errorf("%+v", x.Response)
	}
	if got := saved(t, e).Lives[0].All(record.Read)[0].Write; got != 0 {
		t.Errorf("the read is of write %d", got)
	}
	// If the requests overlap, the read is not stale but legal.
	e = honest()
	e.Overlap()
	if s, err := e.StaleRead(); err == nil {
		t.Errorf("not stale: %+v", s)
	}
}

// What Express 4.22 answers for the body "hello".
func TestETag(t *testing.T) {
	if got := ETag([]byte("hello")); got != `W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"` {
		t.Error(got)
	}
}
