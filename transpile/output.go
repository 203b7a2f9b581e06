package transpile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"karousosc/transpile/bundle"
	"karousosc/transpile/capture"
)

// replaceable checks that a build may be written to dir: that it does not exist,
// is empty, or holds an earlier build and nothing else. Who lets the server write
// its advice there, or names the wrong folder, must not lose anything.
func replaceable(dir string) error {
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return fmt.Errorf("%s exists and is no folder; name another one with -o", dir)
	}
	copies := capturedIn(dir)
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() && (rel == "." || rel == "server" || rel == "verifier" || rel == ServerApp) || !d.IsDir() && slices.Contains(buildFiles, rel) {
			return nil
		}
		// What the app itself wrote beside the copies is not ours to delete.
		if isFolder, ok := copies[rel]; ok && isFolder == d.IsDir() {
			return nil
		}
		return fmt.Errorf("%s holds %s, which is not part of a build; move it away, or name another folder with -o", dir, rel)
	})
}

// write puts the files into a folder beside dir and then in its place, so that
// dir is at no time half a build.
func (o *output) write(dir string) (err error) {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, "."+strings.TrimPrefix(filepath.Base(dir), ".")+".building-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fresh, old := filepath.Join(tmp, "new"), filepath.Join(tmp, "old")
	for name, text := range o.text {
		path := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := o.copies(fresh); err != nil {
		return err
	}
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		os.Rename(old, dir) // put back what was there
		return err
	}
	return nil
}

// copies writes the app's own files, with their times.
func (o *output) copies(dir string) error {
	root := filepath.Join(dir, filepath.FromSlash(ServerApp))
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	for _, name := range o.captured.Names() {
		f, path := o.captured.Files[name], filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, fs.FileMode(f.Mode).Perm()); err != nil {
			return err
		}
		if err := os.Chtimes(path, f.Time(), f.Time()); err != nil {
			return err
		}
	}
	return nil
}

// capturedIn lists the copies, and the folders that they lie in (true), of the build
// that lies in dir.
func capturedIn(dir string) map[string]bool {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ServerFiles)))
	var old struct{ Files map[string]any }
	if err != nil || json.Unmarshal(text, &old) != nil {
		return nil
	}
	out := map[string]bool{}
	for name := range old.Files {
		name = ServerApp + "/" + name
		out[name] = false
		for d := path.Dir(name); len(d) > len(ServerApp); d = path.Dir(d) {
			out[d] = true
		}
	}
	return out
}

// aboutFiles says what of the app's folder the builds do not have, and what the owner
// may not want on the server.
func aboutFiles(s *capture.Set) []bundle.Diagnostic {
	var out []bundle.Diagnostic
	say := func(file, text string) {
		d := bundle.Diagnostic{Text: text}
		d.File = file
		out = append(out, d)
	}
	for _, link := range s.Links {
		if path.Base(link) == "node_modules" {
			continue // what it leads to is bundled, as from any such folder
		}
		say(link, "a symbolic link is not part of the build, so an app that reads it finds nothing there; put the file itself there")
	}
	for _, l := range s.Left {
		say(l.Folder, fmt.Sprintf("may read files of its own, but they are not part of the build, because they are many (%.0f MiB); take those that it reads by --files '%s/…'", float64(l.Bytes)/(1<<20), l.Folder))
	}
	for _, name := range s.Names() {
		switch base := path.Base(name); {
		case base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".key"):
			say(name, "goes into the build and onto the server with all it holds, as it would with the app itself; leave it out with --files '!"+name+"' if the server has its own")
		}
	}
	return out
}
