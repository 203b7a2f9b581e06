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
		// Node.js 20 is ahead of the package: a write that nobody awaits takes no tick, unless it was too much or is of an object;
		// who ends a stream hears of it in a tick of its own; and callbacks are given null.
		mend(b, `/readable-stream/lib/internal/streams/writable\.js$`, [][2]string{
			{"    if (sync) {\n      // It is a common case", `    if (sync && cb === nop && (state.afterWritePending || !state.objectMode && !(state.needDrain && state.length === 0))) {
      state.pendingcb--
      if (state.ending) finishMaybe(stream, state, true)
    } else if (sync) {
      state.afterWritePending = true
      // It is a common case`},
			{"  const needDrain = !state.ending", "  state.afterWritePending = false\n  const needDrain = !state.ending"},
			{"    state.pendingcb--\n    cb()", "    state.pendingcb--\n    cb(null)"},
			{"  finishMaybe(stream, state)\n}", "  if (state.ending) finishMaybe(stream, state, true)\n}"},
			{"    onfinishCallbacks[i]()", "    onfinishCallbacks[i](null)"},
		})
		mend(b, `/readable-stream/lib/ours/errors\.js$`, [][2]string{
			{"    assert(args.length > 0, 'At least one arg needs to be specified')\n    let msg\n", "    assert(args.length > 0, 'At least one arg needs to be specified')\n    let msg = ''\n"},
			{"    args = (Array.isArray(args) ? args : [args]).map((a) => `\"${a}\"`).join(' or ')\n", "    args = args.map((a) => `\"${a}\"`)\n"},
		})
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

// streamShim has package web-streams-polyfill make its promises as the program's are made.
func streamShim() api.Plugin {
	return api.Plugin{Name: "streams", Setup: func(b api.PluginBuild) {
		mend(b, `/web-streams-polyfill/dist/ponyfill\.mjs$`, [][2]string{
			{"function u(e){return new n(e)}", "function u(e){return globalThis.$newPromise(e)}"},
		})
	}}
}

// mend replaces parts of a package's file, each of which must be there once.
func mend(b api.PluginBuild, filter string, parts [][2]string) {
	b.OnLoad(api.OnLoadOptions{Filter: filter}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		data, err := os.ReadFile(a.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		text := string(data)
		for _, p := range parts {
			if strings.Count(text, p[0]) != 1 {
				return api.OnLoadResult{}, fmt.Errorf("%s is not what it was: it should have %q once", a.Path, p[0])
			}
			text = strings.Replace(text, p[0], p[1], 1)
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
