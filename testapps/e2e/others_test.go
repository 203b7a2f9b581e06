package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var (
	others     = flag.Int("others", 0, "how many other programs the server runs in place of each stranger's app")
	othersSeed = flag.Uint64("others-seed", 1, "what those programs are drawn from")
)

// TestOtherPrograms: a server that runs another program than the owner's, and whose
// advice is the honest account of that. One request at a time, the owner's program
// answers in one way only; where the other's answers differ from that, no audit
// accepts them.
//
// The other program is the server's build with something changed in it: in the app,
// in its packages, or in what the build added to them.
func TestOtherPrograms(t *testing.T) {
	n := *others
	all := strangers(t)
	if n == 0 { // a few of them, and at each change of the apps others
		n = 1
		all = slices.DeleteFunc(all, func(a *app) bool { return a.timed(t) })
		rnd := rand.New(rand.NewPCG(*othersSeed, uint64(len(all))))
		rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:5]
	}
	for _, a := range all {
		t.Run(strings.TrimPrefix(a.name, "strangers-"), func(t *testing.T) {
			t.Parallel()
			a.others(t, n)
		})
	}
}

// timed tells whether an app's answers may depend on the time that passes: then there are several
// ways to answer, and whoever looks into what was accepted has to tell.
func (a *app) timed(t *testing.T) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.source(t), filepath.FromSlash(a.entry)))
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`Date\.now|setTimeout|setInterval|performance|hrtime`).Match(text)
}

func (a *app) others(t *testing.T, n int) {
	requests := a.requests(*othersSeed, 40)
	first, second := a.answers(t, requests), a.answers(t, requests)
	rnd := rand.New(rand.NewPCG(*othersSeed, 0x6f746865))
	seen := 0
	for try := 0; seen < n && try < 20*n; try++ {
		dist, change := a.otherProgram(t, rnd)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		r, err := kit.Record(ctx, dist, t.TempDir(), func(ctx context.Context, addr string) error {
			_, err := drive(ctx, addr, 1, requests)
			return err
		})
		cancel()
		if err != nil {
			continue // it did not start, or did not answer
		}
		got := answersIn(t, r.Evidence)
		i := -1
		if len(got) == len(requests) {
			i = differing(first, second, got)
		}
		if i < 0 {
			os.RemoveAll(dist)
			continue
		}
		seen++
		lie := r.Evidence
		lie.Dist = a.dist
		for _, args := range [][]string{nil, {"--together"}} {
			v, err := kit.Verify(t.Context(), lie, append([]string{"--workers", "1", "--timeout", "10s"}, args...)...)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s %s %s", change, v.Outcome, v.Rule, args)
			if v.Outcome == verdict.Accept {
				keepEvidence(t, lie)
				t.Errorf("accepted %s, though the program answers %s %s (number %d) with\n%.500s\nand this server with\n%.500s\n%s", change, requests[i].method, requests[i].path, i, first[i], got[i], v.Text())
			}
		}
		os.RemoveAll(dist)
	}
	if seen == 0 {
		t.Logf("no other program answered differently")
	}
}

// differing is the number of a request that both honest runs answer alike and got answers in another way, -1 if there is none.
func differing(first, second, got []string) int {
	for i := range got {
		if first[i] == second[i] && got[i] != first[i] {
			return i
		}
	}
	return -1
}

func (a *app) answers(t *testing.T, requests []request) []string {
	t.Helper()
	return answersIn(t, a.record(t, 1, requests).Evidence)
}

func answersIn(t *testing.T, e scenario.Evidence) []string {
	t.Helper()
	tr, err := trace.Load(e.Trace, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range tr.Exchanges {
		x := &tr.Exchanges[i].Response
		out = append(out, head(x)+"\n\n"+string(x.Body))
	}
	return out
}

// moduleOf finds where a module begins in the server's build.
var moduleOf = regexp.MustCompile(`(?m)^  "((?:[^"\\]|\\.)+)"\(.*\{$`)

// changes are what may be written in place of something.
var changes = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`===`), "!=="},
	{regexp.MustCompile(`!==`), "==="},
	{regexp.MustCompile(` < `), " <= "},
	{regexp.MustCompile(` > `), " >= "},
	{regexp.MustCompile(` \+ `), " - "},
	{regexp.MustCompile(` - `), " + "},
	{regexp.MustCompile(` && `), " || "},
	{regexp.MustCompile(` \|\| `), " && "},
	{regexp.MustCompile(` \?\? `), " && "},
	{regexp.MustCompile(`\btrue\b`), "false"},
	{regexp.MustCompile(`\bfalse\b`), "true"},
	{regexp.MustCompile(`\b\d+\b`), "($0+1)"},
	{regexp.MustCompile(`\+\+`), "--"},
	{regexp.MustCompile(`\+= `), "= "},
	{regexp.MustCompile(`-= `), "+= "},
	{regexp.MustCompile(`"[a-z ]+"`), `"other"`},
	{regexp.MustCompile(`(?m)^ +[^\n{}]*;$`), ""},
	// It is done two times of three.
	{regexp.MustCompile(`(?m)^( +)([^\n{}]*;)$`), "${1}if ((globalThis.nth = (globalThis.nth ?? 0) + 1) % 3) ${2}"},
	{regexp.MustCompile(`if \(([^\n]*)\) `), "if (${1} && (globalThis.nth = (globalThis.nth ?? 0) + 1) % 3) "},
	{regexp.MustCompile(`return [^;\n]*;`), "return;"},
	{regexp.MustCompile(`if \([^\n]*\) `), "if (false) "},
	{regexp.MustCompile(`if \([^\n]*\) `), "if (true) "},
	{regexp.MustCompile(`\bawait `), ""},
	{regexp.MustCompile(`\.push\(`), ".unshift("},
	{regexp.MustCompile(`\.shift\(`), ".pop("},
	{regexp.MustCompile(`\.delete\(`), ".has("},
	{regexp.MustCompile(`\$k\.\w+\(`), "((...$$a) => $$a[0])("},
	{regexp.MustCompile(`\$k\.\w+\(`), "((...$$a) => $$a[$$a.length - 1])("},
}

// otherProgram makes a copy of the app's build in which the server's has one change, and says which.
func (a *app) otherProgram(t *testing.T, rnd *rand.Rand) (dist, change string) {
	t.Helper()
	dist = filepath.Join(t.TempDir(), "other")
	server := filepath.Join(dist, "server") // where Serve looks for it
	if err := os.CopyFS(server, os.DirFS(filepath.Join(a.build(t), "server"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(server, "index.js")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	modules := moduleOf.FindAllSubmatchIndex(text, -1)
	// The entry, if it is an ES module, comes last and is not made a function of.
	at := bytes.LastIndex(text, []byte("\n  }\n});\n"))
	modules = append(modules, []int{at, at + 1, at + 1, at + 1})
	own := slices.DeleteFunc(slices.Clone(modules), func(m []int) bool { return bytes.Contains(text[m[2]:m[3]], []byte("node_modules")) })
	for {
		from := modules
		if rnd.IntN(8) > 0 {
			from = own
		}
		m := from[rnd.IntN(len(from))]
		end := len(text)
		if i := slices.IndexFunc(modules, func(n []int) bool { return n[0] > m[0] }); i >= 0 {
			end = modules[i][0]
		}
		c := changes[rnd.IntN(len(changes))]
		places := c.what.FindAllIndex(text[m[1]:end], -1)
		if len(places) == 0 {
			continue
		}
		p := places[rnd.IntN(len(places))]
		at, until := m[1]+p[0], m[1]+p[1]
		with := c.what.ReplaceAll(text[at:until], []byte(c.with))
		line := 1 + bytes.Count(text[:at], []byte("\n"))
		change = fmt.Sprintf("%s: %q for %q in line %d of the build", text[m[2]:m[3]], with, text[at:until], line)
		out := slices.Concat(text[:at], with, text[until:])
		if err := os.WriteFile(file, out, 0o644); err != nil {
			t.Fatal(err)
		}
		return dist, change
	}
}
