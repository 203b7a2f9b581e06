package verdict

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"sort"
	"strconv"
	"strings"

	"karousosc/transpile/manifest"
)

// Sources maps positions in the verifier's program to the app's sources. It is a source map (version 3) that is
// decoded when somebody asks.
type Sources struct {
	// Script is the name under which the engine knows the program.
	Script string
	file   string
	names  []string
	lines  [][]segment
	failed bool
}

// A segment says that from a column on, a generated line comes from a place in a source.
type segment struct{ column, source, line, origin int32 }

// NewSources reads a map when it is needed. file need not exist: then nothing is ever found.
func NewSources(script, file string) *Sources { return &Sources{Script: script, file: file} }

// Locate returns the innermost frame of a stack that lies in the app's own sources, or else in those of its packages.
func (s *Sources) Locate(stack string) (manifest.Position, bool) {
	var inPackage manifest.Position
	found := false
	for rest := stack; ; {
		i := strings.Index(rest, s.Script+":")
		if i < 0 {
			break
		}
		rest = rest[i+len(s.Script)+1:]
		line, column, ok := lineColumn(rest)
		if !ok {
			continue
		}
		p, ok := s.Original(line, column)
		switch {
		case !ok:
		case !strings.Contains(p.File, "node_modules/"):
			return p, true
		case !found:
			inPackage, found = p, true
		}
	}
	return inPackage, found
}

func lineColumn(s string) (line, column int, ok bool) {
	digits := func() int {
		i := 0
		for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		n, _ := strconv.Atoi(s[:i])
		s = s[i:]
		return n
	}
	line = digits()
	if !strings.HasPrefix(s, ":") {
		return 0, 0, false
	}
	s = s[1:]
	column = digits()
	return line, column, line > 0 && column > 0
}

// Original maps a position (both numbers from 1) in the program.
func (s *Sources) Original(line, column int) (manifest.Position, bool) {
	if s.names == nil && !s.failed {
		s.failed = s.load() != nil
	}
	if s.failed || line < 1 || line > len(s.lines) {
		return manifest.Position{}, false
	}
	l := s.lines[line-1]
	i := sort.Search(len(l), func(i int) bool { return int(l[i].column) > column-1 }) - 1
	if i < 0 || l[i].source < 0 || int(l[i].source) >= len(s.names) {
		return manifest.Position{}, false
	}
	return manifest.Position{File: s.names[l[i].source], Line: int(l[i].line) + 1, Column: int(l[i].origin) + 1}, true
}

func (s *Sources) load() error {
	text, err := os.ReadFile(s.file)
	if err != nil {
		return err
	}
	var m struct {
		Version    int
		SourceRoot string
		Sources    []string
		Mappings   string
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	if m.Version != 3 {
		return fmt.Errorf("%s: a source map of version %d", s.file, m.Version)
	}
	s.names = make([]string, 0, len(m.Sources))
	for _, n := range m.Sources {
		s.names = append(s.names, path.Join(m.SourceRoot, n))
	}
	s.lines, err = decodeMappings(m.Mappings)
	return err
}

func decodeMappings(text string) ([][]segment, error) {
	var lines [][]segment
	var now []segment
	var at segment
	for i := 0; i <= len(text); {
		if i == len(text) || text[i] == ';' {
			lines = append(lines, now)
			now, at.column = nil, 0
			i++
			continue
		}
		if text[i] == ',' {
			i++
			continue
		}
		var f [5]int32
		n := 0
		for ; i < len(text) && text[i] != ',' && text[i] != ';'; n++ {
			if n == len(f) {
				return nil, fmt.Errorf("a mapping with more than five numbers")
			}
			v, size := vlq(text[i:])
			if size == 0 {
				return nil, fmt.Errorf("a bad number in a mapping")
			}
			f[n] = v
			i += size
		}
		at.column += f[0]
		seg := segment{at.column, -1, 0, 0}
		if n >= 4 {
			at.source += f[1]
			at.line += f[2]
			at.origin += f[3]
			seg = at
		}
		now = append(now, seg)
	}
	return lines, nil
}

// vlq decodes one base64 variable-length number.
func vlq(s string) (v int32, size int) {
	shift := 0
	var u uint64
	for i := 0; i < len(s) && shift < 40; i++ {
		d := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", s[i])
		if d < 0 {
			return 0, 0
		}
		u |= uint64(d&31) << shift
		shift += 5
		if d&32 == 0 {
			n := int32(u >> 1)
			if u&1 != 0 {
				n = -n
			}
			return n, i + 1
		}
	}
	return 0, 0
}
