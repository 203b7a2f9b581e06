package bundle

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/annotation"
)

// To assign to a constant, an import or, inside of a class, the class's own name is a
// TypeError when it is reached, and nothing before. The bundler refuses it outright, and
// makes variables of constants besides. So where it does, the name is put behind a
// property of its own name that cannot be set:
//
//	new class{get c(){return c}set c(_){c;(function c(){c=_})()}}().c = 1
//
// That can stand wherever a name can be assigned to, reads the constant where it is also
// read (`c += 1`), and has the engine throw what it throws for constants. It begins
// with a keyword, so that it never goes on with the line before.
const guarded = "new class{get %[1]s(){return %[1]s}set %[1]s(_){%[1]s;(function %[1]s(){%[1]s=_})()}}()."

// frozen is the same for a namespace, of which what others see cannot be changed.
const frozen = `new class{get %[1]s(){return Object.freeze(Object.defineProperty({__proto__:null,...%[1]s},Symbol.toStringTag,{value:"Module"}))}}().`

// An assignment is a place in the text of a file, as the bundler got it, where a name
// is assigned to that cannot be.
type assignment struct {
	at   int
	name string
	// property: what is assigned to is a property of the name, a namespace.
	property bool
	// pattern: not that, but what a package loads by a pattern that no file fits.
	pattern bool
}

// unfit makes a name that is computed of a pattern. Packages that look for what was compiled for this machine go on when
// they do not find it.
const unfit = "String()+"

// refusals are the bundler's words for such places.
var refusals = []string{"Cannot assign to property on import ", "Cannot assign to import ", "Cannot assign to "}

// member is what comes before the name of a namespace's member.
var member = regexp.MustCompile(`[\pL_$][\pL\pN_$]*\s*\.\s*$`)

// constants takes what the bundler has against assignments, and tells whether there is
// any that can be guarded. Patterns that no file fits are taken, too.
func (b *bundler) constants(msgs []api.Message) bool {
	b.assigned, b.refused = map[string][]assignment{}, nil
	for _, m := range msgs {
		if l := m.Location; l != nil && l.Namespace != "" && l.Namespace != "file" {
			continue
		} else if l != nil && isPackage(l.File) && strings.HasPrefix(m.Text, "Could not resolve require(") {
			if text, err := b.given(l.File); err == nil {
				b.assigned[l.File] = append(b.assigned[l.File], assignment{at: NewLines(text).Offset(l.Line-1, 0) + l.Column, pattern: true})
			}
			continue
		}
		i := slices.IndexFunc(refusals, func(s string) bool { return strings.HasPrefix(m.Text, s+`"`) })
		l := m.Location
		if i < 0 || l == nil || i == 2 && !strings.HasSuffix(m.Text, "because it is a constant") {
			continue
		}
		text, err := b.given(l.File)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(m.Text[len(refusals[i])+1:], `"`)
		a := assignment{at: NewLines(text).Offset(l.Line-1, 0) + l.Column, name: name, property: i == 0}
		if at := member.FindStringIndex(text[:min(a.at, len(text))]); i == 1 && at != nil {
			a = assignment{at: at[0], name: strings.TrimRight(text[at[0]:at[1]], " \t\n\r."), property: true} // of the namespace
		}
		if list := b.assigned[l.File]; strings.HasPrefix(text[min(a.at, len(text)):], a.name) && !slices.Contains(list, a) {
			b.assigned[l.File] = append(list, a)
			if pos, line := place(l); !isPackage(l.File) {
				b.refused = append(b.refused, Diagnostic{pos, fmt.Sprintf("%s cannot be assigned to; if this runs, it throws a TypeError", name), line})
			}
		}
	}
	return len(b.assigned) > 0
}

// given is a file's text as the bundler got it.
func (b *bundler) given(file string) (string, error) {
	if l := b.rewritten[file]; l != nil {
		return l.text, nil
	}
	text, err := os.ReadFile(filepath.Join(b.app.Dir, filepath.FromSlash(file)))
	return string(text), err
}

// guard puts what is assigned to and cannot be behind such properties, in a file that the
// bundler would get the text of.
func (b *bundler) guard(file string, loader api.Loader, text string, insertions []annotation.Insertion) (string, []annotation.Insertion) {
	list := slices.SortedFunc(slices.Values(b.assigned[file]), func(x, y assignment) int { return cmp.Compare(y.at, x.at) })
	lines := NewLines(text)
	for _, a := range list { // from the last one, so that places stay what they are
		put := fmt.Sprintf(guarded, a.name)
		switch {
		case a.pattern:
			put = unfit
		case a.property:
			put = fmt.Sprintf(frozen, a.name)
		}
		// In a pattern, {c} assigns to c, too, which only parsing tells from a name that stands by itself.
		if !parses(text[:a.at]+put+text[a.at:], loader) {
			put = a.name + ":" + put
			if !parses(text[:a.at]+put+text[a.at:], loader) {
				continue // and the bundler says again what it has against it
			}
		}
		text = text[:a.at] + put + text[a.at:]
		line, col := lines.LineCol(a.at)
		for _, in := range insertions { // columns are those of the file as it is
			if in.Line == line && in.Col < col {
				col -= min(in.Len, col-in.Col)
			}
		}
		insertions = append(insertions, annotation.Insertion{Line: line, Col: col, Len: utf16Len(put)})
	}
	slices.SortStableFunc(insertions, func(x, y annotation.Insertion) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col))
	})
	return text, insertions
}

func parses(text string, loader api.Loader) bool {
	res := api.Transform(text, api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, JSX: api.JSXPreserve,
		TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true,"verbatimModuleSyntax":true}}`})
	return len(res.Errors) == 0
}
