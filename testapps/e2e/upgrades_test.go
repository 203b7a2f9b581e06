package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var upgraded = &app{name: "upgraded", dir: "gallery", entry: "upgraded.js"}

// upgrades makes a run in which connections ask for other protocols between requests; path is theirs.
func upgrades(t *testing.T, path string) scenario.Evidence {
	e := scenario.In(upgraded.build(t), t.TempDir())
	w := &world{t: t, e: e}
	w.serve()
	w.collect()
	ask := func(protocol, want string) {
		c, err := net.Dial("tcp", w.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", path, protocol)
		in := bufio.NewReader(c)
		for {
			line, err := in.ReadString('\n')
			if err != nil || strings.TrimSpace(line) == "" {
				break
			}
		}
		if want == "" {
			return
		}
		fmt.Fprint(c, "some words\n")
		text := make([]byte, len(want))
		if _, err := io.ReadFull(in, text); err != nil || string(text) != want {
			t.Errorf("the server says %q (%v), want %q", text, err, want)
		}
	}
	for i := range 3 {
		if _, err := drive(t.Context(), w.addr, 4, []request{get("/a"), get("/b"), get("/a"), get("/c")}); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			ask("lines", "welcome\n3 SOME WORDS\n")
			ask("nonsense", "")
		}
	}
	w.stop()
	return e
}

// TestUpgrades: requests are audited where connections are upgraded, and the verdict says that those are not.
func TestUpgrades(t *testing.T) {
	e := upgrades(t, "/plain")
	for _, args := range [][]string{nil, {"--together"}} {
		if v := mustAccept(t, e, args...); v.Stats.Requests != 12 || !strings.Contains(v.Text(), "not audited: 2 connections asked to be upgraded") || !strings.Contains(v.Text(), "requests 9 and 10") {
			t.Errorf("it does not say what was not audited:\n%s", v.Text())
		}
	}
	t.Run("another answer", func(t *testing.T) {
		// It may be what came by the connections that is missing.
		v := forged(t, e, func(e *forge.Evidence) { forge.FlipByte(&e.Trace.Exchanges[11]) })
		if v.Outcome != verdict.Undecided || !strings.Contains(v.Text(), "asked to be upgraded") || !strings.Contains(v.Text(), "request 12: the response's body") {
			t.Errorf("it does not say what it may be:\n%s", v.Text())
		}
	})
	t.Run("shared state", func(t *testing.T) {
		v := verify(t, upgrades(t, "/counted"))
		if v.Outcome != verdict.Undecided || !strings.Contains(v.Text(), "a connection that was upgraded changes shared state (upgraded.js:23:") {
			t.Errorf("it does not say what and where:\n%s", v.Text())
		}
	})
	t.Run("by a program that upgrades none", func(t *testing.T) {
		r := plain.record(t, 1, []request{get("/"), get("/")})
		for name, change := range map[string]func(x *trace.Exchange){
			"upgraded": func(x *trace.Exchange) {
				x.HasResponse, x.Aborted, x.Unaudited, x.Response.Status = false, true, true, 101
			},
			"refused": func(x *trace.Exchange) {},
		} {
			t.Run(name, func(t *testing.T) {
				mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
					x := e.Trace.Exchanges[1]
					x.RID = 3
					x.Request.Headers = append(x.Request.Headers, trace.Header{Name: "Connection", Value: "Upgrade"}, trace.Header{Name: "Upgrade", Value: "lines"})
					change(&x)
					e.Trace.Exchanges = append(e.Trace.Exchanges, x)
					end := trace.ResponseEvent
					if x.Aborted {
						end = trace.AbortEvent
					}
					e.Trace.Events = append(e.Trace.Events, trace.Event{RID: 3, Exchange: 2, Kind: trace.RequestEvent}, trace.Event{RID: 3, Exchange: 2, Kind: end})
				}), "A2")
			})
		}
	})
}
