package transpile

import (
	"slices"
	"strings"

	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// relocated warns where the app's own modules ask where they are: in a build, all
// of them are in the one file of the server, and files that lay beside the source
// (views, static files) are not there.
func relocated(p *program.Program) []bundle.Diagnostic {
	var out []bundle.Diagnostic
	seen := map[program.Position]bool{}
	for name, refs := range p.Free {
		if name != "__dirname" && name != "__filename" {
			continue
		}
		for _, r := range refs {
			pos := p.Position(syntax.Offset(r.ID.Idx))
			if pos.File == "" || seen[pos] || strings.Contains("/"+pos.File, "/node_modules/") {
				continue
			}
			seen[pos] = true
			out = append(out, bundle.Diagnostic{
				Position: manifest.Position(pos),
				Text:     name + " is the place of the server's build here, not of this file: files beside the source are not found; name their folder by a setting",
			})
		}
	}
	slices.SortFunc(out, compare)
	return out
}

// compare orders what is said by its place.
func compare(a, b bundle.Diagnostic) int {
	if a.File != b.File {
		return strings.Compare(a.File, b.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}
