package syntax

import (
	"errors"
	"testing"

	"github.com/grafana/sobek/ast"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
	}{
		{"a b", 2},
		{"x;\n  y(;", 7},
		{"'é'; }", 6},
		{"if (", 4},
	} {
		_, err := Parse(c.src)
		var e *Error
		if !errors.As(err, &e) || e.Offset < c.offset-1 || e.Offset > c.offset {
			t.Errorf("%q: got %v, want an error at %d", c.src, err, c.offset)
		}
	}
}

func TestDirectives(t *testing.T) {
	for _, c := range []struct {
		src    string
		n      int
		strict bool
	}{
		{"'use strict'; x;", 1, true},
		{"'a'; \"use strict\"; 'b'; x; 'c';", 3, true},
		{"('use strict'); x;", 0, false},
		{"( 'use strict' )", 0, false},
		{"'use\\x20strict';", 1, false},
		{"'use strict' + 1;", 0, false},
		{"x; 'use strict';", 0, false},
		{"", 0, false},
	} {
		prog, err := Parse(c.src)
		if err != nil {
			t.Fatal(err)
		}
		if n, strict := Directives(c.src, prog.Body), Strict(c.src, prog.Body); n != c.n || strict != c.strict {
			t.Errorf("%s: got %d directives, strict %v", c.src, n, strict)
		}
	}
}

func TestStart(t *testing.T) {
	for _, src := range []string{
		"a + b", "a.b.c", "a[b](c)", "f()`x`", "a`x`.b", "x ? y : z", "i++", "-i", "a = b", "function () {}",
		"new.target", "a?.b.c", "async () => 1", "new X()", "(a, b)", "class {}", "`x`",
	} {
		text := "function f() { x = (" + src + "); }"
		prog, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		e := prog.Body[0].(*ast.FunctionDeclaration).Function.Body.List[0].(*ast.ExpressionStatement).Expression.(*ast.AssignExpression).Right
		want := len("function f() { x = (")
		if src[0] == '(' {
			want++
		}
		if got := Start(e); got != want {
			t.Errorf("%s begins at %d, not at %d", src, want, got)
		}
	}
}
