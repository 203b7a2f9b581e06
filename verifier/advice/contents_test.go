package advice_test

import (
	"errors"
	"fmt"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

func TestContents(t *testing.T) {
	n := func(n float64) record.Value { return record.Number(n) }
	step := func(start, del int32, vs ...record.Value) record.DeltaOp {
		return record.DeltaOp{Kind: record.Splice, Start: start, Del: del, Values: vs}
	}
	l := &advice.Life{Writes: []advice.Write{
		{Value: n(5)},
		{Value: record.ListOf(n(1), n(2), n(1))},
		{Value: record.DeltaFrom(1, step(1, 1, n(7), n(8)), record.DeltaOp{Kind: record.Remove, Values: []record.Value{n(1)}})},
		{Value: record.DeltaFrom(2, record.DeltaOp{Kind: record.Add, Values: []record.Value{n(9)}})},
		{Value: record.DeltaFrom(3, record.DeltaOp{Kind: record.Clear})},
		{Value: record.DeltaFrom(3, step(3, 0))},
		{Value: record.DeltaFrom(3, step(4, 0))},
		{Value: record.DeltaFrom(3, step(2, 2))},
		{Value: record.DeltaFrom(0)},
	}}
	for w, want := range []string{"", "[1 2 1]", "[7 8]", "[7 8 9]", "[]", "[7 8 9]", "", "", ""} {
		list, err := l.Contents(int32(w))
		var got []float64
		for _, v := range list {
			got = append(got, v.Float())
		}
		if (err != nil) != (want == "") || err == nil && fmt.Sprint(got) != want {
			t.Errorf("write %d: %v %v, want %s", w, got, err, want)
		}
	}
	for _, w := range []int32{0, 8} {
		if _, err := l.Contents(w); !errors.Is(err, advice.ErrNotAList) {
			t.Errorf("write %d: %v", w, err)
		}
	}
}

func TestUnauditableText(t *testing.T) {
	u := advice.Unauditable{Reason: "why"}
	if u.Text() != "why" {
		t.Error(u.Text())
	}
	if u.Where = "a.js:1:2"; u.Text() != "why (a.js:1:2)" {
		t.Error(u.Text())
	}
}
