package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// shims maps what the npm shims ask for to the models, so that all of them
// share one events, one Buffer, one stream and the platform's ticks.
func shims(dir string) api.Plugin {
	models := map[string]string{
		"buffer": "models/buffer.ts", "events": "models/events.ts", "stream": "models/stream.ts",
		"string_decoder": "models/string_decoder.ts", "process": "models/internal/process.ts",
		// Only the url shim asks for it, where Node's own takes querystring.
		"qs": "models/internal/qs.ts",
		// The package's "browser" field is for realms that have an AbortController.
		"abort-controller": "node_modules/abort-controller/dist/abort-controller.js",
	}
	return api.Plugin{Name: "shims", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^(buffer|events|stream|string_decoder|process|qs|abort-controller)/?$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			name := a.Path
			if name[len(name)-1] == '/' {
				name = name[:len(name)-1]
			}
			return api.OnResolveResult{Path: filepath.Join(dir, models[name])}, nil
		})
	}}
}

// streamShim has package web-streams-polyfill make its promises as the program's are made.
func streamShim() api.Plugin {
	return api.Plugin{Name: "streams", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `/web-streams-polyfill/dist/ponyfill\.mjs$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := os.ReadFile(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			const made = "function u(e){return new n(e)}"
			if strings.Count(string(text), made) != 1 {
				return api.OnLoadResult{}, errors.New("web-streams-polyfill makes its promises elsewhere now")
			}
			out := strings.Replace(string(text), made, "function u(e){return globalThis.$newPromise(e)}", 1)
			return api.OnLoadResult{Contents: &out, Loader: api.LoaderJS}, nil
		})
	}}
}

// urlShims gives package whatwg-url what the bare engine and its own tables would:
// the names of hosts and UTF-8.
func urlShims(dir string) api.Plugin {
	return api.Plugin{Name: "url", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^tr46$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(dir, "models/host/idna.ts")}, nil
		})
		b.OnResolve(api.OnResolveOptions{Filter: `^\./encoding$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if !strings.Contains(filepath.ToSlash(a.Importer), "/whatwg-url/") {
				return api.OnResolveResult{}, nil
			}
			return api.OnResolveResult{Path: filepath.Join(dir, "models/host/utf8.ts")}, nil
		})
	}}
}
