package bundle

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestVLQ(t *testing.T) {
	for text, want := range map[string]int{"A": 0, "C": 1, "D": -1, "e": 15, "f": -15, "gB": 16, "hB": -16, "2H": 123, "qxmvrH": 123456789} {
		v, size, err := decodeVLQ(text + ",")
		if err != nil || v != want || size != len(text) {
			t.Errorf("%s: %d, %d, %v", text, v, size, err)
		}
		if got := string(appendVLQ(nil, want)); got != text {
			t.Errorf("%d: %s", want, got)
		}
	}
	for _, text := range []string{"", "g", "!", "gggggggggggB", "//////////A", "AAA", "AA", "AAAAAA", "AADA", "D", "ACAA", "E,D"} {
		if _, err := decodeMappings(text, 1); err == nil && text != "" {
			t.Errorf("%q was decoded", text)
		}
	}
}

func FuzzDecodeMappings(f *testing.F) {
	for _, s := range []string{"", "AAAA;", "AAAA,CAAC;;GACA", "A,C,CAAA", "gB", "qxmvrH", "AAAAA"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines, err := decodeMappings(s, 3)
		if err != nil {
			return
		}
		again, err := decodeMappings(encodeMappings(lines), 3)
		if err != nil || !reflect.DeepEqual(lines, again) {
			t.Fatalf("%q: %v became %v (%v)", s, lines, again, err)
		}
	})
}

// mapOf draws a map of a text of n lines to sources of m lines, each line wide.
func mapOf(t *rapid.T, label string, n, sources, m, wide int) *Map {
	out := &Map{Sources: strings.Fields("a.js b.js c.js")[:sources]}
	for range n {
		var line []Segment
		for col := rapid.IntRange(0, 3).Draw(t, label); col < wide; col += rapid.IntRange(1, 4).Draw(t, label) {
			s := Segment{Gen: col, Source: rapid.IntRange(-1, sources-1).Draw(t, label)}
			if s.Source >= 0 {
				s.Line, s.Col = rapid.IntRange(0, m-1).Draw(t, label), rapid.IntRange(0, wide-1).Draw(t, label)
			}
			line = append(line, s)
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

// Looking a place up in the composed map is looking it up in the outer map and
// what that gives in the inner one.
func TestComposeIsTwoLookups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outer := mapOf(t, "outer", 4, 1, 5, 10)
		inner := mapOf(t, "inner", 5, 3, 7, 10)
		composed, err := ParseMap(Compose(outer, inner).Encode())
		if err != nil {
			t.Fatal(err)
		}
		for line := range 5 {
			for col := range 12 {
				got, ok := composed.Position(line, col)
				s, found := outer.find(line, col)
				want, wantOK := inner.Position(s.Line, s.Col)
				if wantOK = wantOK && found; ok != wantOK || ok && got != want {
					t.Fatalf("%d:%d: got %v %v, want %v %v", line, col, got, ok, want, wantOK)
				}
			}
		}
	})
}

func TestParseMap(t *testing.T) {
	m, err := ParseMap([]byte(`{"version":3,"sourceRoot":"src/","sources":["a","b"],"sourcesContent":["x",null],"names":["n"],"mappings":"AAAAA,CCCC"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Map{Sources: []string{"src/a", "src/b"}, Contents: []string{"x", ""}, Lines: [][]Segment{{{0, 0, 0, 0}, {1, 1, 1, 1}}}}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("%+v", m)
	}
	for text, why := range map[string]string{
		`x`:                           "invalid character",
		`{"version":2}`:               "version 2, want 3",
		`{"version":3,"sections":[]}`: "index maps",
		`{"version":3,"sources":[],"names":[],"mappings":"AAAA"}`: "points outside of its sources",
	} {
		if _, err := ParseMap([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if text := string((&Map{}).Encode()); !json.Valid([]byte(text)) || !strings.Contains(text, `"sources":[]`) {
		t.Error(text)
	}
}

func TestLines(t *testing.T) {
	text := "ab\n\n😀é𝒳z\r\nend"
	l := NewLines(text)
	if l.Count() != 4 {
		t.Fatal(l.Count())
	}
	for i := range text {
		line, col := l.LineCol(i)
		if back := l.Offset(line, col); back != i {
			t.Errorf("%d -> %d:%d -> %d", i, line, col, back)
		}
	}
	if line, col := l.LineCol(strings.IndexByte(text, 'z')); line != 2 || col != 5 {
		t.Error(line, col)
	}
	if line, col := l.LineCol(len(text) + 5); line != 3 || col != 3 {
		t.Error(line, col)
	}
}

func TestFromOffsets(t *testing.T) {
	gen, src := "xx\n yy", "a\nb"
	pairs := [][2]int{{0, 0}, {0, 2}, {4, 0}}
	m := FromOffsets(gen, "s", src, len(pairs), func(i int) (int, int) { return pairs[i][0], pairs[i][1] })
	want := [][]Segment{{{0, 0, 1, 0}}, {{1, 0, 0, 0}}}
	if !reflect.DeepEqual(m.Lines, want) {
		t.Errorf("%v", m.Lines)
	}
	if s := m.Shift(2); len(s.Lines) != 4 || len(m.Lines) != 2 || s.Lines[3][0] != want[1][0] {
		t.Errorf("%v", s.Lines)
	}
}
