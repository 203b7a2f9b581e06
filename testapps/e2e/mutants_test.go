package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

var (
	mutants    = flag.Int("mutants", 12, "how many random changes of honest advice to try on each app")
	mutantSeed = flag.Uint64("mutant-seed", 1, "what the random changes are drawn from")
)

// A mutation changes one record of honest advice at random. It returns what it
// did, or "" if it cannot change this record.
type mutation func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string

var mutations = map[record.Op][]mutation{
	record.Write: {changeValue, changeOpNum, changePrev, dropRecord, doubleRecord, changeRequest},
	record.Read:  {changeRead, dropRecord, doubleRecord, changeRequest},
	record.Object: {func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
		if len(r.Fields) == 0 {
			return ""
		}
		f := &r.Fields[rnd.IntN(len(r.Fields))]
		was := f.Value
		if f.Value = otherValue(rnd, was); record.Equal(was, f.Value) {
			return ""
		}
		return fmt.Sprintf("field %v becomes %s", f.Key, f.Value.AppendJSON(nil, record.Renumber{}))
	}, changeOpNum},
	record.Activation: {changeOpNum, func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string { r.Firing++; return "another firing" }},
	record.Recorded: {func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
		if r.Name == "stack" || r.Name == "now" {
			return "" // what a stack trace says, and when it was, may be anything; see TestNondeterminismAttacks for what may not
		}
		return changeValue(rnd, l, r)
	}, dropRecord, doubleRecord},
	record.Request: {func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
		r.RID += uint64(1 + rnd.IntN(3))
		return fmt.Sprintf("it speaks of request %d", r.RID)
	}},
	record.Location: {func(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
		if r.Key.KeyKind != record.StringKey {
			return ""
		}
		r.Key = record.Name(r.Key.Str + "x")
		return "another key"
	}},
}

func otherValue(rnd *rand.Rand, v record.Value) record.Value {
	switch v.Kind {
	case record.String:
		if rnd.IntN(3) == 0 {
			return record.Text("")
		}
		return record.Text(v.Str + "!")
	case record.Bool:
		return record.Boolean(v.Num == 0)
	case record.Int, record.Double:
		return []record.Value{record.Number(v.Float() + 1), record.Text(fmt.Sprint(v.Float())), record.Number(-v.Float() - 1)}[rnd.IntN(3)]
	case record.List:
		if n := len(v.Ext.List); n > 1 {
			list := slices.Clone(v.Ext.List)
			list[0], list[n-1] = list[n-1], list[0]
			return record.ListOf(list...)
		}
		return record.ListOf(record.Text("x"), record.Text("y"))
	case record.Null:
		return record.Value{Kind: record.Undefined}
	}
	return record.Value{Kind: record.Null}
}

func changeValue(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	if r.Value.Kind == record.Delta {
		r.Value = record.ListOf()
		return "its value becomes an empty list"
	}
	was := r.Value
	r.Value = otherValue(rnd, was)
	return fmt.Sprintf("its value becomes %s, not %s", r.Value.AppendJSON(nil, record.Renumber{}), was.AppendJSON(nil, record.Renumber{}))
}

func changeOpNum(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	r.OpNum += int32(1 + rnd.IntN(3))
	return fmt.Sprintf("it belongs to operation %d", r.OpNum)
}

func changePrev(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	older := r.Prev
	for w := r.Prev; w >= 0; {
		p := l.Get(record.Write, w)
		w = p.Prev
		if rnd.IntN(2) == 0 {
			older = w
			break
		}
	}
	if older == r.Prev || r.Value.Kind == record.Delta {
		return ""
	}
	r.Prev = older
	return fmt.Sprintf("it overwrote write %d", older)
}

func changeRead(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	w := l.Get(record.Write, r.Write)
	if w.Prev < 0 {
		return ""
	}
	r.Write = w.Prev
	return fmt.Sprintf("it read write %d", w.Prev)
}

func changeRequest(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	// Records belong to what was defined before them, so to an earlier request.
	if r.Req < 2 {
		return ""
	}
	r.Req, r.Act = r.Req-1, 0
	return "it belongs to the request before"
}

func dropRecord(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	l.Drop(r)
	return "it is dropped"
}

func doubleRecord(rnd *rand.Rand, l *forge.Life, r *forge.Record) string {
	l.InsertAfter(r, r.Record)
	return "it is there twice"
}

// TestMutants changes one record of honest advice at random, many times. The trace
// stays as it is, so an accept is no wrong answer that passed; but advice that is
// not what the server did must not be believed without a reason. So every accept has
// to be of another execution that is as legal: the judge must find an order for it,
// and none may be found where one is rejected for want of an order. And whatever
// the verifier and its judge make of versions, the trace alone says that nobody read
// what had been overwritten before they came.
func TestMutants(t *testing.T) {
	for _, a := range []*app{motd, accounts, counters, pages, catalog} {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			honest := a.record(t, 8, a.requests(77, 60)).Evidence
			mustAccept(t, honest)
			rnd := rand.New(rand.NewPCG(*mutantSeed, 2))
			for i := range *mutants {
				e, err := forge.Load(honest.Trace, honest.Advice)
				if err != nil {
					t.Fatal(err)
				}
				l := life(t, e)
				what := ""
				var r *forge.Record
				for tries := 0; what == "" && tries < 1000; tries++ {
					r = l.Records[rnd.IntN(len(l.Records))]
					if ms := mutations[r.Op]; len(ms) > 0 {
						what = ms[rnd.IntN(len(ms))](rnd, l, r)
					}
				}
				name := fmt.Sprintf("mutant %d: record %d %s of request %d: %s", i, r.Op, r.Name, l.RID(r), what)
				copied := scenario.In(honest.Dist, t.TempDir())
				if e.Save(copied.Trace, copied.Advice) != nil {
					continue // it cannot even be written down
				}
				v := verify(t, copied)
				why := ""
				switch h := history(t, copied); {
				case v.Outcome == verdict.Reject && h != nil && slices.Contains(orderRules, v.Rule) && newJudge(h).stuck() == "":
					why = "it is rejected, but some order exists"
				case v.Outcome == verdict.Reject:
				case v.Outcome != verdict.Accept:
					why = "it comes to no verdict"
				case h == nil:
					why = "it is accepted, but cannot be re-executed"
				case newJudge(h).stuck() != "":
					why = "it is accepted, but " + newJudge(h).stuck()
				case r.Op == record.Read && slices.Contains(l.Records, r):
					why = tooLate(e, l, r)
				case !meansNothing(l, r, what):
					why = "it is accepted, but nothing says that it makes no difference"
				}
				if why != "" {
					keepEvidence(t, copied)
					t.Errorf("%s: %s:\n%s", name, why, v.Text())
					continue
				}
				t.Logf("%s: %s %s", name, v.Outcome, v.Rule)
			}
		})
	}
}

// orderRules reject what has no order; the others reject what need not be one.
var orderRules = []string{"R3", "R4", "R5", "R6", "R8"}

// tooLate: the version that a read is said to have seen was overwritten by somebody
// who had been answered before the reader came.
func tooLate(e *forge.Evidence, l *forge.Life, r *forge.Record) string {
	for _, w := range l.All(record.Write) {
		if w.Prev == r.Write && l.RID(w) != l.RID(r) && l.RID(w) != 0 && e.Answered(l.RID(w), l.RID(r)) {
			return fmt.Sprintf("it is accepted, but request %d had overwritten that before", l.RID(w))
		}
	}
	return ""
}

// meansNothing: a change of what no answer depends on.
func meansNothing(l *forge.Life, r *forge.Record, what string) bool {
	switch r.Op {
	case record.Recorded:
		// One possible result for another; and a client may be slower or faster than it was.
		return r.Name == "stack" || r.Name == "slow" || r.Name == "full" || strings.HasPrefix(what, "its value becomes ")
	case record.Activation:
		// Stack traces are told apart by what they say, not by where.
		for _, x := range l.Records {
			if x.Req == r.Req && x.Act == r.ID && (x.Op != record.Recorded || x.Name != "stack") && x.Op != record.Tag {
				return false
			}
		}
		return true
	}
	return false
}
