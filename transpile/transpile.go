// Package transpile makes the two builds of an app: the one that the server
// runs, which writes advice, and the one that the verifier re-executes.
//
// Everything that both must agree on happens once, before they part: resolving,
// annotating, lowering, parsing, numbering. A build is a function of the app's
// files and of this program alone; the same app gives the same bytes, wherever
// its folder lies, so that an owner can repeat what somebody else built.
package transpile

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	js "karousosc/runtime/js"
	"karousosc/transpile/bundle"
	"karousosc/transpile/capture"
	"karousosc/transpile/explain"
	"karousosc/transpile/manifest"
	"karousosc/transpile/printer"
	"karousosc/transpile/program"
	"karousosc/transpile/serverbuild"
	"karousosc/transpile/verifierbuild"
)

// Options of a build.
type Options struct {
	App    string // folder with package.json
	Out    string // folder to write; "dist" if empty
	Entry  string // file that starts the app, relative to App; found out if empty
	Minify bool   // leave white space out of the server build

	Capture   []string // which of the app's files go along; all if empty
	FileLimit int64    // bytes of these files; capture.DefaultLimit if 0

	Explain bool // say what was instrumented, pure and recorded

	// Progress is told what the build is at, if it is not nil.
	Progress func(step string)
}

// Result is what a build made.
type Result struct {
	Out       string
	Manifest  *manifest.Manifest
	Shared    []Shared // found without an annotation
	Warnings  []bundle.Diagnostic
	Files     int // that went into the bundle
	Captured  *capture.Set
	Explained *explain.Explanation // if it was asked for
	Server    int                  // bytes of its program
	Verifier  int
	Duration  time.Duration
}

// The files of a build, relative to its folder.
const (
	ServerIndex     = "server/index.js"
	ServerMap       = "server/index.js.map"
	ServerFlush     = "server/flush-worker.js"
	ServerPackage   = "server/package.json"
	VerifierProgram = "verifier/program.js"
	VerifierMap     = "verifier/program.js.map"
	VerifierRuntime = "verifier/runtime.js"
	VerifierModels  = "verifier/models.js"

	// The app's own files: the server has copies of them in a folder of their own,
	// where they meet no file of the build, and knows their times, which copying may
	// have changed; the verifier has a table.
	ServerFiles   = "server/files.json"
	ServerApp     = "server/app"
	VerifierFiles = "verifier/files.json"
)

var buildFiles = []string{manifest.FileName, ServerIndex, ServerMap, ServerFlush, ServerPackage, ServerFiles, VerifierProgram, VerifierMap, VerifierRuntime, VerifierModels, VerifierFiles}

// Build builds an app. Errors about the app are bundle.Errors or
// program.Problems, with all places that were found.
func Build(ctx context.Context, opts Options) (*Result, error) {
	begin := time.Now()
	if opts.Out == "" {
		opts.Out = "dist"
	}
	step := func(name string) error {
		if opts.Progress != nil {
			opts.Progress(name)
		}
		return ctx.Err()
	}
	// What would fail in the end had better fail at once.
	if err := replaceable(opts.Out); err != nil {
		return nil, err
	}
	if err := step("bundling " + opts.App); err != nil {
		return nil, err
	}
	app, err := bundle.OpenApp(opts.App, opts.Entry)
	if err != nil {
		return nil, err
	}
	b, err := bundle.First(app)
	if err != nil {
		return nil, err
	}
	if err := step("analysing"); err != nil {
		return nil, err
	}
	found := &inferred{}
	prog, err := program.Parse(b.Text, modules(b), program.WithSharing(found.find), program.WithDefinitions(), program.WithOrigin(func(offset int) (program.Position, bool) {
		p, ok := b.Position(offset)
		return program.Position(p), ok
	}))
	if err != nil {
		return nil, err
	}
	own, packages := explain.Lacking(prog)
	if len(own) > 0 {
		var problems program.Problems
		for _, l := range own {
			problems = append(problems, &program.Problem{Pos: program.Position(l.Position), Msg: l.Text()})
		}
		return nil, problems
	}
	captured, err := capture.Capture(app.Dir, capture.Options{Patterns: opts.Capture, Limit: opts.FileLimit, Skip: []string{opts.Out}, Folders: folders(b, opts.Capture)})
	if err != nil {
		return nil, err
	}
	files, err := emit(step, b, prog, captured, opts)
	if err != nil {
		return nil, err
	}
	res := &Result{Out: opts.Out, Manifest: files.manifest, Shared: found.list, Files: len(b.Files), Captured: captured, Warnings: b.Warnings}
	for _, w := range prog.Warnings {
		res.Warnings = append(res.Warnings, bundle.Diagnostic{Position: manifest.Position(w.Pos), Text: w.Msg})
	}
	for _, l := range packages {
		res.Warnings = append(res.Warnings, bundle.Diagnostic{Position: l.Position, Text: l.Text()})
	}
	res.Warnings = slices.Concat(res.Warnings, found.warnings(), aboutFiles(captured))
	if opts.Explain {
		res.Explained = explain.Of(prog, files.manifest.Annotations)
	}
	res.Server, res.Verifier = len(files.text[ServerIndex]), len(files.text[VerifierProgram])
	if err := step("writing " + opts.Out); err != nil {
		return nil, err
	}
	if err := files.write(opts.Out); err != nil {
		return nil, err
	}
	res.Duration = time.Since(begin)
	return res, nil
}

// unaskedLimit is how much a package may hold of which only its own code knows what it reads.
const unaskedLimit = 16 << 20

// folders are what the builds have of packages besides their code. What the owner's
// patterns name is asked for.
func folders(b *bundle.Bundle, patterns []string) []capture.Folder {
	code := map[string]bool{}
	for _, f := range b.Files {
		code[filepath.Join(b.Dir, filepath.FromSlash(f))] = true
	}
	var out []capture.Folder
	for _, f := range b.Folders {
		c := capture.Folder{Path: f.Path, As: f.As}
		if !f.Asked && !slices.ContainsFunc(patterns, func(p string) bool { return strings.HasPrefix(p, f.As+"/") }) {
			c.Limit = unaskedLimit
			c.Leave = func(path string) bool {
				return code[path] || slices.Contains([]string{".map", ".ts", ".mts", ".cts", ".md"}, filepath.Ext(path))
			}
		}
		out = append(out, c)
	}
	return out
}

// runtimeFile finds the JavaScript that builds link. Tests put less in its place.
var runtimeFile = js.File

// output is a build before it is written.
type output struct {
	manifest *manifest.Manifest
	text     map[string]string
	captured *capture.Set
}

func emit(step func(string) error, b *bundle.Bundle, prog *program.Program, captured *capture.Set, opts Options) (*output, error) {
	runtime := map[string]string{}
	for _, name := range []string{js.Server, js.FlushWorker, js.Verifier, js.Models} {
		text, err := runtimeFile(name)
		if err != nil {
			return nil, err
		}
		runtime[name] = text
	}
	if err := step("emitting the server's program"); err != nil {
		return nil, err
	}
	serverText, serverMap, err := serverbuild.Emit(prog, serverbuild.Options{})
	if err != nil {
		return nil, err
	}
	if err := step("emitting the verifier's program"); err != nil {
		return nil, err
	}
	verifierText, verifierMap, err := verifierbuild.Emit(prog, verifierbuild.Options{})
	if err != nil {
		return nil, err
	}
	if err := step("composing"); err != nil {
		return nil, err
	}

	// All that either build runs decides behaviour, and nothing else does.
	minify := "plain"
	if opts.Minify {
		minify = "minify"
	}
	table, err := captured.Table()
	if err != nil {
		return nil, err
	}
	times, err := captured.Times()
	if err != nil {
		return nil, err
	}
	id := manifest.BuildID([]byte(minify), []byte(b.Text), table, []byte(serverText), []byte(verifierText), []byte(runtime[js.Models]),
		[]byte(runtime[js.Server]), []byte(runtime[js.FlushWorker]), []byte(runtime[js.Verifier]))

	var server bundle.Script
	server.Append(serverbuild.Head(prog)+runtime[js.Server]+"\n"+serverbuild.Prologue(prog, id), nil)
	server.Append(serverText, mapOf(b, serverText, serverMap))
	server.Append(serverbuild.Epilogue(), nil)
	if opts.Minify {
		if err := server.Minify(); err != nil {
			return nil, err
		}
	}
	server.Append("//# sourceMappingURL=index.js.map\n", nil)

	var verifier bundle.Script
	verifier.Append("$k.program(function(exports,require,module,__filename,__dirname,process,global){\n", nil)
	verifier.Append(verifierText, mapOf(b, verifierText, verifierMap))
	verifier.Append("\n});\n", nil)

	m := &manifest.Manifest{
		Version: manifest.Version, BuildID: id, App: b.Name, Entry: b.Entry, Options: manifest.Options{Minify: opts.Minify, Files: opts.Capture},
		CoreModules: b.CoreModules, Annotations: b.Annotations,
	}
	for i, f := range prog.Funcs {
		// The bundler's own helpers stem from no file, and have no position.
		pos, _ := b.Position(f.Offset)
		if i == 0 {
			pos = manifest.Position{}
		}
		m.Functions = append(m.Functions, manifest.Function{ID: f.ID, Name: f.Name, Position: pos})
	}
	mtext, err := m.Encode()
	if err != nil {
		return nil, err
	}
	return &output{manifest: m, captured: captured, text: map[string]string{
		manifest.FileName: string(mtext),
		ServerIndex:       server.Text,
		ServerMap:         string(server.Map.Encode()),
		ServerFlush:       runtime[js.FlushWorker],
		ServerPackage:     "{\"type\":\"commonjs\"}\n",
		VerifierProgram:   verifier.Text,
		VerifierMap:       string(verifier.Map.Encode()),
		VerifierRuntime:   runtime[js.Verifier],
		VerifierModels:    runtime[js.Models],
		ServerFiles:       string(times),
		VerifierFiles:     string(table),
	}}, nil
}

// mapOf leads from emitted text through the bundle to the app's files.
func mapOf(b *bundle.Bundle, text string, maps []printer.Mapping) *bundle.Map {
	outer := bundle.FromOffsets(text, "bundle.js", b.Text, len(maps), func(i int) (int, int) { return maps[i].Gen, maps[i].Src })
	return bundle.Compose(outer, b.Map)
}

// modules tells the program whether the bundle has ES modules.
func modules(b *bundle.Bundle) program.Option {
	if b.Modules {
		return program.WithModules()
	}
	return func(*program.Program) {}
}
