package sequential

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"karousosc/transpile"
	"karousosc/verifier/engine"
)

// A col is one value per lane, or one for all of them.
type col struct {
	C []any `json:"c"`
}

func column(values []any) any {
	for _, v := range values {
		if !reflect.DeepEqual(v, values[0]) {
			return col{values}
		}
	}
	return values[0]
}

// group makes the verifier's job of requests that are re-executed together, with
// what Node answered them. It is nil if their headers do not line up.
func group(id int, reqs []Request, want []Response) []byte {
	n := len(reqs)
	at := func(f func(i int) any) any {
		v := make([]any, n)
		for i := range v {
			v[i] = f(i)
		}
		return column(v)
	}
	headers := func(of func(i int) []Header) ([][2]any, bool) {
		var out [][2]any
		for k, h := range of(0) {
			for i := range n {
				if l := of(i); len(l) != len(of(0)) || l[k][0] != h[0] {
					return nil, false
				}
			}
			out = append(out, [2]any{h[0], at(func(i int) any { return of(i)[k][1] })})
		}
		if out == nil {
			out = [][2]any{}
		}
		return out, true
	}
	reqHeaders, ok1 := headers(func(i int) []Header { return reqs[i].Headers })
	wantHeaders, ok2 := headers(func(i int) []Header { return want[i].Headers })
	for i := range reqs {
		ok1 = ok1 && reqs[i].B64 == reqs[0].B64 && want[i].B64 == want[0].B64
	}
	if !ok1 || !ok2 {
		return nil
	}
	job := map[string]any{
		"id": id, "n": n, "init": false, "explain": false,
		"req": map[string]any{
			"method": at(func(i int) any { return reqs[i].Method }), "url": at(func(i int) any { return reqs[i].URL }), "headers": reqHeaders,
			"body": at(func(i int) any { return reqs[i].Body }), "b64": reqs[0].B64, "chunks": nil,
		},
		"expect": map[string]any{
			"status": at(func(i int) any { return want[i].Status }), "reason": at(func(i int) any { return want[i].Reason }), "headers": wantHeaders,
			"body": at(func(i int) any { return want[i].Body }), "b64": want[0].B64,
		},
		"acts": [][]int{{-1, 0, 0}}, "r": []int{}, "w": []int{}, "o": []int{}, "nd": []int{}, "locs": []int{}, "writes": []int{}, "objs": []int{},
	}
	b, _ := json.Marshal(job)
	return b
}

type verdict struct {
	OK       bool
	Diverged *struct{ Why string }
	Problems []problem
}

type problem struct {
	Lane      int
	Rule, Msg string
	Expected  any
	Found     any
	Stack     string
}

// The same requests, a few of a kind at a time, on the verifier's build: each
// lane must get what Node answered, or the group must say that it diverges; alone, each must get its answer.
func TestModelsAnswerForLanes(t *testing.T) {
	for _, version := range []string{"4", "5"} {
		t.Run("express"+version, func(t *testing.T) {
			entry := "express" + version + ".js"
			node := startNode(t, "../tour", entry)
			dist := filepath.Join(t.TempDir(), "dist")
			if _, err := transpile.Build(t.Context(), transpile.Options{App: "../tour", Entry: entry, Out: dist}); err != nil {
				t.Fatal(err)
			}
			w := verifier(t, dist)
			diverged := map[string]int{}
			groups, together := 0, 0
			for i, reqs := range families(node) {
				var want []Response
				for _, r := range reqs {
					want = append(want, node.do(t, r))
				}
				name := fmt.Sprintf("%s %s %.50q", reqs[0].Method, reqs[0].URL, reqs[0].Body)
				if b := group(2*i+2, reqs, want); b != nil {
					groups++
					v := ask(t, w, b)
					switch {
					case v.OK:
						together++
					case v.Diverged != nil:
						diverged[v.Diverged.Why]++
						t.Logf("diverged: %s: %s", name, v.Diverged.Why)
					default:
						t.Errorf("%s: %.2000s", name, fmt.Sprintf("%+v", v.Problems))
					}
				}
				for k, r := range reqs {
					if v := ask(t, w, group(2*i+3, reqs[k:k+1], want[k:k+1])); !v.OK {
						t.Errorf("alone: %s %s %.50q: %.2000s", r.Method, r.URL, r.Body, fmt.Sprintf("%+v %+v", v.Diverged, v.Problems))
						break
					}
				}
			}
			t.Logf("%d groups, %d of them together", groups, together)
			var whys []string
			for why, n := range diverged {
				whys = append(whys, fmt.Sprintf("%4d %s", n, why))
			}
			sort.Sort(sort.Reverse(sort.StringSlice(whys)))
			t.Logf("divergences:\n%s", strings.Join(whys, "\n"))
		})
	}
}

func verifier(t *testing.T, dist string) *engine.Worker {
	t.Helper()
	cfg := engine.Config{NodeMajor: 20}
	for _, name := range []string{"runtime.js", "models.js", "program.js"} {
		text, err := os.ReadFile(filepath.Join(dist, "verifier", name))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Scripts = append(cfg.Scripts, engine.Script{Name: name, Source: string(text)})
	}
	w, err := engine.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	init := `{"id":1,"n":1,"init":true,"env":{"NODE_ENV":"production"},"acts":[[-1,0,0]],"r":[],"w":[],"o":[],"nd":[],"locs":[],"writes":[],"objs":[]}`
	if v := ask(t, w, []byte(init)); !v.OK {
		t.Fatalf("init: %+v", v)
	}
	return w
}

func ask(t *testing.T, w *engine.Worker, job []byte) verdict {
	t.Helper()
	out, err := w.Run(t.Context(), job)
	if err != nil {
		t.Fatalf("%v\n%.500s", err, job)
	}
	var v verdict
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	// Stack traces are recorded results, of which these jobs have none.
	v.Problems = slices.DeleteFunc(v.Problems, func(p problem) bool { return strings.Contains(p.Msg, "no recorded stack trace") })
	v.OK = v.Diverged == nil && len(v.Problems) == 0
	return v
}

// families are requests that take the same way through the app: each request of
// the corpus with variants of its values. State that the app keeps between
// requests is left out.
func families(n *nodeServer) [][]Request {
	var out [][]Request
	for _, r := range corpus(n) {
		if r.URL == "/events" || r.URL == "/lastevents" {
			continue
		}
		family := []Request{r}
		for i := 1; i < 4; i++ {
			v := r
			v.Headers = append([]Header{}, r.Headers...)
			if !v.B64 && r.Body != "" {
				v.Body = vary(r.Body, i)
			}
			if path, query, ok := strings.Cut(r.URL, "?"); ok {
				v.URL = path + "?" + strings.ReplaceAll(query, "1", strings.Repeat("1", i+1))
			} else if strings.Contains(r.URL, "/params/") || strings.HasPrefix(r.URL, "/missing") {
				v.URL = r.URL + strings.Repeat("y", i)
			} else if strings.HasSuffix(r.URL, "/7") {
				v.URL = r.URL + fmt.Sprint(i)
			}
			for k := range v.Headers {
				switch v.Headers[k][0] {
				case "Content-Length":
					v.Headers[k][1] = fmt.Sprint(len(v.Body))
				case "Cookie", "X-Thing", "User-Agent":
					v.Headers[k][1] = strings.ReplaceAll(v.Headers[k][1], "1", fmt.Sprint(1000*i))
				}
			}
			if v.B64 {
				for k := range v.Headers {
					if v.Headers[k][0] == "Content-Length" {
						v.Headers[k][1] = r.Headers[k][1]
					}
				}
			}
			family = append(family, v)
		}
		out = append(out, family)
	}
	return out
}

// vary keeps what JSON and forms are made of.
func vary(body string, i int) string {
	return strings.NewReplacer("1", strings.Repeat("2", i), "ü", strings.Repeat("ä", i), "x", strings.Repeat("w", i+1), "long", fmt.Sprint("lang", i), "short", fmt.Sprint("shirt", i)).Replace(body)
}
