package advice_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/verifier/advice"
)

// The server's writer is TypeScript; these tests bundle it as the server build
// does, run it under node, and read what it wrote.

var bundled = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "advice-writer-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"advice", "flush-worker"} {
		res := api.Build(api.BuildOptions{
			EntryPoints: []string{filepath.Join("..", "..", "runtime", "js", "server", name+".ts")},
			Bundle:      true, Write: true, Platform: api.PlatformNode, Format: api.FormatCommonJS, Target: api.ES2022,
			Outfile: filepath.Join(dir, name+".js"),
		})
		for _, m := range res.Errors {
			return "", &exec.Error{Name: m.Text, Err: os.ErrInvalid}
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := bundled(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// node runs a program after a prelude that makes a writer `w` for dir and a few
// short names. It returns what the program printed.
func node(t testing.TB, dir, program string) (stdout, stderr string, err error) {
	t.Helper()
	writer, err := bundled()
	if err != nil {
		t.Fatal(err)
	}
	prelude := `"use strict";
const A = require(process.argv[2] + '/advice.js');
const { AdviceWriter, Ref, Absent, Hole, List, Delta, FnRef, DateV, RegExpV, ErrorV, BytesV } = A;
const fs = require('fs');
const w = new AdviceWriter(process.argv[3], 'c0ffee', process.argv[2] + '/flush-worker.js');
`
	file := filepath.Join(t.TempDir(), "program.js")
	if err := os.WriteFile(file, []byte(prelude+program), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.Command("node", file, writer, dir)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func mustNode(t testing.TB, dir, program string) string {
	t.Helper()
	out, errs, err := node(t, dir, program)
	if err != nil || errs != "" {
		t.Fatalf("node: %v\n%s", err, errs)
	}
	return out
}

// loadOne loads a directory that holds one life.
func loadOne(t testing.TB, dir string) *advice.Life {
	t.Helper()
	a, err := advice.Load(dir, advice.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Lives) != 1 {
		t.Fatalf("%d lives, want 1", len(a.Lives))
	}
	return a.Lives[0]
}

// motd is what an app logs whose requests either overwrite one of 100 entries of
// a shared map with an object of two fields, or read one.
const motd = `
const n = 20000, keys = 100, inFlight = 30;
let seed = 1;
const random = (k) => {
  let t = (seed = (seed + 0x6d2b79f5) | 0);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % k;
};
const last = new Array(keys).fill(-1), loc = new Array(keys).fill(-1);
const values = process.env.VALUES !== 'no';
function run() {
  const open = [];
  const start = performance.now();
  for (let i = 1; i <= n; i++) {
    open.push([w.request(i), random(2)]);
    if (open.length < inFlight) continue;
    const [q, post] = open.splice(random(3) === 0 ? random(open.length) : 0, 1)[0];
    const k = random(keys);
    if (post) {
      const a = w.activation(q, w.activation(q, 0, 2, 0), 1, 0);
      if (loc[k] < 0) loc[k] = w.location(0, '2026-' + k);
      const o = values ? w.object(q, a, 1, 0, 0, 0, [['message', 'the message of day ' + random(1e6)], ['readable', true]]) : 0;
      last[k] = w.write(q, a, 1, loc[k], last[k], values ? new Ref(2 * o + 1) : true);
      w.tag(q, 0x12345678);
    } else {
      const a = w.activation(q, w.activation(q, 0, 2, 0), 1, 0);
      if (last[k] >= 0) w.read(q, a, last[k]);
      w.tag(q, last[k] >= 0 ? 0x76543210 : 77);
    }
  }
  return performance.now() - start;
}
`

// writeMotd leaves the advice of 20,000 such requests in dir.
func writeMotd(t testing.TB, dir string) string {
	return mustNode(t, dir, motd+`
console.log((run() * 1e6 / n).toFixed(0) + ' ns a request');
w.close();`)
}

func TestCost(t *testing.T) {
	dir := t.TempDir()
	out := writeMotd(t, dir)
	l := loadOne(t, dir)
	if !l.Complete || len(l.Requests) != 20001 {
		t.Fatalf("complete %v, %d requests, %s", l.Complete, len(l.Requests), l.MissingNote)
	}
	info, err := os.Stat(filepath.Join(dir, l.File))
	if err != nil {
		t.Fatal(err)
	}
	perRequest := float64(info.Size()) / 20000
	t.Logf("%s%.1f bytes a request on disk, %d writes, %d reads", out, perRequest, len(l.Writes), len(l.Reads))
	if perRequest > 40 {
		t.Errorf("%.1f bytes a request", perRequest)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	writeMotd(b, dir)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := advice.Load(dir, advice.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
