package bundle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
)

// The bundler takes a file that neither imports, exports nor requires anything for an ES module if one
// imports it, and so it would be strict and have no scope of its own. What Node.js takes for a CommonJS module is
// shown to be one by a mention of `module`.
const shownCommonJS = "\n;module;"

var moduleWords = regexp.MustCompile(`\b(?:import|export|exports|module|require)\b`)

// script tells whether a file is such a one.
func script(path, text string) bool {
	if moduleWords.MatchString(text) {
		return false
	}
	switch filepath.Ext(path) {
	case ".cjs":
		return true
	case ".js":
		return !inModulePackage(filepath.Dir(path))
	}
	return false
}

// inModulePackage tells whether the nearest package.json says that .js files are ES modules.
func inModulePackage(dir string) bool {
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "package.json")); err == nil {
			var pkg struct{ Type string }
			return json.Unmarshal(text, &pkg) == nil && pkg.Type == "module"
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}
