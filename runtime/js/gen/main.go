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
		if _, err := os.Stat(filepath.Join(dir, b.entry)); err != nil {
			fmt.Fprintf(os.Stderr, "runtime/js/gen: SKIPPED dist/%s: %s does not exist\n", b.out, b.entry)
			continue
		}
		text, err := b.bundle()
		if err != nil && strings.Contains(err.Error(), `Could not resolve "./`) {
			fmt.Fprintf(os.Stderr, "runtime/js/gen: SKIPPED dist/%s: it imports files that do not exist yet:\n%s\n", b.out, err)
			continue
		}
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
	prefix     string
	suffix     string
	rewrite    func(string) (string, error)
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

	worker := common
	worker.Platform = api.PlatformNode
	worker.Format = api.FormatCommonJS

	// Format ESM adds no wrapper, and the entries export nothing, so the
	// result is also a script whose declarations are the realm's.
	script := common
	script.Platform = api.PlatformNeutral
	script.Format = api.FormatESModule

	models := common
	models.Platform = api.PlatformNeutral
	models.MainFields = []string{"browser", "main"}
	models.Format = api.FormatESModule
	models.Supported = lowering
	models.Alias = shims(dir)
	models.Inject = nil

	return []build{
		{out: "server.js", entry: "server/main.ts", opts: server},
		{out: "flush-worker.js", entry: "server/flush-worker.ts", opts: worker},
		{out: "verifier.js", entry: "verifier/main.ts", opts: script},
		{out: "models-plain.js", entry: "models/main.ts", opts: models},
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
	text := b.prefix + string(r.OutputFiles[0].Contents) + b.suffix
	if b.rewrite != nil {
		return b.rewrite(text)
	}
	return text, nil
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
