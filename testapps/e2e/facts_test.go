package e2e

import (
	"math"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

var facts = &app{name: "facts", dir: "gallery", entry: "facts.js"}

const factPaths = "signs perf uptime hrtime hrbig both process parent mark measure event port peer server bytes text hex piece names entries raw stat folder wrote"

func TestFacts(t *testing.T) {
	var rs []request
	for range 4 {
		for _, p := range strings.Fields(factPaths) {
			rs = append(rs, get("/"+p))
		}
	}
	for _, connections := range []int{1, 8} {
		facts.honest(t, connections, rs)
	}
	if v := verify(t, facts.record(t, 1, []request{get("/big")}).Evidence); v.Outcome != verdict.Undecided || !strings.Contains(v.Text(), "bigint") {
		t.Error(v.Text())
	}
}

// The n-th recorded result of a name becomes another one, and the answer what the program makes of that.
func TestFactAttacks(t *testing.T) {
	stories := map[string]*story{}
	text, minus := record.Text, record.Number(math.Copysign(0, -1))
	for _, c := range []struct {
		path, name string
		n          int
		v          record.Value
		answer     string
		rules      string
	}{
		{"signs", "random", 0, minus, "true,false,false,false,false", "R-nondet"},
		{"signs", "now", 0, minus, "false,true,false,false,false", "R-nondet"},
		{"signs", "int", 0, minus, "false,false,true,false,false", "R-nondet"},
		{"signs", "perf", 0, minus, "false,false,false,true,false", "R-nondet"},
		{"signs", "uptime", 0, minus, "false,false,false,false,true", "R-nondet"},
		{"both", "hrtime", 0, text("999999999999 5"), "false", "R-clock"},
		{"parent", "number", 0, record.Number(0.5), "0.5", "R-nondet"},
		{"parent", "number", 0, minus, "0", "R-nondet"},
		{"mark", "number", 1, record.Number(5), "false", "R-nondet"},
		{"measure", "number", 1, record.Number(5), "false", "R-nondet"},
		{"event", "number", 1, record.Number(5), "false", "R-nondet"},
		{"port", "remotePort", 0, text(`"x"`), "string false", "R-nondet"},
		{"port", "remotePort", 0, text(`70000`), "number false", "R-nondet"},
		{"port", "remotePort", 1, text("5"), "number false", "R-nondet"},
		{"port", "remotePort", 0, text("null"), "undefined false", "R-nondet"},
		{"bytes", "fs.readFile", 0, text(`{"v":"x"}`), "string x", "R-nondet"},
		{"text", "fs.readFile", 0, text(`{"b":"AAAA"}`), "Buffer", "R-nondet"},
		{"text", "fs.readFile", 0, text(`{"v":"\ud800"}`), "string \ufffd", "R-nondet"},
		{"hex", "fs.readFile", 0, text(`{"v":"no"}`), "false", "R-nondet"},
		{"names", "fs.readdir", 0, text(`{"d":[["x",1]]}`), "Dirent", "R-nondet"},
		{"names", "fs.readdir", 0, text(`{"l":["AAAA"]}`), "Buffer", "R-nondet"},
		{"entries", "fs.readdir", 0, text(`{"v":["x"]}`), "string x", "R-nondet"},
		{"raw", "fs.readdir", 0, text(`{"v":["x"]}`), "false", "R-nondet"},
		{"stat", "fs.stat", 0, text(`{}`), "undefined undefined", "R-nondet"},
		{"piece", "fs.read", 0, text(`{"b":"AAAAAAAA"}`), "false", "R-nondet"},
		{"folder", "fs.mkdir", 0, text(`{"v":"/tmp"}`), "string /tmp", "R-nondet"},
		{"wrote", "fs.write", 0, text(`{"v":5}`), "5", "R-nondet"},
	} {
		lieAbout(t, stories, c.path, c.rules, 1, c.answer, func(e *forge.Evidence) bool { return nthResult(t, e, 1, c.name, c.n, c.v) })
	}
	for _, c := range []struct {
		path, name string
		v          record.Value
		answer     string
	}{
		{"perf", "perf", record.Number(1), "1"},
		{"uptime", "uptime", record.Number(0.0001), "0.0001"},
		{"hrtime", "hrtime", text("1 5"), "000000001000000005"},
		{"hrbig", "hrbig", record.Value{Kind: record.BigInt, Str: "1"}, "1"},
	} {
		lieAbout(t, stories, c.path, "R-clock", 2, c.answer, func(e *forge.Evidence) bool { return nthResult(t, e, 2, c.name, 0, c.v) })
	}
	// Where the program asks for it, an end of the connection has a name; it is no other one the second time.
	lieAbout(t, stories, "peer", "R-nondet", 1, "undefined undefined false string IPv4 string 127.0.0.1 number", func(e *forge.Evidence) bool {
		l := life(t, e)
		q := l.Of(1, record.Tag)[0]
		said(l, q, 0, "remoteAddress", text("null"))
		return true
	})
	// What the process is, is no result, but a fact of the life.
	for name, v := range map[string]record.Value{"=pid": text("0.5"), "=uid": text("-1"), "=gid": text("x"), "=origin": text("soon")} {
		lieAbout(t, stories, "process", "R-nondet R-response", 1, "1 2 3 4", func(e *forge.Evidence) bool {
			for _, r := range life(t, e).All(record.Env) {
				if r.Name == name {
					r.Value = v
					return true
				}
			}
			return false
		})
	}
}

// lieAbout checks that a lie about an honest run of two equal requests is refused, in groups and jointly.
func lieAbout(t *testing.T, stories map[string]*story, path, rules string, rid uint64, answer string, lie func(e *forge.Evidence) bool) {
	t.Helper()
	if stories[path] == nil {
		stories[path] = oneByOne(facts, get("/"+path), get("/"+path))
	}
	s := stories[path]
	t.Run(path, func(t *testing.T) {
		t.Parallel()
		honest := s.honest(t)
		mustAccept(t, honest)
		e := lieOf(t, honest, func(e *forge.Evidence) {
			if !lie(e) {
				t.Fatal("there is nothing to lie about")
			}
			e.Answer(rid, answer)
		})
		mustReject(t, verify(t, e), rules)
		mustReject(t, verify(t, e, "--workers", "1", "--together"), rules)
	})
}

// nthResult changes a recorded result of a request.
func nthResult(t *testing.T, e *forge.Evidence, rid uint64, name string, n int, v record.Value) bool {
	t.Helper()
	for _, r := range life(t, e).Of(rid, record.Recorded) {
		if r.Name != name {
			continue
		}
		if n == 0 {
			r.Value = v
			return true
		}
		n--
	}
	return false
}
