package bundle

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"karousosc/transpile/manifest"
)

// TypeScript can tell a program the types of what is decorated (emitDecoratorMetadata);
// containers of dependencies live on that. It takes a type checker, so the bundler leaves
// it out, and the program would find nothing there.

var (
	emitsMetadata = regexp.MustCompile(`"emitDecoratorMetadata"\s*:\s*true`)
	extends       = regexp.MustCompile(`"extends"\s*:\s*"(\.[^"]*)"`)
	comments      = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/`)
	decorator     = regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+(?:default[ \t]+)?)?(@[\pL_$][\pL\pN_$]*)`)
)

// metadata finds the first decorator in a file whose types TypeScript would tell, or nil.
func (b *bundler) metadata(path, text string, loader api.Loader) *Diagnostic {
	if loader != api.LoaderTS && loader != api.LoaderTSX || !strings.Contains(text, "@") || isPackage(path) || !b.emitsMetadata(path) {
		return nil
	}
	res := api.Transform(text, api.TransformOptions{Loader: loader, TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true}}`, LogLevel: api.LogLevelSilent})
	if len(res.Errors) > 0 || !strings.Contains(string(res.Code), "__decorateClass(") {
		return nil
	}
	d := &Diagnostic{
		Position: manifest.Position{File: b.rel(path), Line: 1, Column: 1},
		Text: "emitDecoratorMetadata, which tsconfig.json asks for, tells the program types that only TypeScript itself knows; " +
			"compile with tsc first and build its output (--entry), or set it to false if nothing reads the metadata",
	}
	if m := decorator.FindStringSubmatchIndex(text); m != nil {
		line, col := NewLines(text).LineCol(m[2])
		d.Line, d.Column = line+1, col+1
	}
	return d
}

// emitsMetadata asks the nearest tsconfig.json, and what it extends.
func (b *bundler) emitsMetadata(path string) bool {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "tsconfig.json")
		if _, err := os.Stat(file); err == nil {
			return tsconfigEmits(file, 0)
		}
		if dir == b.app.Dir || dir == filepath.Dir(dir) {
			return false
		}
	}
}

func tsconfigEmits(file string, depth int) bool {
	raw, err := os.ReadFile(file)
	if err != nil || depth > 8 {
		return false
	}
	text := comments.ReplaceAllStringFunc(string(raw), func(s string) string {
		if s[0] == '"' {
			return s
		}
		return " "
	})
	if emitsMetadata.MatchString(text) {
		return true
	}
	m := extends.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, `"emitDecoratorMetadata"`) {
		return false
	}
	next := filepath.Join(filepath.Dir(file), filepath.FromSlash(m[1]))
	if filepath.Ext(next) != ".json" {
		next += ".json"
	}
	return tsconfigEmits(next, depth+1)
}
