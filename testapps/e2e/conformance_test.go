package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"karousosc/testapps/scenario"
)

// TestConformance runs the tests that packages ship, and those of Promises/A+, plain
// and as a server build: what passes plain must pass there.
func TestConformance(t *testing.T) {
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "testapps", "conformance")
	if err := scenario.Install(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	excluded := exclusions(t, filepath.Join(dir, "EXCLUDED.md"))
	for suite, least := range map[string]int{"aplus": 800, "qs": 700, "object-inspect": 200, "fastq": 50} {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			dist := filepath.Join(t.TempDir(), "dist")
			if _, err := kit.Build(t.Context(), dir, dist, "--entry", suite+".js", "--files", "!**"); err != nil {
				t.Fatal(err)
			}
			plain := tap(t, exec.Command("node", suite+".js"), dir)
			ours := tap(t, exec.Command("node", filepath.Join(dist, "server", "index.js")), t.TempDir())
			passed := 0
			for name, ok := range plain {
				if !ok {
					continue
				}
				passed++
				switch excluded := excluded[suite+" "+name]; {
				case !ours[name] && !excluded:
					t.Errorf("passes plain, but not as a server build: %s", name)
				case ours[name] && excluded:
					t.Errorf("passes now: take it off the list: %s", name)
				}
			}
			if passed < least {
				t.Errorf("only %d tests passed plain", passed)
			}
			t.Logf("%d tests", passed)
		})
	}
}

var tapLine = regexp.MustCompile(`(?m)^(ok|not ok) (\d+ .*)$`)

// tap runs a suite and reads which of its tests passed.
func tap(t *testing.T, cmd *exec.Cmd, dir string) map[string]bool {
	t.Helper()
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KAROUSOS_ADVICE="+filepath.Join(t.TempDir(), "advice"))
	out, _ := cmd.Output() // a failed test is an exit status, too
	results := map[string]bool{}
	for _, m := range tapLine.FindAllStringSubmatch(string(out), -1) {
		results[m[2]] = m[1] == "ok"
	}
	return results
}

// exclusions reads the first table.
func exclusions(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| suite | test | reason |\n| --- | --- | --- |\n")
	if !ok {
		t.Fatalf("%s has no table", file)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	out := map[string]bool{}
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			out[strings.TrimPrefix(cells[0], "| ")+" "+cells[1]] = true
		}
	}
	return out
}
