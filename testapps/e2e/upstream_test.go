package e2e

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// upstreams ask with what Node.js has itself, and with packages.
var upstreams = map[string]*app{
	"plain.js":    {name: "upstream", dir: "upstream", entry: "server.js"},
	"packages.js": {name: "clients", dir: "upstream", entry: "clients.js"},
	"more.js":     {name: "others", dir: "upstream", entry: "others.js"},
}

// upstreamServer is the server that testapps/upstream asks.
func upstreamServer(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		if sent := r.Header.Values("X-Sent"); sent != nil {
			w.Header().Set("X-Answer", strings.Join(sent, ", "))
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"method":%q,"query":%q}`, r.Method, r.URL.RawQuery)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if kind := r.Header.Get("Content-Type"); kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		w.Write(body)
	})
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.URL.RawQuery)
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, ms)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		piece, _ := url.QueryUnescape(r.URL.RawQuery)
		for range 5 {
			fmt.Fprint(w, strings.Repeat(piece, 500))
			http.NewResponseController(w).Flush()
			time.Sleep(3 * time.Millisecond)
		}
	})
	mux.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/json?moved", http.StatusFound) })
	mux.HandleFunc("/zipped", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, strings.Repeat("zipped ", 300))
		z.Close()
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "only this")
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/hangup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "there is no such thing", http.StatusNotFound)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// upstreamThings are what the app does in one of its files.
func upstreamThings(t *testing.T, file string) []string {
	text, err := os.ReadFile("../upstream/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  (?:async )?(\w+)(?:\(|: \()`).FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// TestUpstream: what other servers answer by http.request is taken from the record, for the app's own use and
// packages that build on it.
func TestUpstream(t *testing.T) {
	at := url.PathEscape(upstreamServer(t))
	for file, a := range upstreams {
		t.Run(file, func(t *testing.T) {
			var requests []request
			for _, thing := range upstreamThings(t, file) {
				for range 6 {
					requests = append(requests, get("/"+thing+"?"+at))
				}
			}
			t.Run("like the app", func(t *testing.T) {
				// What comes first is up to the clock.
				a.answersLikePlain(t, a.entry, slices.DeleteFunc(slices.Clone(requests), func(q request) bool {
					return strings.HasPrefix(q.path, "/several") || strings.HasPrefix(q.path, "/first")
				}))
			})
			for _, connections := range []int{1, 30} {
				t.Run(fmt.Sprint("connections=", connections), func(t *testing.T) {
					if v := a.honest(t, connections, requests); v.Together != "" {
						t.Errorf("groups would have done, but: %s", v.Together)
					} else if v.Trusted["http"] < len(requests)/2 || !strings.Contains(v.Text(), "trusted from the server: http") {
						t.Errorf("it does not say what it rests on: %v\n%s", v.Trusted, v.Text())
					}
				})
			}
		})
	}
}

// TestUpstreamAttacks: what the server says of other servers must be something that can happen, and what the
// program made its answers of.
func TestUpstreamAttacks(t *testing.T) {
	at := url.PathEscape(upstreamServer(t))
	a := upstreams["plain.js"]
	r := a.record(t, 1, []request{get("/get?" + at), get("/echo?" + at), get("/large?" + at), get("/refused?" + at), get("/closed?" + at)})
	mustAccept(t, r.Evidence)
	mustAccept(t, r.Evidence, "--together")
	events := func(l *forge.Life, rid uint64, kind string) []*forge.Record { return eventsOf(t, l, "http", rid, kind) }
	change := func(x *forge.Record, old, new string) {
		text := strings.Replace(x.Value.Str, old, new, 1)
		if text == x.Value.Str {
			t.Fatalf("%s is not in %s", old, text)
		}
		x.Value = record.Text(text)
	}
	drop := func(l *forge.Life, x *forge.Record) {
		l.Records = slices.DeleteFunc(l.Records, func(y *forge.Record) bool { return x == y })
	}
	for name, attack := range map[string]struct {
		f     func(l *forge.Life)
		rules string
	}{
		"another status": {func(l *forge.Life) { change(events(l, 1, "response")[0], `"status":201`, `"status":202`) }, "R-response"},
		"another header": {func(l *forge.Life) { change(events(l, 1, "response")[0], `"Content-Type"`, `"X-Answer"`) }, "R-response"},
		"another body":   {func(l *forge.Life) { change(events(l, 1, "data")[0], `"b":"e`, `"b":"f`) }, "R-response"},
		"the answer to another request": {func(l *forge.Life) {
			x, y := events(l, 1, "data")[0], events(l, 2, "data")[0]
			x.Value, y.Value = y.Value, x.Value
		}, "R-response"},
		"chunks in another order": {func(l *forge.Life) {
			list := events(l, 3, "data")
			first, last := list[0], list[len(list)-1]
			change(first, `"b":"b`, `"b":"c`)
			first.Value, last.Value = last.Value, first.Value
		}, "R-response"},
		"no end":                                 {func(l *forge.Life) { drop(l, events(l, 1, "end")[0]) }, "R-response R-nondet"},
		"no chunk":                               {func(l *forge.Life) { drop(l, events(l, 1, "data")[0]) }, "R-response"},
		"data before the answer":                 {func(l *forge.Life) { swap(events(l, 1, "data")[0], events(l, 1, "response")[0]) }, "R-nondet"},
		"data after the end":                     {func(l *forge.Life) { swap(events(l, 1, "data")[0], events(l, 1, "end")[0]) }, "R-nondet"},
		"two answers":                            {func(l *forge.Life) { again(l, events(l, 1, "response")[0]) }, "R-nondet"},
		"two ends":                               {func(l *forge.Life) { again(l, events(l, 1, "end")[0]) }, "R-nondet"},
		"an error of the program":                {func(l *forge.Life) { replace(events(l, 4, "error")[0], `{"k":"error","destroyed":false,"e":null}`) }, "R-nondet R-response"},
		"another error":                          {func(l *forge.Life) { change(events(l, 4, "error")[0], "127.0.0.1:1", "127.0.0.1:2") }, "R-response"},
		"an event that its socket does not have": {func(l *forge.Life) { change(events(l, 5, `on","n":"close`)[0], `"n":"close"`, `"n":"error"`) }, "R-nondet"},
		"an unknown event":                       {func(l *forge.Life) { replace(events(l, 1, "end")[0], `{"k":"__proto__"}`) }, "R-nondet"},
		"an event of no kind":                    {func(l *forge.Life) { replace(events(l, 1, "end")[0], `[]`) }, "R-nondet"},
		"an event that is no JSON":               {func(l *forge.Life) { replace(events(l, 1, "end")[0], `{"k":`) }, "R-nondet"},
		"an event with more in it":               {func(l *forge.Life) { replace(events(l, 1, "end")[0], `{"k":"end","x":1}`) }, "R-nondet"},
		"a timeout that nobody set":              {func(l *forge.Life) { replace(events(l, 1, "end")[0], `{"k":"timeout"}`) }, "R-nondet"},
		"headers that are no list":               {func(l *forge.Life) { change(events(l, 1, "response")[0], `"raw":[`, `"raw":["x",`) }, "R-nondet"},
	} {
		t.Run(name, func(t *testing.T) {
			f := func(e *forge.Evidence) { attack.f(life(t, e)) }
			mustReject(t, forged(t, r.Evidence, f), attack.rules)
		})
	}
}

// eventsOf are the events of one kind that a request has.
func eventsOf(t *testing.T, l *forge.Life, what string, rid uint64, kind string) (list []*forge.Record) {
	for _, x := range l.Of(rid, record.Recorded) {
		if x.Name == what && strings.HasPrefix(x.Value.Str, `{"k":"`+kind) {
			list = append(list, x)
		}
	}
	if list == nil {
		t.Fatalf("request %d has no %s", rid, kind)
	}
	return list
}

func swap(x, y *forge.Record) { x.Value, y.Value = y.Value, x.Value }

func replace(x *forge.Record, text string) { x.Value = record.Text(text) }

// again has a record twice.
func again(l *forge.Life, x *forge.Record) {
	y := *x
	l.Records = slices.Insert(l.Records, slices.Index(l.Records, x), &y)
}
