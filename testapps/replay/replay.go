// Package replay runs an unmodified app again from a trace, one request after
// another, with neither network nor advice: the honest baseline for what an audit
// costs. It is no audit. It believes that requests ran in the order in which they
// arrived, and where they overlapped it may answer otherwise than the server did.
//
// It uses the verifier's own models of Node.js and its engine, so that the
// difference between the two is the audit and nothing else; or Node.js in the
// engine's place.
package replay

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	js "karousosc/runtime/js"
	"karousosc/transpile/bundle"
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
	CPU      time.Duration `json:"-"` // of the replaying process and its engine
}

// Prepare writes an app, as it is, as one script that Run can run.
func Prepare(app, entry, file string) error {
	a, err := bundle.OpenApp(app, entry)
	if err != nil {
		return err
	}
	b, err := bundle.Plain(a)
	if err != nil {
		return err
	}
	text := "$plain.program(function(exports,require,module,__filename,__dirname,process,global){" + b.Text + "\n});"
	return os.WriteFile(file, []byte(text), 0o644)
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

// Run replays in this process.
func Run(ctx context.Context, e Engine, program, traceFile string) (*Result, error) {
	t, err := trace.Load(traceFile, trace.Limits{})
	if err != nil {
		return nil, err
	}
	scripts, err := scripts(program)
	if err != nil {
		return nil, err
	}
	run, stop, err := start(ctx, e, scripts)
	if err != nil {
		return nil, err
	}
	defer stop()
	r := &Result{Requests: len(t.Exchanges)}
	var b []byte
	for at := 0; at < len(t.Exchanges) || at == 0; at += batch {
		b = append(b[:0], '{')
		if at == 0 {
			b = append(b, `"init":true,"env":{"PORT":"3000"},`...)
		}
		b = append(b, `"items":[`...)
		part := t.Exchanges[at:min(at+batch, len(t.Exchanges))]
		for i := range part {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendItem(b, &part[i])
		}
		answer, err := run(append(b, "]}"...))
		if err != nil {
			return nil, err
		}
		var out struct {
			Compared int
			Wrong    []struct {
				Item int
				Why  string
			}
		}
		if err := json.Unmarshal(answer, &out); err != nil {
			return nil, fmt.Errorf("replay: bad answer: %w", err)
		}
		if n := len(out.Wrong); n > 0 && r.First == "" {
			w := out.Wrong[0]
			r.First = fmt.Sprintf("request %d: %s", part[w.Item].RID, w.Why)
		}
		r.Other += len(out.Wrong)
	}
	return r, nil
}

func scripts(program string) ([]engine.Script, error) {
	var out []engine.Script
	for _, name := range []string{js.LoopPlain, js.ModelsPlain} {
		text, err := js.File(name)
		if err != nil {
			return nil, err
		}
		out = append(out, engine.Script{Name: name, Source: text})
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	return append(out, engine.Script{Name: filepath.Base(program), Source: string(text)}), nil
}

func start(ctx context.Context, e Engine, scripts []engine.Script) (run func(job []byte) ([]byte, error), stop func(), err error) {
	switch e {
	case V8:
		w, err := engine.Start(ctx, engine.Config{Scripts: scripts, Timeout: 10 * time.Minute, NodeMajor: 20})
		if err != nil {
			return nil, nil, err
		}
		return func(job []byte) ([]byte, error) { return w.Run(ctx, job) }, func() { w.Close() }, nil
	case Node:
		return startNode(ctx, scripts)
	}
	return nil, nil, fmt.Errorf("there is no engine %q; there are %q and %q", e, V8, Node)
}

//go:embed node.js
var nodeScript string

// startNode runs the scripts in node; jobs and answers are lines.
func startNode(ctx context.Context, scripts []engine.Script) (run func(job []byte) ([]byte, error), stop func(), err error) {
	dir, err := os.MkdirTemp("", "karousosc-replay-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	// Natives syntax gives the checkpoint that the engine has, too.
	args := []string{"--allow-natives-syntax", filepath.Join(dir, "driver.js")}
	if err = os.WriteFile(args[1], []byte(nodeScript), 0o644); err != nil {
		return nil, nil, err
	}
	for i, s := range scripts {
		name := filepath.Join(dir, strconv.Itoa(i)+"-"+s.Name)
		if err = os.WriteFile(name, []byte(s.Source), 0o644); err != nil {
			return nil, nil, err
		}
		args = append(args, name)
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err = cmd.Start(); err != nil {
		return nil, nil, err
	}
	r := bufio.NewReaderSize(out, 1<<20)
	run = func(job []byte) ([]byte, error) {
		// Appending the line's end may write behind the caller's slice, which is his scratch.
		if _, err := in.Write(append(job, '\n')); err != nil {
			return nil, fmt.Errorf("replay: node: %w", err)
		}
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			err = errors.New("it ended early")
		}
		if err != nil {
			return nil, fmt.Errorf("replay: node: %w", err)
		}
		return line, nil
	}
	stop = func() {
		in.Close()
		cmd.Wait()
		os.RemoveAll(dir)
	}
	return run, stop, nil
}
