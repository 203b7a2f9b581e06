package bundle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Some packages load others by a name that only run time knows: Express takes a view
// engine's name from the extension of the view. What such a name may be is no
// guess as long as it is one of the packages that the app itself depends on and that
// its files speak of: as the extension of a file, or where its entry names an engine.
// These are bundled. They are loaded when the app starts, not in the midst of a
// request: what else they load and set up then would be state of the first that asks.

// byName is the module that knows them.
const byName = "karousosc-by-name"

// namedPackages lists the packages that may be asked for by name.
func (a *App) namedPackages() []string {
	text, err := os.ReadFile(filepath.Join(a.Dir, "package.json"))
	if err != nil {
		return nil
	}
	var pkg struct{ Dependencies map[string]string }
	if json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &pkg) != nil || len(pkg.Dependencies) == 0 {
		return nil
	}
	spoken := map[string]bool{}
	filepath.WalkDir(a.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.Type().IsRegular():
			spoken[strings.TrimPrefix(filepath.Ext(path), ".")] = true
		}
		return nil
	})
	entry, _ := os.ReadFile(filepath.Join(a.Dir, filepath.FromSlash(a.Entry)))
	var names []string
	for name := range pkg.Dependencies {
		engine := regexp.MustCompile(`engine["'\x60], *["'\x60]` + regexp.QuoteMeta(name) + `["'\x60]`)
		_, err := os.Stat(filepath.Join(a.Dir, "node_modules", filepath.FromSlash(name), "package.json"))
		if err == nil && (spoken[name] || engine.Match(entry)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// byNameText is the module that tells require of them.
func byNameText(names []string) string {
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "require.byName[%q] = function () { return require(%q); };\ntry { require(%q); } catch (e) { }\n", name, name, name)
	}
	return text.String()
}
