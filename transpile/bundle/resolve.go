package bundle

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// coreModules are the modules that Node.js itself brings (those of Node.js 20,
// without its internals), by their names without node:.
var coreModules = strings.Fields(`assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram
	diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os
	path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
	stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
	worker_threads zlib`)

func isCore(name string) bool { return slices.Contains(coreModules, name) }

// refused are core modules that would run code which no audit follows: why, and
// what packages that ask for them get instead. Packages often only look
// whether they run in a worker; whatever starts one throws.
var refused = map[string]struct{ why, do, stub string }{
	"worker_threads": {
		"code in worker threads is not audited",
		"do the work in the server's own thread, or in a process that it starts by child_process.spawn",
		`exports.isMainThread = true; exports.threadId = 0; exports.parentPort = null; exports.workerData = null; exports.resourceLimits = {};
exports.SHARE_ENV = Symbol.for("nodejs.worker_threads.SHARE_ENV");
exports.Worker = exports.MessageChannel = exports.BroadcastChannel = exports.MessagePort = function () { throw refuse(); };
exports.markAsUntransferable = function () {};
exports.receiveMessageOnPort = exports.moveMessagePortToContext = exports.setEnvironmentData = exports.getEnvironmentData = function () { throw refuse(); };`,
	},
	"cluster": {
		"an audited server is one process",
		"start it once, or once for each collector",
		`exports.isMaster = exports.isPrimary = true; exports.isWorker = false; exports.workers = {}; exports.settings = {};
exports.fork = exports.setupPrimary = exports.setupMaster = function () { throw refuse(); };`,
	},
}

// unaudited are core modules that have nothing for an audited app, and why. Packages
// that ask for them often do without; what they do with them shows in verification.
var unaudited = map[string]string{
	"vm":           "code that it makes is never instrumented; write the code out",
	"repl":         "code that it makes is never instrumented; write the code out",
	"inspector":    "a debugger changes what the program does",
	"wasi":         "what WebAssembly does outside is not recorded",
	"http2":        "requests by HTTP/2 are not recorded; serve HTTP/1.1, and put what speaks HTTP/2 in front",
	"v8":           "what it tells about the engine differs from run to run and is not recorded",
	"trace_events": "what it tells about the engine differs from run to run and is not recorded",
}

// useBrowser are packages whose code for Node.js makes code at load time, and
// whose code for browsers, which is the same but for that, does not: depd wraps
// deprecated functions by new Function, only for their length.
var useBrowser = []string{"depd"}

const (
	virtual  = "karousos"          // namespace of the module "karousos"
	stubs    = "karousosc-refused" // namespace of stand-ins for refused modules
	moduleJS = `export { ` + imported + ` as loggable };
function ` + imported + `(x) { return __karousos_loggable(x); }
`
)

func (b *bundler) setup(p api.PluginBuild) {
	b.setupRequired(p)
	p.OnResolve(api.OnResolveOptions{Filter: `^node:|^(` + strings.Join(coreModules, "|") + `)$`}, b.resolveCore)
	p.OnResolve(api.OnResolveOptions{Filter: `^` + byName + `$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: byName, Namespace: byName}, nil
	})
	p.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: byName}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
		text := byNameText(b.named)
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: b.app.Dir}, nil
	})
	p.OnResolve(api.OnResolveOptions{Filter: `^karousos$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: "karousos" + map[bool]string{true: "-require"}[a.Kind == api.ResolveJSRequireCall], Namespace: virtual}, nil
	})
	p.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: virtual}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		text := moduleJS
		switch {
		case b.plain:
			text = "export function loggable(x) { return x; }"
		case a.Path != "karousos":
			text = "exports.loggable = function loggable(x) { return __karousos_loggable(x); };"
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	})
	p.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: writtenModules}, b.loadWritten)
	p.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: stubs}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		r, known := refused[a.Path]
		text := fmt.Sprintf("function refuse() { return new Error(%q); }\n%s\n", "karousosc: "+r.why, r.stub)
		if !known {
			text = fmt.Sprintf(`throw Object.assign(new Error(%q), { code: "ERR_UNKNOWN_BUILTIN_MODULE" });`, "No such built-in module: "+a.Path)
		}
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
	})
	p.OnResolve(api.OnResolveOptions{Filter: `\.node$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		path := a.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.ResolveDir, path)
		}
		if _, err := os.Stat(path); err != nil || b.plain {
			return api.OnResolveResult{}, nil
		}
		return refuse("a native addon cannot be audited; use a package that is written in JavaScript"), nil
	})
	p.OnResolve(api.OnResolveOptions{Filter: `^[^./]`}, b.resolveAddon(p))
	p.OnResolve(api.OnResolveOptions{Filter: `^(` + strings.Join(useBrowser, "|") + `)$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if b.plain || a.PluginData == resolving {
			return api.OnResolveResult{}, nil
		}
		r := p.Resolve(a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, PluginData: resolving})
		if len(r.Errors) > 0 {
			return api.OnResolveResult{}, nil
		}
		return api.OnResolveResult{Path: browserFile(a.Path, r.Path)}, nil
	})
	p.OnResolve(api.OnResolveOptions{Filter: `^[^./]`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.PluginData == resolving || a.Kind != api.ResolveJSRequireCall || !isPackage(b.rel(a.Importer)) {
			return api.OnResolveResult{}, nil
		}
		r := p.Resolve(a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, PluginData: resolving})
		if len(r.Errors) == 0 {
			return api.OnResolveResult{}, nil
		}
		// Packages ask so for what only some of their users have. As in Node.js, it throws when it is asked for.
		b.warnImporter(a, "asks for package %q, which is not installed; if this runs, it throws", a.Path)
		return api.OnResolveResult{Path: a.Path, External: true}, nil
	})
	p.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$`, Namespace: "file"}, b.load)
}

// resolving marks questions that our own hook asks.
var resolving any = "resolving"

func refuse(text string) api.OnResolveResult {
	return api.OnResolveResult{Errors: []api.Message{{Text: text}}}
}

func (b *bundler) resolveCore(a api.OnResolveArgs) (api.OnResolveResult, error) {
	name := strings.TrimPrefix(a.Path, "node:")
	if !isCore(name) {
		if !isPackage(b.rel(a.Importer)) {
			return refuse(fmt.Sprintf("Node.js has no module %q that an audited app can use", a.Path)), nil
		}
		// Packages try what newer versions of Node.js have (node:sqlite), and do without.
		b.warnImporter(a, "asks for module %q, which Node.js 20 does not have; if this runs, it throws", a.Path)
		return api.OnResolveResult{Path: a.Path, Namespace: stubs}, nil
	}
	r, bad := refused[name]
	if why := unaudited[strings.TrimSuffix(name, "/promises")]; why != "" && !b.plain && !isPackage(b.rel(a.Importer)) {
		return refuse(fmt.Sprintf("module %q: %s", name, why)), nil
	}
	if written[name] != "" && !b.plain && (a.Namespace != writtenModules || a.Importer != name) {
		return api.OnResolveResult{Path: name, Namespace: writtenModules}, nil
	}
	if !bad || b.plain {
		return api.OnResolveResult{Path: name, External: true}, nil
	}
	if !isPackage(b.rel(a.Importer)) {
		return refuse(fmt.Sprintf("module %q: %s; %s", name, r.why, r.do)), nil
	}
	b.warnImporter(a, "asks for module %q, which is replaced by one that only throws: %s", name, r.why)
	return api.OnResolveResult{Path: name, Namespace: stubs}, nil
}

// warnImporter notes what is to be said of a file that asks for a module.
func (b *bundler) warnImporter(a api.OnResolveArgs, format string, args ...any) {
	d := Diagnostic{Text: fmt.Sprintf(format, args...)}
	d.File = b.rel(a.Importer)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warnings = append(b.warnings, d)
}

var packageDir = regexp.MustCompile(`^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+`)

// browserFile returns what a package's browser field names, or file.
func browserFile(name, file string) string {
	dir := packageDir.FindString(file)
	if dir == "" {
		return file
	}
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return file
	}
	var pkg struct{ Browser any }
	if json.Unmarshal(text, &pkg) != nil {
		return file
	}
	if main, ok := pkg.Browser.(string); ok {
		return filepath.Join(dir, filepath.FromSlash(main))
	}
	return file
}
