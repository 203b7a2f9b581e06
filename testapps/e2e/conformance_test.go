package e2e

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"karousosc/testapps/scenario"
)

var update = flag.Bool("update", false, "write the pages that tests generate")

// A suite is the tests that a package ships.
type suite struct {
	name       string
	least      int    // so many tests pass plain
	unserved   string // why it is not re-executed; "" if it is
	exceptions []exception
}

// An exception is a test that passes plain and not as a server build.
type exception struct{ test, why string }

var suites = []suite{
	{name: "aplus", least: 800, unserved: "it runs for longer than the test waits"},
	{name: "qs", least: 700},
	{name: "object-inspect", least: 200},
	{name: "fastq", least: 50},
	{name: "find-my-way", least: 400},
	{name: "arrays", least: 1600},
	{name: "objects", least: 2200},
	{name: "types", least: 2050},
	{name: "functions", least: 490},
	{name: "iterators", least: 8000},
	{name: "strings", least: 300},
	{name: "promises", least: 480},
	{name: "data", least: 1000},
	{name: "streams", least: 60},
	{name: "pino", least: 220},
	{name: "pino-basic", least: 100},
	{name: "resolve", least: 70},
	{name: "avvio", least: 190, unserved: "it prints the text of functions, which is not the same in the two builds", exceptions: []exception{
		{"60 without autostart and sync/async plugin mix", "it reads a file of its package, which is not part of a build"},
		{"183 plugins get a name from the function source if theres no other option", "the text of functions is the build's"},
		{"187 timeout without calling next - use code as name", "the text of functions is the build's"},
	}},
}

// notRun are tests that no build is made of.
var notRun = [][3]string{
	{"promises-aplus-tests", "2.2.6", "its sinon 1 loads its parts through a function's argument that is called `require`, which no bundler follows"},
	{"find-my-way", "server, issue-330", "they ask their own server, which answers nobody but the collector; they replace modules while they load"},
	{"find-my-way", "for-in-loop, http2", "they change Array.prototype, and load http2"},
	{"avvio", "plugin-timeout-await", "on a busy machine 10 ms pass before its second plugin is loaded, and then it is another that is late"},
	{"avvio", "express, esm, after-throw", "they ask their own server; they import tap by name; they need the runner's handler of uncaught exceptions"},
	{"pino", "broken-pipe, exit, final, http, transport, worker tests", "they start worker threads and processes"},
	{"pino", "browser, browser-serializers, stdout-protection, syncfalse", "they load modules by names that are put together while they run"},
	{"resolve", "all that look into folders", "it looks for modules on the disk, and the folders that its tests look into are not where they were in a build"},
	{"promise.allsettled, promise.any, promise.prototype.finally", "promise-shimmed", "they replace Promise"},
	{"error-cause, es-iterator-helpers, node-exports-info, globalthis", "all", "they load files by names that are put together, or change `process` or by `eval` the global object"},
	{"is-symbol", "all", "its titles hold all well-known symbols, and Symbol.dispose is described otherwise by the verifier's newer engine"},
	{"is-regex", "all", "they count the traps of a Proxy, and the verifier asks values for their prototype"},
	{"es-shim-unscopables", "all", "`with` cannot be audited"},
	{"light-my-request, process-warning, pino-std-serializers, async-cache-dedupe", "all", "their tests are for node:test, which an audited app has no use for"},
}

// TestConformance runs the tests that packages ship, and those of Promises/A+, plain
// and as a server build: what passes plain must pass there. Where it can be, a suite is
// also the start of a served app, whose answer is what the suite printed, so that the verifier
// has to print the same.
func TestConformance(t *testing.T) {
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "testapps", "conformance")
	if err := scenario.Install(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	failed := map[string][]exception{}
	t.Run("suites", func(t *testing.T) {
		for _, s := range suites {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				list := s.run(t, dir)
				mu.Lock()
				failed[s.name] = list
				mu.Unlock()
				if s.unserved == "" {
					s.reexecute(t, dir)
				}
			})
		}
	})
	if t.Failed() || len(failed) < len(suites) {
		return
	}
	file, page := filepath.Join(dir, "EXCLUDED.md"), exclusions(failed)
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != page {
		t.Errorf("%s is not what the run says (%v): run the test with -update", file, err)
	}
}

// run returns the tests that pass plain but not as a server build; all of them are known.
func (s suite) run(t *testing.T, dir string) (failed []exception) {
	dist := filepath.Join(t.TempDir(), "dist")
	if _, err := kit.Build(t.Context(), dir, dist, "--entry", s.name+".js", "--files", "!**"); err != nil {
		t.Fatal(err)
	}
	plain := tap(t, exec.Command("node", s.name+".js"), dir)
	ours := tap(t, exec.Command("node", filepath.Join(dist, "server", "index.js")), t.TempDir())
	passed := 0
	if len(plain) != len(ours) {
		t.Errorf("%d tests ran plain, and %d as a server build", len(plain), len(ours))
	}
	for number, r := range plain {
		if !r.ok {
			continue
		}
		passed++
		if ours[number].ok {
			continue
		}
		name := number + " " + r.title
		if i := slices.IndexFunc(s.exceptions, func(e exception) bool { return e.test == name }); i >= 0 {
			failed = append(failed, s.exceptions[i])
		} else {
			t.Errorf("passes plain, but not as a server build: %s", name)
		}
	}
	if len(failed) < len(s.exceptions) {
		t.Errorf("take those off the list that pass now: only %v fail", failed)
	}
	if passed < s.least {
		t.Errorf("only %d tests passed plain", passed)
	}
	t.Logf("%d tests", passed)
	slices.SortFunc(failed, func(a, b exception) int { return strings.Compare(a.test, b.test) })
	return failed
}

// reexecute audits an app that runs the suite when it starts.
func (s suite) reexecute(t *testing.T, dir string) {
	dist := filepath.Join(t.TempDir(), "dist")
	if _, err := kit.Build(t.Context(), dir, dist, "--entry", s.name+"-served.js", "--files", "!**"); err != nil {
		t.Fatal(err)
	}
	n := 0
	r, err := kit.Record(t.Context(), dist, t.TempDir(), func(ctx context.Context, addr string) error {
		for range 100 { // the suite goes on while the app is asked already
			resp, err := http.Get("http://" + addr + "/")
			if err != nil {
				return err
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil {
				return err
			}
			if n = len(tapLine.FindAll(body, -1)); n >= s.least {
				break
			}
			time.Sleep(300 * time.Millisecond)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mustAccept(t, r.Evidence)
	if n < s.least {
		t.Errorf("only %d tests were re-executed", n)
	}
}

var tapLine = regexp.MustCompile(`(?m)^(ok|not ok) (\d+ .*)$`)

// A result is what a suite says of a test.
type result struct {
	title string
	ok    bool
}

// tap runs a suite and reads which of its tests passed, by number: titles may tell the
// time, or the text of a function.
func tap(t *testing.T, cmd *exec.Cmd, dir string) map[string]result {
	t.Helper()
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KAROUSOS_ADVICE="+filepath.Join(t.TempDir(), "advice"))
	out, _ := cmd.Output() // a failed test is an exit status, too
	results := map[string]result{}
	for _, m := range tapLine.FindAllStringSubmatch(string(out), -1) {
		number, title, _ := strings.Cut(m[2], " ")
		results[number] = result{title, m[1] == "ok"}
	}
	return results
}

// exclusions is the page of what is left out.
func exclusions(failed map[string][]exception) string {
	var b strings.Builder
	b.WriteString("# Tests that are left out, and why\n\n`go test ./testapps/e2e -run Conformance -update` writes this page. It runs each suite plain and as a server build, and most of them\n" +
		"once more as the start of an app whose answer is what the suite prints, which is then re-executed.\n\n" +
		"These pass plain, and not as a server build:\n\n| suite | test | reason |\n| --- | --- | --- |\n")
	for _, s := range suites {
		for _, e := range failed[s.name] {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", s.name, e.test, e.why)
		}
	}
	b.WriteString("\nThese are not run, or not re-executed:\n\n| suite | what | reason |\n| --- | --- | --- |\n")
	for _, s := range suites {
		if s.unserved != "" {
			fmt.Fprintf(&b, "| %s | re-execution | %s |\n", s.name, s.unserved)
		}
	}
	for _, n := range notRun {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", n[0], n[1], n[2])
	}
	return b.String()
}
