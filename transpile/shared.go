package transpile

import (
	"fmt"
	"slices"
	"strings"

	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/sharing"
	"karousosc/transpile/syntax"
)

// Shared is one variable or object that requests may share, with what was found about it.
type Shared struct {
	Name     string            `json:"name"`
	Position manifest.Position `json:"position"`
	How      string            `json:"how"`    // "assigned", "changed" for the contents of an object, or "advanced" for an iterator
	Why      string            `json:"why"`    // requests can share it
	Writes   []Write           `json:"writes"` // where functions do so; none of what a package is known to keep
	Tracked  bool              `json:"tracked"`

	// Declared: a directive before its declaration would say the same.
	Declared bool `json:"declarable"`
}

// Write is a place where a function changes what is shared.
type Write struct {
	manifest.Position
	Function string `json:"function,omitempty"`
	Property string `json:"property,omitempty"`
}

// Advice is what to do about something that is not tracked.
func (x Shared) Advice() string {
	if x.How == "advanced" {
		return "all of them are re-executed together (nothing tells how far an iterator has come; a counter could be tracked)"
	}
	return "declare it by itself, with let"
}

// inferred finds the state that requests share although nobody declared it so.
type inferred struct {
	list       []Shared
	incomplete bool
	// packages are those in the bundle.
	packages map[string]bool
}

// find is given to program.WithSharing.
func (f *inferred) find(p *program.Program) program.Sharing {
	found, s, complete := sharing.Find(p)
	f.incomplete = !complete
	f.packages = map[string]bool{}
	for _, s := range p.AST.Body {
		f.packages[sharing.PackageOf(p.Position(syntax.Offset(s.Idx0())).File)] = true
	}
	for _, x := range found {
		out := Shared{Name: x.Name, Position: manifest.Position(p.Position(x.Offset)), How: x.How, Why: x.Why, Tracked: x.Tracked, Declared: x.Declared}
		for _, w := range x.Writes {
			out.Writes = append(out.Writes, Write{manifest.Position(p.Position(w.Offset)), strings.TrimPrefix(w.Func.Name, "_"), w.Field})
		}
		f.add(out)
	}
	slices.SortStableFunc(f.list, func(a, b Shared) int {
		return compare(bundle.Diagnostic{Position: a.Position}, bundle.Diagnostic{Position: b.Position})
	})
	return s
}

// add adds x, or its writes if there is something about its declaration already.
func (f *inferred) add(x Shared) {
	for i := range f.list {
		old := &f.list[i]
		part := strings.HasPrefix(x.Name, "part of ") && old.Position.File == x.Position.File && old.Why == x.Why
		if old.Name != x.Name || old.Position != x.Position && !part {
			continue
		}
		if x.How == "assigned" {
			old.How = x.How
		}
		for _, w := range x.Writes {
			if !slices.Contains(old.Writes, w) {
				old.Writes = append(old.Writes, w)
			}
		}
		old.Tracked, old.Declared = old.Tracked && x.Tracked, old.Declared && x.Declared
		return
	}
	f.list = append(f.list, x)
}

// warnings are of what could not be tracked.
func (f *inferred) warnings() []bundle.Diagnostic {
	var out []bundle.Diagnostic
	if f.incomplete {
		out = append(out, bundle.Diagnostic{Text: "the app is too large for all that its requests share to be found; declare what karousosc annotate does not show"})
	}
	for _, x := range f.list {
		if !x.Tracked {
			out = append(out, bundle.Diagnostic{Position: x.Position, Text: fmt.Sprintf("%s is %s in a function; if requests share it, %s", x.Name, x.How, x.Advice())})
		}
	}
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
