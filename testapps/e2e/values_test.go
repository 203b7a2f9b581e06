package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

var values = &app{name: "values", dir: "gallery", entry: "values.js"}

// TestValues: whatever shared state holds, under whatever keys, an honest run is accepted.
func TestValues(t *testing.T) {
	for _, k := range []string{"date", "regexp", "bigint", "nan", "zero", "minus", "undefined", "null", "text", "five", "proto", "constructor", "true", "one", "two", "object", "plain", "own", "array", "holes", "map", "set", "error"} {
		t.Run(k, func(t *testing.T) {
			t.Parallel()
			var rs []request
			for _, p := range []string{"/put", "/box", "/set?v=1", "/get", "/keys", "/add", "/add", "/members", "/delete", "/remove", "/keys", "/members", "/fill?v=2", "/bag"} {
				rs = append(rs, get(ofKind(p, k)))
			}
			mustAccept(t, values.record(t, 1, rs).Evidence)
		})
	}
	t.Run("keys that look alike", func(t *testing.T) {
		t.Parallel()
		var rs []request
		for i, k := range []string{"five", "text", "minus", "zero", "null", "nan", "proto", "constructor"} {
			rs = append(rs, get(ofKind("/set?v="+string(rune('a'+i)), k)), get(ofKind("/add", k)))
		}
		for _, k := range []string{"five", "text", "minus", "zero", "null", "nan", "proto", "constructor"} {
			rs = append(rs, get(ofKind("/get", k)), get(ofKind("/delete", k)), get("/keys"), get("/members"), get(ofKind("/fill?v=1", k)), get("/bag"))
		}
		mustAccept(t, values.record(t, 1, rs).Evidence)
		mustAccept(t, values.record(t, 6, rs).Evidence)
	})
	t.Run("a long chain", func(t *testing.T) {
		t.Parallel()
		var rs []request
		for range 400 {
			rs = append(rs, get("/chain?v=1"))
		}
		mustAccept(t, values.record(t, 8, append(rs, get("/end"))).Evidence)
	})
	t.Run("lists and draws", func(t *testing.T) {
		t.Parallel()
		var rs []request
		for range 5 {
			rs = append(rs, get("/push?v=a"), get("/push?v=b"), get("/list"), get("/splice?at=1&v=c"), get("/list"), get("/draw"), get("/time"), get("/empty"))
		}
		mustAccept(t, values.record(t, 5, rs).Evidence)
	})
}

// ofKind adds the kind of a value to a path.
func ofKind(path, kind string) string {
	for _, c := range path {
		if c == '?' {
			return path + "&kind=" + kind
		}
	}
	return path + "?kind=" + kind
}

// All that is drawn, and nothing that has to agree with anything.
var draws = oneByOne(values, get("/draw"), get("/time"), get("/draw"))

// A recorded result is one that the platform could have given, whatever the program does
// with it.
func TestDrawAttacks(t *testing.T) {
	var attacks []attack
	for name, forged := range map[string][]record.Value{
		"perf":   {record.Text("1"), record.Number(-1), record.Number(math.Inf(1)), record.Value{Kind: record.Undefined}},
		"uptime": {record.Text("1"), record.Number(-1), record.Number(math.NaN()), record.Boolean(true)},
		"hrtime": {record.Text("1"), record.Text("1 2000000000"), record.Text("-1 5"), record.ListOf(record.Text("1 5")), record.Text(strings.Repeat("9", 400) + " 5"), record.Number(5)},
		"hrbig":  {record.Number(5), record.Value{Kind: record.BigInt, Str: "-5"}, record.Value{Kind: record.BigInt, Str: "1208925819614629174706176"}, record.Text("5"), record.Value{Kind: record.Null}},
		"number": {record.Text("7"), record.Number(-7), record.Number(math.Inf(1)), record.Value{Kind: record.Undefined}},
		"json":   {record.Number(7), record.Text("{"), record.Text("")},
		"bytes":  {record.Text("AAAA"), record.Text("AAAAAAA="), record.Number(0)},
		"int":    {record.Number(5), record.Number(-1), record.Number(1.5)},
		"uuid":   {record.ListOf(record.Text("3bfa1a3a-5c43-4c3c-9c3c-1b2c3d4e5f60")), record.Text("x"), record.Text("3BFA1A3A-5C43-4C3C-9C3C-1B2C3D4E5F60")},
		"now":    {record.Number(1.5), record.Number(-1), record.Number(8.7e15), record.Text("1"), record.Number(-1e300)},
		"zlib":   {record.Number(1), record.Text("AAAA"), record.Text("")},
	} {
		for _, v := range forged {
			attacks = append(attacks, attack{fmt.Sprintf("%s becomes %s", name, v.AppendJSON(nil, record.Renumber{})), "R-nondet", func(t *testing.T, e *forge.Evidence) {
				drawn(t, life(t, e), name).Value = v
			}})
		}
	}
	for _, name := range []string{"perf", "uptime", "hrbig", "hrtime"} {
		attacks = append(attacks, attack{name + " runs backwards", "R-clock", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			var rs []*forge.Record
			for _, r := range l.Of(2, record.Recorded) {
				if r.Name == name {
					rs = append(rs, r)
				}
			}
			if len(rs) != 2 {
				t.Fatalf("%d readings", len(rs))
			}
			rs[0].Value, rs[1].Value = rs[1].Value, rs[0].Value
			if name == "uptime" {
				rs[0].Value = record.Number(1e6)
			}
			e.Answer(2, map[string]string{"perf": "false true true true", "uptime": "true false true true", "hrbig": "true true false true", "hrtime": "true true true false"}[name])
		}})
	}
	draws.attack(t, attacks...)

	attacks = nil
	for _, v := range []string{"no", "5", `{"code":"ESRCH"}`, `{"message":"kill ESRCH","code":"ESRCH","errno":-3,"syscall":"kill","extra":1}`, `{"__proto__":{"extra":1}}`} {
		attacks = append(attacks, attack{"process.kill gives " + v, "R-nondet", func(t *testing.T, e *forge.Evidence) {
			drawn(t, life(t, e), "json").Value = record.Text(v)
			e.Answer(1, "no: undefined undefined")
		}})
	}
	oneByOne(values, get("/alive")).attack(t, attacks...)
}

// What comes from outside has the shape of what such a call gives.
func TestOutsideAttacks(t *testing.T) {
	var attacks []attack
	for _, v := range []string{"", "5", "null", "{", `{"v":5}`, `{"b":""}`, `{"t":{"__proto__":{"size":1}}}`, `{"t":{"size":"1"}}`, `{"e":{}}`, `{"e":{"name":"Error","message":"no","code":5}}`, `{"__proto__":{"e":1}}`} {
		attacks = append(attacks, attack{"fs.stat gives " + v, "R-nondet", func(t *testing.T, e *forge.Evidence) {
			drawn(t, life(t, e), "fs.stat").Value = record.Text(v)
		}})
	}
	oneByOne(callbacks, get("/gather?x=1")).attack(t, attacks...)
}

func drawn(t *testing.T, l *forge.Life, name string) *forge.Record {
	t.Helper()
	for _, r := range l.Of(1, record.Recorded) {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no recorded result %s", name)
	return nil
}

// TestPrinting: what the program makes text of looks as it does where nothing watches it.
func TestPrinting(t *testing.T) {
	printer := &app{name: "printer", dir: "gallery", entry: "printer.js"}
	var one, all []request
	for _, k := range strings.Fields("n list map set shelf date re nested symbol bare bytes later made class circle") {
		one = append(one, get("/"+k))
	}
	for range 6 {
		all = append(all, one...)
	}
	printer.answersLikePlain(t, printer.entry, one)
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) { printer.honest(t, connections, all) })
	}
	if r := printer.record(t, 1, one); strings.Contains(r.ServerOutput, "Getter") || !strings.Contains(r.ServerOutput, "AsyncFunction: later") || !strings.Contains(r.ServerOutput, "Shelf { n:") {
		t.Errorf("the server prints\n%s", r.ServerOutput)
	}
}
