package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

var chat = &app{name: "chat", dir: "gallery", entry: "chat.js", requests: chatRequests}

func chatRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return "/rooms/" + []string{"red", "blue"}[r.IntN(2)] }
	text := func(q request) request {
		q.headers = "Content-Type: text/plain"
		return q
	}
	return mix(seed, n,
		func(r *rand.Rand) request {
			return text(request{method: "POST", path: name(r), body: fmt.Sprintf("hello %d", r.IntN(100))})
		},
		func(r *rand.Rand) request {
			return text(request{method: "POST", path: name(r), body: strings.Repeat("long ", 100), chunks: 3})
		},
		func(r *rand.Rand) request { return get(fmt.Sprintf("%s?since=%d", name(r), r.IntN(n/5))) },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/load/k%d", r.IntN(3))) },
		func(r *rand.Rand) request { return request{method: "POST", path: "/ticket"} },
		func(r *rand.Rand) request { return get("/flags") },
	)
}

// TestTogether: what requests share cannot be logged, and still an honest run is accepted, and one changed byte
// rejected.
func TestTogether(t *testing.T) {
	for _, connections := range []int{1, 10, 60} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) {
			t.Parallel()
			v := chat.honest(t, connections, chat.requests(uint64(connections), 300))
			if !strings.Contains(v.Together, "chat.js:") {
				t.Errorf("it does not say why the requests were re-executed together:\n%s", v.Text())
			}
		})
	}
}

var tickets = oneByOne(chat,
	request{method: "POST", path: "/ticket"},
	request{method: "POST", path: "/ticket"},
	request{method: "POST", path: "/rooms/red", headers: "Content-Type: text/plain", body: strings.Repeat("x", 100_000)},
	get("/rooms/red?since=0"),
	get("/rooms/red?since=1"),
	get("/load/a"),
	get("/load/a"),
	get("/flags"),
)

// turnsOf are the turns of one request, its arrival first.
func turnsOf(l *forge.Life, rid uint64) []*forge.Record {
	var of []*forge.Record
	for _, r := range l.Records {
		if r.Op == record.Request && r.RID == rid {
			of = append(of, r)
		}
	}
	return append(of, l.Of(rid, record.Turn)...)
}

// Family: the order of turns.
func TestTurnAttacks(t *testing.T) {
	timer := func(t *testing.T, l *forge.Life, rid uint64) *forge.Record {
		for _, r := range l.Of(rid, record.Turn) {
			if !r.Body {
				return r
			}
		}
		t.Fatalf("request %d has no timer", rid)
		return nil
	}
	tickets.attack(t,
		attack{"two requests swapped with their answers", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			// As if the second had come first and got the first ticket.
			first, second := turnsOf(l, 1), turnsOf(l, 2)
			first[0].RID, second[0].RID = 2, 1
			e.Exchange(1).Response, e.Exchange(2).Response = e.Exchange(2).Response, e.Exchange(1).Response
		}},
		attack{"an answer of another order", "R-response", func(t *testing.T, e *forge.Evidence) {
			e.Exchange(1).Response, e.Exchange(2).Response = e.Exchange(2).Response, e.Exchange(1).Response
		}},
		attack{"a timer that never fires", "A3", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			l.Drop(timer(t, l, 6))
		}},
		attack{"a timer that fires twice", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := timer(t, l, 6)
			l.InsertAfter(r, r.Record)
		}},
		attack{"a body that comes to a request without one", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			r := turnsOf(l, 8)[0]
			again := l.InsertAfter(r, advice.Record{Op: record.Turn, Req: r.ID, Body: true})
			l.InsertAfter(again, again.Record)
		}},
		attack{"a piece of a body too many", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			all := turnsOf(l, 3)
			r := all[len(all)-1]
			l.InsertAfter(r, r.Record)
		}},
		attack{"a piece of a body too few", "R-response", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			all := turnsOf(l, 3)
			l.Drop(all[len(all)-1])
		}},
		attack{"an interval that fires twice at a time", "R-turn", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			at := slices.IndexFunc(l.Records, func(r *forge.Record) bool { return r.Op == record.Turn && r.Req == 0 })
			if at < 0 {
				t.Skip("the interval never fired")
			}
			r := l.Records[at]
			l.InsertAfter(r, r.Record)
		}},
		attack{"a flag of another time", "R-response", func(t *testing.T, e *forge.Evidence) {
			x := e.Exchange(8)
			x.Response.Body = []byte(strings.Replace(string(x.Response.Body), `"generation":`, `"generation":1`, 1))
		}},
	)
}

var hidden = &app{name: "hidden", dir: "gallery", entry: "hidden.js"}

// TestHiddenStateUndone: what a request changed is as it was when groups have run, but another request met it meanwhile.
func TestHiddenStateUndone(t *testing.T) {
	t.Parallel()
	t.Run("by another request", func(t *testing.T) {
		r := hidden.record(t, 1, []request{get("/raise/weak"), get("/level/weak"), get("/lower/weak"), get("/nowhere")})
		mustAccept(t, r.Evidence)
		// Groups run in some order of their tags, and one of these has it all undone whenever somebody looks.
		for _, tags := range [][]uint32{{1, 2, 3, 4}, {3, 1, 4, 2}, {3, 4, 2, 1}, {4, 1, 3, 2}} {
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
				for i, r := range life(t, e).All(record.Tag) {
					r.Tag = tags[i]
				}
				e.Answer(2, "level 0")
			}), "R-response")
		}
	})
	for _, where := range []string{"weak", "object", "list", "map", "variable", "regexp", "global"} {
		t.Run("by itself in "+where, func(t *testing.T) {
			// Each waits for the other.
			meanwhile := &story{app: hidden, drive: func(ctx context.Context, addr string) error {
				_, err := drive(ctx, addr, 2, []request{get("/busy/" + where), get("/look/" + where)})
				return err
			}}
			honest := meanwhile.honest(t)
			mustAccept(t, honest)
			mustReject(t, forged(t, honest, func(e *forge.Evidence) {
				l := life(t, e)
				l.Drop(l.All(record.Unauditable)...)
				for i := range e.Trace.Exchanges {
					if x := &e.Trace.Exchanges[i]; x.Request.Target == "/look/"+where {
						e.Answer(x.RID, "level 0")
					}
				}
			}), "R-response")
		})
	}
}

// TestHiddenStateOfFailures: a re-execution that comes to nothing leaves what it changed to the next one.
func TestHiddenStateOfFailures(t *testing.T) {
	t.Parallel()
	t.Run("of another order of turns", func(t *testing.T) { lieAboutHidden(t, []request{get("/swing/weak")}, "it was 1") })
	t.Run("of a group", func(t *testing.T) {
		lieAboutHidden(t, []request{get("/tip/weak/over"), get("/tip/weak/back")}, "it was 1", "it was 0")
	})
}

// lieAboutHidden gives requests answers that need what another run of the first left.
func lieAboutHidden(t *testing.T, requests []request, answers ...string) {
	t.Helper()
	r := hidden.record(t, 1, requests)
	mustAccept(t, r.Evidence)
	v := forged(t, r.Evidence, func(e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.All(record.Unauditable)...)
		for _, r := range l.All(record.Tag) {
			r.Tag = 1
		}
		for i, a := range answers {
			e.Answer(uint64(i+1), a)
		}
	})
	t.Log(v.Text())
	mustReject(t, v, "R-response")
}

// sourceAt is the text of hidden.js from a place on.
func sourceAt(t *testing.T, line, column string) string {
	t.Helper()
	text, err := os.ReadFile("../gallery/hidden.js")
	if err != nil {
		t.Fatal(err)
	}
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(column)
	return strings.Split(string(text), "\n")[l-1][c-1:]
}

// TestHiddenState: state that nobody found makes groups worthless, which is noticed: an honest run is accepted all the
// same, and one that forgot is rejected, although a group would have answered so.
func TestHiddenState(t *testing.T) {
	for _, where := range []string{"object", "function", "prototype", "global", "private", "date", "regexp", "bytes", "weak",
		"renamed", "newly", "generator", "keys", "process", "inherited", "beside", "sealed", "view", "environment", "hash", "parameters", "headers", "emitter", "bound"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			r := hidden.record(t, 1, []request{get("/" + where), get("/" + where), get("/" + where)})
			v := mustAccept(t, r.Evidence)
			t.Log(v.Text())
			if v.Together == "" && where == "renamed" {
				t.Error("groups were believed, which happened to run in the server's order")
			}
			if m := regexp.MustCompile(`found to be shared: (?:.* )?(\w+)[.\w]* \(hidden\.js:(\d+):(\d+)\)`).FindStringSubmatch(v.Together); m != nil && !strings.HasPrefix(sourceAt(t, m[2], m[3]), m[1]) {
				t.Errorf("%s is not there", m[0])
			}
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
				for rid := range uint64(3) {
					e.Answer(rid+1, "the 1. time")
				}
			}), "R-response R8")
		})
	}
}
