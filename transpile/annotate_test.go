package transpile

import (
	"strings"
	"testing"

	"karousosc/transpile/capture"
	"karousosc/transpile/manifest"
)

func TestDeclareIn(t *testing.T) {
	at := func(name string, line int) Shared {
		return Shared{Name: name, Position: manifest.Position{File: "a.js", Line: line, Column: 1}}
	}
	for _, c := range []struct {
		name, text, want string
		vars             []Shared
		refused          int
	}{
		{"one", "'use strict';\nconst m = new Map();\n", "'use strict';\n//karousos:loggable\nconst m = new Map();\n", []Shared{at("m", 2)}, 0},
		{"two", "let a = 0;\n\nvar b = [];", "//karousos:loggable\nlet a = 0;\n\n//karousos:loggable\nvar b = [];", []Shared{at("a", 1), at("b", 3)}, 0},
		{"both of a line", "let a = 0, b = 1;\n", "//karousos:loggable\nlet a = 0, b = 1;\n", []Shared{at("a", 1), at("b", 1)}, 0},
		{"indented, with carriage returns", "if (x) {\r\n\tvar a;\r\n}\r\n", "if (x) {\r\n\t//karousos:loggable\r\n\tvar a;\r\n}\r\n", []Shared{at("a", 2)}, 0},
		{"beside another", "let a = 0, b = 1;\n", "let a = 0, b = 1;\n", []Shared{at("a", 1)}, 1},
		{"within a line", "f(); let a = 0;\nlet b = 0;\n", "f(); let a = 0;\n//karousos:loggable\nlet b = 0;\n", []Shared{at("a", 1), at("b", 2)}, 1},
		{"beyond the end", "let a", "let a", []Shared{at("a", 7)}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, refused := declareIn("a.js", c.text, c.vars)
			if got != c.want || len(refused) != c.refused {
				t.Errorf("got %q and %v, want %q", got, refused, c.want)
			}
		})
	}
}

// A folder of packages may be a link, as where several apps share one: they are bundled all the same.
func TestLinkedPackages(t *testing.T) {
	var about []string
	for _, d := range aboutFiles(&capture.Set{Links: []string{"node_modules", "data", "web/node_modules"}}) {
		about = append(about, d.File)
	}
	if got := strings.Join(about, " "); got != "data" {
		t.Errorf("it warns of %s", got)
	}
}
