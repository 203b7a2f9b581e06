package e2e

import (
	"fmt"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

var commands = &app{name: "commands", dir: "upstream", entry: "commands.js"}

// TestProcesses: what processes of the app's own do, and what dns finds, is taken from the record.
func TestProcesses(t *testing.T) {
	var requests []request
	for _, thing := range upstreamThings(t, "processes.js") {
		for range 3 {
			requests = append(requests, get("/"+thing+"?localhost"))
		}
	}
	t.Run("like the app", func(t *testing.T) { commands.answersLikePlain(t, commands.entry, requests) })
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprint("connections=", connections), func(t *testing.T) {
			if v := commands.honest(t, connections, requests); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			} else if v.Trusted["child_process"] < len(requests) || v.Trusted["dns"] == 0 {
				t.Errorf("it does not say what it rests on: %v", v.Trusted)
			}
		})
	}
}

// TestProcessAttacks: what the server says of processes is what the program made its answers of, and can happen.
func TestProcessAttacks(t *testing.T) {
	r := commands.record(t, 1, []request{get("/spawn?x"), get("/waited?x"), get("/killed?x"), get("/looked?x"), get("/run?x")})
	mustAccept(t, r.Evidence)
	// told is what was recorded of a request that has text in it.
	told := func(l *forge.Life, rid uint64, text string) *forge.Record {
		for _, x := range l.Of(rid, record.Recorded) {
			if strings.Contains(x.Value.Str, text) {
				return x
			}
		}
		t.Fatalf("request %d has no %s", rid, text)
		return nil
	}
	edit := func(rid uint64, old, new string) func(l *forge.Life) {
		return func(l *forge.Life) {
			x := told(l, rid, old)
			replace(x, strings.Replace(x.Value.Str, old, new, 1))
		}
	}
	for name, attack := range map[string]struct {
		f     func(l *forge.Life)
		rules string
	}{
		"another exit code":        {edit(1, `"code":4`, `"code":5`), "R-response"},
		"other output":             {func(l *forge.Life) { rewrite(t, told(l, 1, `{"k":"out"`), "some text", "same text") }, "R-response"},
		"output of a third stream": {edit(1, `{"k":"out","n":1`, `{"k":"out","n":3`), "R-nondet"},
		"two exits":                {func(l *forge.Life) { again(l, told(l, 1, `{"k":"exit"`)) }, "R-nondet"},
		"closed before its exit":   {func(l *forge.Life) { swap(told(l, 1, `{"k":"exit"`), told(l, 1, `{"k":"close"`)) }, "R-nondet"},
		"a failure of what runs": {func(l *forge.Life) {
			replace(told(l, 1, `{"k":"exit"`), `{"k":"failed","e":{"name":"Error","message":"","fields":[]}}`)
		}, "R-nondet"},
		"no stream":                 {edit(1, `"streams":[true,true`, `"streams":[true,false`), "R-response R-exception R-nondet"},
		"another status":            {edit(2, `"status":2`, `"status":0`), "R-response"},
		"a status that is text":     {edit(2, `"status":2`, `"status":"2"`), "R-nondet"},
		"not killed":                {edit(3, `{"killed":true}`, `{"killed":false}`), "R-response"},
		"another address":           {edit(4, `127.0.0.1`, `127.0.0.2`), "R-response"},
		"an address of another":     {func(l *forge.Life) { replace(told(l, 4, `{"v":`), `{"v":5}`) }, "R-nondet"},
		"the pid of something else": {edit(5, `{"pid":`, `{"pid":-`), "R-nondet"},
	} {
		t.Run(name, func(t *testing.T) {
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) { attack.f(life(t, e)) }), attack.rules)
		})
	}
}
