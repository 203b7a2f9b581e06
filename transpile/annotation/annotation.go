// Package annotation turns the //karousos: directives of JavaScript and
// TypeScript sources into code, because comments do not survive bundling.
//
//	//karousos:loggable
//	const motd = new Map();
//
// becomes
//
//	//karousos:loggable
//	const motd = __karousos_loggable(new Map());
//
// on the same line, so that error messages and source maps still point at what
// the author wrote.
//
// Where a comment starts and where an initialiser ends cannot be told without
// parsing all of the language (regular expressions, templates, JSX, semicolons
// left out, type arguments). A second parser beside the bundler's would sooner or
// later disagree with it. So nothing here trusts a scanner of our own: it makes
// cheap guesses, and esbuild, which parses the file anyway, proves each:
//
//   - text is a directive exactly if a character that is illegal in code but
//     harmless in comments, strings, templates, regular expressions and JSX
//     text makes the file unparsable when put in place of its first slash;
//   - `const x = INIT` and `const x = M.v = INIT` have an initialiser of the
//     same extent, because what may follow either = is the same production of the
//     grammar; and if `const x = (M.v = GUESS)…` prints like it, then the guess
//     ended where the initialiser ends: with anything left over, or with
//     anything too much, the assignment would not be the whole of it.
//
// A guess that cannot be proved is an error that names the place and the way
// out (the call loggable(x)); it never changes what a program does.
package annotation

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/manifest"
)

// Marker is the free identifier that the rewritten code calls. The emitters of
// both builds know it; it exists nowhere at run time.
const Marker = "__karousos_loggable"

// prefix begins every directive. As for Go, there is no space after the slashes.
const prefix = "//karousos:"

// Insertion is a piece of text that Rewrite added: Len UTF-16 units before
// column Col (of the original text) of line Line, both from 0.
type Insertion struct {
	Line, Col, Len int
}

// Result is a file whose directives have become code.
type Result struct {
	Text        string
	Annotations []manifest.Annotation
	Insertions  []Insertion // in order of position
}

// Error is a directive that is not understood. Its message says what to do.
type Error struct {
	manifest.Position
	Text string
}

func (e *Error) Error() string { return e.Position.String() + ": " + e.Text }

// Found tells whether text may hold a directive at all. Only such files need
// to be given to Rewrite.
func Found(text string) bool { return strings.Contains(text, prefix) }

// LoaderFor returns the loader that bundling uses for a file's extension, and
// whether it is a JavaScript or TypeScript file.
func LoaderFor(file string) (api.Loader, bool) {
	switch path.Ext(file) {
	case ".js", ".mjs", ".cjs":
		return api.LoaderJS, true
	case ".jsx":
		return api.LoaderJSX, true
	case ".ts", ".mts", ".cts":
		return api.LoaderTS, true
	case ".tsx":
		return api.LoaderTSX, true
	}
	return api.LoaderNone, false
}

// Rewrite turns the directives of one file into code. file is its name in
// messages. A file that does not parse is returned as it is: the bundler
// reports it better.
func Rewrite(file, text string) (*Result, error) {
	out := &Result{Text: text}
	loader, ok := LoaderFor(file)
	if !ok || !Found(text) {
		return out, nil
	}
	r := &rewriter{file: file, text: text, loader: loader, seen: map[int]bool{}}
	if _, ok = r.print(text); !ok {
		return out, nil
	}
	for at := 0; ; {
		i := strings.Index(text[at:], prefix)
		if i < 0 {
			break
		}
		at += i
		if r.isCode(at) {
			if err := r.directive(at); err != nil {
				return nil, err
			}
		}
		at += len(prefix)
	}
	return r.result(), nil
}

type rewriter struct {
	file, text string
	loader     api.Loader
	edits      []edit
	notes      []manifest.Annotation
	seen       map[int]bool // declarations that have a directive
}

// edit replaces no text: it inserts.
type edit struct {
	at   int
	text string
}

// print parses and prints JavaScript with esbuild. Equal programs print alike.
func (r *rewriter) print(text string) (string, bool) {
	res := api.Transform(text, api.TransformOptions{
		Loader:           r.loader,
		MinifyWhitespace: true,
		LegalComments:    api.LegalCommentsNone,
		Charset:          api.CharsetUTF8,
		LogLevel:         api.LogLevelSilent,
		Sourcefile:       r.file,
		JSX:              api.JSXPreserve,
		// Allows decorators on parameters; nothing printed here is run.
		TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true,"verbatimModuleSyntax":true}}`,
	})
	return string(res.Code), len(res.Errors) == 0
}

// isCode proves that the comment at offset at is one.
func (r *rewriter) isCode(at int) bool {
	_, ok := r.print(r.text[:at] + "\x01" + r.text[at+1:])
	return !ok
}

func (r *rewriter) pos(at int) manifest.Position {
	line := strings.Count(r.text[:at], "\n")
	start := strings.LastIndexByte(r.text[:at], '\n') + 1
	return manifest.Position{File: r.file, Line: line + 1, Column: utf16Len(r.text[start:at]) + 1}
}

func (r *rewriter) errorf(at int, format string, args ...any) error {
	return &Error{Position: r.pos(at), Text: fmt.Sprintf(format, args...)}
}

const wayOut = `or import {loggable} from "karousos" and call loggable(value)`

// directive handles the directive whose comment starts at offset at.
func (r *rewriter) directive(at int) error {
	end := at + len(prefix)
	eol := lineEnd(r.text, end)
	name, rest, _ := strings.Cut(strings.TrimRight(r.text[end:eol], " \t\r"), " ")
	if name != "loggable" {
		return r.errorf(at, "unknown directive %s%s; the one that JavaScript knows is %sloggable", prefix, name, prefix)
	}
	if rest = strings.TrimSpace(rest); rest != "" && !strings.HasPrefix(rest, "//") {
		return r.errorf(at, "%sloggable takes no arguments, found %q; put remarks on a line of their own", prefix, rest)
	}

	i := SkipSpace(r.text, eol)
	w, next := word(r.text, i)
	if w == "export" {
		i = SkipSpace(r.text, next)
		w, next = word(r.text, i)
	}
	if w != "let" && w != "var" && w != "const" {
		return r.errorf(at, "%sloggable must stand on the line before a let, var or const declaration; move it there, %s", prefix, wayOut)
	}
	return r.declaration(at, w, next)
}

// declaration handles the declarators that follow the keyword kind.
func (r *rewriter) declaration(at int, kind string, i int) error {
	if r.seen[i] {
		return r.errorf(at, "this declaration already has a directive; remove one of them")
	}
	r.seen[i] = true
	for {
		i = SkipSpace(r.text, i)
		name, _ := word(r.text, i)
		if name == "" {
			if i < len(r.text) && (r.text[i] == '{' || r.text[i] == '[') {
				return r.errorf(at, "%sloggable before a destructuring declaration does not say which variable is shared; declare that one by itself, %s", prefix, wayOut)
			}
			return r.errorf(at, "%sloggable must stand on the line before a declaration of variables, %s", prefix, wayOut)
		}
		if name == "enum" && kind == "const" {
			return r.errorf(at, "%sloggable before an enum, whose members are constants; remove the directive", prefix)
		}
		end, ok := r.declarator(name, i)
		if !ok {
			return r.errorf(i, "cannot tell where the initial value of %s ends; write it in parentheses, %s", name, wayOut)
		}
		r.notes = append(r.notes, manifest.Annotation{Name: name, Kind: kind, Position: r.pos(i)})
		i = SkipSpace(r.text, end)
		if i == len(r.text) || r.text[i] != ',' {
			return nil
		}
		i++
	}
}

// declarator rewrites the declarator of name, which stands at offset at, and
// returns where it ends.
func (r *rewriter) declarator(name string, at int) (end int, ok bool) {
	// A declarator put before this one shows where it is printed: what follows
	// `guard=0,` in a print is the declarator in question and nothing else. Guard
	// and probe are names that no program has.
	const (
		guard = Marker + "_guard=0,"
		probe = Marker + ".v="
		init  = "=" + Marker + "(void 0)"
	)
	head, tail := r.text[:at]+guard+name, r.text[at+len(name):]
	base, ok := r.print(head + tail)
	if !ok {
		return 0, false
	}
	// proves tells whether a print holds added as this declarator's initialiser
	// and is otherwise the same program.
	proves := func(print, eq, added string) bool {
		return strings.Contains(print, guard+name+eq+added) && strings.Replace(print, added, "", 1) == base
	}

	// No initialiser. A type may stand between the name and the declarator's end.
	without := func(i int) bool {
		got, ok := r.print(head + tail[:i] + init + tail[i:])
		if !ok || !proves(got, "", init) {
			return false
		}
		end = at + len(name) + i
		r.edits = append(r.edits, edit{end, " = " + Marker + "(void 0)"})
		return true
	}
	if without(0) {
		return end, true
	}
	for _, p := range assigns(tail) {
		start := SkipSpace(tail, p+1)
		want, ok := r.print(head + tail[:start] + probe + tail[start:])
		if !ok || !proves(want, "=", probe) {
			continue
		}
		for e := range ends(tail, start) {
			// Where a line end was the end of an arrow function, the parenthesis
			// after it would be called: say where the statement ends.
			for _, closing := range []string{")", ");"} {
				got, ok := r.print(head + tail[:start] + "(" + probe + tail[start:e] + closing + tail[e:])
				if ok && got == want {
					start, end = at+len(name)+start, at+len(name)+e
					r.edits = append(r.edits, edit{start, Marker + "("}, edit{end, closing})
					return end, true
				}
			}
		}
		return 0, false
	}
	for i := range ends(tail, 0) {
		if without(i) {
			return end, true
		}
	}
	return 0, false
}

// result applies the edits.
func (r *rewriter) result() *Result {
	// A directive may stand inside of another one's initialiser.
	slices.SortStableFunc(r.edits, func(a, b edit) int { return a.at - b.at })
	out := &Result{Annotations: r.notes}
	var b strings.Builder
	last := 0
	for _, e := range r.edits {
		b.WriteString(r.text[last:e.at])
		b.WriteString(e.text)
		last = e.at
		p := r.pos(e.at)
		out.Insertions = append(out.Insertions, Insertion{Line: p.Line - 1, Col: p.Column - 1, Len: len(e.text)})
	}
	b.WriteString(r.text[last:])
	out.Text = b.String()
	return out
}

func utf16Len(s string) int {
	n := 0
	for _, c := range s {
		n++
		if c > 0xffff {
			n++
		}
	}
	return n
}

func lineEnd(s string, i int) int {
	if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(s)
}

// SkipSpace returns the offset of the first text at or after i that is neither
// white space nor comment.
func SkipSpace(s string, i int) int {
	for i < len(s) {
		if strings.HasPrefix(s[i:], "//") {
			i = lineEnd(s, i)
			continue
		}
		if strings.HasPrefix(s[i:], "/*") {
			j := strings.Index(s[i+2:], "*/")
			if j < 0 {
				return i
			}
			i += 2 + j + 2
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(c) && c != '\ufeff' {
			return i
		}
		i += size
	}
	return i
}

// word returns the identifier or keyword at offset i, if there is one, and where
// it ends.
func word(s string, i int) (string, int) {
	j := i
	for j < len(s) {
		c, size := utf8.DecodeRuneInString(s[j:])
		if c != '$' && c != '_' && !unicode.IsLetter(c) && (j == i || !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c) && !unicode.Is(unicode.Mc, c) && c != '\u200c' && c != '\u200d') {
			break
		}
		j += size
	}
	return s[i:j], j
}
