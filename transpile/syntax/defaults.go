package syntax

import (
	"errors"
	"reflect"
	"sort"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/parser"
)

// The parser refuses a default inside of an array pattern that has one itself, as
// in `const { list: [first = 1] = [] } = o`: it has taken `[first = 1] = []` for an
// assignment, and does not take `first = 1` back. It does so in object
// patterns, so each such element is given braces, `[{0:first = 1}]`, which are taken
// out of the tree again.

const brace, unbrace = "{0:", "}"

// parseFile is the parser without that fault. Its tree has the offsets of text.
func parseFile(text string) (*ast.Program, error) {
	braced := &insertions{}
	for {
		prog, err := parser.ParseFile(nil, "", braced.into(text), 0, parser.WithDisableSourceMaps)
		if err == nil {
			braced.undo(prog)
			return prog, nil
		}
		if !braced.more(text, prog) {
			return nil, positioned(err, text, braced)
		}
	}
}

// positioned makes an error of the parser's, at its place in the text as it was.
func positioned(err error, text string, braced *insertions) error {
	var list parser.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	return &Error{braced.before(lineColumn(braced.into(text), list[0].Position)), list[0].Message}
}

// insertions are pieces of text put in at offsets, in order of the offsets.
type insertions struct {
	at   []int
	text []string
}

func (in *insertions) into(text string) string {
	if len(in.at) == 0 {
		return text
	}
	var b strings.Builder
	last := 0
	for i, at := range in.at {
		b.WriteString(text[last:at])
		b.WriteString(in.text[i])
		last = at
	}
	b.WriteString(text[last:])
	return b.String()
}

// before leads from an offset behind the insertions to one before them.
func (in *insertions) before(offset int) int {
	shift := 0
	for i, at := range in.at {
		if offset < at+shift {
			break
		}
		shift += min(len(in.text[i]), offset-at-shift)
	}
	return offset - shift
}

// more puts braces around the elements that the parser refused, and says whether
// there were any.
func (in *insertions) more(text string, prog *ast.Program) bool {
	if prog == nil {
		return false
	}
	found := false
	have := map[int]bool{}
	for i, at := range in.at {
		have[at] = have[at] || in.text[i] == brace
	}
	visit(prog, func(v any) {
		p, ok := v.(*ast.ArrayPattern)
		if !ok {
			return
		}
		for _, e := range p.Elements {
			bad, ok := e.(*ast.BadExpression)
			if !ok {
				continue
			}
			from, to := in.before(Offset(bad.From)), in.before(Offset(bad.To))
			// The end of an expression is told without what closes its parentheses.
			for to < len(text) && strings.IndexByte(" \t\r\n)", text[to]) >= 0 {
				to++
			}
			if have[from] || to >= len(text) || text[to] != ',' && text[to] != ']' || !strings.Contains(text[from:to], "=") {
				continue // something else is wrong with it
			}
			in.at, in.text = append(in.at, from, to), append(in.text, brace, unbrace)
			found = true
		}
	})
	sort.Stable(in)
	return found
}

func (in *insertions) Len() int           { return len(in.at) }
func (in *insertions) Less(i, j int) bool { return in.at[i] < in.at[j] }
func (in *insertions) Swap(i, j int) {
	in.at[i], in.at[j] = in.at[j], in.at[i]
	in.text[i], in.text[j] = in.text[j], in.text[i]
}

// undo takes the braces out of the tree, and gives everything its offset in the
// text as it was.
func (in *insertions) undo(prog *ast.Program) {
	if len(in.at) == 0 {
		return
	}
	ours := map[int]bool{}
	shift := 0
	for i, at := range in.at {
		if in.text[i] == brace {
			ours[at+shift] = true
		}
		shift += len(in.text[i])
	}
	visit(prog, func(v any) {
		switch v := v.(type) {
		case *ast.ArrayPattern:
			for i, e := range v.Elements {
				if o, ok := e.(*ast.ObjectPattern); ok && ours[Offset(o.LeftBrace)] {
					v.Elements[i] = o.Properties[0].(*ast.PropertyKeyed).Value
				}
			}
		case *file.Idx:
			if *v > 0 {
				*v = file.Idx(in.before(Offset(*v)) + 1)
			}
		}
	})
}

// visit shows f the pointers to all nodes of a tree and to the offsets in them,
// each once, from the outside inwards. (The tree holds declarations twice.)
func visit(prog *ast.Program, f func(any)) {
	seen := map[any]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Pointer:
			if _, source := v.Interface().(*file.File); source || v.IsNil() || seen[v.Interface()] {
				return
			}
			seen[v.Interface()] = true
			f(v.Interface())
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		default:
			if v.CanAddr() {
				if idx, ok := v.Addr().Interface().(*file.Idx); ok {
					f(idx)
				}
			}
		}
	}
	walk(reflect.ValueOf(prog))
}
