package engine

import (
	"encoding/json"
	"errors"
	"os"
)

// fileTable is the app's own files, read when the app first asks for one.
type fileTable struct {
	Files map[string]struct {
		Data    []byte `json:"data,omitempty"`
		Size    int64  `json:"size"`
		MtimeMS int64  `json:"mtimeMs"`
		Mode    uint32 `json:"mode"`
	} `json:"files"`
}

func (m *machine) loadFiles() error {
	if m.files.Files != nil || m.cfg.Files == "" {
		return nil
	}
	text, err := os.ReadFile(m.cfg.Files)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &m.files)
}

// listFiles() answers all but the contents, as JSON.
func (m *machine) listFiles(args [][]byte) ([]byte, error) {
	if err := m.loadFiles(); err != nil {
		return nil, err
	}
	list := make(map[string]any, len(m.files.Files))
	for name, f := range m.files.Files {
		f.Data = nil
		list[name] = f
	}
	return json.Marshal(list)
}

// readFile(name) answers a file's contents.
func (m *machine) readFile(args [][]byte) ([]byte, error) {
	if err := errors.Join(want(args, 1), m.loadFiles()); err != nil {
		return nil, err
	}
	f, ok := m.files.Files[string(args[0])]
	if !ok {
		return nil, errors.New("no such file")
	}
	return f.Data, nil
}
