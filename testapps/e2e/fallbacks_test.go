package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

var fallbacks = &app{name: "fallbacks", dir: "gallery", entry: "fallbacks.js"}

// What such a program is told is checked before it is made, so that it cannot catch what is wrong with it.
func TestFallbackAttacks(t *testing.T) {
	var attacks []attack
	for i, name := range []string{"signature", "inflate", "zlib"} {
		for _, v := range []record.Value{record.Number(5), {Kind: record.Undefined}, record.Boolean(true), {Kind: record.BigInt, Str: "5"}, record.Text("§"), record.Text("1,,2"), record.Text("12345678901")} {
			if name == "signature" && v.Kind == record.String {
				continue // any text is read as base64
			}
			attacks = append(attacks, attack{fmt.Sprintf("%s becomes %s", name, v.AppendJSON(nil, record.Renumber{})), "R-nondet", func(t *testing.T, e *forge.Evidence) {
				named(t, life(t, e), uint64(i+1), name)[0].Value = v
			}})
		}
	}
	oneByOne(fallbacks, get("/sign"), get("/inflated"), get("/gzip")).attack(t, attacks...)
}

// TestFallbacks: a program that catches errors of what is recorded gets none, whatever a server says was the result.
func TestFallbacks(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(fallbacks.source(t), fallbacks.entry))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(src), "const asks = {")
	var requests []request
	for _, m := range regexp.MustCompile(`(?m)^  (\w+): \(\) =>`).FindAllStringSubmatch(table, -1) {
		requests = append(requests, get("/"+m[1]))
	}
	if len(requests) < 20 {
		t.Fatalf("%d routes", len(requests))
	}
	honest := oneByOne(fallbacks, requests...).honest(t)
	for _, how := range [][]string{nil, {"--together"}} {
		mustAccept(t, honest, append([]string{"--workers", "1"}, how...)...)
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	w.Write(make([]byte, 3<<20))
	w.Close()
	b64 := func(b []byte) record.Value { return record.Text(base64.StdEncoding.EncodeToString(b)) }
	hostile := []record.Value{
		{Kind: record.RegExp, Str: "(", Ext: &record.Ext{Text: "zz", List: []record.Value{record.Number(0)}}},
		{Kind: record.Date, Num: record.NumBits(1e300)}, record.RefTo(record.InitRef(0)), record.RefTo(record.InitRef(1 << 20)), record.ListOf(record.Number(1)),
		{Kind: record.Error, Str: "no", Ext: &record.Ext{Text: "Error"}}, {Kind: record.Fn, Num: 7}, {Kind: record.Absent}, {Kind: record.Hole}, {Kind: record.Bytes, Str: "xyz", Ext: &record.Ext{Text: "Buffer"}},
		{Kind: record.Undefined}, {Kind: record.Null}, record.Boolean(true), record.Number(-1), record.Number(math.NaN()), record.Number(1e308), {Kind: record.BigInt, Str: "-7"},
		record.Text(""), record.Text("\x00"), record.Text("{}"), record.Text("[]"), record.Text("null"), record.Text(`[{"times":{}}]`), record.Text(`{"__proto__":1}`), record.Text("999999999999999 999999999"),
		record.Text("123456789,123456789"), record.Text("§§"), record.Text(",,,"), b64(bomb.Bytes()), b64(bomb.Bytes()[:50]), b64(bytes.Repeat([]byte{0xff}, 40)),
	}
	a := newAdversary(t, honest, *lieSeed)
	tried := map[string]int{}
	for i := range requests {
		rid := uint64(i + 1)
		for range *lies / 2 {
			for _, together := range []bool{false, true} {
				e := loaded(t, honest)
				rs := life(t, e).Of(rid, record.Recorded)
				if len(rs) == 0 {
					t.Fatalf("nothing was recorded of %s", requests[i].path)
				}
				r := oneOf(a.rnd, rs)
				was := r.Value
				if r.Value = oneOf(a.rnd, hostile); r.Name == "turn" || record.Equal(was, r.Value) {
					continue
				}
				what := fmt.Sprintf("%s of %s: %.60s", r.Name, requests[i].path, r.Value.AppendJSON(nil, record.Renumber{}))
				for range 6 {
					v, err := a.ask(t.Context(), e, together)
					if err != nil {
						if strings.HasPrefix(err.Error(), "the audit failed") {
							t.Errorf("%s: %v", what, err)
						}
						break
					}
					tried[string(v.Outcome)+" "+v.Rule]++
					if v.Outcome == verdict.Accept && !a.legal(e) {
						t.Errorf("accepted: %s, answered %q", what, e.Exchange(rid).Response.Body)
					}
					if v.Outcome != verdict.Reject || !a.mend(e, v) {
						break
					}
				}
			}
		}
	}
	t.Log(tried)
}
