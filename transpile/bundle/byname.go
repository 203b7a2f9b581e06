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
// An ORM takes a database's driver by the name of its dialect: what it has for optional
// peers, and the app depends on, is bundled too, and loaded when it is asked for.

// byName is the module that knows them.
const byName = "karousosc-by-name"

// byNames are packages that may be asked for by name.
type byNames struct {
	loaded []string // when the app starts
	asked  []string // when they are asked for
}

// packageFile is what a package.json says of other packages.
type packageFile struct {
	Dependencies         map[string]string
	PeerDependenciesMeta map[string]struct{ Optional bool }
}

func readPackageFile(dir string) packageFile {
	var m packageFile
	if text, err := os.ReadFile(filepath.Join(dir, "package.json")); err == nil {
		if json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &m) != nil {
			return packageFile{}
		}
	}
	return m
}

var byVariable = regexp.MustCompile(`\brequire\([A-Za-z_$][\w$.]*\)`)

// asksByName tells whether a package requires what only run time knows.
func asksByName(dir string) bool {
	found := false
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type().IsRegular() && filepath.Ext(path) != ".js" && filepath.Ext(path) != ".cjs" {
			return nil
		}
		if d.IsDir() && d.Name() == "node_modules" && path != dir {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			found = byVariable.Match(text)
		}
		if found {
			return filepath.SkipAll
		}
		return nil
	})
	return found
}

// namedPackages lists the packages that may be asked for by name.
func (a *App) namedPackages() byNames {
	pkg := readPackageFile(a.Dir)
	if len(pkg.Dependencies) == 0 {
		return byNames{}
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
	folder := func(name string) string { return filepath.Join(a.Dir, "node_modules", filepath.FromSlash(name)) }
	peers := map[string]bool{}
	for name := range pkg.Dependencies {
		meta := readPackageFile(folder(name)).PeerDependenciesMeta
		for peer := range meta {
			if _, depended := pkg.Dependencies[peer]; depended && meta[peer].Optional && asksByName(folder(name)) {
				peers[peer] = true
			}
		}
	}
	var names byNames
	for name := range pkg.Dependencies {
		engine := regexp.MustCompile(`engine["'\x60], *["'\x60]` + regexp.QuoteMeta(name) + `["'\x60]`)
		if _, err := os.Stat(filepath.Join(folder(name), "package.json")); err != nil {
			continue
		}
		if spoken[name] || engine.Match(entry) {
			names.loaded = append(names.loaded, name)
		} else if peers[name] {
			names.asked = append(names.asked, name)
		}
	}
	slices.Sort(names.loaded)
	slices.Sort(names.asked)
	return names
}

// byNameText is the module that tells require of them.
func byNameText(names byNames) string {
	var text strings.Builder
	for _, name := range append(slices.Clone(names.loaded), names.asked...) {
		fmt.Fprintf(&text, "require.byName[%q] = function () { return require(%q); };\n", name, name)
	}
	for _, name := range names.loaded {
		fmt.Fprintf(&text, "try { require(%q); } catch (e) { }\n", name)
	}
	return text.String()
}
