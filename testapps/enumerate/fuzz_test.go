package enumerate

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"karousosc/verifier/advice"
	"karousosc/verifier/verdict"
)

type file struct{ bytes.Buffer }

func (*file) Close() error { return nil }

// FuzzVerify audits an honest trace with whatever advice, written as JSON Lines. The
// trace's answers are legal, so that an accept is never wrong; but the audit must come
// to an end, say one of three things, and leave nothing broken behind: the honest
// advice is accepted afterwards.
func FuzzVerify(f *testing.F) {
	var runs []*run
	for _, text := range []string{"x.X x.X", "(.X|.x)x x.X", "X!.Y ; y.x"} {
		p, err := Parse(text)
		if err != nil {
			f.Fatal(err)
		}
		legal, _ := Outcomes(p, true)
		for _, s := range legal {
			runs = append(runs, &run{p: p, s: s, slot: len(runs)})
			break
		}
	}
	rec := cause(f, dist, runs)
	tr, honest := load(f, rec)
	names, err := filepath.Glob(filepath.Join(rec.Advice, "*.kadv"))
	if err != nil || len(names) != 1 {
		f.Fatal(names, err)
	}
	var text bytes.Buffer
	if _, err := advice.Export(rec.Advice, &text, advice.Limits{}); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	// One changed line each, so that the fuzzer has something to go on with.
	lines := strings.SplitAfter(text.String(), "\n")
	for i := range lines {
		f.Add(strings.Join(append(append([]string{}, lines[:i]...), lines[min(i+1, len(lines)):]...), ""))
		f.Add(strings.Join(append(append([]string{}, lines[:i+1]...), lines[i:]...), ""))
	}
	a := newAuditor(f, dist)
	n := 0
	f.Fuzz(func(t *testing.T, text string) {
		var files []*file
		err := advice.Import("fuzz", strings.NewReader(text), advice.Limits{Memory: 16 << 20}, func(string) (io.WriteCloser, error) {
			files = append(files, &file{})
			return files[len(files)-1], nil
		})
		if err != nil || len(files) != 1 {
			return
		}
		l, err := advice.Decode("fuzz", files[0].Bytes(), advice.Limits{Memory: 16 << 20})
		if err != nil {
			return
		}
		began := time.Now()
		v := a.audit(t, tr, l)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("the audit took %v", took)
		}
		switch v.Outcome {
		case verdict.Accept, verdict.Undecided:
		case verdict.Reject:
			if v.Rule == "" || v.Message == "" {
				t.Errorf("a reject without a reason: %+v", v)
			}
		default:
			t.Errorf("the outcome %q", v.Outcome)
		}
		if n++; n%50 == 0 {
			if v := a.audit(t, tr, honest.Lives[0]); v.Outcome != verdict.Accept {
				t.Errorf("after this the honest advice is not accepted: %s %s", v.Rule, v.Message)
			}
		}
	})
}
