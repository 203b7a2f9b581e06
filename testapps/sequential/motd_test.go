package sequential

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"karousosc/verifier/engine"
)

// motdBatches is the message-of-the-day workload: one POST in ten writes.
func motdBatches(tb testing.TB, n, width int) [][]byte {
	tb.Helper()
	var items []Item
	var out [][]byte
	for i := range n {
		// A date's message is always the same, so that any number of rounds
		// over the batches have the same answers.
		date := fmt.Sprintf("2026-%02d-%02d", i%12+1, i%28+1)
		url, body := "/getdate", fmt.Sprintf(`{"date":"%s"}`, date)
		if i%10 == 0 {
			url, body = "/post", fmt.Sprintf(`{"date":"%s","message":"this is the message of %s","readable":true}`, date, date)
		}
		items = append(items, Item{Req: Request{Method: "POST", URL: url, Body: body, Headers: []Header{
			{"Host", "127.0.0.1:8080"}, {"User-Agent", "load"}, {"Content-Length", fmt.Sprint(len(body))}, {"Content-Type", "application/json"}, {"Accept-Encoding", "gzip"},
		}}})
		if len(items) == width {
			b, err := json.Marshal(job{Items: items})
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, b)
			items = items[:0]
		}
	}
	return out
}

// answered fills in what the app answers, so that later runs compare.
func answered(tb testing.TB, scripts []engine.Script, batches [][]byte) [][]byte {
	tb.Helper()
	r, err := New(tb.Context(), engine.Config{}, scripts, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	for _, b := range batches {
		if _, err := r.RunEncoded(tb.Context(), b); err != nil {
			tb.Fatal(err)
		}
	}
	var out [][]byte
	for _, b := range batches {
		res, err := r.RunEncoded(tb.Context(), b)
		if err != nil {
			tb.Fatal(err)
		}
		var j job
		if err := json.Unmarshal(b, &j); err != nil {
			tb.Fatal(err)
		}
		if len(res.Answers) != len(j.Items) {
			tb.Fatalf("%d answers to %d requests: %+v", len(res.Answers), len(j.Items), res.Wrong)
		}
		for i := range j.Items {
			a := res.Answers[i]
			for k := range a.Headers {
				a.Headers[k][0] = lower(a.Headers[k][0])
			}
			j.Items[i].Expect = &a
		}
		b, _ = json.Marshal(j)
		out = append(out, b)
	}
	return out
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

func motd(tb testing.TB, n int) ([]engine.Script, [][]byte) {
	tb.Helper()
	scripts, err := Scripts("../motd", "")
	if err != nil {
		tb.Fatal(err)
	}
	return scripts, answered(tb, scripts, motdBatches(tb, n, 500))
}

func TestReplayComparesResponses(t *testing.T) {
	scripts, batches := motd(t, 500)
	r, err := New(t.Context(), engine.Config{}, scripts, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.RunEncoded(t.Context(), batches[0]); err != nil {
		t.Fatal(err)
	}
	res, err := r.RunEncoded(t.Context(), batches[0])
	if err != nil || res.Compared != 500 || len(res.Wrong) != 0 {
		t.Fatalf("%+v %v", res, err)
	}
	var j job
	json.Unmarshal(batches[0], &j)
	j.Items[3].Expect.Body += "!"
	j.Items[4].Expect.Headers[0][1] += "!"
	j.Items[5].Expect.Status++
	res, err = r.Run(t.Context(), j.Items)
	if err != nil || res.Compared != 500 || len(res.Wrong) != 3 || res.Wrong[0].Item != 3 || res.Wrong[1].Item != 4 || res.Wrong[2].Item != 5 {
		t.Fatalf("%+v %v", res, err)
	}
}

// The yardstick itself: processor time per request of the plain app.
func BenchmarkMotd(b *testing.B) {
	scripts, batches := motd(b, 20_000)
	b.Run("engine", func(b *testing.B) {
		first := 2 // rounds: one to post all dates, one to compile
		r, err := New(b.Context(), engine.Config{}, scripts, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		round := func() {
			for _, t := range batches {
				res, err := r.RunEncoded(b.Context(), t)
				if err != nil || (len(res.Wrong) != 0 && first <= 0) {
					b.Fatalf("%+v %v", res, err)
				}
			}
			first--
		}
		round()
		round()
		cpu := r.Worker.CPU()
		for b.Loop() {
			round()
		}
		b.ReportMetric(float64((r.Worker.CPU()-cpu).Microseconds())/float64(b.N*20_000), "cpu-µs/request")
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*20_000), "µs/request")
	})
	b.Run("node", func(b *testing.B) {
		twice := append(append([][]byte{}, batches...), batches...)
		var cpu, wall time.Duration
		for b.Loop() {
			r, err := OnNode(b.Context(), scripts, nil, twice, len(batches))
			if err != nil || r.Compared != 40_000 {
				b.Fatalf("%+v %v", r, err)
			}
			cpu += r.CPU
			wall += r.Wall
		}
		b.ReportMetric(float64(wall.Microseconds())/float64(b.N*20_000), "µs/request")
		b.ReportMetric(float64(cpu.Microseconds())/float64(b.N*20_000), "cpu-µs/request")
	})
}
