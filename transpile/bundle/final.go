package bundle

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// Script is a finished text on its way to dist/, with its map to the sources.
type Script struct {
	Text string
	Map  *Map
}

// Append adds text. Without a map of its own it stems from no source.
func (s *Script) Append(text string, m *Map) {
	if s.Map == nil {
		s.Map = &Map{Lines: make([][]Segment, 1)}
	}
	line, col := s.end()
	added := &Map{Lines: make([][]Segment, NewLines(text).Count())}
	if m != nil {
		added = m
	}
	base := s.sources(added)
	for i, segs := range added.Lines {
		if i > 0 {
			s.Map.Lines = append(s.Map.Lines, nil)
			line, col = line+1, 0
		}
		if len(segs) == 0 || segs[0].Gen > 0 {
			// Lest it be taken for part of what comes before it.
			s.add(line, Segment{Gen: col, Source: -1})
		}
		for _, g := range segs {
			g.Gen += col
			if g.Source >= 0 {
				g.Source += base
			}
			s.add(line, g)
		}
	}
	s.Text += text
}

func (s *Script) add(line int, g Segment) {
	segs := s.Map.Lines[line]
	if g.Source < 0 && (len(segs) == 0 || segs[len(segs)-1].Source < 0) {
		return // says nothing new
	}
	s.Map.Lines[line] = append(segs, g)
}

// end returns line and column of the end of the text.
func (s *Script) end() (line, col int) {
	for len(s.Map.Lines) < 1 {
		s.Map.Lines = append(s.Map.Lines, nil)
	}
	l := NewLines(s.Text)
	line, col = l.LineCol(len(s.Text))
	for len(s.Map.Lines) <= line {
		s.Map.Lines = append(s.Map.Lines, nil)
	}
	return line, col
}

// sources adds the sources of m and returns the number of its first one.
func (s *Script) sources(m *Map) int {
	base := len(s.Map.Sources)
	s.Map.Sources = append(s.Map.Sources, m.Sources...)
	if m.Contents != nil || s.Map.Contents != nil {
		for len(s.Map.Contents) < base {
			s.Map.Contents = append(s.Map.Contents, "")
		}
		s.Map.Contents = append(s.Map.Contents, m.Contents...)
		for len(s.Map.Contents) < len(s.Map.Sources) {
			s.Map.Contents = append(s.Map.Contents, "")
		}
	}
	return base
}

// Minify leaves out white space. Names stay, because programs can read those of
// functions and classes, and server and verifier must read the same; and no
// expression is rewritten, so branches stay what they are.
func (s *Script) Minify() error {
	res := api.Transform(s.Text, api.TransformOptions{
		Loader:           api.LoaderJS,
		Target:           api.ESNext,
		Charset:          api.CharsetUTF8,
		Platform:         api.PlatformNode,
		MinifyWhitespace: true,
		LegalComments:    api.LegalCommentsNone,
		TreeShaking:      api.TreeShakingFalse,
		Sourcemap:        api.SourceMapExternal,
		SourcesContent:   api.SourcesContentExclude,
		Sourcefile:       "index.js",
		LogLevel:         api.LogLevelSilent,
	})
	if len(res.Errors) > 0 {
		return fmt.Errorf("minify: %s", res.Errors[0].Text)
	}
	outer, err := ParseMap(res.Map)
	if err != nil {
		return err
	}
	s.Text, s.Map = string(res.Code), Compose(outer, s.Map)
	return nil
}
