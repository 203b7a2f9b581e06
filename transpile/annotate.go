package transpile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"karousosc/transpile/annotation"
	"karousosc/transpile/bundle"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/sharing"
)

// Find finds what requests of an app share: what its source declares, and what is
// found without that.
//
// unfollowed are the packages that the app depends on, and of which nobody knows what they keep.
func Find(dir, entry string) (declared []manifest.Annotation, found []Shared, unfollowed []string, err error) {
	app, err := bundle.OpenApp(dir, entry)
	if err != nil {
		return nil, nil, nil, err
	}
	b, err := bundle.First(app)
	if err != nil {
		return nil, nil, nil, err
	}
	f := &inferred{}
	if _, err = program.Parse(b.Text, modules(b), program.WithSharing(f.find), program.WithOrigin(func(offset int) (program.Position, bool) {
		p, ok := b.Position(offset)
		return program.Position(p), ok
	})); err != nil {
		return nil, nil, nil, err
	}
	return b.Annotations, f.list, f.unfollowed(dir), nil
}

// unfollowed names the packages of package.json that are in the bundle.
func (f *inferred) unfollowed(dir string) []string {
	var manifest struct{ Dependencies map[string]string }
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil || json.Unmarshal(text, &manifest) != nil {
		return nil
	}
	var out []string
	for name := range manifest.Dependencies {
		if f.packages[name] && !sharing.Known(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

const directive = "//karousos:loggable"

// Declare writes a directive before the declaration of each variable into the
// app's sources. What it cannot declare so, because the declaration does not begin
// its line or declares another variable as well, it returns with the reason; then
// that file's other variables are declared all the same.
func Declare(dir string, variables []Shared) (refused []bundle.Diagnostic, err error) {
	files := map[string][]Shared{}
	var names []string
	for _, v := range variables {
		if files[v.Position.File] == nil {
			names = append(names, v.Position.File)
		}
		files[v.Position.File] = append(files[v.Position.File], v)
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return refused, err
		}
		after, bad := declareIn(name, string(text), files[name])
		refused = append(refused, bad...)
		if after == string(text) {
			continue
		}
		st, err := os.Stat(path)
		if err != nil {
			return refused, err
		}
		if err := os.WriteFile(path, []byte(after), st.Mode().Perm()); err != nil {
			return refused, err
		}
	}
	return refused, nil
}

// declareIn declares variables of one file.
func declareIn(name, text string, variables []Shared) (string, []bundle.Diagnostic) {
	var refused []bundle.Diagnostic
	lines := strings.SplitAfter(text, "\n")
	byLine := map[int][]string{}
	for _, v := range variables {
		byLine[v.Position.Line] = append(byLine[v.Position.Line], v.Name)
	}
	var order []int
	for line := range byLine {
		order = append(order, line)
	}
	// From the end, so that the lines before stay where they are.
	slices.Sort(order)
	slices.Reverse(order)
	before := declaredIn(name, text)
	for _, line := range order {
		refuse := func(why string) {
			for _, v := range variables {
				if v.Position.Line == line {
					refused = append(refused, bundle.Diagnostic{Position: v.Position, Text: fmt.Sprintf("%s is not declared: %s", v.Name, why)})
				}
			}
		}
		if line < 1 || line > len(lines) {
			refuse("the source has changed")
			continue
		}
		at := lines[line-1]
		indent := at[:len(at)-len(strings.TrimLeft(at, " \t"))]
		end := "\n"
		if strings.HasSuffix(at, "\r\n") {
			end = "\r\n"
		}
		with := slices.Insert(slices.Clone(lines), line-1, indent+directive+end)
		now := declaredIn(name, strings.Join(with, ""))
		if len(now) != len(before)+len(byLine[line]) || !containsAll(now, byLine[line]) {
			refuse("write its declaration on lines of its own, without other variables")
			continue
		}
		lines, before = with, now
	}
	slices.Reverse(refused)
	return strings.Join(lines, ""), refused
}

// declaredIn are the names that the directives of a file declare.
func declaredIn(name, text string) []string {
	r, err := annotation.Rewrite(name, text)
	if err != nil {
		return nil
	}
	var out []string
	for _, a := range r.Annotations {
		out = append(out, a.Name)
	}
	return out
}

func containsAll(list, names []string) bool {
	for _, n := range names {
		if !slices.Contains(list, n) {
			return false
		}
	}
	return true
}
