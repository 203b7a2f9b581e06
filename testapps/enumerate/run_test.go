package enumerate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"karousosc/testapps/scenario"
	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/engine"
	"karousosc/verifier/reexec"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var (
	programs = flag.Int("programs", 300, "how many random programs to run (at most as many as make 6000 schedules)")
	seed     = flag.Uint64("seed", 1, "what the random programs are drawn from")
	seconds  = flag.Int("seconds", 10, "how long to forge")
)

// classics are programs whose outcomes matter most.
var classics = []string{
	"x.X x.X", "X x.x", "X ; x", "X ; x x", "X X ; x x", "X ; X ; x.x", "X.y Y.x", "X.y Y.x x.y y.x",
	"X=y Y=x", "x=y y=x", "x.=y y.=x", "X x.=y y.x", "x!.X x.x ; x", "X!.X ; x", "(.X|.x) x", "(.X|.X)x x.X", "(X|.x)=y y.X",
	"(.XV|.v)x X", "(.V|.v)(.V|.v)", "(X.V|x.v)! ; X x", "(.V|.X=v|.v) x.X", "x.x.x X.X", "XxX.x X", "X.x,x X,X", "(.x|.x) X.X", "X!.Y ; y.x",
	"[.x|.X]x X", "[.xX|.xX].x x", "[x.|.X] X ; x", "[.V|.V]v.v", "X.[.x|.y]=z Y.y z", "[.X|.Y]xy ; xy", "([.x|.X]|.x)=y yX",
}

// A run is one schedule of a program, as number Slot of the app's programs.
type run struct {
	p    *Program
	s    *Schedule
	slot int
	got  Outcome
	rids []uint64
}

// cause makes a real server run all schedules at once.
func cause(t testing.TB, dist string, runs []*run) *scenario.Recording {
	t.Helper()
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	gate := filepath.Join(root, "testapps", "enumerate", "app", "gate.js")
	r, err := kit.Record(t.Context(), dist, t.TempDir(), func(ctx context.Context, addr string) error {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}
		var wg sync.WaitGroup
		errs := make(chan error, len(runs))
		limit := make(chan struct{}, 16)
		for _, r := range runs {
			limit <- struct{}{}
			wg.Go(func() {
				defer func() { <-limit }()
				if err := r.drive(ctx, client, addr); err != nil {
					errs <- fmt.Errorf("%s: %w", r.p.Text, err)
				}
			})
		}
		wg.Wait()
		close(errs)
		return <-errs
	}, "NODE_OPTIONS=--require "+gate, "ENUMERATE_SLOTS=1")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *run) drive(ctx context.Context, client *http.Client, addr string) error {
	slots := r.s.Slots(r.p)
	r.got = make(Outcome, len(r.p.Requests))
	for w := range r.p.Waves {
		var wg sync.WaitGroup
		errs := make(chan error, len(r.p.Requests))
		for i, q := range r.p.Requests {
			if q.Wave != w {
				continue
			}
			wg.Go(func() {
				path := fmt.Sprintf("/%d/%d/%s/%s", r.slot, i+1, url.PathEscape(q.Text), strings.Trim(strings.Join(strings.Fields(fmt.Sprint(slots[i])), ","), "[]"))
				req, err := http.NewRequestWithContext(ctx, "GET", "http://"+addr+path, nil)
				if err != nil {
					errs <- err
					return
				}
				res, err := client.Do(req)
				if err != nil {
					errs <- err
					return
				}
				defer res.Body.Close()
				body, err := io.ReadAll(res.Body)
				if err != nil || res.StatusCode != 200 {
					errs <- fmt.Errorf("%s: status %d, %v", path, res.StatusCode, err)
				}
				r.got[i] = string(body)
			})
		}
		wg.Wait()
		close(errs)
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

// TestHonestSchedules runs every legal outcome of many programs on a real server:
// what comes out must be what the model says, and the verifier must accept all of it.
func TestHonestSchedules(t *testing.T) {
	runs := draw(t)
	rec := cause(t, dist, runs)
	inexact := 0
	for _, r := range runs {
		legal, _ := Outcomes(r.p, false)
		if legal[r.got.String()] == nil {
			t.Errorf("%s: the server answered %s, which the model does not allow", r.p.Text, r.got)
		}
		if r.got.String() != r.s.Outcome.String() {
			inexact++
			t.Logf("%s: the server answered %s, and the schedule was to give %s", r.p.Text, r.got, r.s.Outcome)
		}
	}
	if inexact*50 > len(runs) {
		t.Errorf("%d of %d schedules did not happen as planned", inexact, len(runs))
	}
	for _, how := range [][]string{nil, {"--together"}} {
		a, err := kit.Verify(t.Context(), rec.Evidence, how...)
		if err != nil {
			t.Fatal(err)
		}
		if a.Outcome != verdict.Accept {
			t.Errorf("legal outcomes were not accepted %v:\n%s", how, a.Text())
		}
	}
	t.Logf("seed %d: %d legal outcomes accepted", *seed, len(runs))
}

// draw makes a run of every outcome that Node.js can give for each program.
func draw(t testing.TB) []*run {
	t.Helper()
	rnd := rand.New(rand.NewPCG(*seed, 0))
	var runs []*run
	for i := range *programs {
		var p *Program
		var err error
		if i < len(classics) {
			if p, err = Parse(classics[i]); err != nil {
				t.Fatal(err)
			}
		} else {
			p = Random(rnd)
		}
		legal, whole := Outcomes(p, true)
		if !whole {
			continue
		}
		for _, k := range slices.Sorted(mapsKeys(legal)) {
			if len(runs) == 6000 {
				return runs
			}
			runs = append(runs, &run{p: p, s: legal[k], slot: len(runs)})
		}
	}
	return runs
}

func mapsKeys(m map[string]*Schedule) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// An auditor audits many small pieces of evidence on one engine: init is run once, as
// it is the same in all of them.
type auditor struct {
	ctx  context.Context
	cfg  engine.Config
	w    *engine.Worker
	m    *manifest.Manifest
	init struct{ job, result string }
	jobs int
	// together: w has served joint re-execution. joint counts how often it was asked for. only: nothing else is wanted.
	together bool
	joint    int
	only     bool
}

// Joint re-execution needs an engine of its own, which takes as long as a hundred
// audits, so most forgeries have to do without.
const oneJointOf = 25

var errSpared = errors.New("joint re-execution is spared here")

func newAuditor(t testing.TB, dist string) *auditor {
	t.Helper()
	m, err := manifest.Load(dist)
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{NodeMajor: 20, Timeout: 20 * time.Second, MaxRSS: 1 << 30, CodeDir: engine.DefaultCodeDir()}
	for _, name := range []string{"runtime.js", "models.js", "program.js"} {
		text, err := os.ReadFile(filepath.Join(dist, "verifier", name))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Scripts = append(cfg.Scripts, engine.Script{Name: name, Source: string(text)})
	}
	a := &auditor{ctx: context.Background(), cfg: cfg, m: m}
	t.Cleanup(a.end)
	return a
}

func (a *auditor) end() {
	if a.w != nil {
		a.w.Close()
		a.w = nil
	}
	a.init.job = ""
}

// Run makes the auditor a reexec.Engine. Job ids begin anew with every audit.
func (a *auditor) Run(ctx context.Context, job []byte) ([]byte, error) {
	var j struct {
		Init, Together bool
	}
	if err := json.Unmarshal(job, &j); err != nil {
		return nil, err
	}
	if j.Together && !a.together {
		if a.joint++; !a.only && a.joint%oneJointOf != 1 {
			return nil, errSpared
		}
	}
	// Joint re-execution runs the program's own memory along, which is of no use to others.
	if j.Init && string(job) != a.init.job || j.Together != a.together {
		a.end()
	}
	a.together = j.Together
	if a.w == nil {
		w, err := engine.Start(a.ctx, a.cfg)
		if err != nil {
			return nil, err
		}
		a.w = w
	}
	if j.Init && a.init.job != "" {
		return []byte(a.init.result), nil
	}
	a.jobs++
	out, err := a.w.Run(ctx, job)
	if err != nil {
		var thrown *engine.JSError
		if !errors.As(err, &thrown) {
			a.end() // it is dead
		}
		return nil, err
	}
	if j.Init {
		a.init.job, a.init.result = string(job), string(out)
	}
	return out, nil
}

// Close keeps the engine for the next audit.
func (a *auditor) Close() error {
	if a.together {
		a.end()
	}
	return nil
}

func (a *auditor) audit(t testing.TB, tr *trace.Trace, l *advice.Life) *verdict.Verdict {
	t.Helper()
	v, err := verdict.Audit(t.Context(), verdict.Input{
		Trace: tr, Advice: &advice.Advice{Lives: []*advice.Life{l}}, Manifest: a.m, MaxLives: 1, Together: a.only,
		Options: reexec.Options{
			Start: func(context.Context) (reexec.Engine, error) { return a, nil },
			Survives: func(err error) bool {
				var thrown *engine.JSError
				return errors.As(err, &thrown)
			},
			Workers: 1,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestJointSchedules: in joint re-execution the order of turns decides. Whatever outcome the server caused, it is accepted
// with the order that led to it, and no other answers are with that order.
func TestJointSchedules(t *testing.T) {
	runs, byProgram := caused(t)
	a := newAuditor(t, dist)
	a.only = true
	end := time.Now().Add(time.Duration(*seconds) * time.Second)
	agreed := map[verdict.Outcome]int{}
	for _, r := range runs {
		es := byProgram[r.p]
		if len(es) < 2 || r.p.Waves > 1 || time.Now().After(end) {
			continue
		}
		delete(byProgram, r.p)
		base := es[0]
		for _, order := range es[:2] {
			for _, told := range es[:2] {
				e := *base
				e.trace = &trace.Trace{Exchanges: slices.Clone(base.trace.Exchanges)}
				// All came before any was answered.
				for _, kind := range []trace.Kind{trace.RequestEvent, trace.ResponseEvent} {
					for i, x := range e.trace.Exchanges {
						e.trace.Events = append(e.trace.Events, trace.Event{Kind: kind, RID: x.RID, Exchange: int32(i)})
					}
				}
				for i, rid := range e.rids {
					e.answer(rid, told.got[i])
				}
				want := verdict.Reject
				if order.got.String() == told.got.String() {
					want = verdict.Accept
				}
				v := a.audit(t, e.trace, e.advice(claims{turns: order.turns, order: order.order}))
				if agreed[v.Outcome]++; v.Outcome != want {
					t.Errorf("%s, in the order for %s, answered %s: %s %s %s", r.p.Text, order.got, told.got, v.Outcome, v.Rule, v.Message)
				}
			}
		}
	}
	if agreed[verdict.Accept] == 0 || agreed[verdict.Reject] == 0 {
		t.Errorf("the verdicts were all of one kind: %v", agreed)
	}
	t.Log(agreed)
}
