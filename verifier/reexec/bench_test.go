package reexec

import (
	"fmt"
	"testing"
	"time"

	"karousosc/verifier/order"
	"karousosc/verifier/reexec/fake"
)

// BenchmarkJobs measures what the audit costs beside the engine: grouping, writing jobs, and entering results into the
// history and judging it.
func BenchmarkJobs(b *testing.B) {
	const n = 20_000
	s := fake.New()
	for i := 0; i < n; i++ {
		if i%2 == 0 {
			s.Serve(fmt.Sprintf(`POST %d {"date":"2024-01-%d","message":"the message of the day number %d","readable":true}`, i%5000, i%28, i))
		} else {
			s.Serve(fmt.Sprintf("GET %d", (i*7)%5000))
		}
	}
	var build, add, check time.Duration
	bytes := 0
	for b.Loop() {
		l := newLife(s.Life, 0)
		if _, p := join(s.Trace, []*life{l}); p != nil {
			b.Fatal(p)
		}
		began := time.Now()
		j := newBuilder(s.Trace, l)
		c := newCollector([]*life{l})
		if err := c.add(0, []lane{0}, true, tables{}, &result{start: []int32{0, 0}}); err != nil {
			b.Fatal(err)
		}
		bytes = 0
		for _, g := range makeGroups(s.Trace, s.Life, 0, l.exchange, 500, 1) {
			job := j.build(1, g.lanes, false, 1<<30)
			build += time.Since(began)
			bytes += len(job)
			began = time.Now()
			r, err := parseResult(honestResult(l, g.lanes, j))
			if err == nil {
				err = c.add(0, g.lanes, false, j.tables(), r)
			}
			if err != nil {
				b.Fatal(err)
			}
			add += time.Since(began)
			began = time.Now()
		}
		a := &Audit{t: s.Trace, lives: []*life{l}, c: c}
		began = time.Now()
		if v, err := order.Check(c.history(a.events())); v != nil || err != nil {
			b.Fatal(v, err)
		}
		check += time.Since(began)
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N) / n }
	b.ReportMetric(per(build), "ns/request-job")
	b.ReportMetric(per(add), "ns/request-result")
	b.ReportMetric(per(check), "ns/request-order")
	b.ReportMetric(float64(bytes)/n, "bytes/request")
}

// honestResult is what the engine would say; making it is part of the result's time, as an upper bound.
func honestResult(l *life, lanes []lane, j *builder) string {
	b := []byte(`{"id":1,"ok":true,"diverged":null,"acts":[[]],"respAct":0,"ops":[`)
	keys := []byte(`],"keys":[`)
	for i, q := range lanes {
		if i > 0 {
			b, keys = append(b, ','), append(keys, ',')
		}
		kind, src, srcA, w, num, loc := 0, 0, int32(0), int32(-1), 0, int32(-1)
		for _, r := range l.readsOf(q) {
			src, srcA = 1, j.writeIn[l.Reads[r].Write]-1
			loc = l.Writes[l.Reads[r].Write].Loc
		}
		for _, x := range l.writesOf(q) {
			kind, num, w = 1, 1, j.writeIn[x]-1
			loc = l.Writes[x].Loc
			if p := l.Writes[x].Prev; p >= 0 {
				src, srcA = 1, j.writeIn[p]-1
			}
		}
		b = fmt.Appendf(b, "%d,0,%d,-1,%d,%d,%d,%d,0,%d", i, kind, i, num, src, srcA, w)
		if loc >= 0 {
			keys = appendText(keys, l.Locations[loc].Key.Str)
		} else {
			keys = fmt.Appendf(keys, `"none %d"`, q)
		}
	}
	return string(append(append(b, keys...), "]}"...))
}
