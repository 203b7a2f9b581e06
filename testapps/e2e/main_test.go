package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/engine"
	"karousosc/verifier/verdict"
)

var keep = flag.String("keep", "", "copy the evidence of runs that were not accepted into this directory")

var seeds = flag.Int("seeds", 1, "how many different honest runs to make of each kind")

var (
	kit     *scenario.Kit
	workDir string
)

func TestMain(m *testing.M) {
	engine.MaybeWorker()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "karousosc-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	workDir = dir
	if kit, err = scenario.FromSource(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// An app is one of testapps with what to ask of it.
type app struct {
	name  string
	dir   string // below testapps
	entry string // "" for what package.json says
	// requests makes a load of n requests; equal seeds make equal loads.
	requests func(seed uint64, n int) []request

	once sync.Once
	dist string
	err  error
}

func (a *app) source(t testing.TB) string {
	t.Helper()
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "testapps", a.dir)
}

// build builds the app once for all tests.
func (a *app) build(t testing.TB) string {
	t.Helper()
	src := a.source(t)
	a.once.Do(func() {
		if a.err = scenario.Install(context.Background(), src); a.err != nil {
			return
		}
		dist := filepath.Join(workDir, "dist-"+a.name)
		var args []string
		if a.entry != "" {
			args = []string{"--entry", a.entry}
		}
		if _, a.err = kit.Build(context.Background(), src, dist, args...); a.err == nil {
			a.dist = dist
		}
	})
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a.dist
}

// record makes an honest run.
func (a *app) record(t testing.TB, connections int, requests []request) *scenario.Recording {
	t.Helper()
	r, err := kit.Record(t.Context(), a.build(t), t.TempDir(), func(ctx context.Context, addr string) error {
		_, err := drive(ctx, addr, connections, requests)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verify audits, with one engine unless told otherwise: the tests use all
// processors as it is.
func verify(t testing.TB, e scenario.Evidence, args ...string) *scenario.Audit {
	t.Helper()
	if len(args) == 0 {
		args = []string{"--workers", "1"}
	}
	a, err := kit.Verify(t.Context(), e, args...)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(a.Stderr, "panic:") || strings.Contains(a.Stderr, "goroutine ") {
		t.Fatalf("karousosc verify panicked:\n%s", a.Stderr)
	}
	keepReject(t, e, args, a)
	return a
}

func mustAccept(t testing.TB, e scenario.Evidence, args ...string) *scenario.Audit {
	t.Helper()
	a := verify(t, e, args...)
	if a.Outcome != verdict.Accept {
		keepEvidence(t, e)
		t.Fatalf("an honest run was not accepted:\n%s", a.Text())
	}
	return a
}

// keepEvidence copies what a test is about to throw away, for whoever looks into
// its failure.
func keepEvidence(t testing.TB, e scenario.Evidence) {
	if *keep == "" {
		t.Log("run the test with -keep DIR to look at the evidence")
		return
	}
	dir := filepath.Join(*keep, strings.NewReplacer("/", "_", "=", "-", ",", "_").Replace(t.Name()))
	os.RemoveAll(dir)
	for from, to := range map[string]string{e.Dist: "dist", e.Trace: "trace.ktrace", e.Advice: "advice"} {
		to = filepath.Join(dir, to)
		os.MkdirAll(filepath.Dir(to), 0o755)
		if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
			t.Logf("keeping %s: %v %s", from, err, out)
		}
	}
	t.Logf("the evidence is in %s", dir)
}

// forged applies a change to a copy of the evidence and audits the copy.
func forged(t testing.TB, honest scenario.Evidence, change func(e *forge.Evidence)) *scenario.Audit {
	t.Helper()
	return verify(t, lieOf(t, honest, change))
}

// lieOf applies a change to a copy of the evidence.
func lieOf(t testing.TB, honest scenario.Evidence, change func(e *forge.Evidence)) scenario.Evidence {
	t.Helper()
	e, err := forge.Load(honest.Trace, honest.Advice)
	if err != nil {
		t.Fatal(err)
	}
	change(e)
	lie := scenario.In(honest.Dist, t.TempDir())
	if err := e.Save(lie.Trace, lie.Advice); err != nil {
		t.Fatal(err)
	}
	return lie
}
