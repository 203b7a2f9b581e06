package bundle

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/annotation"
)

// ES modules have no require; those that want one, say to read a JSON file, make it by
// createRequire(import.meta.url). The bundler does not follow such a function, so that
// what it loads would not be in the build. What its calls name by string literals is
// put into a module of its own, which loads each when it is asked for, and the call of
// createRequire gets that module (guard.js takes it).
//
// What looks like such a call in a comment does no harm: more is bundled than is asked for.

const (
	// requiredModule is what the file asks for, and the namespace of the modules that say
	// what its require knows.
	requiredModule = "karousos-required"
	requiredName   = "__karousos_required"
	// asked makes a path of a CommonJS module's, whatever kind of module asks.
	asked = " (createRequire)"
	// builtFile begins the name that require.resolve gets for a file of the build.
	builtFile = "karousos-file:"
)

var (
	makesRequire  = regexp.MustCompile(`([\pL_$][\pL\pN_$]*)?\s*(?::[^=;\n]+)?=?\s*(?:[\pL_$][\pL\pN_$]*\s*\.\s*)?\bcreateRequire\(\s*(import\.meta\.(?:url|filename)|__filename)\s*(\))(\s*\()?`)
	stringLiteral = `\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)'|` + "`([^`\\\\\n$]+)`)" + `\s*\)`
)

// requires are the names by which a file's own require functions are asked.
type requires struct {
	modules, files []string // by calls, and by calls of resolve
	calls          []int    // where the calls of createRequire end, as offsets
	inES           bool
}

// createdRequires finds what a file's own require functions load.
func createdRequires(text string) *requires {
	if !strings.Contains(text, "createRequire") {
		return nil
	}
	r := &requires{}
	for _, m := range makesRequire.FindAllStringSubmatchIndex(text, -1) {
		r.calls = append(r.calls, m[6])
		r.inES = r.inES || text[m[4]] == 'i'
		if m[8] >= 0 { // createRequire(import.meta.url)("./x.json")
			r.modules = append(r.modules, literals(text[m[9]-1:], `^\(`)...)
		} else if m[2] >= 0 {
			name := `(?:^|[^\pL\pN_$.])` + regexp.QuoteMeta(text[m[2]:m[3]])
			r.modules = append(r.modules, literals(text, name+`\(`)...)
			r.files = append(r.files, literals(text, name+`\.resolve\(`)...)
		}
	}
	if len(r.calls) == 0 {
		return nil
	}
	for _, names := range []*[]string{&r.modules, &r.files} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return r
}

func literals(text, before string) []string {
	var out []string
	for _, m := range regexp.MustCompile(before+stringLiteral).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	return out
}

// insertions hand the module over.
func (r *requires) insertions(text string) []inserted {
	var out []inserted
	argument := ", require(\"" + requiredModule + "\")"
	if r.inES {
		out = append(out, inserted{prologue(text), "import " + requiredName + " from \"" + requiredModule + "\";"})
		argument = ", " + requiredName
	}
	for _, at := range r.calls {
		out = append(out, inserted{at, argument})
	}
	return out
}

// text is that module: tables of what to load, and of what to say of names. What is not
// there throws when it is asked for.
func (r *requires) text(resolve func(name string) string) string {
	var out strings.Builder
	table := func(name, ask string, of []string, as func(string) string) {
		out.WriteString("exports." + name + " = { __proto__: null,")
		for _, name := range of {
			fmt.Fprintf(&out, "\n  %s: function () { try { return %s(%s); } catch (e) { throw e; } },", quoted(name), ask, quoted(as(name)))
		}
		out.WriteString("\n};\n")
	}
	table("modules", "require", r.modules, func(name string) string { return name })
	table("files", "require.resolve", r.files, resolve)
	return out.String()
}

func (b *bundler) setupRequired(p api.PluginBuild) {
	p.OnResolve(api.OnResolveOptions{Filter: `^` + requiredModule + `$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: a.Importer + asked, Namespace: requiredModule}, nil
	})
	p.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: requiredModule}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		importer := strings.TrimSuffix(a.Path, asked)
		b.mu.Lock()
		r := b.required[importer]
		b.mu.Unlock()
		dir := filepath.Dir(importer)
		text := r.text(func(name string) string {
			return b.resolved(p, name, api.ResolveOptions{Importer: importer, Namespace: "file", ResolveDir: dir})
		})
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: dir}, nil
	})
	p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if a.Kind != api.ResolveJSRequireResolve {
			return api.OnResolveResult{}, nil
		}
		name := b.resolved(p, a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir})
		return api.OnResolveResult{Path: name, External: true}, nil
	})
}

// resolved is what the build asks require.resolve for instead of a name: where a file of the
// app's folder is, there and in the server's build.
func (b *bundler) resolved(p api.PluginBuild, name string, from api.ResolveOptions) string {
	if b.plain || isCore(strings.TrimPrefix(name, "node:")) || strings.HasPrefix(name, builtFile) {
		return name
	}
	from.Kind, from.PluginData = api.ResolveJSRequireCall, resolving
	r := p.Resolve(name, from)
	if len(r.Errors) > 0 || r.Namespace != "file" {
		return name
	}
	file := b.rel(r.Path)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.looked[file] = b.looked[file] || !isPackage(b.rel(from.Importer))
	return builtFile + placeOf(file)
}

// inserted is text that goes into a file before an offset.
type inserted struct {
	at   int
	text string
}

// insert puts more into text, which was made of the original by the insertions that are
// given, and returns these and its own, in order of position.
func insert(original, text string, made []annotation.Insertion, more []inserted) (string, []annotation.Insertion) {
	for _, in := range more {
		line, col := NewLines(original).LineCol(in.at)
		before, shift := 0, 0
		for _, m := range made {
			if m.Line < line || m.Line == line && m.Col <= col {
				before++
				if m.Line == line {
					shift += m.Len
				}
			}
		}
		at := NewLines(text).Offset(line, col+shift)
		text = text[:at] + in.text + text[at:]
		made = slices.Insert(made, before, annotation.Insertion{Line: line, Col: col, Len: utf16Len(in.text)})
	}
	return text, made
}
