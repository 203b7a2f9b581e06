package bundle

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Packages read files of their own (a page, a font, a table of countries), which they
// find by __dirname, and apps serve what lies in packages (a style sheet of
// node_modules/bootstrap/dist). What a build needs of packages besides their code is not
// known, so all of such a package goes in that is no code of the bundle. In a build,
// packages lie in the app's own node_modules, wherever npm has put them.

// A Folder is a folder or file of a package that the app may read.
type Folder struct {
	Path string // absolute
	As   string // where the build has it, relative to the app's folder
	// Asked: the app's own code speaks of it. Otherwise a package does, of itself.
	Asked bool
}

// elsewhere is where a build has what lies outside of the app's folder and is no package
// that npm installed, but linked.
const elsewhere = "node_modules/.linked/"

// placeOf is where a build has a file, which is given relative to the app's folder.
func placeOf(file string) string {
	rest := file
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	if rest == file {
		return file
	}
	if i := strings.Index(rest, "node_modules/"); i >= 0 {
		return rest[i:]
	}
	return elsewhere + rest
}

// packageOf is the folder of the package that a file belongs to, which is given relative
// to the app's folder, or "" if it is the app's own.
func (b *Bundle) packageOf(file string) string {
	if m := installed.FindString(file); m != "" {
		return m
	}
	if !strings.HasPrefix(file, "../") {
		return ""
	}
	for dir := filepath.Dir(filepath.Join(b.Dir, filepath.FromSlash(file))); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
			rel, err := filepath.Rel(b.Dir, dir)
			if err != nil || rel == "." || !strings.HasPrefix(file, filepath.ToSlash(rel)+"/") || !strings.HasPrefix(rel, "..") {
				return ""
			}
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// installed is the folder of a package, within the path of a file.
var installed = regexp.MustCompile(`^.*(?:^|/)node_modules/(?:@[^/]+/)?[^/]+`)

// spoken finds where a source speaks of what lies in a package: 'node_modules/bootstrap/dist',
// or path.join(…, 'node_modules', 'bootstrap', 'dist').
var (
	step   = "(?:/|[\"'`]\\s*,\\s*[\"'`]/?)"
	spoken = regexp.MustCompile(`\bnode_modules` + step + `((?:@[\w.-]+` + step + `)?\w[\w.-]*(?:` + step + `[\w.-]+)*)`)
	steps  = regexp.MustCompile(step)
)

// addFolders notes what of packages the app may read: those whose files ask where they are,
// those that files are looked up in (by the app's own code, or by packages'), and what the
// app's own sources speak of.
func (b *Bundle) addFolders(asking []string, looked map[string]bool) {
	for _, file := range asking {
		if dir := b.packageOf(file); dir != "" {
			b.addFolder(dir, false)
		}
	}
	for file, asked := range looked {
		if dir := b.packageOf(file); dir != "" {
			b.addFolder(dir, asked)
		}
	}
	for i, name := range b.Map.Sources {
		if isPackage(name) || strings.Contains(name, ":") {
			continue
		}
		for _, m := range spoken.FindAllStringSubmatch(b.Map.Contents[i], -1) {
			below := "node_modules/" + steps.ReplaceAllString(m[1], "/")
			for _, up := range []string{"", "../", "../../", "../../../"} {
				if _, err := os.Stat(filepath.Join(b.Dir, filepath.FromSlash(up+below))); err == nil {
					b.addFolder(up+below, true)
					break
				}
			}
		}
	}
	slices.SortFunc(b.Folders, func(p, q Folder) int { return strings.Compare(p.As, q.As) })
}

func (b *Bundle) addFolder(rel string, asked bool) {
	f := Folder{Path: filepath.Join(b.Dir, filepath.FromSlash(rel)), As: placeOf(rel), Asked: asked}
	for i := range b.Folders {
		if b.Folders[i].As == f.As {
			b.Folders[i].Asked = b.Folders[i].Asked || asked
			return
		}
	}
	b.Folders = append(b.Folders, f)
}
