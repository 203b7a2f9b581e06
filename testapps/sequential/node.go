package sequential

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"karousosc/verifier/engine"
)

//go:embed node.js
var nodeRunner string

// NodeResult is what a run under Node's own V8 cost.
type NodeResult struct {
	Compared int
	Wrong    []Mismatch
	// CPU and Wall leave out starting Node and loading the application.
	CPU, Wall time.Duration
}

// OnNode re-executes encoded batches with the same scripts under `node`. The
// first warm batches are not measured.
func OnNode(ctx context.Context, scripts []engine.Script, env map[string]string, batches [][]byte, warm int) (*NodeResult, error) {
	dir, err := os.MkdirTemp("", "karousosc-sequential-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	put := func(name string, b []byte) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	put("runner.js", []byte(nodeRunner))
	for i, s := range scripts {
		put(fmt.Sprintf("script%d.js", i), []byte(s.Source))
	}
	init, _ := json.Marshal(job{Init: true, Env: env})
	put("init.json", init)
	for i, b := range batches {
		put(fmt.Sprintf("batch%d.json", i), b)
	}
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "--allow-natives-syntax", "--single-threaded", "--min-semi-space-size=16", "--max-semi-space-size=32", "runner.js",
		fmt.Sprint(len(scripts)), fmt.Sprint(len(batches)), fmt.Sprint(warm))
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("sequential: node: %w", err)
	}
	var r struct {
		Compared  int
		Wrong     []Mismatch
		CPU, Wall float64 // microseconds
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("sequential: node: %w", err)
	}
	us := func(f float64) time.Duration { return time.Duration(f * float64(time.Microsecond)) }
	return &NodeResult{Compared: r.Compared, Wrong: r.Wrong, CPU: us(r.CPU), Wall: us(r.Wall)}, nil
}
