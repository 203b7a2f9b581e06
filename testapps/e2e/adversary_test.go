package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/engine"
	"karousosc/verifier/reexec"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

var (
	lies    = flag.Int("lies", 4, "how many forgeries the adversary tries on each app")
	lieSeed = flag.Uint64("lie-seed", 1, "what the adversary's forgeries are drawn from")
)

// An adversary is a server that lies and has the verifier beside it: it changes its
// advice, asks what is wrong with that, gives the answers that follow from the advice,
// mends what else shows, and asks again.
type adversary struct {
	rnd    *rand.Rand
	honest scenario.Evidence
	cfg    engine.Config
	m      *manifest.Manifest
	// values were seen in shared state.
	values []record.Value
	// overlap changes when requests came and were answered. legal tells whether answers are those of some order.
	overlap func(e *forge.Evidence)
	legal   func(e *forge.Evidence) bool
	// free: the forgery being made says of a timer or a race what may be so.
	free bool
}

func newAdversary(t testing.TB, honest scenario.Evidence, seed uint64) *adversary {
	t.Helper()
	m, err := manifest.Load(honest.Dist)
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{NodeMajor: 20, Timeout: 5 * time.Second, MaxRSS: 1 << 30, CodeDir: engine.DefaultCodeDir(), Files: filepath.Join(honest.Dist, "verifier", "files.json")}
	for _, name := range []string{"runtime.js", "models.js", "program.js"} {
		text, err := os.ReadFile(filepath.Join(honest.Dist, "verifier", name))
		if err != nil {
			t.Fatal(err)
		}
		cfg.Scripts = append(cfg.Scripts, engine.Script{Name: name, Source: string(text)})
	}
	a := &adversary{rnd: rand.New(rand.NewPCG(seed, 11)), honest: honest, cfg: cfg, m: m}
	told := answers(loaded(t, honest))
	a.legal = func(e *forge.Evidence) bool { return answers(e) == told }
	return a
}

func loaded(t testing.TB, e scenario.Evidence) *forge.Evidence {
	t.Helper()
	f, err := forge.Load(e.Trace, e.Advice)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// answers are what the clients were told, in the order of their requests' targets and bodies: who came first is not in it.
func answers(e *forge.Evidence) string {
	var all []string
	for _, x := range e.Trace.Exchanges {
		all = append(all, fmt.Sprintf("%s %s %q: %d %q", x.Request.Method, x.Request.Target, x.Request.Body, x.Response.Status, x.Response.Body))
	}
	return strings.Join(all, "\n")
}

// ask has the verifier judge. An error means that the evidence cannot even be written down.
func (a *adversary) ask(ctx context.Context, e *forge.Evidence, together bool) (*verdict.Verdict, error) {
	adv := &advice.Advice{}
	for _, l := range e.Lives {
		text, err := l.Encode()
		if err != nil {
			return nil, err
		}
		d, err := advice.Decode(l.File, text, advice.Limits{})
		if err != nil {
			return nil, err
		}
		adv.Lives = append(adv.Lives, d)
	}
	v, err := verdict.Audit(ctx, verdict.Input{Trace: e.Trace, Advice: adv, Manifest: a.m, MaxLives: 1, Together: together, Options: reexec.Options{
		Start: func(ctx context.Context) (reexec.Engine, error) { return engine.Start(ctx, a.cfg) },
		Survives: func(err error) bool {
			var thrown *engine.JSError
			return errors.As(err, &thrown)
		},
	}})
	if err != nil {
		return nil, fmt.Errorf("the audit failed: %w", err)
	}
	return v, nil
}

func oneOf[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// results are recorded of what the program cannot choose: any that is possible may be given, and another
// answer with it.
func chosen(name string) bool {
	switch name {
	case "turn", "won", "lost", "late", "tick", "cut", "full":
		return false
	}
	return true
}

// change makes one change of a life, and says which.
func (a *adversary) change(l *forge.Life, together bool) string {
	rnd := a.rnd
	if together {
		return a.changeTurns(l)
	}
	locOf := func(w *forge.Record) int32 { return w.Loc }
	writes, reads := l.All(record.Write), l.All(record.Read)
	writesTo := func(loc int32) (out []*forge.Record) {
		for _, w := range writes {
			if locOf(w) == loc {
				out = append(out, w)
			}
		}
		return out
	}
	drop := func(w *forge.Record) {
		for _, r := range l.Records {
			if r.Op == record.Read && r.Write == w.ID {
				if w.Prev < 0 {
					r.Write = -2 // dropped below
				} else {
					r.Write = w.Prev
				}
			}
			if r.Op == record.Write && r.Prev == w.ID {
				r.Prev = w.Prev
			}
		}
		l.Records = slices.DeleteFunc(l.Records, func(r *forge.Record) bool { return r == w || r.Op == record.Read && r.Write == -2 })
	}
	switch k := rnd.IntN(20); {
	case k < 4 && len(reads) > 0: // a read of another version
		r := oneOf(rnd, reads)
		from := l.Get(record.Write, r.Write)
		w := oneOf(rnd, writesTo(from.Loc))
		if rnd.IntN(2) == 0 && from.Prev >= 0 {
			w = l.Get(record.Write, from.Prev)
		}
		r.Write = w.ID
		if slices.Index(l.Records, r) < slices.Index(l.Records, w) {
			l.MoveAfter(r, w)
		}
		return fmt.Sprintf("request %d reads write %d and not %d", l.RID(r), w.ID, from.ID)
	case k < 6 && len(reads) > 0:
		r := oneOf(rnd, reads)
		l.Drop(r)
		return fmt.Sprintf("a read of request %d is dropped", l.RID(r))
	case k < 8 && len(writes) > 0:
		w := oneOf(rnd, writes)
		drop(w)
		return fmt.Sprintf("write %d of request %d is dropped", w.ID, l.RID(w))
	case k < 9 && len(writes) > 0: // a location of which nothing is said
		loc := oneOf(rnd, writes).Loc
		for _, w := range writesTo(loc) {
			l.Records = slices.DeleteFunc(l.Records, func(r *forge.Record) bool { return r.Op == record.Read && r.Write == w.ID })
		}
		l.Records = slices.DeleteFunc(l.Records, func(r *forge.Record) bool { return r.Op == record.Write && r.Loc == loc })
		return fmt.Sprintf("nothing is said of location %d", loc)
	case k < 11 && len(writes) > 0: // another value
		w := oneOf(rnd, writes)
		w.Value = a.other(w.Value)
		return fmt.Sprintf("write %d of request %d: %s", w.ID, l.RID(w), w.Value.AppendJSON(nil, record.Renumber{}))
	case k < 13: // another field
		var all []*forge.Record
		for _, r := range l.Records {
			if len(r.Fields) > 0 {
				all = append(all, r)
			}
		}
		if len(all) == 0 {
			return ""
		}
		r := oneOf(rnd, all)
		i := rnd.IntN(len(r.Fields))
		switch rnd.IntN(5) {
		case 0:
			r.Fields = slices.Delete(r.Fields, i, i+1)
			return fmt.Sprintf("object %d loses field %d", r.ID, i)
		case 1:
			r.Fields = append(r.Fields, record.Field{Key: record.Name(oneOf(rnd, []string{"__proto__", "constructor", "length", "then", "x", "toString"})), Value: a.other(record.Text(""))})
			return fmt.Sprintf("object %d gets a field", r.ID)
		case 2:
			r.ObjectKind = record.ObjectKind(rnd.IntN(7))
			return fmt.Sprintf("object %d is of kind %d", r.ID, r.ObjectKind)
		}
		r.Fields[i].Value = a.other(r.Fields[i].Value)
		return fmt.Sprintf("object %d, field %d: %s", r.ID, i, r.Fields[i].Value.AppendJSON(nil, record.Renumber{}))
	case k < 14 && len(writes) > 1: // another order of writes
		w := oneOf(rnd, writes)
		for _, x := range writes {
			if x.Prev == w.ID {
				for _, y := range writes {
					if y != x && y.Prev == x.ID {
						y.Prev = w.ID
					}
				}
				x.Prev, w.Prev = w.Prev, x.ID
				l.MoveAfter(w, x)
				return fmt.Sprintf("write %d comes after %d", w.ID, x.ID)
			}
		}
		return ""
	case k < 15 && len(writes) > 0:
		w := oneOf(rnd, writes)
		w.Prev = append(writesTo(w.Loc), &forge.Record{ID: -1})[rnd.IntN(len(writesTo(w.Loc))+1)].ID
		return fmt.Sprintf("write %d overwrites %d", w.ID, w.Prev)
	case k < 16 && len(writes) > 0: // a read that nobody logged
		w := oneOf(rnd, writes)
		at := oneOf(rnd, l.Records)
		if at.Op == record.Request || at.Op == record.Location || at.Op == record.Fields {
			return ""
		}
		r := l.InsertAfter(at, advice.Record{Op: record.Read, Req: at.Req, Act: at.Act, Write: w.ID})
		if slices.Index(l.Records, at) < slices.Index(l.Records, w) {
			l.MoveAfter(r, w)
		}
		return fmt.Sprintf("request %d reads write %d, too", l.RID(at), w.ID)
	case k < 17: // what is recorded of races
		var all []*forge.Record
		for _, r := range l.All(record.Recorded) {
			if !chosen(r.Name) {
				all = append(all, r)
			}
		}
		if len(all) == 0 {
			return ""
		}
		r := oneOf(rnd, all)
		a.free = true
		switch rnd.IntN(3) {
		case 0:
			l.Drop(r)
			return r.Name + " is dropped"
		case 1:
			l.InsertAfter(r, r.Record)
			return r.Name + " is doubled"
		}
		r.Value = a.other(r.Value)
		return r.Name + " is another"
	case k < 18:
		for _, r := range l.All(record.Tag) {
			r.Tag = uint32(rnd.IntN(3))
		}
		return "other tags"
	case k < 19:
		return a.changeTurns(l)
	default:
		locs := l.All(record.Location)
		if len(locs) < 2 {
			return ""
		}
		x, y := oneOf(rnd, locs), oneOf(rnd, locs)
		x.Key, y.Key = y.Key, x.Key
		return fmt.Sprintf("locations %d and %d change names", x.ID, y.ID)
	}
}

func (a *adversary) changeTurns(l *forge.Life) string {
	rnd := a.rnd
	isTurn := func(r *forge.Record) bool { return r.Op == record.Turn || r.Op == record.Request }
	turns := slices.DeleteFunc(slices.Clone(l.Records), func(r *forge.Record) bool { return !isTurn(r) })
	if len(turns) < 3 {
		return ""
	}
	i := 1 + rnd.IntN(len(turns)-1)
	x, y := turns[i-1], turns[i]
	// A timer may fire at any other time, or not yet.
	a.free = a.free || y.Op == record.Turn && !y.Body
	switch rnd.IntN(6) {
	case 0:
		if y.Op == record.Turn {
			l.Drop(y)
			return fmt.Sprintf("a turn of request %d is dropped", l.RID(y))
		}
	case 1:
		if y.Op == record.Turn {
			at := oneOf(rnd, turns[i:])
			l.InsertAfter(at, y.Record)
			return fmt.Sprintf("a turn of request %d is doubled", l.RID(y))
		}
	case 2:
		if x.Op == record.Request && y.Op == record.Request {
			x.RID, y.RID = y.RID, x.RID
			return fmt.Sprintf("request %d arrives before %d", x.RID, y.RID)
		}
	case 3:
		at := oneOf(rnd, turns[i:])
		if y.Op == record.Turn && at != y {
			l.MoveAfter(y, at)
			return fmt.Sprintf("a turn of request %d comes later", l.RID(y))
		}
	case 4:
		l.InsertAfter(y, advice.Record{Op: record.Turn, Req: y.Req, Body: true})
		return fmt.Sprintf("a piece of a body for request %d", l.RID(y))
	case 5:
		rs := slices.DeleteFunc(l.All(record.Recorded), func(r *forge.Record) bool { return chosen(r.Name) })
		if len(rs) > 0 {
			a.free = true
			l.Drop(oneOf(rnd, rs))
			return "a record of a race is dropped"
		}
	}
	return ""
}

// other is another value that may have been.
func (a *adversary) other(v record.Value) record.Value {
	if a.rnd.IntN(3) > 0 && len(a.values) > 0 {
		return oneOf(a.rnd, a.values)
	}
	return otherValue(a.rnd, v)
}

func text(s string) string {
	var u string
	if json.Unmarshal([]byte(s), &u) == nil {
		return u
	}
	return s
}

// mend changes the evidence so that it agrees with what the verifier says. false: there is no way that this knows of.
func (a *adversary) mend(e *forge.Evidence, v *verdict.Verdict) bool {
	l := e.Lives[0]
	x := e.Exchange(v.RID)
	switch {
	case v.Rule == "R-response" && x != nil && strings.Contains(v.Message, "response's body is"):
		x.Response.Body = []byte(text(v.Expected))
		return true
	case v.Rule == "R-response" && x != nil && strings.Contains(v.Message, "response's status"):
		n, err := strconv.Atoi(text(v.Expected))
		x.Response.Status = n
		return err == nil
	case v.Rule == "R-response" && x != nil && strings.Contains(v.Message, "response's header "):
		_, name, _ := strings.Cut(v.Message, "response's header ")
		name, _, _ = strings.Cut(name, " ")
		h := header(x, name)
		switch {
		case h == nil && v.Expected != "":
			x.Response.Headers = append(x.Response.Headers, trace.Header{Name: name, Value: text(v.Expected)})
		case h != nil && v.Expected == "":
			x.Response.Headers = slices.DeleteFunc(x.Response.Headers, func(h trace.Header) bool { return strings.EqualFold(h.Name, name) })
		case h != nil:
			h.Value = text(v.Expected)
		}
		return true
	case v.Rule == "R-leftover":
		for op, what := range map[record.Op]string{record.Read: "a read", record.Write: "a write", record.Object: "an object", record.Recorded: "a recorded result", record.Turn: "a turn"} {
			if rs := l.Of(v.RID, op); strings.Contains(v.Message, what) && len(rs) > 0 {
				r := oneOf(a.rnd, rs)
				if op == record.Write {
					for _, w := range l.All(record.Write) {
						if w.Prev == r.ID {
							w.Prev = r.Prev
						}
					}
					l.Records = slices.DeleteFunc(l.Records, func(x *forge.Record) bool { return x.Op == record.Read && x.Write == r.ID })
				}
				l.Drop(r)
				return true
			}
		}
	case v.Rule == "R-value":
		for _, w := range l.Of(v.RID, record.Write) {
			for _, pair := range [][2]string{{v.Found, v.Expected}, {v.Expected, v.Found}} {
				if is := string(w.Value.AppendJSON(nil, record.Renumber{})); is != pair[0] {
					continue
				}
				var now any
				if json.Unmarshal([]byte(pair[1]), &now) != nil {
					continue
				}
				switch now := now.(type) {
				case string:
					w.Value = record.Text(now)
				case float64:
					w.Value = record.Number(now)
				case bool:
					w.Value = record.Boolean(now)
				default:
					continue
				}
				return true
			}
		}
	case v.Rule == "R-nondet" && strings.HasPrefix(v.Message, "no recorded result for "):
		name := strings.TrimPrefix(v.Message, "no recorded result for ")
		rs := slices.DeleteFunc(l.All(record.Recorded), func(r *forge.Record) bool { return r.Name != name })
		of := l.Of(v.RID, record.Tag)
		if len(rs) > 0 && len(of) > 0 {
			l.InsertAfter(of[0], advice.Record{Op: record.Recorded, Req: of[0].Req, Name: name, Value: rs[len(rs)-1].Value})
			return true
		}
	case v.Rule == "A3" || v.Rule == "A4":
		l.Tidy()
		return true
	}
	return false
}

// attempt makes one forgery. It is "" if the verifier does not accept it, or if nobody was told anything else for it.
func (a *adversary) attempt(t *testing.T) (found string, last *verdict.Verdict) {
	t.Helper()
	e, err := forge.Load(a.honest.Trace, a.honest.Advice)
	if err != nil {
		t.Fatal(err)
	}
	l := life(t, e)
	a.free = false
	if a.overlap != nil {
		a.overlap(e)
	}
	if a.values == nil {
		for _, r := range l.Records {
			if r.Op == record.Write {
				a.values = append(a.values, r.Value)
			}
			for _, f := range r.Fields {
				a.values = append(a.values, f.Value)
			}
		}
		a.values = append(a.values, record.Value{Kind: record.Absent}, record.Value{Kind: record.Undefined}, record.Number(0), record.Text("__proto__"))
	}
	together := a.rnd.IntN(4) == 0
	var did []string
	for tries := 0; tries < 20 && len(did) < 1+a.rnd.IntN(3); tries++ {
		if what := a.change(l, together); what != "" {
			did = append(did, what)
		}
	}
	if a.rnd.IntN(2) == 0 {
		l.Tidy()
	}
	for range 12 {
		v, err := a.ask(t.Context(), e, together)
		if err != nil {
			if strings.HasPrefix(err.Error(), "the audit failed") {
				t.Errorf("%v: %v", did, err)
			}
			return "", last
		}
		last = v
		if v.Outcome == verdict.Accept {
			dir := t.TempDir()
			lie := scenario.In(a.honest.Dist, dir)
			if err := e.Save(lie.Trace, lie.Advice); err != nil {
				t.Fatal(err)
			}
			if a.free || a.legal(e) {
				return "", last
			}
			keepEvidence(t, lie)
			return strings.Join(did, "; ") + told(t, a.honest, lie), last
		}
		if v.Outcome != verdict.Reject || !a.mend(e, v) {
			break
		}
	}
	return "", last
}

// told says what the clients were told otherwise.
func told(t *testing.T, honest, lie scenario.Evidence) string {
	var all [2]*trace.Trace
	for i, e := range []scenario.Evidence{honest, lie} {
		x, err := trace.Load(e.Trace, trace.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all[i] = x
	}
	var b strings.Builder
	for i, x := range all[0].Exchanges {
		y := all[1].Exchanges[i]
		if fmt.Sprint(x.Response) != fmt.Sprint(y.Response) {
			fmt.Fprintf(&b, "\nrequest %d, %s %s %.100s, was answered %d %.300q, and is now %d %.300q", x.RID, x.Request.Method, x.Request.Target, x.Request.Body, x.Response.Status, x.Response.Body, y.Response.Status, y.Response.Body)
		}
	}
	return b.String()
}

// TestAdversary: where no two requests overlap and nothing is left to chance, there is one legal outcome, so whatever
// a server makes up, answers that are not the honest ones are never accepted.
func TestAdversary(t *testing.T) {
	for i, a := range strangers(t) {
		if *lies <= fewLies && i%fewApps != int(*lieSeed)%fewApps {
			continue
		}
		t.Run(strings.TrimPrefix(a.name, "strangers-"), func(t *testing.T) {
			t.Parallel()
			honest := a.record(t, 1, a.requests(*lieSeed, 14)).Evidence
			newAdversary(t, honest, *lieSeed).lie(t)
		})
	}
}

// Unless told to, the adversary tries one of so many apps.
const fewLies, fewApps = 4, 8

func (a *adversary) lie(t *testing.T) {
	t.Helper()
	counts := map[string]int{}
	for range *lies {
		found, v := a.attempt(t)
		if v != nil {
			counts[string(v.Outcome)+" "+v.Rule]++
		}
		if found != "" {
			t.Errorf("accepted: %s", found)
		}
	}
	t.Log(counts)
}

// waits is in programs whose requests may take turns with one another, or ask for what is left to chance.
var waits = regexp.MustCompile(`await|async|Promise|setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|Date|random|hrtime|performance|\.on\(|EventEmitter|for await|pipe|emit`)

// TestAdversaryOverlap: where requests overlap, but each does all of its work in one turn, the legal outcomes are those
// of running them one by one, in any order. The app itself says what these are.
func TestAdversaryOverlap(t *testing.T) {
	const before, overlapping = 5, 3
	for i, a := range strangers(t) {
		if *lies <= fewLies && i%fewApps != int(*lieSeed)%fewApps {
			continue
		}
		if src, err := os.ReadFile(filepath.Join(a.source(t), a.entry)); err != nil || waits.Match(src) {
			continue
		}
		t.Run(strings.TrimPrefix(a.name, "strangers-"), func(t *testing.T) {
			t.Parallel()
			all := a.requests(*lieSeed, before+overlapping+2)
			var honest []scenario.Evidence
			legal := map[string]bool{}
			for _, order := range [][overlapping]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				requests := slices.Clone(all)
				for k, j := range order {
					requests[before+k] = all[before+j]
				}
				r := a.record(t, 1, requests)
				honest = append(honest, r.Evidence)
				// In the order of the load, not of this run.
				e := loaded(t, r.Evidence)
				x := slices.Clone(e.Trace.Exchanges)
				for k, j := range order {
					e.Trace.Exchanges[before+j] = x[before+k]
				}
				legal[answers(e)] = true
				adv := newAdversary(t, r.Evidence, *lieSeed+uint64(len(honest)))
				adv.overlap = func(e *forge.Evidence) {
					slices.SortStableFunc(e.Trace.Events, func(a, b trace.Event) int { return rank(a) - rank(b) })
				}
				adv.legal = func(e *forge.Evidence) bool {
					all := slices.Clone(e.Trace.Exchanges)
					for k, j := range order {
						all[before+j] = e.Trace.Exchanges[before+k]
					}
					return legal[answers(&forge.Evidence{Trace: &trace.Trace{Exchanges: all}})]
				}
				defer adv.lie(t)
			}
			t.Logf("%d outcomes are legal", len(legal))
		})
	}
}

// rank orders the events of a run whose sixth to eighth request are to overlap.
func rank(e trace.Event) int {
	switch i := int(e.Exchange); {
	case i < 5:
		return 3*i + int(min(e.Kind, trace.ResponseEvent))
	case i < 8:
		return 100 + int(min(e.Kind, trace.ResponseEvent))
	default:
		return 200 + 3*i + int(min(e.Kind, trace.ResponseEvent))
	}
}
