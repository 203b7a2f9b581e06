package order

import (
	"fmt"
	"strings"
	"testing"
)

// comings is the history of one key (location 0) of an object whose shape is location 1. Each word is a request that comes
// after the one before was answered, and logs the shape if it changes it:
//
//	put   makes the key
//	put~  the same, and writes it again
//	del   removes what the last put wrote; or with a number, what that request wrote
//	gone2 finds the key absent, as of the shape that request 2 left
//	over2 makes the key over such an absence
//	bare  makes the key without a word about the shape, which re-execution never does
//	gone2' and over2' name an absence of another key (location 2), and put' makes that
func comings(text string) *History {
	h := &History{Lives: 1, Locs: 3, Shape: []int32{1, -1, 1}}
	h.Shapes = []Shape{{Start: []int32{0, 0}, Responds: 0}}
	h.Requests = []Request{{Shape: 0, Init: true}}
	key, shape := map[int32]int32{}, map[int32]int32{} // by request: its write of the key, and the entry of its shape
	lastShape, lastPut := Initial, int32(0)
	for i, word := range strings.Fields(text) {
		r := int32(i + 1)
		h.Requests = append(h.Requests, Request{RID: uint64(r), Shape: 0, First: r})
		h.Events = append(h.Events, Event{r, false}, Event{r, true})
		var n int32
		fmt.Sscanf(strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz~"), "%d", &n)
		loc := int32(0)
		if strings.HasSuffix(word, "'") {
			loc = 2
		}
		absence := func() Source {
			h.Logged = append(h.Logged, Logged{Loc: loc, Absent: true, Shape: shape[n]})
			return FromLog(int32(len(h.Logged)) - 1)
		}
		w := Write{Node: r, Num: 1, Prev: Lacking, Logged: -1}
		switch word[0] {
		case 'g':
			h.Reads = append(h.Reads, Read{Node: r, Src: absence()})
			continue
		case 'o':
			w.Prev = absence()
		case 'd':
			if n == 0 {
				n = lastPut
			}
			w.Prev, w.Gone = FromOwn(key[n]), true
		}
		if strings.HasSuffix(word, "~") {
			w.Num = 3
		}
		if word == "put'" {
			w.Loc = loc
		}
		if word[0] != 'd' {
			lastPut = r
		}
		key[r] = int32(len(h.Writes))
		if word == "bare" {
			h.Writes = append(h.Writes, w)
			continue
		}
		shape[r] = int32(len(h.Logged))
		h.Logged = append(h.Logged, Logged{Req: r, Num: 1, Loc: 1})
		h.Writes = append(h.Writes, w, Write{Node: r, Num: 1, Loc: 1, Prev: lastShape, Logged: shape[r]})
		lastShape = FromLog(shape[r])
	}
	return h
}

// TestAbsences: a key that was forgotten goes on where it was removed, and nowhere else.
func TestAbsences(t *testing.T) {
	for text, want := range map[string]string{
		"put":                                 "",
		"put del":                             "",
		"put del put":                         "",
		"put~ del put~ del gone4 put~ del":    "",
		"put del put del put del":             "",
		"put del gone2":                       "",
		"put del put del gone4 gone4 put del": "",
		"put del over2 del gone4":             "",
		"put del gone2 put":                   "",
		"put del put'":                        "",
		"put del bare":                        "",
		"put bare":                            "R3",
		"put put":                             "R3", // the second one would have found it
		"put del put put del":                 "R3",
		"put gone1":                           "R8", // it is there
		"put del put gone3":                   "R8",
		"put del put del gone2":               "R8", // it was there in between
		"put del gone1":                       "R8",
		"put del put del over2":               "R3",
		"put del gone2'":                      "R2", // another key
		"put del over2'":                      "R2",
		"put del put del1":                    "R3", // what was removed twice
	} {
		v, err := Check(comings(text))
		if err != nil {
			t.Fatal(text, err)
		}
		got := ""
		if v != nil {
			got = v.Rule
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// An absence may be the first entry of the log.
func TestAnAbsenceThatComesFirst(t *testing.T) {
	for text, want := range map[string]string{"put del gone2": "", "put del over2": "", "put del gone2'": "R2", "put del over2'": "R2"} {
		h := comings(text)
		to := []int32{1, 2, 0, 3} // where each entry goes
		logged := make([]Logged, len(h.Logged))
		for i, l := range h.Logged {
			l.Shape = to[l.Shape]
			logged[to[i]] = l
		}
		h.Logged = logged
		source := func(s *Source) {
			if *s >= 0 {
				*s = FromLog(to[*s])
			}
		}
		for i := range h.Writes {
			w := &h.Writes[i]
			source(&w.Prev)
			if w.Logged >= 0 {
				w.Logged = to[w.Logged]
			}
		}
		for i := range h.Reads {
			source(&h.Reads[i].Src)
		}
		v, err := Check(h)
		if err != nil || (v == nil) != (want == "") || v != nil && v.Rule != want {
			t.Errorf("%s: %+v %v, want %q", text, v, err, want)
		}
	}
}

// What is said of absences hangs together, too.
func TestMalformedAbsencesAreErrors(t *testing.T) {
	// Location 0 is a key of the object whose shape is location 1, as is location 2. Log entries 0 and 1 are the shape's.
	for name, c := range map[string]struct {
		spoil func(h *History)
		says  string
	}{
		"of shape -1":                 {func(h *History) { h.Logged[2].Shape = -1 }, "absence 2 is of no shape"},
		"of a log entry too many":     {func(h *History) { h.Logged[2].Shape = 3 }, "absence 2 is of no shape"},
		"of another shape":            {func(h *History) { h.Logged[1].Loc = 2 }, "absence 2 is of no shape"},
		"of a location without shape": {func(h *History) { h.Shape[0], h.Writes[0].Prev = -1, Initial }, "absence 2 is of no shape"},
		"of an absence":               {func(h *History) { h.Logged[2].Shape, h.Logged = 3, append(h.Logged, Logged{Loc: 1, Absent: true}) }, "absence 2 is of no shape"},
		"a shape too many":            {func(h *History) { h.Shape[2] = 3 }, "location 3 is no shape"},
		"a shape that has a shape":    {func(h *History) { h.Shape[1] = 2 }, "location 1 is no shape"},
		"a shape that has the first":  {func(h *History) { h.Shape[1] = 0 }, "location 1 is no shape"},
		"the first that has a shape":  {func(h *History) { h.Shape[2] = 0 }, "location 0 is no shape"},
		"made without a shape":        {func(h *History) { h.Shape, h.Logged = nil, h.Logged[:2] }, "write 0 is out of range"},
		"found where nobody can say":  {func(h *History) { h.Reads[0].Src = Lacking }, "read 0 is out of range"},
	} {
		h := comings("put del gone2")
		if v, err := Check(h); err != nil || v != nil {
			t.Fatal(v, err)
		}
		c.spoil(h)
		if v, err := Check(h); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v %v, want %s", name, v, err, c.says)
		}
	}
}

// A write is not what the log says of an absence, not even where both are of the same location and number.
func TestAbsencesAreNoWrites(t *testing.T) {
	h := comings("put del gone2")
	h.Writes = append(h.Writes, Write{Node: 0, Prev: FromLog(2), Logged: 2})
	if v, err := Check(h); err != nil || v == nil || v.Rule != "R1" || v.Log != 2 {
		t.Errorf("%+v %v", v, err)
	}
}
