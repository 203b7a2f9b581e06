package main

import (
	"fmt"
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
		readableStream(b)
		pathShims(dir, b)
	}}
}

// pathShims has package path-unified say Node's words, and brings its Windows to Node.js 20.
func pathShims(dir string, b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: `^\./validators\.js$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if !strings.Contains(filepath.ToSlash(a.Importer), "/path-unified/") {
			return api.OnResolveResult{}, nil
		}
		return api.OnResolveResult{Path: filepath.Join(dir, "models/internal/validators.ts")}, nil
	})
	mend(b, `/path-unified/src/path\.js$`, [][2]string{
		{"          if (j === len) {\n            // We matched a UNC root only\n            // Return the normalized", `          if ((j === len || j !== last) && (firstPart === '.' || firstPart === '?')) {
            device = "\\\\" + firstPart;
            rootEnd = 4;
          } else if (j === len) {
            // We matched a UNC root only
            // Return the normalized`},
		{"          if (j !== last) {\n            // We matched a UNC root with leftovers\n            device = `", "          else if (j !== last) {\n            device = `"},
		{"              // We matched a UNC root\n              device = `\\\\\\\\${firstPart}\\\\${path.slice(last, j)}`;\n              rootEnd = j;\n", `              const isDevice = firstPart === '.' || firstPart === '?';
              device = "\\\\" + firstPart + (isDevice ? '' : "\\" + path.slice(last, j));
              rootEnd = isDevice ? 4 : j;
`},
		{"      isAbsolute = true;\n      rootEnd = 3;\n    }\n  }\n\n  let tail =\n", `      isAbsolute = true;
      rootEnd = 3;
    }
  } else if (path.indexOf(':') > 0 && isReservedName(path)) {
    rootEnd = path.indexOf(':') + 1;
    device = path.slice(0, rootEnd);
  }

  let tail =
`},
		{"  if (device === undefined) {\n    return isAbsolute ? `\\\\${tail}` : tail;\n", `  // What began with no drive must not end up as if it did.
  if (!isAbsolute && device === undefined && path.includes(':') && (/^[a-z]:/i.test(tail) || /:([\\/]|$)/.test(path))) return '.\\' + tail;
  if (isReservedName(path)) return '.\\' + (device ?? '') + tail;
  if (device === undefined) {
    return isAbsolute ? "\\" + tail : tail;
`},
		{"export function winNormalize(path) {", `// isReservedName tells whether what comes before a colon is a device. Where there is none, Node takes all but the last letter.
function isReservedName(path) {
  return /^(CON|PRN|AUX|NUL|(COM|LPT)[1-9\xb9\xb2\xb3])$/.test(path.slice(0, path.indexOf(':')).toUpperCase());
}

export function winNormalize(path) {`},
		{"    return `\\\\\\\\?\\\\${resolvedPath}`;\n  }\n\n  return path;", "    return `\\\\\\\\?\\\\${resolvedPath}`;\n  }\n\n  return resolvedPath;"},
	})
}

// streamShim has package web-streams-polyfill make its promises as the program's are made, say when a stream has ended, and
// have Node's errors.
func streamShim() api.Plugin {
	return api.Plugin{Name: "streams", Setup: func(b api.PluginBuild) {
		mend(b, `/web-streams-polyfill/dist/ponyfill\.mjs$`, [][2]string{
			{"function e(){}function t(e){", "function TypeError(m){return globalThis.$streamError(globalThis.TypeError,m)}function RangeError(m){return globalThis.$streamError(globalThis.RangeError,m)}function e(){}function t(e){"},
			{"function u(e){return new n(e)}", "function u(e){return globalThis.$newPromise(e)}"},
			{`e._state="closed";const t=e._reader`, `e._state="closed";e.$ended?.();const t=e._reader`},
			{`e._state="errored",e._storedError=t;`, `e._state="errored",e._storedError=t,e.$ended?.();`},
			{`e._state="closed";const t=e._writer`, `e._state="closed";e.$ended?.();const t=e._writer`},
			{`e._state="errored",e._writableStreamController`, `e._state="errored",e.$ended?.(),e._writableStreamController`},
		})
	}}
}

// mend replaces parts of a package's file, each of which must be there once. "from⋯to" is all from the one to the other.
func mend(b api.PluginBuild, filter string, parts [][2]string) {
	b.OnLoad(api.OnLoadOptions{Filter: filter}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		data, err := os.ReadFile(a.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		text := string(data)
		for _, p := range parts {
			from, to, _ := strings.Cut(p[0], "⋯")
			if strings.Count(text, from) != 1 {
				return api.OnLoadResult{}, fmt.Errorf("%s is not what it was: it should have %q once", a.Path, from)
			}
			before, after, _ := strings.Cut(text, from)
			_, after, found := strings.Cut(after, to)
			if !found {
				return api.OnLoadResult{}, fmt.Errorf("%s is not what it was: it should have %q after %q", a.Path, to, from)
			}
			text = before + p[1] + after
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	})
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
