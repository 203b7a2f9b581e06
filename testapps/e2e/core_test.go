package e2e

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// inputs are what every thing of testapps/core is asked about.
var inputs = []string{"one", "two", "three times longer", "ä€🍀", "{\"a\":[1,2]}", ""}

// chance are things whose answers no two runs have in common.
var chance = map[string]bool{"/async/busy": true, "/crypto/random": true, "/machine/os": true}

// TestCore: what an app does with Node's core modules is re-executed, alone and
// with other inputs in one group; and the server build answers like the app.
func TestCore(t *testing.T) {
	things(t, &app{name: "core", dir: "core", entry: "server.js"}, inputs, "outside") // see TestOutside
}

// TestLanguage does the same with what the language has.
func TestLanguage(t *testing.T) {
	things(t, &app{name: "language", dir: "language", entry: "server.js"}, []string{"ab", "ab", "cd", "xyz", ""})
}

// tables are the things of an app whose files are tables of them, by file.
func tables(t *testing.T, a *app, except ...string) map[string][]string {
	a.build(t)
	files, err := filepath.Glob(filepath.Join(a.source(t), "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	thing := regexp.MustCompile(`(?m)^  (\w+): `)
	all := map[string][]string{}
	for _, file := range files {
		module := strings.TrimSuffix(filepath.Base(file), ".js")
		if module == "server" || slices.Contains(except, module) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(string(text), "module.exports = {")
		for _, m := range thing.FindAllStringSubmatch(table, -1) {
			all[module] = append(all[module], m[1])
		}
		if len(all[module]) == 0 {
			t.Fatalf("%s has no things", file)
		}
	}
	return all
}

// things asks an app about each of its things.
func things(t *testing.T, a *app, inputs []string, except ...string) {
	for module, things := range tables(t, a, except...) {
		var requests []request
		for _, thing := range things {
			for _, in := range inputs {
				requests = append(requests, get("/"+module+"/"+thing+"?"+url.PathEscape(in)))
			}
		}
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			for _, connections := range []int{1, 12} {
				r := a.record(t, connections, requests)
				if strings.Contains(r.ServerOutput, "not auditable") {
					t.Errorf("the server says:\n%s", r.ServerOutput)
				}
				v := mustAccept(t, r.Evidence)
				t.Logf("%d requests in %d groups, %d splits, %d alone: %v", v.Stats.Requests, v.Stats.Groups, v.Stats.Splits, v.Stats.LoneReruns, v.Stats.Reasons)
				if connections > 1 {
					continue
				}
				mustAccept(t, r.Evidence, "--workers", "1", "--max-group", "1")
				dir := t.TempDir()
				if _, err := kit.RunPlain(t.Context(), a.source(t), a.entry, dir, func(ctx context.Context, addr string) error {
					_, err := drive(ctx, addr, 1, requests)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				compare(t, requests, r.Trace, filepath.Join(dir, "trace.ktrace"))
			}
		})
	}
}

// compare insists on the same answers in two traces.
func compare(t *testing.T, requests []request, oursFile, theirsFile string) {
	t.Helper()
	ours, err := trace.Load(oursFile, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := trace.Load(theirsFile, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(ours.Exchanges) != len(requests) || len(theirs.Exchanges) != len(requests) {
		t.Fatalf("%d and %d exchanges, want %d", len(ours.Exchanges), len(theirs.Exchanges), len(requests))
	}
	for i, q := range requests {
		thing, _, _ := strings.Cut(q.path, "?")
		x, y := &ours.Exchanges[i].Response, &theirs.Exchanges[i].Response
		if !chance[thing] && (x.Status != y.Status || x.Phrase() != y.Phrase() || !bytes.Equal(x.Body, y.Body)) {
			t.Errorf("%s: %s\nwithout us: %s", q.path, answer(x), answer(y))
		}
	}
}

// TestSharedKeys: what crypto reads of a JWK and of an algorithm that requests share is read by the request.
func TestSharedKeys(t *testing.T) {
	a := &app{name: "keystore", dir: "gallery", entry: "keystore.js"}
	var requests []request
	for range 4 {
		for _, path := range []string{"put/ec", "put/rsa", "import/ec", "import/rsa", "create/ec", "put/ed", "create/rsa", "import/ec", "drop/ec", "hash/SHA-1", "import/rsa", "import/ed", "hash/SHA-512", "import/rsa"} {
			requests = append(requests, get("/"+path))
		}
	}
	for _, connections := range []int{1, 12} {
		r := a.record(t, connections, requests)
		if v := mustAccept(t, r.Evidence); v.Together != "" {
			t.Error(v.Together)
		}
		mustAccept(t, r.Evidence, "--together")
	}
}

// TestStaleErrors: what Node leaves of a question about a cipher does not reach who reads a key next.
func TestStaleErrors(t *testing.T) {
	a := &app{name: "core", dir: "core", entry: "server.js"}
	r := a.record(t, 1, []request{get("/crypto/unfit?x"), get("/crypto/rs256?x"), get("/crypto/unfit?y"), get("/crypto/rs256?x")})
	mustAccept(t, r.Evidence)
}

// TestBytesOfLanes: what differs between requests of one group is not mixed up.
func TestBytesOfLanes(t *testing.T) {
	core := &app{name: "core", dir: "core", entry: "server.js"}
	for _, path := range []string{"/web/textEncoded", "/web/textEncodedInto", "/bytes/into", "/bytes/last", "/webcrypto/hmac", "/webcrypto/gcm", "/webcrypto/ed25519"} {
		r := core.record(t, 1, []request{get(path + "?ten"), get(path + "?one"), get(path + "?two")}) // the first is the only one to find no count
		mustAccept(t, r.Evidence)
		mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
			e.Trace.Exchanges[1].Response.Body = e.Trace.Exchanges[2].Response.Body
		}), "R-response")
	}
}

// TestRecordedAttacks: recorded results are the server's word, but not for what
// can be checked.
func TestRecordedAttacks(t *testing.T) {
	core := &app{name: "core", dir: "core", entry: "server.js"}
	other := func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte("something else"))
		z.Close()
		return b.Bytes()
	}()
	set := func(name string, v record.Value) func(l *forge.Life) {
		return func(l *forge.Life) {
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == name {
					r.Value = v
					return
				}
			}
			t.Fatalf("no recorded result %s", name)
		}
	}
	text := func(b []byte) record.Value { return record.Text(base64.StdEncoding.EncodeToString(b)) }
	for _, c := range []struct {
		name, path string
		body       []byte // of the forged response; nil: the honest one
		forge      func(l *forge.Life)
	}{
		{"compressed bytes of something else", "/zlib/gzipped?one", other, set("zlib", text(other))},
		{"compressed bytes that go on", "/zlib/sync?one", nil, func(l *forge.Life) {
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "zlib" {
					b, _ := base64.StdEncoding.DecodeString(r.Value.Str)
					r.Value = text(append(b, other...))
					return
				}
			}
		}},
		{"no compressed bytes", "/zlib/gzipped?one", []byte{}, set("zlib", record.Text(""))},
		{"a compressed stream of something else", "/zlib/stream?one", nil, set("zlib", text(other))},
		{"lengths that add up to less", "/zlib/inflatestream?one", nil, set("inflate", record.Text("1"))},
		{"lengths that add up to more", "/zlib/inflatestream?one", nil, set("inflate", record.Text("999999999"))},
		{"lengths that are none", "/zlib/inflatestream?one", nil, set("inflate", record.Text("-1"))},
		{"a length that is a number", "/zlib/inflatestream?one", nil, func(l *forge.Life) {
			for _, r := range l.Of(1, record.Recorded) {
				if n, err := strconv.Atoi(r.Value.Str); r.Name == "inflate" && err == nil {
					r.Value = record.Number(float64(n))
					return
				}
			}
			t.Fatal("no single length is recorded")
		}},
		{"a signature of something else", "/crypto/ps256?one", nil, set("signature", text(other))},
		{"an elliptic signature of something else", "/crypto/es256?one", nil, set("signature", text(other))},
		{"two timers of one number", "/async/timerNumbers?one", nil, func(l *forge.Life) {
			var first *forge.Record
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "timer" && first == nil {
					first = r
				} else if r.Name == "timer" {
					r.Value = first.Value
				}
			}
		}},
		{"a timer without a number", "/async/timerNumbers?one", nil, set("timer", record.Text("1"))},
		{"a signature of the web's of something else", "/webcrypto/pss?one", nil, set("signature", text(other))},
		{"an elliptic signature of the web's of something else", "/webcrypto/ecdsa?one", nil, set("signature", text(other))},
		{"no signature of the web's", "/webcrypto/ecdsa?one", nil, set("signature", record.Number(5))},
		{"a new key that is too short", "/webcrypto/generated?one", nil, set("bytes", text(other[:5]))},
		{"a new pair of another curve", "/webcrypto/generated?one", nil, set("keypair", text(pairOn(t, elliptic.P256())))},
		{"a new pair that is none", "/webcrypto/generated?one", nil, set("keypair", text(other))},
		{"a new pair that is a number", "/webcrypto/generated?one", nil, set("keypair", record.Number(5))},
		{"a new pair of another type", "/webcrypto/pairs?one", nil, set("keypair", text(pairOn(t, elliptic.P256())))},
		{"a new pair with something behind it", "/webcrypto/generated?one", nil, set("keypair", text(append(pairOn(t, elliptic.P384()), 0)))},
		{"more of a file than was asked for", "/handles/read?one", nil, set("fs.handle.read", record.Text(`{"b":"AAAAAAAA"}`))},
		{"a file that is text", "/handles/read?one", nil, set("fs.handle.readFile", record.Text(`{"b":"AAAA"}`))},
		{"more written than there was", "/handles/written?one", nil, set("fs.handle.write", record.Text(`{"v":100}`))},
		{"a handle that is no number", "/handles/read?one", nil, set("fs.open", record.Text(`{"v":"3"}`))},
		{"a size that is text", "/handles/written?one", nil, set("fs.handle.stat", record.Text(`{"t":{"size":"1"}}`))},
		{"less used than nothing", "/machine/used?one", nil, set("number", record.Number(-1))},
		{"groups that are none", "/machine/used?one", nil, set("json", record.Text(`[-1]`))},
		{"an order that is none", "/machine/order?one", nil, set("dns", record.Text(`{"v":["any"]}`))},
		{"a turn that is none", "/zlib/inflatestream?one", nil, set("turn", record.Text("now"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := core.record(t, 1, []request{get(c.path)})
			mustAccept(t, r.Evidence)
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
				c.forge(life(t, e))
				if c.body != nil {
					e.Trace.Exchanges[0].Response.Body = c.body
					for i, h := range e.Trace.Exchanges[0].Response.Headers {
						if strings.EqualFold(h.Name, "content-length") {
							e.Trace.Exchanges[0].Response.Headers[i].Value = fmt.Sprint(len(c.body))
						}
					}
				}
			}), "R-nondet")
		})
	}
}

// pairOn is a new key on a curve, as it is recorded.
func pairOn(t *testing.T, c elliptic.Curve) []byte {
	t.Helper()
	k, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func answer(r *trace.Response) string {
	return fmt.Sprintf("%d %s %.2000q", r.Status, r.Phrase(), r.Body)
}

// TestOutputToFile: where a server prints to is all the same to the audit. Node.js has other streams for files than for
// pipes, which it makes when they are first asked for.
func TestOutputToFile(t *testing.T) {
	printing := &app{name: "printing", dir: "gallery", entry: "printing.js"}
	preload := filepath.Join(t.TempDir(), "preload.js")
	// A descriptor that is opened takes the lowest number that is free.
	text := "const fs = require('fs'); for (const fd of [1, 2]) { fs.closeSync(fd); fs.openSync(__filename + '.out', 'a'); }"
	if err := os.WriteFile(preload, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := kit.Record(t.Context(), printing.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, 2, slices.Repeat([]request{get("/a"), get("/b")}, 3))
		return err
	}, "NODE_OPTIONS=--require "+preload)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := os.ReadFile(preload + ".out"); err != nil || !bytes.Contains(out, []byte("asked for /b")) {
		t.Fatalf("the server does not print to the file: %v", err)
	}
	mustAccept(t, r.Evidence)
}

// TestOrder: what a program hears of streams, emitters and promises comes in the order of Node.js, also among its ticks
// and promises.
func TestOrder(t *testing.T) {
	order := &app{name: "order", dir: "gallery", entry: "order.js"}
	src, err := os.ReadFile(filepath.Join(order.source(t), order.entry))
	if err != nil {
		t.Fatal(err)
	}
	// What other threads do comes when it likes.
	free := []string{"zlibs", "zstream", "fsread", "fsprom", "cryptoAsync", "timersOrder"}
	var all, settled []request
	for _, m := range regexp.MustCompile(`(?m)^  (\w+): (?:async )?\(l\)`).FindAllStringSubmatch(string(src), -1) {
		all = append(all, get("/"+m[1]))
		if !slices.Contains(free, m[1]) {
			settled = append(settled, get("/"+m[1]))
		}
	}
	if len(all) < 35 {
		t.Fatalf("%d things", len(all))
	}
	order.answersLikePlain(t, order.entry, settled)
	order.honest(t, 8, slices.Repeat(all, 2))
}

// TestSavedFiles: when the disk is done with what a stream of a file writes is recorded.
func TestSavedFiles(t *testing.T) {
	saves := &app{name: "saves", dir: "gallery", entry: "saves.js"}
	requests := []request{{method: "POST", path: "/up", body: strings.Repeat("text ", 30_000)}, {method: "POST", path: "/up", body: "text"}, get("/cb"), get("/fd"), get("/clock"), get("/enc")}
	saves.answersLikePlain(t, saves.entry, requests[1:])
	for _, connections := range []int{1, 12} {
		saves.honest(t, connections, slices.Repeat(requests, connections))
	}
}

// TestInspected: to find out what values are parts no lanes.
func TestInspected(t *testing.T) {
	inspected := &app{name: "inspected", dir: "gallery", entry: "inspected.js"}
	var requests []request
	for i := range 30 {
		requests = append(requests, get(fmt.Sprint("/", 1+2*i)))
	}
	inspected.answersLikePlain(t, inspected.entry, requests[:4])
	// Numbers of one and of two digits break into lines differently.
	if v := inspected.honest(t, 8, requests); v.Stats.Groups > 4 {
		t.Errorf("%d requests that do the same are in %d groups: %v", len(requests), v.Stats.Groups, v.Stats.Reasons)
	}
}
