package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

// strangers are the apps of testapps/strangers: each a file, or a folder with a file
// server.*, that says in its first lines what to ask of it:
//
//	//> POST /carts/{a|b}/items {"n":{1-9}}
//
// A choice in braces is drawn for each request.
func strangers(t *testing.T) []*app {
	var out []*app
	for _, pattern := range []string{"*.js", "*/server.*"} {
		files, err := filepath.Glob(filepath.Join("../strangers", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			entry, err := filepath.Rel("../strangers", file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var makers []func(r *rand.Rand) request
			for _, line := range regexp.MustCompile(`(?m)^//> (\S+) (\S+) ?(.*)$`).FindAllStringSubmatch(string(text), -1) {
				makers = append(makers, asked(line[1], line[2], line[3]))
			}
			if len(makers) == 0 {
				continue // a module of another app's
			}
			name := strings.TrimSuffix(entry, filepath.Ext(entry))
			if dir, in := strings.CutSuffix(name, "/server"); in {
				name = dir
			}
			out = append(out, &app{name: "strangers-" + name, dir: "strangers", entry: entry, requests: func(seed uint64, n int) []request { return mix(seed, n, makers...) }})
		}
	}
	if len(out) == 0 {
		t.Fatal("there are no apps in testapps/strangers")
	}
	return out
}

func asked(method, path, body string) func(r *rand.Rand) request {
	return func(r *rand.Rand) request {
		q := request{method: method, path: fromChoices(r, path), body: fromChoices(r, body)}
		if strings.HasPrefix(body, "{") {
			q.headers = "Content-Type: application/json"
		}
		return q
	}
}

var choice = regexp.MustCompile(`\{[^{}"]*[|-][^{}"]*\}`)

func fromChoices(r *rand.Rand, text string) string {
	return choice.ReplaceAllStringFunc(text, func(c string) string {
		c = c[1 : len(c)-1]
		if m := regexp.MustCompile(`^(-?\d+)-(\d+)$`).FindStringSubmatch(c); m != nil {
			from, _ := strconv.Atoi(m[1])
			to, _ := strconv.Atoi(m[2])
			return strconv.Itoa(from + r.IntN(to-from+1))
		}
		words := strings.Split(c, "|")
		return words[r.IntN(len(words))]
	})
}

// TestStrangers: state in many styles, none of it annotated: honest runs are accepted,
// and lies about answers and about state are not. -seeds 2 and more try other loads, too.
func TestStrangers(t *testing.T) {
	for _, a := range strangers(t) {
		t.Run(strings.TrimPrefix(a.name, "strangers-"), func(t *testing.T) {
			t.Parallel()
			a.stranger(t, 10, 0)
			for seed := range uint64(*seeds - 1) {
				for _, connections := range []int{1, 10, 60} {
					t.Run(fmt.Sprintf("connections=%d,seed=%d", connections, seed+1), func(t *testing.T) { a.stranger(t, connections, seed+1) })
				}
			}
		})
	}
}

func (a *app) stranger(t *testing.T, connections int, seed uint64) {
	t.Helper()
	r := a.record(t, connections, a.requests(100*seed+uint64(connections), 60+2*connections))
	v := mustAccept(t, r.Evidence)
	t.Logf("%d groups, the widest of %d, %d splits, %d alone, together: %s; %v", v.Stats.Groups, v.Stats.Widest, v.Stats.Splits, v.Stats.LoneReruns, v.Together, v.Stats.Reasons)
	if v.Together == "" {
		mustAccept(t, r.Evidence, "--together")
		liesAboutState(t, r.Evidence, seed)
	}
	liesAboutAnswers(t, r.Evidence)
}

func liesAboutAnswers(t *testing.T, honest scenario.Evidence) {
	t.Helper()
	mustReject(t, forged(t, honest, func(e *forge.Evidence) {
		n := len(e.Trace.Exchanges)
		for i := range n {
			if x := &e.Trace.Exchanges[(i+n/2)%n]; len(x.Response.Body) > 0 {
				forge.FlipByte(x)
				return
			}
		}
		t.Fatal("no response has a body")
	}), "R-response")
}

// liesAboutState changes a value in the log.
func liesAboutState(t *testing.T, honest scenario.Evidence, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	lied := false
	a := forged(t, honest, func(e *forge.Evidence) {
		all := life(t, e).All(record.Write)
		for _, i := range rnd.Perm(len(all)) {
			w := all[i]
			if other := otherValue(rnd, w.Value); !record.Equal(other, w.Value) {
				w.Value, lied = other, true
				return
			}
		}
	})
	// A lie may send the program into a loop; then joint re-execution decides, which asks no logs.
	if lied && a.Outcome != verdict.Reject && a.Together == "" {
		keepEvidence(t, honest)
		t.Fatalf("a lie about state was not rejected:\n%s", a.Text())
	}
}
