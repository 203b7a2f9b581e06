package bundle

import (
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/annotation"
	"karousosc/transpile/syntax"
)

// `assert(a === b)` that fails says "The expression evaluated to a falsy value:" and what
// the source has there, which Node.js looks up in the file. In a build the files are not
// what runs, so the call says it itself: assert(__karousos_said("assert(a === b)", a === b)).
// Whatever is called so may be something else after all; then nothing comes of it.

const (
	saidHelper = "__karousos_said"
	saidModule = "karousosc:said" // both runtimes know it
	saidHead   = "function " + saidHelper + "(text, value) { if (!value) require(\"" + saidModule + "\")(text); return value; } "
)

var requiresAssert = regexp.MustCompile(`require\("(?:node:)?assert(?:/strict)?"\)`)

// sayAsserts makes calls of assert say what they are. head is where the text has room for the helper.
func (b *Bundle) sayAsserts(head int) {
	if !requiresAssert.MatchString(b.Text) {
		return
	}
	tree, err := syntax.Parse(b.Text)
	if err != nil {
		return // whoever parses it next says where
	}
	asserts := asserts{}
	for _, n := range tree.Body {
		asserts.bind(n)
	}
	lines := NewLines(b.Text)
	var edits []edit
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if call, ok := n.(*ast.CallExpression); ok && len(call.ArgumentList) == 1 && asserts.function(call.Callee) {
			if _, spread := call.ArgumentList[0].(*ast.SpreadElement); !spread {
				if said := b.calls(lines.LineCol(syntax.Start(call))); said != "" {
					open, end := syntax.Offset(call.LeftParenthesis)+1, syntax.Offset(call.RightParenthesis)
					edits = append(edits, edit{open, 0, saidHelper + "(" + quoted(said) + ", "}, edit{end, 0, ")"})
				}
			}
		}
		syntax.Children(n, walk)
	}
	for _, n := range tree.Body {
		walk(n)
	}
	if len(edits) == 0 {
		return
	}
	edits = append(edits, edit{head, 0, saidHead})
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
	b.apply(edits)
}

// asserts are the names of what is, somewhere, module assert or one of its functions that
// say what the source has.
type asserts map[string]bool

func (a asserts) bind(n ast.Node) {
	if d, ok := n.(*ast.Binding); ok && d.Initializer != nil {
		switch t := d.Target.(type) {
		case *ast.Identifier:
			if a.function(d.Initializer) {
				a[t.Name.String()] = true
			}
		case *ast.ObjectPattern:
			if a.function(d.Initializer) {
				a.take(t)
			}
		}
	}
	syntax.Children(n, a.bind)
}

func (a asserts) take(p *ast.ObjectPattern) {
	for _, prop := range p.Properties {
		switch prop := prop.(type) {
		case *ast.PropertyShort:
			if saying[prop.Name.Name.String()] {
				a[prop.Name.Name.String()] = true
			}
		case *ast.PropertyKeyed:
			key, isLit := prop.Key.(*ast.StringLiteral)
			if id, ok := prop.Value.(*ast.Identifier); ok && isLit && saying[key.Value.String()] {
				a[id.Name.String()] = true
			}
		}
	}
}

var saying = map[string]bool{"ok": true, "strict": true, "default": true}

// function tells whether e may be such a function.
func (a asserts) function(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		return a[e.Name.String()]
	case *ast.DotExpression:
		return saying[e.Identifier.Name.String()] && a.function(e.Left)
	case *ast.SequenceExpression: // (0, import_assert.default)
		return a.function(e.Sequence[len(e.Sequence)-1])
	case *ast.CallExpression:
		id, ok := e.Callee.(*ast.Identifier)
		if !ok || len(e.ArgumentList) == 0 {
			return false
		}
		if lit, ok := e.ArgumentList[0].(*ast.StringLiteral); ok && id.Name == "require" {
			return requiresAssert.MatchString("require(" + strconv.Quote(lit.Value.String()) + ")")
		}
		return strings.HasPrefix(id.Name.String(), "__toESM") && a.function(e.ArgumentList[0])
	}
	return false
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

var callBegins = regexp.MustCompile(`^[\pL_$][\pL\pN_$.\s]*\(`)

// control characters but tabs and ends of lines are shown by their numbers.
var control = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f]`)

// calls is the call that the source has where line and column of the bundle stem from, as
// Node.js shows it, or "".
func (b *Bundle) calls(line, col int) string {
	at, ok := b.Map.find(line, col)
	if !ok || at.Source >= len(b.Map.Contents) {
		return ""
	}
	source := b.Map.Contents[at.Source]
	rest := source[NewLines(source).Offset(at.Line, at.Col):]
	end := len(callBegins.FindString(rest))
	loader, known := annotation.LoaderFor(b.Map.Sources[at.Source])
	if end == 0 || !known {
		return ""
	}
	// It ends with the first parenthesis with which it is an expression.
	for tries := 0; tries < 100; tries++ {
		i := strings.IndexByte(rest[end:], ')')
		if i < 0 {
			return ""
		}
		end += i + 1
		r := api.Transform("async function* f() { (\n"+rest[:end]+"\n) }", api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent})
		if len(r.Errors) > 0 {
			continue
		}
		said := control.ReplaceAllStringFunc(rest[:end], func(c string) string { return `\u00` + strconv.FormatInt(int64(c[0])+256, 16)[1:] })
		parts := strings.Split(said, "\n")
		for j := 1; j < len(parts); j++ {
			n := 0
			for n < at.Col && n < len(parts[j]) && (parts[j][n] == ' ' || parts[j][n] == '\t') {
				n++
			}
			parts[j] = "  " + parts[j][n:]
		}
		return strings.Join(parts, "\n")
	}
	return ""
}
