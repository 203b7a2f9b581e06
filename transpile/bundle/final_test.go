package bundle

import (
	"strings"
	"testing"
)

func TestScript(t *testing.T) {
	b := first(t, files{"main.js": "function MARK1() { return MARK2() ? 1 : 2 }\nMARK3(MARK1.name)"})
	runtime := FromOffsets("var k = RT1;\nRT2", "runtime.ts", "RT2\nRT1", 2, func(i int) (int, int) { return []int{8, 13}[i], []int{4, 0}[i] })
	var s Script
	s.Append("var $d = 0;", nil)
	s.Append("var k = RT1;\nRT2", runtime)
	s.Append("; (function () {", nil)
	s.Append(b.Text, b.Map)
	s.Append("})\n// end\n", nil)
	check := func() {
		t.Helper()
		l := NewLines(s.Text)
		for name, want := range map[string]string{"MARK2": "main.js:1:27", "MARK3": "main.js:2:1", "RT1": "runtime.ts:2:1", "RT2": "runtime.ts:1:1", "$d": "", "require = ": "", "})\n// end": ""} {
			at := strings.Index(s.Text, name)
			if at < 0 {
				continue
			}
			got := ""
			if p, ok := s.Map.Position(l.LineCol(at)); ok {
				got = p.String()
			}
			if got != want {
				t.Errorf("%s: at %q, want %q", name, got, want)
			}
		}
		if l.Count() < len(s.Map.Lines) {
			t.Errorf("%d lines of text, %d of the map", l.Count(), len(s.Map.Lines))
		}
		if again, err := ParseMap(s.Map.Encode()); err != nil || len(again.Contents) != len(again.Sources) {
			t.Errorf("the map does not decode: %v", err)
		}
	}
	check()
	before := len(s.Text)
	if err := s.Minify(); err != nil {
		t.Fatal(err)
	}
	if len(s.Text) >= before || !strings.Contains(s.Text, "function MARK1") {
		t.Error(s.Text)
	}
	check()
	if err := (&Script{Text: "(", Map: &Map{}}).Minify(); err == nil {
		t.Error("a broken script was minified")
	}
}
