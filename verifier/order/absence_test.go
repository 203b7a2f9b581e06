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
//	gone2' and over2' name an absence of another key (location 2)
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
		absence := func() Source {
			loc := int32(0)
			if strings.HasSuffix(word, "'") {
				loc = 2
			}
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
		if word[0] != 'd' {
			lastPut = r
		}
		key[r] = int32(len(h.Writes))
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
