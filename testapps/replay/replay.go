// Package replay runs an unmodified app again from a trace, one request after
// another, with neither network nor advice: the honest baseline for what an audit
// costs. It is no audit. It believes that requests ran in the order in which they
// arrived, and where they overlapped it may answer otherwise than the server did.
//
// The running is done by package sequential, on the verifier's own models of Node.js
// and its engine, so that the difference between the two is the audit and
// nothing else; or on Node.js in the engine's place. This package feeds it traces
// and puts it into a process of its own, whose processor time can be told.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"karousosc/testapps/sequential"
	"karousosc/verifier/engine"
	"karousosc/verifier/trace"
)

// Engine names what runs the JavaScript.
type Engine string

const (
	V8   Engine = "v8"   // the verifier's engine
	Node Engine = "node" // node, as installed
)

// Result is what a replay came to.
type Result struct {
	Requests int           `json:"requests"`
	Other    int           `json:"other"` // answered otherwise than in the trace
	First    string        `json:"first,omitempty"`
	CPU      time.Duration `json:"-"` // of the replaying process and its engine, from start to end

	compared int
}

// Prepare writes an app, as it is, into a file that Run can run.
func Prepare(app, entry, file string) error {
	scripts, err := sequential.Scripts(app, entry)
	if err != nil {
		return err
	}
	text, err := json.Marshal(scripts)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// Process replays in a process of its own, whose processor time is the result's:
// exe is a karousosc program, which has a hidden command for it.
func Process(ctx context.Context, exe string, e Engine, program, traceFile string) (*Result, error) {
	cmd := exec.CommandContext(ctx, exe, "replay", program, "--trace", traceFile, "--engine", string(e))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("replay: %w\n%s", err, errs.String())
	}
	r := &Result{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return nil, fmt.Errorf("replay: %w\n%s", err, out.String())
	}
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return r, nil
}

// batch is how many requests go to the engine at once.
const batch = 500

var env = map[string]string{"PORT": "3000"}

// Run replays in this process.
func Run(ctx context.Context, e Engine, program, traceFile string) (*Result, error) {
	t, err := trace.Load(traceFile, trace.Limits{})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var scripts []engine.Script
	if err := json.Unmarshal(text, &scripts); err != nil {
		return nil, fmt.Errorf("replay: %s: %w", program, err)
	}
	switch e {
	case V8:
		return inEngine(ctx, scripts, t)
	case Node:
		return inNode(ctx, scripts, t)
	}
	return nil, fmt.Errorf("there is no engine %q; there are %q and %q", e, V8, Node)
}

func inEngine(ctx context.Context, scripts []engine.Script, t *trace.Trace) (*Result, error) {
	run, err := sequential.New(ctx, engine.Config{Timeout: 10 * time.Minute}, scripts, env)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	r := &Result{Requests: len(t.Exchanges)}
	var b []byte
	for at := 0; at < len(t.Exchanges); at += batch {
		b = appendBatch(b[:0], t.Exchanges[at:min(at+batch, len(t.Exchanges))])
		out, err := run.RunEncoded(ctx, b)
		if err != nil {
			return nil, err
		}
		r.add(out.Compared, out.Wrong, t, at)
	}
	return r, r.complete()
}

func inNode(ctx context.Context, scripts []engine.Script, t *trace.Trace) (*Result, error) {
	var batches [][]byte
	for at := 0; at < len(t.Exchanges); at += batch {
		batches = append(batches, appendBatch(nil, t.Exchanges[at:min(at+batch, len(t.Exchanges))]))
	}
	out, err := sequential.OnNode(ctx, scripts, env, batches, 0)
	if err != nil {
		return nil, err
	}
	r := &Result{Requests: len(t.Exchanges)}
	r.add(out.Compared, out.Wrong, t, 0)
	return r, r.complete()
}

func (r *Result) add(compared int, wrong []sequential.Mismatch, t *trace.Trace, at int) {
	r.compared += compared
	r.Other += len(wrong)
	if len(wrong) > 0 && r.First == "" {
		r.First = fmt.Sprintf("%s of request %d", wrong[0].Why, t.Exchanges[at+wrong[0].Item].RID)
	}
}

// complete makes sure that the baseline did its whole work.
func (r *Result) complete() error {
	if r.compared != r.Requests {
		return fmt.Errorf("replay: %d of %d requests were answered", r.compared, r.Requests)
	}
	return nil
}
