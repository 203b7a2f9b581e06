package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

var leavers = &app{name: "leavers", dir: "gallery", entry: "leavers.js"}

// visitors send requests to leavers of which some are not waited for.
type visitors struct {
	t     *testing.T
	addr  string
	heard strings.Builder
	// length is what they say that bodies have, if they do.
	length int64
}

// leave sends a request, waits until the app has it (and, of an answer that begins at once, its beginning), and leaves.
func (v *visitors) leave(method, path, body string, until string) {
	ctx, cancel := context.WithCancel(v.t.Context())
	var in io.Reader
	if body != "" {
		r, w := io.Pipe()
		defer w.CloseWithError(context.Canceled) // its end would be the end of the body
		go w.Write([]byte(body))
		in = r
	}
	q, err := http.NewRequestWithContext(ctx, method, "http://"+v.addr+path, in)
	if err != nil {
		cancel()
		v.t.Error(err)
		return
	}
	if body != "" && v.length > 0 {
		q.ContentLength = v.length
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	defer cancel() // before the body ends
	answer := make(chan *http.Response, 1)
	go func() {
		res, _ := tr.RoundTrip(q)
		answer <- res
	}()
	if until != "" {
		v.poll(until)
	} else if res := <-answer; res != nil {
		res.Body.Read(make([]byte, 10))
		res.Body.Close()
	}
}

// poll asks for the app's state until it holds something.
func (v *visitors) poll(until string) {
	for range 500 {
		if regexp.MustCompile(until).MatchString(v.get("GET", "/state")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	v.t.Errorf("the app never says %s", until)
}

func (v *visitors) get(method, path string) string {
	_, body, err := (&request{method: method, path: path}).send(v.t.Context(), &http.Transport{DisableKeepAlives: true}, v.addr)
	if err != nil {
		return ""
	}
	v.heard.Write(body)
	return string(body)
}

// comeAndGo is a run in which so many at a time come and leave.
func comeAndGo(t *testing.T, at int) *scenario.Recording {
	t.Helper()
	var all strings.Builder
	r, err := kit.Record(t.Context(), leavers.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range at {
			wg.Go(func() {
				v := &visitors{t: t, addr: addr}
				v.leave("GET", "/events", "", "")
				v.leave("GET", "/wait/never", "", `"waiting":\[\d`)
				v.get("POST", "/say/more")
				v.get("GET", "/cut?late=1")
				v.get("GET", "/cut")
				v.leave("POST", "/upload", "some", `"uploading":[1-9]`)
				v.leave("POST", "/upload", strings.Repeat("much ", 40_000), `"uploading":[1-9]`)
				v.get("POST", "/say/less")
				mu.Lock()
				all.WriteString(v.heard.String())
				mu.Unlock()
			})
		}
		wg.Wait()
		v := &visitors{t: t, addr: addr}
		v.poll(`"subscribers":\[\],"waiting":\[\],"uploading":0`)
		for range 5 {
			v.get("GET", "/state")
		}
		all.WriteString(v.heard.String())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unsubscribed", " aborted", "left true false", "ERR_STREAM_DESTROYED", "cut true false", "ENOMORE", "upload of false aborted ECONNRESET"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the app never said %q:\n%s", want, all.String())
		}
	}
	return r
}

// TestLeaving: that a client leaves is an event of its request; what the program then does counts, and so does what the
// client had got.
func TestLeaving(t *testing.T) {
	for _, at := range []int{1, 8} {
		t.Run(fmt.Sprintf("visitors=%d", at), func(t *testing.T) {
			r := comeAndGo(t, at)
			v := mustAccept(t, r.Evidence)
			t.Log(v.Text())
			t.Run("a byte that the client got", func(t *testing.T) {
				mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
					for i := range e.Trace.Exchanges {
						x := &e.Trace.Exchanges[i]
						if x.Aborted && bytes.HasPrefix(x.Response.Body, []byte("data: ")) {
							x.Response.Body = bytes.Replace(x.Response.Body, []byte("you"), []byte("yov"), 1)
							return
						}
					}
					t.Fatal("no client had part of an answer")
				}), "R-response")
			})
			t.Run("a byte of an answer", func(t *testing.T) {
				mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
					forge.FlipByte(&e.Trace.Exchanges[len(e.Trace.Exchanges)-1])
				}), "R-response")
			})
		})
	}
	t.Run("attacks", func(t *testing.T) { leavingAttacks(t, comeAndGo(t, 1).Evidence) })
}

// TestLeavingInGroups: where requests share nothing that logs cannot hold, groups follow that clients leave.
func TestLeavingInGroups(t *testing.T) {
	visits := &app{name: "visits", dir: "gallery", entry: "visits.js"}
	var heard string
	r, err := kit.Record(t.Context(), visits.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		for range 3 {
			v := &visitors{t: t, addr: addr}
			v.leave("GET", "/events", "", "")
			v.leave("GET", "/wait/never", "", `"waiting":[1-9]`)
			v.leave("POST", "/upload", "some", `"uploading":[1-9]`)
			v.leave("POST", "/upload", strings.Repeat("much ", 40_000), `"uploading":[1-9]`)
			v.get("GET", "/state")
			v.poll(`"events":0,"waiting":0,"uploading":0`)
			heard = v.heard.String()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gone", "closed false true", "ERR_STREAM_DESTROYED", "aborted", "upload: ECONNRESET after 0", "upload: ECONNRESET after [1-9]"} {
		if !regexp.MustCompile(want).MatchString(heard) {
			t.Errorf("the app never said %q:\n%s", want, heard)
		}
	}
	if v := mustAccept(t, r.Evidence); v.Together != "" {
		t.Errorf("groups would have done, but: %s", v.Together)
	}
	leavingAttacks(t, r.Evidence)
}

// TestLeavingUploads: what a client did not send when it left never came, and when it has left nothing comes any more.
func TestLeavingUploads(t *testing.T) {
	visits := &app{name: "visits", dir: "gallery", entry: "visits.js"}
	r, err := kit.Record(t.Context(), visits.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		v := &visitors{t: t, addr: addr}
		v.leave("POST", "/late", "some", `"uploading":[1-9]`)
		v.poll(`"uploading":0`)
		v.length = 1_000_000
		v.leave("POST", "/late", strings.Repeat("much ", 40_000), `"uploading":[1-9]`)
		v.poll(`"uploading":0`)
		v.get("GET", "/state")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := mustAccept(t, r.Evidence); v.Together != "" {
		t.Errorf("groups would have done, but: %s", v.Together)
	}
	// ended is the turn in which the connection of a request failed (1) or closed (0).
	ended := func(t *testing.T, l *forge.Life, rid uint64, firing int32) *forge.Record {
		for _, act := range l.Of(rid, record.Activation) {
			if act.Act == 0 && act.OpNum == 0 && act.Firing == firing {
				return some(t, "turn", turn(l, act))
			}
		}
		t.Fatalf("request %d did not end so", rid)
		return nil
	}
	body := func(l *forge.Life, at *forge.Record) {
		l.InsertAfter(at, advice.Record{Op: record.Turn, Req: at.Req, Body: true})
	}
	for _, a := range []attack{
		{"the end of a body after the client left", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l, rid := life(t, e), exchange(t, e, "/late").RID
			body(l, ended(t, l, rid, 0))
			for _, w := range l.Of(rid, record.Write) {
				if x := w.Value.Ext; x != nil && len(x.Ops) == 1 && len(x.Ops[0].Values) == 1 && x.Ops[0].Values[0].Str == "late: false" {
					x.Ops[0].Values[0] = record.Text("late: true")
				}
			}
			state := &e.Trace.Exchanges[len(e.Trace.Exchanges)-1]
			e.Answer(state.RID, strings.Replace(string(state.Response.Body), "late: false", "late: true", 1))
		}},
		{"a connection that failed after it was closed", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l, rid := life(t, e), exchange(t, e, "/late").RID
			l.MoveAfter(ended(t, l, rid, 1), ended(t, l, rid, 0))
		}},
		{"the end of a body that the client never sent", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			var last *forge.Record
			for _, r := range turnsOf(l, lastLeft(t, e, "/late")) {
				if r.Body {
					last = r
				}
			}
			body(l, some(t, "piece of the body", last))
			state := &e.Trace.Exchanges[len(e.Trace.Exchanges)-1]
			heard := string(state.Response.Body)
			const end = `"late: HPE_INVALID_EOF_STATE","late: false"`
			at := strings.LastIndex(heard, end)
			e.Answer(state.RID, heard[:at]+`"late: all","late: HPE_INVALID_EOF_STATE","late: true"`+heard[at+len(end):])
		}},
	} {
		t.Run(a.name, func(t *testing.T) {
			lie := lieOf(t, r.Evidence, func(e *forge.Evidence) { a.change(t, e) })
			for _, args := range [][]string{{"--workers", "1"}, {"--together"}} {
				v := verify(t, lie, args...)
				t.Log(v.Text())
				mustReject(t, v, a.rules)
			}
		})
	}
}

// lastLeft is the last request for a path whose client left.
func lastLeft(t *testing.T, e *forge.Evidence, path string) uint64 {
	rid := exchange(t, e, path).RID
	for i := range e.Trace.Exchanges {
		if x := &e.Trace.Exchanges[i]; x.Aborted && x.Request.Target == path {
			rid = x.RID
		}
	}
	return rid
}

func leavingAttacks(t *testing.T, honest scenario.Evidence) {
	// left is the turn in which a client is said to have left.
	left := func(t *testing.T, e *forge.Evidence, path string) (*forge.Life, *forge.Record) {
		l := life(t, e)
		x := exchange(t, e, path)
		turns := turnsOf(l, x.RID)
		return l, turns[len(turns)-1]
	}
	for _, a := range []attack{
		{"a client that never left", "R-response A3", func(t *testing.T, e *forge.Evidence) {
			l, turn := left(t, e, "/wait/never")
			l.Drop(turn)
		}},
		{"a client that left twice", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l, turn := left(t, e, "/wait/never")
			l.InsertAfter(turn, turn.Record)
		}},
		{"a client that had more than was sent", "R-response", func(t *testing.T, e *forge.Evidence) {
			x := exchange(t, e, "/events")
			x.Response.Body = append(bytes.Clone(x.Response.Body), "data: more\n\n"...)
		}},
		{"another status", "R-response", func(t *testing.T, e *forge.Evidence) { exchange(t, e, "/events").Response.Status = 201 }},
		{"a client that left after its answer", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			rid := uint64(0)
			for i := range e.Trace.Exchanges {
				if x := &e.Trace.Exchanges[i]; x.Request.Target == "/state" && x.HasResponse {
					rid = x.RID
				}
			}
			arrival := turnsOf(l, rid)[0]
			act := l.InsertAfter(arrival, advice.Record{Op: record.Activation, Req: arrival.ID})
			l.InsertAfter(act, advice.Record{Op: record.Turn, Req: arrival.ID, Act: act.ID})
		}},
		{"a connection that failed after its answer", "R-turn", func(t *testing.T, e *forge.Evidence) {
			failAfterAnswer(t, e, record.Text(`{"message":"gone","code":"ECONNRESET"}`))
		}},
		{"a connection that failed of nothing", "R-nondet", func(t *testing.T, e *forge.Evidence) { failAfterAnswer(t, e, record.Text("null")) }},
		{"a connection that failed of no JSON", "R-nondet", func(t *testing.T, e *forge.Evidence) { failAfterAnswer(t, e, record.Text("gone")) }},
		{"a connection that failed of a list", "R-nondet", func(t *testing.T, e *forge.Evidence) {
			failAfterAnswer(t, e, record.ListOf(record.Text(`{"message":"gone"}`)))
		}},
	} {
		t.Run(a.name, func(t *testing.T) {
			v := forged(t, honest, func(e *forge.Evidence) { a.change(t, e) })
			mustReject(t, v, a.rules)
			t.Log(v.Text())
		})
	}
}

// TestLeavingUnsaid: of a request whose client had a part of its answer the advice must have something.
func TestLeavingUnsaid(t *testing.T) {
	r, err := kit.Record(t.Context(), leavers.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		v := &visitors{t: t, addr: addr}
		v.leave("GET", "/events", "", "")
		v.poll(`"subscribers":\[\]`)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mustAccept(t, r.Evidence)
	v := forged(t, r.Evidence, func(e *forge.Evidence) {
		x, l := exchange(t, e, "/events"), life(t, e)
		if len(x.Response.Body) == 0 {
			t.Fatal("the client had nothing of it")
		}
		x.Response.Body = []byte("data: what nobody sent\n\n")
		state := &e.Trace.Exchanges[len(e.Trace.Exchanges)-1]
		e.Answer(state.RID, `{"subscribers":[],"waiting":[],"uploading":0,"heard":[]}`)
		var others []*forge.Record
		for _, r := range l.Records {
			if r.Op == record.Request && r.RID == x.RID || r.Op != record.Request && r.Op != record.Location && r.Op != record.Fields && r.Op != record.Env && l.RID(r) == x.RID {
				continue
			}
			others = append(others, r)
		}
		l.Records = others
	})
	t.Log(v.Text())
	mustReject(t, v, "A2")
}

// failAfterAnswer says that the connection of a request failed when it had its answer, and of what.
func failAfterAnswer(t *testing.T, e *forge.Evidence, of record.Value) {
	l := life(t, e)
	for i := range e.Trace.Exchanges {
		x := &e.Trace.Exchanges[i]
		if x.Request.Target != "/state" || !x.HasResponse {
			continue
		}
		arrival := turnsOf(l, x.RID)[0]
		act := l.InsertAfter(arrival, advice.Record{Op: record.Activation, Req: arrival.ID, Firing: 1})
		at := said(l, act, act.ID, "socket", of)
		at.Req = arrival.ID
		l.InsertAfter(at, advice.Record{Op: record.Turn, Req: arrival.ID, Act: act.ID})
		return
	}
	t.Fatal("nobody asked for the state")
}

func exchange(t *testing.T, e *forge.Evidence, path string) *trace.Exchange {
	t.Helper()
	for i := range e.Trace.Exchanges {
		if x := &e.Trace.Exchanges[i]; x.Aborted && x.Request.Target == path {
			return x
		}
	}
	t.Fatalf("no client left %s", path)
	return nil
}
