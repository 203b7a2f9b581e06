package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/scenario"
)

// TestWrittenDirectives: what annotate writes into an app's sources changes nothing
// about its audits, and is written once.
func TestWrittenDirectives(t *testing.T) {
	t.Parallel()
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*app{club, lounge, shop, lobby, desk} {
		t.Run(a.name, func(t *testing.T) {
			a.build(t) // installs its packages
			from, dir := filepath.Join(root, "testapps", a.dir), t.TempDir()
			copyApp(t, from, dir)
			write := func() (string, string) {
				out, err := exec.Command(kit.Exe, "annotate", dir, "--entry", a.entry, "--write").CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				text, err := os.ReadFile(filepath.Join(dir, a.entry))
				if err != nil {
					t.Fatal(err)
				}
				return string(out), string(text)
			}
			found, once := write()
			_, twice := write()
			if once != twice {
				t.Errorf("written twice:\n%s", twice)
			}
			if !strings.Contains(found, " by functions") {
				t.Errorf("found\n%s", found)
			}
			rel, err := filepath.Rel(filepath.Join(root, "testapps"), dir)
			if err != nil {
				t.Fatal(err)
			}
			annotated := &app{name: a.name + "-annotated", dir: rel, entry: a.entry}
			annotated.honest(t, 10, a.requests(3, 120))
		})
	}
}

// copyApp copies an app, but for its packages, which are linked. Its lock file is said
// to be old, so that nobody installs them again.
func copyApp(t *testing.T, from, to string) {
	t.Helper()
	if err := scenario.CopyApp(from, to, func(text string) string { return text }); err != nil {
		t.Fatal(err)
	}
	old := time.Unix(1_600_000_000, 0)
	if err := os.Chtimes(filepath.Join(to, "package-lock.json"), old, old); err != nil {
		t.Fatal(err)
	}
}
