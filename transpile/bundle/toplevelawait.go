package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A module may wait outside of functions (`const db = await open()`), and then so do
// those that import it. A script cannot do that, and the bundler lowers no such wait.
// But what is imported at run time it makes a function of, an asynchronous one for
// a module that waits. So such an app's entry is imported at run time, in a first step
// that leaves asynchronous functions as they are; a second step lowers them.

// waits tells whether the bundler has against an app that it waits outside of functions.
func waits(msgs []api.Message) bool {
	return slices.ContainsFunc(msgs, func(m api.Message) bool { return strings.HasPrefix(m.Text, "Top-level await is ") })
}

// asynchronous are the features that the first step leaves alone.
var asynchronous = []string{"async-await", "async-generator", "for-await", "dynamic-import"}

// buildWaiting is the first step; first is what the stub has in front.
func (b *bundler) buildWaiting(first string) api.BuildResult {
	b.waits = true
	// What the hooks found is found once more.
	b.rewritten, b.warnings = map[string]*loaded{}, nil
	opts := b.options()
	opts.Format, opts.Banner = api.FormatESModule, nil
	for _, feature := range asynchronous {
		delete(opts.Supported, feature)
	}
	opts.Stdin = &api.StdinOptions{Contents: first + "import(" + strconv.Quote("./"+b.app.Entry) + ");", ResolveDir: b.app.Dir, Sourcefile: stubFile}
	return api.Build(opts)
}

// waiting is a module that waits, as the first step writes it.
type waiting struct {
	name, begin string // its file, and the function that begins it
	at, end     int    // of its body
}

var waitingHead = regexp.MustCompile(`(?m)^var ([\w$]+) = __esm\(\{\n  async ("(?:[^"\\\n]|\\.)*")\(\) \{$`)

func waitingModules(text string) []waiting {
	var list []waiting
	for _, m := range waitingHead.FindAllStringSubmatchIndex(text, -1) {
		if name, err := strconv.Unquote(text[m[4]:m[5]]); err == nil {
			end := strings.Index(text[m[1]:], "\n  }\n});")
			list = append(list, waiting{name, text[m[2]:m[3]], m[1], m[1] + max(end, 0)})
		}
	}
	return list
}

// required finds modules that wait and that others require, which can have no answer.
// (The bundler sees only those that are required by one that waits.)
func required(modules []waiting, meta *metafile) Errors {
	var errs Errors
	for _, from := range sortedKeys(meta.Inputs) {
		for _, i := range meta.Inputs[from].Imports {
			if i.Kind == "require-call" && slices.ContainsFunc(modules, func(m waiting) bool { return m.name == i.Path }) {
				errs = append(errs, Diagnostic{Text: fmt.Sprintf("%s requires %s, which waits outside of functions, or imports what does; import it instead", from, i.Path)})
			}
		}
	}
	return errs
}

// Modules may import each other in a circle. Of two such that wait, the one that was
// begun first waits for the other, and not the other way round; but the bundler's wait for each other.

// backward lists, for each module, those of its imports that began before it and
// wait for it.
func backward(meta *metafile) map[string][]string {
	back, seen, path := map[string][]string{}, map[string]bool{}, map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		seen[name], path[name] = true, true
		var later []string
		for _, i := range meta.Inputs[name].Imports {
			switch {
			case i.Kind == "dynamic-import":
				later = append(later, i.Path)
			case i.Kind != "import-statement":
			case path[i.Path]:
				back[name] = append(back[name], i.Path)
			case !seen[i.Path]:
				visit(i.Path)
			}
		}
		delete(path, name)
		for _, l := range later {
			if !seen[l] {
				visit(l)
			}
		}
	}
	visit(stubFile)
	return back
}

// unwait takes these waits away.
func unwait(out *Bundle, modules []waiting, meta *metafile) {
	back, begin := backward(meta), map[string]string{}
	for _, m := range modules {
		begin[m.name] = m.begin
	}
	var edits []edit
	for _, m := range modules {
		for _, to := range back[m.name] {
			wait := "\n    await " + begin[to] + "();\n"
			if i := strings.Index(out.Text[m.at:m.end], wait); begin[to] != "" && i >= 0 {
				edits = append(edits, edit{m.at + i + len("\n    "), len("await "), ""})
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	out.apply(edits)
}

// coreName is the bundler's name for require in a module, and its definition.
var (
	coreName = regexp.MustCompile(`\b__require\b`)
	coreHead = regexp.MustCompile(`(?m)^var __require = [^\n]*\n(?:[ }][^\n]*\n)*?\}\);\n`)
)

// lower is the second step.
func (b *bundler) lower(out *Bundle, meta *metafile) error {
	modules := waitingModules(out.Text)
	if errs := required(modules, meta); len(errs) > 0 {
		return errs
	}
	unwait(out, modules, meta)
	var edits []edit
	if head := coreHead.FindStringIndex(out.Text); head != nil {
		edits = out.cut(head[0], head[1])
		for _, at := range coreName.FindAllStringIndex(out.Text, -1) {
			if at[0] >= head[1] {
				edits = append(edits, edit{at[0], at[1] - at[0], "require"})
			}
		}
	}
	out.apply(edits)
	opts := b.options()
	res := api.Transform(out.Text, api.TransformOptions{
		Loader:         api.LoaderJS,
		Format:         opts.Format,
		Platform:       opts.Platform,
		Target:         opts.Target,
		Charset:        opts.Charset,
		Supported:      opts.Supported,
		Banner:         opts.Banner["js"],
		LegalComments:  opts.LegalComments,
		TreeShaking:    opts.TreeShaking,
		Sourcemap:      opts.Sourcemap,
		SourcesContent: api.SourcesContentExclude,
		Sourcefile:     outfile,
		LogLevel:       opts.LogLevel,
	})
	if len(res.Errors) > 0 {
		return errors.New("lowering what waits outside of functions: " + res.Errors[0].Text)
	}
	outer, err := ParseMap(res.Map)
	if err != nil {
		return err
	}
	out.Text, out.Map = string(res.Code), Compose(outer, out.Map)
	return nil
}
