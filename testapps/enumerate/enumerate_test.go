package enumerate

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The model on programs whose outcomes are known.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ program, want, node string }{
		{"x", "0", ""},
		{"X ; x", " / 1a", ""},
		{"X x", " / 0,  / 1a", ""},
		{"XxX", "1a", ""},
		{"x.X x.X", "0 / 0, 0 / 1a, 2a / 0", ""},
		{"x.x X", "0,0 / , 0,2a / , 2a,2a / ", ""},
		{"x!.X ; x", "0 / 0, 0 / 1a", ""},
		{"x,x X", "0,0 / , 0,2a / , 2a,2a / ", "0,0 / , 2a,2a / "},
		{"x=y ; y", "0 / 0", ""},
		{"Xx=y ; y", "1a / 1a", ""},
		{"(X|x)", "1a", ""},
		{"(.X|.x)", "0, 1a", ""},
		{"(.X|.Y)xy", "1a,1b", ""},
		{"Xy Yx", "0 / 1a, 2a / 0", ""},
		{"VX.v X.v ; v", "1a / 0 / 0", ""},
		{"(.V|.v)", "0, 1a", ""},
		{"(.XV|.v)x X", "0,1a / , 0,2a / , 1b,1a / , 1b,2a / ", "0,1a / , 1b,1a / , 1b,2a / "},
		{"X.y Y.x", "0 / 1a, 2a / 0, 2a / 1a", ""},
	} {
		p, err := Parse(c.program)
		if err != nil {
			t.Fatal(err)
		}
		for node, want := range map[bool]string{false: c.want, true: c.node} {
			if want == "" {
				want = c.want
			}
			found, whole := Outcomes(p, node)
			if got := strings.Join(slices.Sorted(maps.Keys(found)), ", "); got != want || !whole {
				t.Errorf("%s (node %v): %s, want %s", c.program, node, got, want)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"q", "x!x!", "(x", "x)", "=", "=q", "(x!|y)", "|", "$"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s is taken for a program", text)
		}
	}
}
