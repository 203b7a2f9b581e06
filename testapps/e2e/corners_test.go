package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/verdict"
)

// TestCorners: wherever a program keeps something from one request to the next, it is noticed if a server forgets. Each
// corner of corners.js is an app of its own.
func TestCorners(t *testing.T) {
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(root, "testapps", "gallery", "corners.js"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(src), "\n// corner ")
	if len(parts) < 40 {
		t.Fatalf("%d corners", len(parts))
	}
	before, after, _ := strings.Cut(parts[0], "// corners\n")
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, "\n")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := t.TempDir()
			if err := os.WriteFile(filepath.Join(app, "package.json"), []byte(`{"name":"corner","main":"server.js"}`), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(app, "server.js"), []byte(before+text+after), 0o644); err != nil {
				t.Fatal(err)
			}
			dist := filepath.Join(t.TempDir(), "dist")
			if _, err := kit.Build(t.Context(), app, dist); err != nil {
				t.Fatal(err)
			}
			r, err := kit.Record(t.Context(), dist, t.TempDir(), func(ctx context.Context, addr string) error {
				_, err := drive(ctx, addr, 1, []request{get("/"), get("/"), get("/")})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			e := loaded(t, r.Evidence)
			first, last := string(e.Exchange(1).Response.Body), string(e.Exchange(3).Response.Body)
			if first == last {
				t.Fatalf("it answers %q each time", first)
			}
			a := verify(t, r.Evidence)
			if a.Outcome == verdict.Undecided {
				t.Logf("not auditable: %s", a.Text())
			} else if a.Outcome != verdict.Accept {
				t.Errorf("an honest run was not accepted:\n%s", a.Text())
			}
			mustNotAccept(t, forged(t, r.Evidence, func(e *forge.Evidence) {
				for rid := range uint64(3) {
					e.Answer(rid+1, first)
				}
			}))
		})
	}
}
