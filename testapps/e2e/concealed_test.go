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

// TestConcealed: what a server has to say of shared state, because no log can hold it, does not go unnoticed where it
// says nothing, and answers as if a change had never been made.
func TestConcealed(t *testing.T) {
	app := &app{name: "concealed", dir: "gallery", entry: "concealed.js"}
	src, err := os.ReadFile(filepath.Join(app.source(t), app.entry))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  '([\w ]+)/put'`).FindAllStringSubmatch(string(src), -1) {
		t.Run(m[1], func(t *testing.T) {
			t.Parallel()
			path := "/" + strings.ReplaceAll(m[1], " ", "%20")
			put, change, look := get(path+"/put"), get(path+"/change"), get(path+"/look")
			without := app.record(t, 1, []request{put, look})
			with := app.record(t, 1, []request{put, change, look})
			was, is := string(loaded(t, without.Evidence).Exchange(2).Response.Body), string(loaded(t, with.Evidence).Exchange(3).Response.Body)
			a := verify(t, with.Evidence)
			if a.Outcome == verdict.Undecided {
				t.Logf("not auditable: %s", a.Text())
			} else if a.Outcome != verdict.Accept {
				t.Errorf("an honest run was not accepted:\n%s", a.Text())
			}
			t.Logf("%s, without the change %s; together: %s", is, was, a.Together)
			if was == is {
				return // nothing has changed
			}
			mustNotAccept(t, forged(t, with.Evidence, func(e *forge.Evidence) {
				l := life(t, e)
				l.Drop(l.All(record.Unauditable)...)
				e.Answer(3, was)
			}))
		})
	}
}

// A Map that changes while it is gone through in several turns: what comes again, comes again.
func TestWalkAttack(t *testing.T) {
	concealed := &app{name: "concealed", dir: "gallery", entry: "concealed.js"}
	oneByOne(concealed, get("/walk/put"), get("/walk/change"), get("/walk/look")).attack(t,
		attack{"a key that does not come again", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(2, "a,b") }},
		attack{"a key that comes too often", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(2, "a,b,a,a") }},
	)
}
