package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// another is a server that the app asks.
func another(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/json":
			w.Header().Set("X-Answer", r.Header.Get("X-Sent"))
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"method":%q,"query":%q}`, r.Method, r.URL.RawQuery)
		case "/wait":
			ms, _ := strconv.Atoi(r.URL.RawQuery)
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
			case <-r.Context().Done():
			}
			fmt.Fprint(w, ms)
		case "/slow":
			fmt.Fprint(w, strings.Repeat(r.URL.RawQuery, 1000))
		default:
			http.Error(w, "there is no such thing", http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestOutside: what other servers answer is taken from the record, and the verdict
// says how much of that there is.
func TestOutside(t *testing.T) {
	core := &app{name: "core", dir: "core", entry: "server.js"}
	core.build(t)
	at := url.PathEscape(another(t))
	var requests []request
	for _, thing := range []string{"fetched", "several", "ordered", "missing", "refused", "invalid", "aborted", "timedout", "streamed"} {
		for range 4 {
			requests = append(requests, get("/outside/"+thing+"?"+at))
		}
	}
	for _, connections := range []int{1, 10} {
		r := core.record(t, connections, requests)
		if strings.Contains(r.ServerOutput, "not auditable") {
			t.Errorf("the server says:\n%s", r.ServerOutput)
		}
		v := mustAccept(t, r.Evidence)
		if n := v.Trusted["fetch"]; n != 4*(1+6+3+1+1+1+1+1+3) {
			t.Errorf("%d answers are said to be trusted", n)
		}
		if !strings.Contains(v.Text(), "trusted from the server: fetch") {
			t.Errorf("the verdict does not say what it rests on:\n%s", v.Text())
		}
	}
	r := core.record(t, 1, []request{get("/outside/missing?" + at)})
	t.Run("an answer that the program did not pass on", func(t *testing.T) {
		mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
			for _, x := range life(t, e).Of(1, record.Recorded) {
				if x.Name == "fetch" {
					x.Value = record.Text(strings.Replace(x.Value.Str, `"status":404`, `"status":200`, 1))
				}
			}
		}), "R-response")
	})
	t.Run("an answer too many", func(t *testing.T) {
		mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
			l := life(t, e)
			for _, x := range l.Of(1, record.Recorded) {
				if x.Name == "fetch" {
					y := *x
					l.Records = append(l.Records, &y)
					return
				}
			}
		}), "R-leftover A10 R-nondet")
	})
}
