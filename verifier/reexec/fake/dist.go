package fake

import (
	_ "embed"
	"os"
	"path/filepath"

	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// runtime is the program for the real engine: what an Engine does, in JavaScript.
//
//go:embed runtime.js
var runtime string

// BuildID is that of the builds that WriteDist makes.
var BuildID = manifest.BuildID([]byte("fake"))

// WriteDist writes a verifier's build of the program.
func WriteDist(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "verifier"), 0o755); err != nil {
		return err
	}
	m := manifest.Manifest{Version: manifest.Version, BuildID: BuildID, App: "fake", Entry: "app.js",
		Annotations: []manifest.Annotation{{Name: "messages", Kind: "const", Position: manifest.Position{File: "app.js", Line: 1, Column: 7}}}}
	if err := m.Save(dir); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"runtime.js": runtime, "models.js": "", "program.js": "",
		// Line 1 of the program is line 12, column 5 of app.js from its third column on.
		"program.js.map": `{"version":3,"sources":["app.js"],"names":[],"mappings":"AAAA,EAWI"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "verifier", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the trace into a file and the advice into a directory.
func (s *Server) Write(traceFile, adviceDir string) error {
	if err := trace.Save(traceFile, s.Trace); err != nil {
		return err
	}
	if err := os.MkdirAll(adviceDir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(adviceDir, "life-1-1.kadv"))
	if err != nil {
		return err
	}
	defer f.Close()
	id := s.Life.BuildID
	if id == "" {
		id = BuildID
	}
	e := advice.NewEncoder(f, id)
	var rs []record.Record
	for q, r := range s.Life.Requests[1:] {
		rs = append(rs, record.Record{Op: record.Request, RID: r.RID}, record.Record{Op: record.Tag, Req: int32(q + 1), Tag: r.Tag})
	}
	for _, l := range s.Life.Locations {
		rs = append(rs, record.Record{Op: record.Location, Obj: l.Obj, Key: l.Key})
	}
	for _, w := range s.Life.Writes {
		rs = append(rs, record.Record{Op: record.Write, Req: w.Req, Act: w.Act, OpNum: w.Op, Loc: w.Loc, Prev: w.Prev, Value: w.Value})
	}
	for _, r := range s.Life.Reads {
		rs = append(rs, record.Record{Op: record.Read, Req: r.Req, Act: r.Act, Write: r.Write})
	}
	if s.Life.Complete {
		rs = append(rs, record.Record{Op: record.End})
	}
	for i := range rs {
		if err := e.Write(&rs[i]); err != nil {
			return err
		}
	}
	return e.Close()
}
