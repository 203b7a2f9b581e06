package syntax

import (
	"errors"
	"testing"

	"github.com/grafana/sobek/ast"
)

func TestNestedDefaults(t *testing.T) {
	for _, src := range []string{
		"var { d: [e = 1] = [] } = {}; e;",
		"const [[a = 1, b] = []] = x, y = 2;",
		"function f({ a: [b = (1, 2), ...c] = [1] } = {}, [[d = [1, 2]] = []] = []) { return b; }",
		"var f = ({ a: [b = 1] = [] }) => b, é = '[e = 1]';",
		"for (let [[x = 1] = []] of y) z;",
		"try {} catch ({ a: [b = `]${c}`] = [] }) {}",
		"var { a: [[[b = 1] = [], c = /]/] = [], { d: [e = function () { var { f: [g = 1] = [] } = {}; }] = [] } = {}] = [] } = x;",
	} {
		prog, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		// Every name lies where its offset says, and nothing of the cure is left.
		var look func(n ast.Node)
		look = func(n ast.Node) {
			switch n := n.(type) {
			case *ast.Identifier:
				if name := n.Name.String(); src[Offset(n.Idx):][:len(name)] != name {
					t.Errorf("%s: %s is not at %d", src, name, Offset(n.Idx))
				}
			case *ast.NumberLiteral:
				if n.Literal == "0" {
					t.Errorf("%s: an element is still in braces", src)
				}
			}
			Children(n, look)
		}
		look(prog)
	}
	for src, offset := range map[string]int{
		"var { d: [e = 1] = [] } = {}; x y;": 32,
		"var { d: [e = 1, 5] = [] } = {};":   17,
		"var { d: [e += 1] = [] } = {};":     10,
	} {
		var e *Error
		if _, err := Parse(src); !errors.As(err, &e) || e.Offset < offset-1 || e.Offset > offset {
			t.Errorf("%s: got %v, want an error at %d", src, err, offset)
		}
	}
}
