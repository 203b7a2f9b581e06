// Package manifest holds dist/manifest.json: what a build is, so that server,
// verifier and people agree on it. It is a package of its own because the
// verifier reads manifests and must import nothing else of the transpiler.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Version is the version of the manifest's format.
const Version = 1

// FileName is the name of the manifest in a build's folder.
const FileName = "manifest.json"

// maxSize bounds what Load reads: a manifest is an input like any other.
const maxSize = 256 << 20

// Position is a place in a file that a person wrote. Line and column count
// from 1, the column in UTF-16 units, as editors and Node.js print them.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String formats p as file:line:column, which terminals turn into a link.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Annotation is a variable that the app declares as shared between requests.
type Annotation struct {
	Name string `json:"name"`
	// Kind is the declaration's keyword: const, let or var; or call, for a
	// value given to loggable().
	Kind string `json:"kind"`
	Position
}

// Function is one function of the bundled program. Its ID is what advice and
// digests call it by.
type Function struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Position
}

// Manifest describes one build.
type Manifest struct {
	Version     int          `json:"version"`
	BuildID     string       `json:"buildId"`
	App         string       `json:"app"`
	Entry       string       `json:"entry"`
	Options     Options      `json:"options"`
	CoreModules []string     `json:"coreModules"`
	Annotations []Annotation `json:"annotations"`
	Functions   []Function   `json:"functions"`
}

// Options are the build options that decide behaviour.
type Options struct {
	Minify bool     `json:"minify"`
	Files  []string `json:"files,omitempty"` // patterns of the app's own files
}

// BuildID hashes the parts that decide what a build does. Every part is
// preceded by its length, so that no two lists of parts hash alike.
func BuildID(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Encode returns the manifest as the text of its file.
func (m *Manifest) Encode() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	c := *m
	// Empty lists are [] and never null.
	c.CoreModules = append([]string{}, m.CoreModules...)
	c.Annotations = append([]Annotation{}, m.Annotations...)
	c.Functions = append([]Function{}, m.Functions...)
	text, err := json.MarshalIndent(&c, "", " ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Save writes the manifest into the build folder dir.
func (m *Manifest) Save(dir string) error {
	text, err := m.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, FileName), text, 0o644)
}

// Load reads and checks the manifest of the build folder dir.
func Load(dir string) (*Manifest, error) {
	path := filepath.Join(dir, FileName)
	f, err := os.Open(path)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s: no build here (there is no %s); make one with `karousosc build APP -o %s`", dir, FileName, dir)
		}
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxSize)
	}
	m, err := Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Decode parses and checks the text of a manifest.
func Decode(text []byte) (*Manifest, error) {
	// The version goes first: a later format may have fields of its own, and
	// "unknown field" would send its reader the wrong way.
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("not a manifest: %w", err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("manifest version %d, this karousosc reads version %d; build the app again", head.Version, Version)
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("not a manifest: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return &m, nil
}

func (m *Manifest) check() error {
	if m.Version != Version {
		return fmt.Errorf("manifest version %d, want %d", m.Version, Version)
	}
	if len(m.BuildID) != sha256.Size*2 || strings.Trim(m.BuildID, "0123456789abcdef") != "" {
		return fmt.Errorf("build id %q is no SHA-256 in lower-case hex", m.BuildID)
	}
	if m.Entry == "" {
		return errors.New("no entry file")
	}
	for i, a := range m.Annotations {
		switch a.Kind {
		case "const", "let", "var", "call":
		default:
			return fmt.Errorf("annotation %d: unknown kind %q", i, a.Kind)
		}
		if err := a.Position.check(); err != nil {
			return fmt.Errorf("annotation %d: %w", i, err)
		}
	}
	for i, f := range m.Functions {
		if f.ID != i {
			return fmt.Errorf("function %d has id %d; ids count from 0 without gaps", i, f.ID)
		}
		if f.Position == (Position{}) {
			continue // a helper of the bundler's
		}
		if err := f.Position.check(); err != nil {
			return fmt.Errorf("function %d: %w", i, err)
		}
	}
	return nil
}

func (p Position) check() error {
	if p.File == "" || p.Line < 1 || p.Column < 1 {
		return fmt.Errorf("bad position %q:%d:%d", p.File, p.Line, p.Column)
	}
	return nil
}
