// Command gen bundles the TypeScript runtime into dist:
//
//	server.js        what the server build links: `var $k = (() => {…})()`
//	flush-worker.js  the worker thread that writes advice blocks
//	verifier.js      multivalues and the driver, a plain top-level script
//	models.js        Node core models, rewritten like the guest
//	models-plain.js  the same models as they are, for sequential re-execution
//	loop-plain.js    an event loop and driver for sequential re-execution
//
// The models are lowered exactly like guest code: lowering changes how often
// a promise takes a turn, and the two must agree.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/bundle"
	"karousosc/transpile/program"
	"karousosc/transpile/verifierbuild"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "runtime/js/gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		return fmt.Errorf("node_modules is missing in %s: run `npm ci` there (make build does)", dir)
	}
	for _, b := range builds(dir) {
		text, err := b.bundle()
		if err != nil {
			return fmt.Errorf("dist/%s: %w", b.out, err)
		}
		if err := write(filepath.Join(dir, "dist", b.out), text); err != nil {
			return err
		}
	}
	return nil
}

type build struct {
	out, entry string
	opts       api.BuildOptions
	// rewrite is applied to the bundle; before is put in front of it, as it is.
	rewrite func(string) (string, error)
	before  *build
}

func builds(dir string) []build {
	common := api.BuildOptions{
		AbsWorkingDir: dir,
		Bundle:        true,
		Write:         false,
		Charset:       api.CharsetUTF8,
		LogLevel:      api.LogLevelSilent,
		LegalComments: api.LegalCommentsNone,
		Target:        api.ES2022,
		Define:        map[string]string{"process.env.NODE_ENV": `"production"`, "process.env.READABLE_STREAM": `"disable"`},
	}
	server := common
	server.Platform = api.PlatformNode
	server.Format = api.FormatIIFE
	server.GlobalName = "$k"
	server.Inject = []string{"server/inject.ts"}
	server.Plugins = []api.Plugin{streamShim()}

	worker := common
	worker.Platform = api.PlatformNode
	worker.Format = api.FormatCommonJS

	// A wrapper keeps the runtime's own names from the program, which may use
	// any global name.
	script := common
	script.Platform = api.PlatformNeutral
	script.Format = api.FormatIIFE
	// What modules are: sloppy code would box the `this` of replaced natives.
	script.Banner = map[string]string{"js": `"use strict";`}

	models := common
	models.Platform = api.PlatformNeutral
	models.MainFields = []string{"browser", "main"}
	models.Format = api.FormatIIFE
	// Other characters than ASCII would make V8 hold the text in two bytes each.
	models.Charset = api.CharsetASCII
	models.Supported = bundle.LowerOptions()
	models.Plugins = []api.Plugin{shims(dir), streamShim()}
	models.Inject = []string{"models/internal/inject.ts"}

	// Helpers that are not rewritten for lanes come before the models.
	helpers := script
	helpers.Format = api.FormatIIFE
	helpers.Plugins = []api.Plugin{urlShims(dir)}

	host := &build{entry: "models/host/main.ts", opts: helpers}
	return []build{
		{out: "server.js", entry: "server/main.ts", opts: server, rewrite: strict},
		{out: "flush-worker.js", entry: "server/flush-worker.ts", opts: worker},
		{out: "verifier.js", entry: "verifier/main.ts", opts: script},
		{out: "models-plain.js", entry: "models/main.ts", opts: models, rewrite: mended, before: host},
		{out: "models.js", entry: "models/main.ts", opts: models, rewrite: multivalues, before: host},
		{out: "loop-plain.js", entry: "models/plain/main.ts", opts: script},
	}
}

func (b build) bundle() (string, error) {
	o := b.opts
	o.EntryPoints = []string{b.entry}
	r := api.Build(o)
	if len(r.Errors) > 0 {
		return "", fmt.Errorf("%s", strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	if len(r.OutputFiles) != 1 {
		return "", fmt.Errorf("esbuild wrote %d files, not one", len(r.OutputFiles))
	}
	text := string(r.OutputFiles[0].Contents)
	if b.rewrite != nil {
		var err error
		if text, err = b.rewrite(text); err != nil {
			return "", err
		}
	}
	if b.before != nil {
		first, err := b.before.bundle()
		if err != nil {
			return "", err
		}
		text = first + text
	}
	return text, nil
}

// strict keeps the server's runtime strict, as modules are, in the middle of a
// program that may not be.
func strict(text string) (string, error) {
	const head = "var $k = (() => {\n"
	if strings.Count(text, head) != 1 {
		return "", fmt.Errorf("the runtime does not begin with %q", head)
	}
	return strings.Replace(text, head, strings.TrimSuffix(head, "\n")+" \"use strict\";\n", 1), nil
}

// mended has the bundler's own helpers as programs have them.
func mended(text string) (string, error) { return bundle.Mend(text), nil }

// multivalues makes the models serve all lanes of a group. Packages among them
// that make code from text do so on paths that nothing takes.
func multivalues(text string) (string, error) {
	prog, err := program.Parse(bundle.Mend(text), program.WithOrigin(func(offset int) (program.Position, bool) {
		return program.Position{File: "node_modules/models.js", Line: 1, Column: offset + 1}, true
	}))
	if err != nil {
		return "", err
	}
	out, _, err := verifierbuild.Emit(prog, verifierbuild.Options{Models: true})
	return out, err
}

// write leaves an unchanged file alone, so that Go's build cache holds.
func write(path, text string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}
