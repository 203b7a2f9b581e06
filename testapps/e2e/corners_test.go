package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/verdict"
)

// TestCorners: wherever a program keeps something from one request to the next, it is noticed if a server forgets. Each
// corner of corners.js is asked in a run of its own, so that none is noticed for another's sake.
func TestCorners(t *testing.T) {
	corners := &app{name: "corners", dir: "gallery", entry: "corners.js"}
	src, err := os.ReadFile(filepath.Join(corners.source(t), corners.entry))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^// corner (\w+)$`).FindAllStringSubmatch(string(src), -1)
	if len(names) < 80 {
		t.Fatalf("%d corners", len(names))
	}
	for _, m := range names {
		t.Run(m[1], func(t *testing.T) {
			t.Parallel()
			r := corners.record(t, 1, []request{get("/" + m[1]), get("/" + m[1]), get("/" + m[1])})
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
