// Package bundle brings an app and its npm packages down to one script.
//
// Both builds of an audited program must be made of the same modules and must
// take the same number of promise turns, so there is one first pass for
// both: esbuild resolves everything, strips types, and lowers the language to the
// core that the emitters know (LowerOptions). Node's own modules stay outside: the
// server has the real ones, the verifier has models.
//
// What the result must be is what Node.js would run from the app's folder. So
// packages are resolved with Node's conditions and fields only (a bundler's
// favourites such as "module" and "browser" often hold other code); modules keep
// their own scope and strictness (the entry is required by a stub, because esbuild
// would lift its "use strict" to the top of everything); and nothing is loaded at
// run time that was not there at build time (guard.js).
//
// ES modules share the top-level scope of the script, which is sloppy; the emitters make
// their statements strict again (Bundle.Modules, and transpile/program/modules.go).
package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/annotation"
	"karousosc/transpile/manifest"
)

// Bundle is an app as one CommonJS script. Its free names are those of a
// CommonJS module, the globals, and annotation.Marker.
type Bundle struct {
	*App
	Text        string
	Map         *Map // to files relative to the app's folder
	CoreModules []string
	Annotations []manifest.Annotation
	Warnings    []Diagnostic
	Files       []string // every file that went in, relative to the app's folder
	Folders     []Folder // what of packages may be read at run time
	Modules     bool     // some of them are ES modules

	lines    *Lines
	privates map[string]bool // the names of private members
}

// Diagnostic is something to say about a place in the app.
type Diagnostic struct {
	manifest.Position
	Text     string
	LineText string // the line of the position, when it is known
}

func (d Diagnostic) String() string {
	if d.File == "" {
		return d.Text
	}
	return d.Position.String() + ": " + d.Text
}

// Errors is why an app cannot be bundled: all that was found at once.
type Errors []Diagnostic

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// LowerOptions returns the language features, by esbuild's names, that are
// rewritten into older ones before anything is instrumented. Whatever runs
// together with guest code and makes promises has to be lowered alike.
func LowerOptions() map[string]bool {
	off := map[string]bool{}
	for _, feature := range []string{
		"async-await", "async-generator", "for-await",
		"class-field", "class-private-accessor", "class-private-brand-check", "class-private-field", "class-private-method",
		"class-private-static-accessor", "class-private-static-field", "class-private-static-method", "class-static-blocks", "class-static-field",
		"object-rest-spread", "optional-chain", "nullish-coalescing", "logical-assignment", "optional-catch-binding",
		"using", "decorators", "import-meta", "dynamic-import",
	} {
		off[feature] = false
	}
	return off
}

// First bundles, annotates and lowers an app: what both builds are made of.
func First(app *App) (*Bundle, error) { return bundle(app, false) }

// Plain bundles an app as it is, for comparisons: resolved like First, but
// neither annotated nor lowered, and free to load what it likes at run time.
func Plain(app *App) (*Bundle, error) { return bundle(app, true) }

type bundler struct {
	app   *App
	plain bool
	esm   bool // the entry is an ES module
	named byNames
	waits bool // outside of functions

	mu        sync.Mutex // load and resolve hooks run in parallel
	rewritten map[string]*loaded
	required  map[string]*requires
	looked    map[string]bool // files that require.resolve finds: whether the app's own code asks
	warnings  []Diagnostic

	// What the first try found to be assigned to that cannot be (constants.go).
	assigned map[string][]assignment
	refused  []Diagnostic
}

// loaded is a file that the load hook changed.
type loaded struct {
	original   string
	text       string // as the bundler got it
	notes      []manifest.Annotation
	insertions []annotation.Insertion
}

const (
	// outfile is never written; sources in the map are relative to its folder.
	outfile = "karousosc-bundle.js"
	// stubFile is what loads the entry.
	stubFile = "karousosc-entry.js"
)

func bundle(app *App, plain bool) (*Bundle, error) {
	b := &bundler{app: app, plain: plain, rewritten: map[string]*loaded{}, required: map[string]*requires{}, looked: map[string]bool{}}
	if err := b.readEntry(); err != nil {
		return nil, err
	}
	opts := b.options()
	// A file that is required is a module by itself; one that is imported may be
	// merged with its importer.
	stub := "require(%s);"
	if b.esm {
		stub = "import %s;"
	}
	name, _ := json.Marshal("./" + app.Entry)
	text := fmt.Sprintf(stub, name)
	first := ""
	if b.named = app.namedPackages(); len(b.named.loaded)+len(b.named.asked) > 0 && !plain {
		first = "import " + strconv.Quote(byName) + ";"
	}
	opts.Stdin = &api.StdinOptions{Contents: first + text, ResolveDir: app.Dir, Sourcefile: stubFile}
	build := func() api.BuildResult {
		b.rewritten, b.warnings = map[string]*loaded{}, nil
		res := api.Build(opts)
		if waits(res.Errors) {
			res = b.buildWaiting(first)
		}
		return res
	}
	res := build()
	if b.constants(res.Errors) {
		res = build()
	}
	b.warn(res.Warnings)
	b.warnings = append(b.warnings, b.refused...)
	if errs := b.errors(res.Errors); len(errs) > 0 {
		return nil, errs
	}
	return b.finish(res)
}

func (b *bundler) options() api.BuildOptions {
	opts := api.BuildOptions{
		AbsWorkingDir: b.app.Dir,
		Outfile:       filepath.Join(b.app.Dir, outfile),
		Bundle:        true,
		Write:         false,
		LogLevel:      api.LogLevelSilent,
		Platform:      api.PlatformNode,
		Format:        api.FormatCommonJS,
		Target:        api.ESNext,
		Charset:       api.CharsetUTF8,
		// As Node.js resolves: no "module" condition, no fields but main.
		Conditions:    []string{},
		MainFields:    []string{"main"},
		Sourcemap:     api.SourceMapExternal,
		LegalComments: api.LegalCommentsNone,
		TreeShaking:   api.TreeShakingFalse,
		// What is said to be free of side effects may all the same be observed.
		IgnoreAnnotations: true,
		Metafile:          true,
		KeepNames:         true,
		Plugins:           []api.Plugin{{Name: "karousosc", Setup: b.setup}},
		LogOverride: map[string]api.LogLevel{
			"unsupported-require-call":   api.LogLevelWarning,
			"unsupported-dynamic-import": api.LogLevelWarning,
			"indirect-require":           api.LogLevelWarning,
			"direct-eval":                api.LogLevelWarning,
		},
	}
	opts.Define = map[string]string{
		"import.meta.url":      metaURL,
		"import.meta.filename": fileName,
		"import.meta.dirname":  dirName,
		"__filename":           fileName,
		"__dirname":            dirName,
		// Where they are free, which is in ES modules only, they are nothing.
		"module":  "__karousos_no_module",
		"exports": "__karousos_no_exports",
	}
	opts.Banner = map[string]string{"js": modulePathHead}
	if !b.plain {
		opts.Supported = LowerOptions()
		main := b.app.Entry
		if b.esm {
			main = ""
		}
		opts.Banner["js"] = guard(main)
		opts.Define["import.meta.resolve"] = metaResolve
	}
	return opts
}

// readEntry parses the entry alone and finds out which kind of module it is.
func (b *bundler) readEntry() error {
	opts := b.options()
	opts.EntryPoints = []string{filepath.Join(b.app.Dir, filepath.FromSlash(b.app.Entry))}
	opts.Plugins = []api.Plugin{{Name: "entry", Setup: func(p api.PluginBuild) {
		p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{}, nil
			}
			return api.OnResolveResult{Path: a.Path, External: true}, nil
		})
		p.OnLoad(api.OnLoadOptions{Filter: ".*"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			loader, ok := annotation.LoaderFor(a.Path)
			text, err := b.given(b.rel(a.Path))
			if !ok || err != nil {
				return api.OnLoadResult{}, nil
			}
			text, _ = b.guard(b.rel(a.Path), loader, text, nil)
			return api.OnLoadResult{Contents: &text, Loader: loader}, nil
		})
	}}}
	// A module that waits outside of functions is none of CommonJS.
	opts.Format, opts.Supported = api.FormatESModule, nil
	res := api.Build(opts)
	if b.constants(res.Errors) {
		res = api.Build(opts)
		b.assigned = nil // of the text as it is, which the hooks may change
	}
	if errs := b.errors(res.Errors); len(errs) > 0 {
		return errs
	}
	var meta metafile
	if err := json.Unmarshal([]byte(res.Metafile), &meta); err != nil {
		return err
	}
	b.esm = meta.Inputs[b.app.Entry].Format == "esm"
	return nil
}

// metafile is what the bundler tells of its inputs.
type metafile struct {
	Inputs map[string]struct {
		Format  string
		Imports []struct {
			Path, Kind string
			External   bool
		}
	}
}

func (b *bundler) finish(res api.BuildResult) (*Bundle, error) {
	out := &Bundle{App: b.app}
	for _, f := range res.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			m, err := ParseMap(f.Contents)
			if err != nil {
				return nil, err
			}
			out.Map = m
		} else {
			out.Text = string(f.Contents)
		}
	}
	if out.Map == nil {
		return nil, errors.New("the bundler wrote no source map")
	}
	var meta metafile
	if err := json.Unmarshal([]byte(res.Metafile), &meta); err != nil {
		return nil, err
	}
	if b.waits {
		if err := b.lower(out, &meta); err != nil {
			return nil, err
		}
	}
	inserted := map[int][]annotation.Insertion{}
	for i, name := range out.Map.Sources {
		if l := b.rewritten[name]; l != nil {
			out.Map.Contents[i] = l.original
			inserted[i] = l.insertions
		}
	}
	unshift(out.Map, inserted)
	out.noRequire(&meta)
	out.Text = Mend(out.Text)
	if !b.plain {
		out.Text = strings.Replace(out.Text, "(mod = { exports: {} })", "(mod = __karousos_module(__getOwnPropNames(cb)[0]))", 1)
	}
	out.callMarkers()
	for _, name := range sortedKeys(b.rewritten) {
		out.Annotations = append(out.Annotations, b.rewritten[name].notes...)
	}
	sort.SliceStable(out.Annotations, func(i, j int) bool {
		p, q := out.Annotations[i].Position, out.Annotations[j].Position
		if p.File != q.File {
			return p.File < q.File
		}
		return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
	})

	out.restoreConst()
	out.pruneNames()
	out.lookAtRests()
	if !b.plain {
		out.sayAsserts(strings.Index(out.Text, modulePathHead))
	}
	asking := out.placeModules(strings.Index(out.Text, modulePathHead) + len(modulePathHead))
	out.addFolders(asking, b.looked)

	core := map[string]bool{}
	for name, in := range meta.Inputs {
		if !strings.Contains(name, ":") && name != stubFile {
			out.Files = append(out.Files, name)
			out.Modules = out.Modules || in.Format == "esm"
		}
		for _, i := range in.Imports {
			if i.External && isCore(i.Path) {
				core[i.Path] = true
			}
		}
	}
	slices.Sort(out.Files)
	out.CoreModules = sortedKeys(core)
	// Hooks run in parallel: put what they said into a fixed order.
	slices.SortFunc(b.warnings, func(p, q Diagnostic) int { return strings.Compare(p.key(), q.key()) })
	out.Warnings = slices.Compact(b.warnings)
	return out, nil
}

const typeOfRequire = "typeof require"

var goesOn = regexp.MustCompile(`^[\pL\pN_$.([?` + "`" + `]`)

// noRequire has ES modules find that there is no require, which is how code finds out where it is.
func (b *Bundle) noRequire(meta *metafile) {
	lines := NewLines(b.Text)
	for at := 0; ; at += len(typeOfRequire) {
		i := strings.Index(b.Text[at:], typeOfRequire)
		if i < 0 {
			return
		}
		at += i
		line, col := lines.LineCol(at)
		seg, ok := b.Map.find(line, col)
		if !ok || seg.Gen != col || seg.Source < 0 || seg.Source >= len(b.Map.Contents) || meta.Inputs[b.Map.Sources[seg.Source]].Format != "esm" {
			continue
		}
		source := b.Map.Contents[seg.Source]
		after, found := strings.CutPrefix(source[NewLines(source).Offset(seg.Line, seg.Col):], typeOfRequire)
		if found && !goesOn.MatchString(after) {
			b.Text = b.Text[:at] + fmt.Sprintf("%-*s", len(typeOfRequire), `"undefined"`) + b.Text[at+len(typeOfRequire):]
		}
	}
}

func (d Diagnostic) key() string {
	return fmt.Sprintf("%s\x00%09d\x00%09d\x00%s", d.File, d.Line, d.Column, d.Text)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// unshift makes a map, of which sources had insertions made, point at these as they were before.
func unshift(m *Map, insertions map[int][]annotation.Insertion) {
	type row struct{ source, line int }
	in := map[row][]annotation.Insertion{}
	for source, list := range insertions {
		for _, i := range list {
			at := row{source, i.Line}
			in[at] = append(in[at], i)
		}
	}
	for _, line := range m.Lines {
		for i := range line {
			s := &line[i]
			if len(insertions[s.Source]) == 0 {
				continue
			}
			shift := 0
			for _, in := range in[row{s.Source, s.Line}] {
				if s.Col < in.Col+shift {
					break
				}
				// Inside of the insertion is where it was made.
				shift += min(in.Len, s.Col-in.Col-shift)
			}
			s.Col -= shift
		}
	}
}

// imported is what the virtual module's loggable is called in the bundle. It is
// as long as the marker, so that exchanging the two moves nothing.
const imported = "__karousos_imported"

var importedCall = regexp.MustCompile(`(?:function )?\b` + regexp.QuoteMeta(imported) + `\(`)
var assigned = regexp.MustCompile(`([\pL_$][\pL\pN_$]*)(?: =|:) (?:\(0, )?$`)

// mends are pieces of esbuild's run time and what they should be. (Each ends within
// its line, and nothing else of the line is in the source map, so nothing moves.)
var mends = []struct {
	find *regexp.Regexp
	put  string
}{
	// The table of the modules that a pattern such as require('./lang/' + x) may name
	// has full file names only, but Node.js adds extensions.
	{regexp.MustCompile(`var fn = map\[(path\d*)\];\n`), "var fn = map[$1] || map[$1 + \".js\"] || map[$1 + \".json\"] || map[$1 + \"/index.js\"];\n"},
	{regexp.MustCompile(`throw new Error\("Module not found in bundle: " \+ (path\d*)\);`), `throw Object.assign(new Error("Cannot find module '" + $1 + "'"), { code: "MODULE_NOT_FOUND" });`},
	{regexp.MustCompile(`var __glob = \(map\) =>`), `var __globImport = (map) => (path) => { try { return __glob(map)(path); } catch (e) { if (e.code === "MODULE_NOT_FOUND") e.code = "ERR_MODULE_NOT_FOUND"; return Promise.reject(e); } }; $0`},
}

// imports are the tables of what a pattern may import. An import that fails gives a promise of that.
var imports = regexp.MustCompile(`(?m)^(\s*(?:var )?globImport_[\pL\pN_$]* = __glob)\(\{$`)

// namespaces is how the bundler makes what stands for a module's namespace, an object
// like any other.
var namespaces = regexp.MustCompile(`(?m)^  for \(var name in all\)\n    (__defProp\d*)\(target, name, \{ get: all\[name\], enumerable: true \}\);$`)

// Mend mends esbuild's run time in what it made.
func Mend(text string) string {
	text = inLines(text, "  for (var name in all)\n", func(s string) string {
		return namespaces.ReplaceAllString(s, "  for (var name of Object.keys(all).sort())\n    $1(target, name, { get: all[name], enumerable: true });"+
			" if (typeof Symbol === \"function\") $1(Object.setPrototypeOf(target, null), Symbol.toStringTag, { value: \"Module\" });")
	})
	if strings.Contains(text, "var __glob = ") {
		text = imports.ReplaceAllString(text, "${1}Import({")
		for _, m := range mends {
			text = m.find.ReplaceAllString(text, m.put)
		}
	}
	return replaceHelpers(text)
}

// inLines gives f each line of text that holds a literal, with the next one, and puts what it returns there. (A search for
// an expression in all of a large bundle takes a second.)
func inLines(text, literal string, f func(lines string) string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, literal)
		if at < 0 {
			break
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		end := at + len(literal) - 1
		for range 2 {
			if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
				end += n + 1
			} else {
				end = len(text)
			}
		}
		out.WriteString(text[:start])
		out.WriteString(f(text[start:end]))
		text = text[end:]
	}
	out.WriteString(text)
	return out.String()
}

// callMarkers turns calls of an imported loggable into calls of the marker.
func (b *Bundle) callMarkers() {
	places := importedCall.FindAllStringIndex(b.Text, -1)
	if len(places) == 0 {
		return
	}
	text, lines := []byte(b.Text), NewLines(b.Text)
	for _, p := range places {
		if b.Text[p[0]:p[0]+1] == "f" {
			continue // the declaration
		}
		copy(text[p[0]:], annotation.Marker)
		line, col := lines.LineCol(p[0])
		if pos, ok := b.Map.Position(line, col); ok {
			a := manifest.Annotation{Kind: "call", Position: pos}
			start := strings.LastIndexByte(b.Text[:p[0]], '\n') + 1
			if m := assigned.FindStringSubmatch(b.Text[start:p[0]]); m != nil {
				a.Name = m[1]
			}
			b.Annotations = append(b.Annotations, a)
		}
	}
	b.Text = string(text)
}

var markedVar = regexp.MustCompile(`(?m)^[ \t]*(var )[\pL_$][\pL\pN_$]* = ` + annotation.Marker + `\(`)

// restoreConst gives annotated constants their keyword back. esbuild makes a
// var of each const at a module's top level, and whether a binding can ever change
// decides what must be logged of it.
func (b *Bundle) restoreConst() {
	constant := map[manifest.Position]bool{}
	for _, a := range b.Annotations {
		if a.Kind == "const" {
			constant[a.Position] = true
		}
	}
	lines := NewLines(b.Text)
	var edits []edit
	for _, m := range markedVar.FindAllStringSubmatchIndex(b.Text, -1) {
		line, col := lines.LineCol(m[3]) // the variable's name
		if pos, ok := b.Map.Position(line, col); ok && constant[pos] {
			edits = append(edits, edit{m[2], len("var "), "const "})
		}
	}
	b.apply(edits)
}

// load is the load hook: it turns directives into code.
func (b *bundler) load(a api.OnLoadArgs) (api.OnLoadResult, error) {
	loader, ok := annotation.LoaderFor(a.Path)
	if !ok {
		return api.OnLoadResult{}, nil
	}
	raw, err := os.ReadFile(a.Path)
	if err != nil {
		return api.OnLoadResult{}, nil // the bundler says it better
	}
	text, name := string(raw), b.rel(a.Path)
	if d := b.metadata(a.Path, text, loader); d != nil && !b.plain {
		return api.OnLoadResult{Errors: []api.Message{{Text: d.Text, Location: location(text, d.Position)}}}, nil
	}
	if mapped(name, text) {
		text = strings.ReplaceAll(text, "# sourceMappingURL=", "# without a map: ")
	}
	var more []inserted
	if b.plain && name == b.app.Entry && !b.esm && strings.Contains(text, "require.main") {
		// The stub required it, so tell it that it is the main module all the same.
		more = append(more, inserted{prologue(text), "require.main=module;"})
	}
	var own *requires
	if !b.plain {
		if own = createdRequires(text); own != nil {
			more = append(more, own.insertions(text)...)
		}
	}
	if !b.plain && script(a.Path, text) && parses(text, loader) {
		more = append(more, inserted{len(text), shownCommonJS})
	}
	if len(more) == 0 && len(b.assigned[name]) == 0 && (b.plain || !annotation.Found(text)) && text == string(raw) {
		return api.OnLoadResult{}, nil
	}
	r := &annotation.Result{Text: text}
	if !b.plain {
		r, err = annotation.Rewrite(name, text)
	}
	if err != nil {
		var e *annotation.Error
		if !errors.As(err, &e) {
			return api.OnLoadResult{}, err
		}
		return api.OnLoadResult{Errors: []api.Message{{Text: e.Text, Location: location(text, e.Position)}}}, nil
	}
	l := &loaded{original: text, notes: r.Annotations}
	r.Text, l.insertions = insert(text, r.Text, r.Insertions, more)
	l.text = r.Text
	r.Text, l.insertions = b.guard(name, loader, r.Text, l.insertions)
	b.mu.Lock()
	b.rewritten[name] = l
	if own != nil {
		b.required[a.Path] = own
	}
	b.mu.Unlock()
	dir := filepath.Dir(a.Path)
	return api.OnLoadResult{Contents: &r.Text, Loader: loader, ResolveDir: dir}, nil
}

// mapped tells whether a file has a source map that hides which file it is: where it lies is what
// __dirname says, and whether it is a package's.
func mapped(name, text string) bool {
	return strings.Contains(text, "# sourceMappingURL=") && (isPackage(name) || asksWhere.MatchString(text))
}

var asksWhere = regexp.MustCompile(`\b__dirname\b|\b__filename\b|\bimport\.meta\b`)

var directive = regexp.MustCompile(`^(?:'[^'\\\n]*'|"[^"\\\n]*")[ \t]*(?:;|\r?\n)`)

// prologue returns the offset of the first statement after a file's directives.
func prologue(text string) int {
	at := 0
	if strings.HasPrefix(text, "#!") {
		at = strings.IndexByte(text+"\n", '\n')
	}
	for {
		at = annotation.SkipSpace(text, at)
		m := directive.FindString(text[at:])
		if m == "" {
			return at
		}
		at += len(m)
	}
}

// rel names a file in messages and in the manifest: relative to the app.
func (b *bundler) rel(path string) string {
	if r, err := filepath.Rel(b.app.Dir, path); err == nil {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(path)
}

// isPackage tells whether a file belongs to an npm package and not to the app.
func isPackage(file string) bool {
	return strings.Contains("/"+filepath.ToSlash(file), "/node_modules/")
}

// Position leads from a byte offset in the bundle to the file that it stems from.
func (b *Bundle) Position(offset int) (manifest.Position, bool) {
	if b.lines == nil {
		b.lines = NewLines(b.Text)
	}
	return b.Map.Position(b.lines.LineCol(offset))
}
