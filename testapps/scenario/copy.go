package scenario

import (
	"os"
	"path/filepath"
)

// CopyApp copies an app, each file as edit would have it. What npm installed is shared.
func CopyApp(from, to string, edit func(text string) string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.Name() == "node_modules":
			if err := os.Symlink(path, target); err != nil {
				return err
			}
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, []byte(edit(string(text))), 0o644)
	})
}
