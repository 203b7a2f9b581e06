package signed

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"karousosc/verifier/trace"
)

// A Report says what the signatures cover and what they do not.
type Report struct {
	Checkpoints int
	Records     int64 // of the log: the file's head and its blocks
	Bytes       int64
	Covered     int64 // bytes
	Last        Checkpoint
	Requests    int // in what is covered
	// Arrived are the requests whose arrival is not covered, Ended those of which the
	// arrival is and the end is not.
	Arrived, Ended []uint64
	// Adopted are pieces that a session of the collector found when it began, after
	// another one had ended without signing them. For the time between nobody vouches.
	Adopted []Adopted
	// Open says that some session of the collector was not closed in order: what it
	// saw last may be missing, which nothing in the file can show.
	Open bool
	// Torn says that the file of checkpoints ends within one.
	Torn bool
	// Damage says why what is not covered cannot be read.
	Damage string
}

// Adopted is a piece of the file.
type Adopted struct {
	From, To int64 // bytes
	By       time.Time
}

// Whole tells whether every byte of the trace is covered.
func (r *Report) Whole() bool { return r.Covered == r.Bytes }

// A Tampered error is proof that a trace or its checkpoints are not what the
// collector signed (or that the key is another one's).
type Tampered struct{ Reason string }

func (t *Tampered) Error() string { return t.Reason }

func tampered(format string, args ...any) error { return &Tampered{fmt.Sprintf(format, args...)} }

// Verify compares a trace file with its checkpoints. known, unless it is empty, is a
// checkpoint that came by another way: the trace must contain what it is of.
// A *Tampered error says what was changed; other errors, why nothing could be said.
func Verify(path string, key note.Verifier, known string) (*Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path + Extension)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is not signed: there is no %s", path, path+Extension)
	}
	if err != nil {
		return nil, err
	}
	return check(path, data, string(text), key, known)
}

func check(path string, data []byte, text string, key note.Verifier, known string) (*Report, error) {
	whole, rest := notes(text)
	if len(whole) == 0 {
		return nil, fmt.Errorf("%s holds no checkpoint: nothing of the trace is signed", path+Extension)
	}
	r := &Report{Checkpoints: len(whole), Bytes: int64(len(data)), Torn: rest != ""}
	var all []Checkpoint
	for i, n := range whole {
		c, err := open(fmt.Sprintf("checkpoint %d of %d", i+1, len(whole)), n, key)
		if err != nil {
			return nil, err
		}
		if i > 0 && (c.Size <= all[i-1].Size || c.End <= all[i-1].End) {
			return nil, tampered("checkpoint %d is not of more than the one before it", i+1)
		}
		all = append(all, c)
	}
	r.Last = all[len(all)-1]
	if r.Last.End > r.Bytes {
		return nil, tampered("the trace was cut: %d bytes of it were signed, and it has %d", r.Last.End, r.Bytes)
	}
	pieces, err := trace.Pieces(path, data[:r.Last.End])
	if err != nil {
		return nil, tampered("what was signed is damaged: %v", err)
	}
	r.Records = int64(len(pieces))
	ends, err := compare(pieces, all)
	if err != nil {
		return nil, err
	}
	r.Covered = r.Last.End
	for _, c := range all {
		if a := c.Adopted; a.To > 0 {
			if a.From < 0 || a.From >= a.To || a.To > c.Size {
				return nil, tampered("a checkpoint adopts records that there are not")
			}
			r.Adopted = append(r.Adopted, Adopted{ends[a.From], ends[a.To], c.Time})
		}
	}
	if known != "" {
		c, err := open("the checkpoint that is to be contained", known, key)
		if err != nil {
			return nil, err
		}
		if c.Size > r.Last.Size {
			return nil, tampered("the trace was cut: the checkpoint of %s is of %d bytes, and only %d are signed here", c.Time.Format(time.RFC3339), c.End, r.Covered)
		}
		if _, err := compare(pieces, []Checkpoint{c}); err != nil {
			return nil, err
		}
	}
	return r, r.uncovered(path, data)
}

// compare recomputes the roots of all checkpoints, in their order, and returns where
// each record begins (and the last one ends).
func compare(pieces [][]byte, all []Checkpoint) ([]int64, error) {
	e := newEdge()
	ends := []int64{0}
	good := int64(0)
	for _, p := range pieces {
		if err := e.add(p); err != nil {
			return nil, err
		}
		ends = append(ends, ends[len(ends)-1]+int64(len(p)))
		if len(all) == 0 || all[0].Size != e.n {
			continue
		}
		root, err := e.root()
		if err != nil {
			return nil, err
		}
		c := all[0]
		if root != c.Root || ends[e.n] != c.End {
			return nil, tampered("the trace was changed between byte %d and byte %d (signed %s)", good, c.End, c.Time.Format(time.RFC3339))
		}
		good = c.End
		all = all[1:]
	}
	if len(all) > 0 {
		return nil, tampered("the trace was changed after byte %d: %d records were signed (%s), and there are %d", good, all[0].Size, all[0].Time.Format(time.RFC3339), len(pieces))
	}
	return ends, nil
}

// uncovered finds out which requests the signatures do not speak of.
func (r *Report) uncovered(path string, data []byte) error {
	signed, err := trace.Decode(path, data[:r.Covered], trace.Limits{})
	if err != nil {
		return tampered("what was signed is no trace: %v", err)
	}
	r.Requests = len(signed.Exchanges)
	r.Open = signed.Truncated != "" || !r.Last.Closed
	if r.Whole() {
		return nil
	}
	all, err := trace.Decode(path, data, trace.Limits{})
	if err != nil {
		r.Damage = err.Error()
		return nil
	}
	for i := range all.Exchanges {
		x := &all.Exchanges[i]
		j := signed.Find(x.RID)
		switch {
		case j < 0:
			r.Arrived = append(r.Arrived, x.RID)
		case x.HasResponse != signed.Exchanges[j].HasResponse || x.Aborted != signed.Exchanges[j].Aborted:
			r.Ended = append(r.Ended, x.RID)
		}
	}
	return nil
}

// Text writes the report for a person.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "signed: %d of %d bytes, %d requests, by %d checkpoints (the last one of %s)\n", r.Covered, r.Bytes, r.Requests, r.Checkpoints, r.Last.Time.UTC().Format(time.RFC3339))
	for _, a := range r.Adopted {
		fmt.Fprintf(&b, "  bytes %d to %d were found unsigned when a collector went on with the file, and signed by %s: before that, nobody vouches for them\n", a.From, a.To, a.By.UTC().Format(time.RFC3339))
	}
	if r.Open {
		b.WriteString("  a collector was killed, or is still running: what it saw last may be missing from the end of its session\n")
	}
	if r.Torn {
		b.WriteString("  the file of checkpoints ends within one, which is left out\n")
	}
	if r.Whole() {
		return b.String()
	}
	fmt.Fprintf(&b, "NOT signed: the last %d bytes\n", r.Bytes-r.Covered)
	switch {
	case r.Damage != "":
		fmt.Fprintf(&b, "  they cannot be read: %s\n", r.Damage)
	case len(r.Arrived)+len(r.Ended) == 0:
		b.WriteString("  they hold no arrival and no end of a request\n")
	}
	list := func(what string, rids []uint64) {
		if len(rids) > 0 {
			fmt.Fprintf(&b, "  %s of %s\n", what, trace.Requests(rids))
		}
	}
	list("the arrival (and what follows)", r.Arrived)
	list("the end", r.Ended)
	return b.String()
}
