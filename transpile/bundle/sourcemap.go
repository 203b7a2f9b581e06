package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"karousosc/transpile/manifest"
)

// A program passes through several printers on its way to dist/, and each
// adds a map from what it printed to what it read. This file holds the one
// representation that they share, so that the maps can be put one behind the
// other and every position that a person sees is one in a file that they wrote.

// Segment says that the text from column Gen on (of the line that holds the
// segment) was printed for line Line, column Col of source Source. Lines and
// columns count from 0 and columns are UTF-16 units, as source maps have them.
// Source is -1 for text that stems from no source.
type Segment struct {
	Gen, Source, Line, Col int
}

// Map is a decoded source map. Names are not kept: functions are named in the
// manifest.
type Map struct {
	Sources  []string
	Contents []string // text of each source; nil when the map carries none
	Lines    [][]Segment
}

type rawMap struct {
	Version        int             `json:"version"`
	File           string          `json:"file,omitempty"`
	SourceRoot     string          `json:"sourceRoot,omitempty"`
	Sources        []string        `json:"sources"`
	SourcesContent []*string       `json:"sourcesContent,omitempty"`
	Names          []string        `json:"names"`
	Mappings       string          `json:"mappings"`
	Sections       json.RawMessage `json:"sections,omitempty"`
}

// ParseMap decodes the JSON text of a version 3 source map.
func ParseMap(text []byte) (*Map, error) {
	var raw rawMap
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	if raw.Version != 3 {
		return nil, fmt.Errorf("source map: version %d, want 3", raw.Version)
	}
	if raw.Sections != nil {
		return nil, errors.New("source map: index maps are not supported")
	}
	lines, err := decodeMappings(raw.Mappings, len(raw.Sources))
	if err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	m := &Map{Sources: raw.Sources, Lines: lines}
	for i := range m.Sources {
		m.Sources[i] = raw.SourceRoot + m.Sources[i]
	}
	if raw.SourcesContent != nil {
		m.Contents = make([]string, len(m.Sources))
		for i, c := range raw.SourcesContent {
			if i < len(m.Contents) && c != nil {
				m.Contents[i] = *c
			}
		}
	}
	return m, nil
}

// Encode writes m as the JSON text of a version 3 source map.
func (m *Map) Encode() []byte {
	raw := rawMap{Version: 3, Sources: m.Sources, Names: []string{}, Mappings: encodeMappings(m.Lines)}
	if raw.Sources == nil {
		raw.Sources = []string{}
	}
	for i := range m.Contents {
		raw.SourcesContent = append(raw.SourcesContent, &m.Contents[i])
	}
	text, err := json.Marshal(raw)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return append(text, '\n')
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var base64Value = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range len(base64Digits) {
		t[base64Digits[i]] = int8(i)
	}
	return
}()

// decodeVLQ reads one base64 VLQ number at the start of s and returns it with
// its length. Numbers must fit 32 bits, as those of every known writer do.
func decodeVLQ(s string) (value, size int, err error) {
	var u uint64
	for shift := 0; size < len(s); shift += 5 {
		d := base64Value[s[size]]
		if d < 0 {
			return 0, 0, fmt.Errorf("bad base64 digit %q in mappings", s[size])
		}
		size++
		u |= uint64(d&31) << shift
		if u > 1<<32 {
			return 0, 0, errors.New("number too large in mappings")
		}
		if d&32 == 0 {
			value = int(u >> 1)
			if u&1 != 0 {
				value = -value
			}
			return value, size, nil
		}
		if shift > 30 {
			return 0, 0, errors.New("number too long in mappings")
		}
	}
	return 0, 0, errors.New("mappings end inside a number")
}

func appendVLQ(out []byte, v int) []byte {
	u := uint64(v) << 1
	if v < 0 {
		u = uint64(-v)<<1 | 1
	}
	for {
		d := u & 31
		u >>= 5
		if u == 0 {
			return append(out, base64Digits[d])
		}
		out = append(out, base64Digits[d|32])
	}
}

func decodeMappings(text string, sources int) ([][]Segment, error) {
	var lines [][]Segment
	var line []Segment
	gen, last := 0, Segment{}
	for i := 0; ; {
		if i == len(text) {
			return append(lines, line), nil
		}
		switch text[i] {
		case ';':
			lines, line, gen = append(lines, line), nil, 0
			i++
			continue
		case ',':
			i++
			continue
		}
		var field [5]int
		n := 0
		for i < len(text) && text[i] != ',' && text[i] != ';' {
			if n == len(field) {
				return nil, errors.New("more than five numbers in one mapping")
			}
			v, size, err := decodeVLQ(text[i:])
			if err != nil {
				return nil, err
			}
			field[n] = v
			n++
			i += size
		}
		gen += field[0]
		if gen < 0 || len(line) > 0 && gen < line[len(line)-1].Gen {
			return nil, errors.New("generated columns are not in order")
		}
		switch n {
		case 1:
			line = append(line, Segment{Gen: gen, Source: -1})
		case 4, 5:
			last = Segment{Gen: gen, Source: last.Source + field[1], Line: last.Line + field[2], Col: last.Col + field[3]}
			if last.Source < 0 || last.Source >= sources || last.Line < 0 || last.Col < 0 {
				return nil, errors.New("a mapping points outside of its sources")
			}
			line = append(line, last)
		default:
			return nil, fmt.Errorf("a mapping of %d numbers", n)
		}
	}
}

func encodeMappings(lines [][]Segment) string {
	var out []byte
	var last Segment
	for i, line := range lines {
		if i > 0 {
			out = append(out, ';')
		}
		gen := 0
		for j, s := range line {
			if j > 0 {
				out = append(out, ',')
			}
			out = appendVLQ(out, s.Gen-gen)
			gen = s.Gen
			if s.Source < 0 {
				continue
			}
			out = appendVLQ(out, s.Source-last.Source)
			out = appendVLQ(out, s.Line-last.Line)
			out = appendVLQ(out, s.Col-last.Col)
			last = s
		}
	}
	return string(out)
}

// find returns the segment that covers a generated position: the last one on
// its line that starts at or before it.
func (m *Map) find(line, col int) (Segment, bool) {
	if line < 0 || line >= len(m.Lines) {
		return Segment{}, false
	}
	segs := m.Lines[line]
	i := sort.Search(len(segs), func(i int) bool { return segs[i].Gen > col }) - 1
	if i < 0 || segs[i].Source < 0 {
		return Segment{}, false
	}
	return segs[i], true
}

// Position returns the source position that generated line and column (both
// from 0) were printed for.
func (m *Map) Position(line, col int) (manifest.Position, bool) {
	s, ok := m.find(line, col)
	if !ok {
		return manifest.Position{}, false
	}
	return manifest.Position{File: m.Sources[s.Source], Line: s.Line + 1, Column: s.Col + 1}, true
}

// Compose puts two maps one behind the other: outer maps text C to text B and
// inner maps B to its sources, so the result maps C to the sources of inner. Every
// segment of outer is kept; one whose text stems from no source of inner says so,
// lest it be taken for part of the segment before it.
func Compose(outer, inner *Map) *Map {
	out := &Map{Sources: inner.Sources, Contents: inner.Contents, Lines: make([][]Segment, len(outer.Lines))}
	for i, line := range outer.Lines {
		if len(line) == 0 {
			continue
		}
		segs := make([]Segment, 0, len(line))
		for _, s := range line {
			t := Segment{Gen: s.Gen, Source: -1}
			if s.Source >= 0 {
				if u, ok := inner.find(s.Line, s.Col); ok {
					t = Segment{Gen: s.Gen, Source: u.Source, Line: u.Line, Col: u.Col}
				}
			}
			segs = append(segs, t)
		}
		out.Lines[i] = segs
	}
	return out
}

// Shift returns m for a text before which lines whole lines were inserted.
func (m *Map) Shift(lines int) *Map {
	out := *m
	out.Lines = append(make([][]Segment, lines, lines+len(m.Lines)), m.Lines...)
	return &out
}

// FromOffsets builds the map of a printed text from pairs of byte offsets,
// ordered by gen, into it and into the one source that it was printed from.
func FromOffsets(genText, srcName, srcText string, n int, at func(i int) (gen, src int)) *Map {
	m := &Map{Sources: []string{srcName}}
	gens, srcs := NewLines(genText), NewLines(srcText)
	m.Lines = make([][]Segment, gens.Count())
	for i := range n {
		g, s := at(i)
		gl, gc := gens.LineCol(g)
		sl, sc := srcs.LineCol(s)
		line := m.Lines[gl]
		if k := len(line); k > 0 && line[k-1].Gen == gc {
			line[k-1] = Segment{gc, 0, sl, sc}
			continue
		}
		m.Lines[gl] = append(line, Segment{gc, 0, sl, sc})
	}
	return m
}

// Lines finds lines and columns of byte offsets in one text.
type Lines struct {
	text   string
	starts []int
	// What was asked last: offsets mostly come in order, and lines can be long.
	line, offset, col int
}

// NewLines indexes the lines of text. As in source maps, only \n ends a line.
func NewLines(text string) *Lines {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := 0; ; {
		j := strings.IndexByte(text[i:], '\n')
		if j < 0 {
			return &Lines{text: text, starts: starts}
		}
		i += j + 1
		starts = append(starts, i)
	}
}

// Count returns the number of lines; a text that ends in \n has an empty last one.
func (l *Lines) Count() int { return len(l.starts) }

// LineCol returns line and column, both from 0 and the column in UTF-16 units,
// of a byte offset. Offsets outside of the text count as its nearest end.
func (l *Lines) LineCol(offset int) (line, col int) {
	offset = min(max(offset, 0), len(l.text))
	line = sort.SearchInts(l.starts, offset+1) - 1
	if line != l.line || offset < l.offset {
		l.line, l.offset, l.col = line, l.starts[line], 0
	}
	l.col += utf16Len(l.text[l.offset:offset])
	l.offset = offset
	return line, l.col
}

// Offset returns the byte offset of a line and UTF-16 column, both from 0.
func (l *Lines) Offset(line, col int) int {
	if line >= len(l.starts) {
		return len(l.text)
	}
	i := l.starts[line]
	for col > 0 && i < len(l.text) && l.text[i] != '\n' {
		r, size := utf8.DecodeRuneInString(l.text[i:])
		i += size
		col--
		if r > 0xffff {
			col--
		}
	}
	return i
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
