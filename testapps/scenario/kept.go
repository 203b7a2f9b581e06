package scenario

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"karousosc/verifier/verdict"
)

// A Kept is evidence that a test judged, with what it wants of the verdict: with another verifier, or the same one
// without some check, the verdict can be asked for again, and nothing else of the test need run.
type Kept struct {
	Test     string
	Evidence Evidence
	Args     []string
	// Outcome is what the verdict has to be. Never is what it must not be.
	Outcome, Never verdict.Outcome
	// Rules are those of which a reject must name one, none if any will do.
	Rules []string
	// Rule is what it named.
	Rule string
}

// Holds tells whether the test would be content.
func (k *Kept) Holds(a *Audit) bool {
	if k.Never != "" {
		return a.Outcome != k.Never
	}
	return a.Outcome == k.Outcome && (len(k.Rules) == 0 || slices.Contains(k.Rules, a.Rule))
}

const keptFile = "kept.json"

// Copyable tells whether the evidence consists of files and links, of which there can be copies.
func (e *Evidence) Copyable() bool {
	names, err := filepath.Glob(filepath.Join(e.Advice, "*"))
	for _, name := range append(names, e.Trace) {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink {
			return false
		}
	}
	return err == nil
}

// Keep copies the evidence into a folder of its own below dir. Evidence of the same build shares it.
func (k *Kept) Keep(dir string, n int) (folder string, err error) {
	folder = filepath.Join(dir, fmt.Sprintf("%04d", n))
	c := *k
	c.Evidence = In(filepath.Join(dir, "dist", strings.ReplaceAll(k.Evidence.Dist, "/", "_")), folder)
	if err := os.MkdirAll(c.Evidence.Advice, 0o755); err != nil {
		return "", err
	}
	if _, err := os.Stat(c.Evidence.Dist); err != nil {
		if err := os.CopyFS(c.Evidence.Dist, os.DirFS(k.Evidence.Dist)); err != nil && !os.IsExist(err) {
			return "", err
		}
	}
	text, err := os.ReadFile(k.Evidence.Trace)
	if err == nil {
		err = os.WriteFile(c.Evidence.Trace, text, 0o600)
	}
	if err == nil {
		err = os.CopyFS(c.Evidence.Advice, os.DirFS(k.Evidence.Advice))
	}
	if err != nil {
		return "", err
	}
	return folder, c.Save(folder)
}

// Save writes what is wanted.
func (k *Kept) Save(folder string) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, keptFile), text, 0o600)
}

// LoadKept reads what was kept in one folder.
func LoadKept(folder string) (*Kept, error) {
	text, err := os.ReadFile(filepath.Join(folder, keptFile))
	if err != nil {
		return nil, err
	}
	k := &Kept{}
	return k, json.Unmarshal(text, k)
}

// AllKept reads all that was kept below dir.
func AllKept(dir string) ([]*Kept, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", keptFile))
	if err != nil {
		return nil, err
	}
	var all []*Kept
	for _, name := range names {
		k, err := LoadKept(filepath.Dir(name))
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}
