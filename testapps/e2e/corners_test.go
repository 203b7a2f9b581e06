package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

// TestCorners: wherever a program keeps something from one request to the next, it is noticed if a server forgets. Each
// corner of corners.js, and of modules that are loaded late, is asked in a run of its own, so that none is noticed for another's sake.
func TestCorners(t *testing.T) {
	for entry, least := range map[string]int{"corners.js": 100, "lazies.js": 8} {
		corners := &app{name: strings.TrimSuffix(entry, ".js"), dir: "gallery", entry: entry}
		src, err := os.ReadFile(filepath.Join(corners.source(t), entry))
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`(?m)^// corner (\w+\??)$`).FindAllStringSubmatch(string(src), -1)
		if len(names) < least {
			t.Fatalf("%d corners", len(names))
		}
		for _, m := range names {
			name, numbered := strings.CutSuffix(m[1], "?")
			t.Run(corners.name+" "+name, func(t *testing.T) {
				t.Parallel()
				corners.forgets(t, "/"+name, numbered)
			})
		}
	}
	// Because of these, all requests of an app are re-executed together, whether they come to them or not.
	for _, entry := range []string{"foreign.js", "exported.js"} {
		t.Run(strings.TrimSuffix(entry, ".js"), func(t *testing.T) {
			t.Parallel()
			(&app{name: entry, dir: "gallery", entry: entry}).forgets(t, "/", false)
		})
	}
}

// forgets asks the same three times, or with the number of the time, of what changes each time, and sees to it that a
// server is not accepted that answers as if it were the first time.
func (a *app) forgets(t *testing.T, path string, numbered bool) {
	t.Helper()
	asked := []request{get(path), get(path), get(path)}
	if numbered {
		asked = []request{get(path + "?1"), get(path + "?2"), get(path + "?3")}
	}
	r := a.record(t, 1, asked)
	e := loaded(t, r.Evidence)
	first, last := string(e.Exchange(1).Response.Body), string(e.Exchange(3).Response.Body)
	if first == last {
		t.Fatalf("it answers %q each time", first)
	}
	v := verify(t, r.Evidence)
	if v.Outcome == verdict.Undecided {
		t.Logf("not auditable: %s", v.Text())
	} else if v.Outcome != verdict.Accept {
		t.Errorf("an honest run was not accepted:\n%s", v.Text())
	}
	t.Logf("together: %s", v.Together)
	mustNotAccept(t, forged(t, r.Evidence, func(e *forge.Evidence) {
		l := life(t, e)
		l.Drop(l.All(record.Unauditable)...)
		for rid := range uint64(3) {
			e.Answer(rid+1, first)
		}
	}))
}
