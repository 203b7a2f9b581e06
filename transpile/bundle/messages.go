package bundle

import (
	"fmt"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/manifest"
)

// place turns esbuild's location (columns in bytes from 0) into ours.
func place(l *api.Location) (manifest.Position, string) {
	if l == nil {
		return manifest.Position{}, ""
	}
	col := utf16Len(l.LineText[:min(max(l.Column, 0), len(l.LineText))])
	return manifest.Position{File: l.File, Line: l.Line, Column: col + 1}, l.LineText
}

// location is the inverse, for errors that our hooks give to esbuild.
func location(text string, p manifest.Position) *api.Location {
	lines := NewLines(text)
	start := lines.Offset(p.Line-1, 0)
	at := lines.Offset(p.Line-1, p.Column-1)
	line, _, _ := strings.Cut(text[start:], "\n")
	return &api.Location{File: p.File, Line: p.Line, Column: at - start, LineText: strings.TrimSuffix(line, "\r")}
}

// computed says what to do about a module that only run time can name.
const computed = "the module's name is computed, so it cannot be part of the build; name it by a string literal"

// warn files esbuild's warnings: some are errors in an app's own code, where they
// can be helped, and warnings in packages, where they mostly sit in code
// that never runs.
func (b *bundler) warn(msgs []api.Message) {
	for _, m := range msgs {
		pos, line := place(m.Location)
		pkg := isPackage(pos.File)
		d := Diagnostic{Position: pos, Text: m.Text, LineText: line}
		switch m.ID {
		case "unsupported-require-call", "unsupported-dynamic-import":
			if b.plain {
				continue
			}
			d.Text = computed
			if pkg {
				d.Text = "loads a module whose name is computed; if this runs, it throws"
			}
		case "indirect-require":
			if b.plain || !pkg {
				// Harmless by itself; a computed call of it is caught at run time.
				continue
			}
			continue
		case "direct-eval":
			if b.plain {
				continue
			}
			d.Text = "eval runs code that was never instrumented; write the code out, or use JSON.parse for data"
			if pkg {
				d.Text = "calls eval, whose code is not instrumented"
			}
		case "empty-import-meta":
			d.Text = "of import.meta, only url, filename, dirname and resolve are there"
			if pkg {
				continue
			}
		default:
			if pkg {
				continue
			}
		}
		b.warnings = append(b.warnings, d)
	}
}

// advised is what an error says, with what to do about it.
func advised(m api.Message, file string) string {
	text := strings.TrimSuffix(m.Text, ":")
	starts := func(with string) bool { return strings.HasPrefix(text, with) }
	switch {
	case starts("Could not resolve require("), starts("Could not resolve import("):
		return computed // by a pattern that no file fits
	case starts(`Could not resolve "./`), starts(`Could not resolve "../`), starts(`Could not resolve "/`):
		return text + "; there is no such file: look at its name, letter by letter, and its extension"
	case starts("Could not resolve "):
		text += "; install the app's packages first (npm ci in its folder)"
		if strings.HasSuffix(file, "ts") || strings.HasSuffix(file, "tsx") {
			text += ", or say in tsconfig.json's paths what the name stands for"
		}
		return text
	case starts("With statements "):
		return "with cannot be audited, because only run time shows which names it means; write out the object's properties"
	case starts("No loader is configured "):
		_, name, _ := strings.Cut(text, ": ")
		return fmt.Sprintf("%s is no program; read it by fs, which finds it among the files of the build", name)
	case starts("The JSX syntax extension "):
		return "JSX in a file that is named as if there were none; name it .jsx or .tsx"
	}
	return text
}

// errors turns esbuild's errors into ours, together with those of its warnings
// that are fatal for us.
func (b *bundler) errors(msgs []api.Message) Errors {
	var out Errors
	for _, m := range msgs {
		pos, line := place(m.Location)
		d := Diagnostic{Position: pos, Text: m.Text, LineText: line}
		d.Text = advised(m, pos.File)
		out = append(out, d)
	}
	keep := b.warnings[:0]
	for _, w := range b.warnings {
		if !isPackage(w.File) && (w.Text == computed || strings.HasPrefix(w.Text, "eval runs code")) {
			out = append(out, w)
			continue
		}
		keep = append(keep, w)
	}
	b.warnings = keep
	return out
}
