package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	MaybeWorker()
	os.Exit(m.Run())
}

const echo = `
var job, out, steps;
function __start(j) { job = j; out = ''; steps = 0; if (j === 'throw') throw new TypeError('thrown in start'); if (j === 'hang') for (;;); }
function __step() { return 0; }
function __result() { return job + '!'; }
`

func start(t testing.TB, cfg Config, sources ...string) *Worker {
	t.Helper()
	for _, s := range sources {
		cfg.Scripts = append(cfg.Scripts, Script{Name: "test.js", Source: s})
	}
	w, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func run(t testing.TB, w *Worker, job string) string {
	t.Helper()
	b, err := w.Run(t.Context(), []byte(job))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRun(t *testing.T) {
	w := start(t, Config{}, echo)
	for _, s := range []string{"", "x", "grün 🍀", strings.Repeat("0123456789", 100_000)} {
		if got := run(t, w, s); got != s+"!" {
			t.Fatalf("%.40q came back as %.40q", s, got)
		}
	}
}

func TestMicrotasksRunAtCheckpointsOnly(t *testing.T) {
	w := start(t, Config{}, `
		var log = [];
		function __start() { log.length = 0; Promise.resolve().then(() => { log.push('a'); return null }).then(() => log.push('b')); log.push('start'); }
		var n = 0;
		function __step() { log.push('step' + ++n); Promise.resolve().then(() => log.push('c' + n)); log.push('end'); return n < 2 ? 1 : 0; }
		function __result() { return log.join(' '); }`)
	if got, want := run(t, w, ""), "start a b step1 end c1 step2 end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThrownErrorsLeaveTheWorkerAlive(t *testing.T) {
	w := start(t, Config{}, echo)
	_, err := w.Run(t.Context(), []byte("throw"))
	var e *JSError
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	if e.Message != "TypeError: thrown in start" || !strings.Contains(e.Stack, "at __start (test.js:3:") || !strings.HasPrefix(e.Location, "test.js:3:") {
		t.Errorf("got %+v", e)
	}
	if got := run(t, w, "on"); got != "on!" {
		t.Errorf("got %q", got)
	}
}

func TestScriptErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"var x = ;", "SyntaxError: Unexpected token ';'"},
		{"null.x", "TypeError: Cannot read properties of null (reading 'x')"},
		{"%DebugPrint(1)", "SyntaxError: Unexpected token '%'"},
	} {
		_, err := Start(t.Context(), Config{Scripts: []Script{{"bad.js", c.source}}})
		var e *JSError
		if !errors.As(err, &e) || e.Message != c.want {
			t.Errorf("%s: got %v", c.source, err)
		}
	}
}

// Every way to die is an error of its own, and the parent lives.
func TestDeaths(t *testing.T) {
	source := echo + `
		function __start(j) { job = j; ({ hang, regexp, heap, bigarray, buffers, stack, microtasks, strings })[j]?.(); }
		function hang() { for (;;); }
		function microtasks() { const f = () => Promise.resolve().then(f); f(); }
		function regexp() { /^(a+)+$/.test('a'.repeat(64) + 'b'); }
		function heap() { const l = []; for (;;) l.push({ a: l.length, b: [1, 2, 3] }); }
		function strings() { const l = []; for (let i = 0; ; i++) l.push(JSON.stringify('x'.repeat(1 << 20) + i)); }
		function bigarray() { const l = []; for (;;) l.push(new Array(1 << 25).fill(1.5)); }
		function buffers() { const l = []; for (;;) l.push(new Uint8Array(64 << 20).fill(1)); }
		function stack() { stack(); }`
	cfg := Config{Timeout: 400 * time.Millisecond}
	mem := Config{Timeout: 60 * time.Second, MaxRSS: 300 << 20}
	for _, c := range []struct {
		job  string
		cfg  Config
		want any
	}{
		{"hang", cfg, new(*TimeoutError)},
		{"microtasks", cfg, new(*TimeoutError)},
		{"regexp", cfg, new(*TimeoutError)},
		{"heap", mem, new(*MemoryError)},
		{"strings", mem, new(*MemoryError)},
		{"bigarray", mem, new(*MemoryError)},
		{"buffers", mem, new(*MemoryError)},
		{"stack", cfg, new(*JSError)},
	} {
		t.Run(c.job, func(t *testing.T) {
			w := start(t, c.cfg, source)
			began := time.Now()
			_, err := w.Run(t.Context(), []byte(c.job))
			if !errors.As(err, c.want) {
				t.Fatalf("got %T %v, want %T", err, err, c.want)
			}
			t.Logf("%v after %v", err, time.Since(began).Round(time.Millisecond))
			_, again := w.Run(t.Context(), []byte("x"))
			if _, thrown := c.want.(**JSError); thrown != (again == nil) {
				t.Errorf("the next job: %v", again)
			}
		})
	}
}

func TestKilledWorker(t *testing.T) {
	w := start(t, Config{}, echo)
	w.cmd.Process.Kill()
	_, err := w.Run(t.Context(), []byte("x"))
	var e *CrashError
	if !errors.As(err, &e) || !strings.Contains(e.State, "killed") {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	w := start(t, Config{}, echo)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := w.Run(ctx, []byte("hang"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestCloseStopsARunningJob(t *testing.T) {
	w := start(t, Config{}, echo)
	done := make(chan error)
	go func() { _, err := w.Run(t.Context(), []byte("hang")); done <- err }()
	time.Sleep(50 * time.Millisecond)
	w.Close()
	w.Close()
	if err := <-done; !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
}

// Code that was kept must be taken, and nothing that is damaged.
func TestCodeIsKept(t *testing.T) {
	dir := t.TempDir()
	cfg := Config{CodeDir: dir}
	w := start(t, cfg, echo, "var second = 1")
	if len(w.codeless) != 2 {
		t.Fatalf("%d scripts without code", len(w.codeless))
	}
	run(t, w, "x")
	w.Close()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 2 {
		t.Fatalf("kept %v", files)
	}
	w = start(t, cfg, echo, "var second = 1")
	if len(w.codeless) != 0 {
		t.Errorf("kept code was not taken: %v", w.codeless)
	}
	if got := run(t, w, "x"); got != "x!" {
		t.Errorf("got %q", got)
	}
	for _, f := range files {
		b, _ := os.ReadFile(f)
		b[len(b)/2] ^= 1
		os.WriteFile(f, b, 0o600)
	}
	w = start(t, cfg, echo, "var second = 1")
	if len(w.codeless) != 2 {
		t.Error("damaged code was taken")
	}
	w = start(t, Config{CodeDir: dir, Flags: []string{"--no-lazy-feedback-allocation"}}, echo)
	if got := run(t, w, "x"); got != "x!" {
		t.Errorf("got %q", got)
	}
}

// What the engine costs per job, whatever the job does.
func BenchmarkRoundTrip(b *testing.B) {
	w := start(b, Config{}, echo)
	for _, c := range []struct {
		name string
		job  string
	}{{"small", "x"}, {"300KB", strings.Repeat("0123456789", 30_000)}, {"300KBnonASCII", strings.Repeat("01234567ü", 30_000)}} {
		b.Run(c.name, func(b *testing.B) {
			job := []byte(c.job)
			for b.Loop() {
				if _, err := w.Run(b.Context(), job); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		w := start(b, Config{}, echo)
		w.Close()
	}
}
