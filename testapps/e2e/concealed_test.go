package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
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
	other := sync.OnceValue(func() string { return app.keepsAll(t) })
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
			// Who runs another program, which does not change it, has nothing to conceal.
			r, err := kit.Record(t.Context(), other(), t.TempDir(), func(ctx context.Context, addr string) error {
				_, err := drive(ctx, addr, 1, []request{put, change, look})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if string(loaded(t, r.Evidence).Exchange(3).Response.Body) == is {
				return
			}
			r.Evidence.Dist = app.build(t)
			mustNotAccept(t, verify(t, r.Evidence))
		})
	}
}

// keepsAll makes a build of which the server changes nothing by some of the engine's functions where it should.
func (a *app) keepsAll(t *testing.T) string {
	t.Helper()
	dist := t.TempDir()
	if err := os.CopyFS(filepath.Join(dist, "server"), os.DirFS(filepath.Join(a.build(t), "server"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dist, "server", "index.js")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const name = "decodeURIComponent(req.url.slice(1))"
	if strings.Count(string(text), name) != 1 {
		t.Fatalf("the build has %s %d times", name, strings.Count(string(text), name))
	}
	const idle = `const whole = new Map();
const noChange = (o, k, f) => (is) => {
  if (!whole.has(f)) whole.set(f, o[k]);
  o[k] = is ? f : whole.get(f);
};
const all = [];
for (const k of ['freeze', 'preventExtensions', 'setPrototypeOf']) all.push(noChange(Object, k, (o) => o));
for (const k of ['setTime', 'setUTCFullYear']) all.push(noChange(Date.prototype, k, () => 0));
all.push(noChange(RegExp.prototype, 'compile', () => {}), noChange(globalThis, 'Proxy', function () {}));
globalThis.idle = (is) => all.forEach((f) => f(is));
`
	changed := idle + strings.Replace(string(text), name, "(idle(/change$/.test(req.url)), "+name+")", 1)
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	return dist
}

// A Map that changes while it is gone through in several turns: what comes again, comes again.
func TestWalkAttack(t *testing.T) {
	concealed := &app{name: "concealed", dir: "gallery", entry: "concealed.js"}
	oneByOne(concealed, get("/walk/put"), get("/walk/change"), get("/walk/look")).attack(t,
		attack{"a key that does not come again", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(2, "a,b") }},
		attack{"a key that comes too often", "R-response", func(t *testing.T, e *forge.Evidence) { e.Answer(2, "a,b,a,a") }},
	)
}
