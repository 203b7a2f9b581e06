// Package sequential re-executes an application from recorded requests the
// plain way: the unmodified bundle, one request after another, no advice, no
// lanes, no network. It is the yardstick for the audit, so it is as fast as the
// engine allows: many requests per call into V8, and responses are compared on
// the JavaScript side.
package sequential

import (
	"context"
	"encoding/json"
	"fmt"

	"karousosc/runtime/js"
	"karousosc/transpile/bundle"
	"karousosc/verifier/engine"
)

// Header is a name and a value, as sent.
type Header [2]string

// Request is one request, as the application's server received it.
type Request struct {
	Method  string   `json:"method"`
	URL     string   `json:"url"`
	Headers []Header `json:"headers"`
	// Body is text, or base64 if B64 says so.
	Body string `json:"body"`
	B64  bool   `json:"b64"`
}

// Response is what the application answers, without the headers that the
// platform adds. Expected ones have names in lower case.
type Response struct {
	Status  int      `json:"status"`
	Reason  string   `json:"reason"` // the phrase behind the status; not compared with an expected one
	Headers []Header `json:"headers"`
	Body    string   `json:"body"`
	B64     bool     `json:"b64"`
}

// Item is a request and the response that it must get; without one, the
// response is answered.
type Item struct {
	Req    Request   `json:"req"`
	Expect *Response `json:"expect,omitempty"`
}

// Mismatch is a response that is not the expected one.
type Mismatch struct {
	Item     int
	Why      string
	Found    *Response
	Expected *Response
}

// Result of a batch.
type Result struct {
	Compared int
	Wrong    []Mismatch
	Answers  []Response
}

type job struct {
	Init  bool              `json:"init,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
	Items []Item            `json:"items,omitempty"`
}

// Scripts bundles an application for New, as the builds do but unchanged.
func Scripts(dir, entry string) ([]engine.Script, error) {
	app, err := bundle.OpenApp(dir, entry)
	if err != nil {
		return nil, err
	}
	b, err := bundle.Plain(app)
	if err != nil {
		return nil, err
	}
	var scripts []engine.Script
	for _, name := range []string{js.LoopPlain, js.ModelsPlain} {
		text, err := js.File(name)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts, engine.Script{Name: name, Source: text})
	}
	return append(scripts, engine.Script{
		Name:   "program.js",
		Source: "$plain.program(function(exports,require,module,__filename,__dirname,process,global){\n" + b.Text + "\n});\n",
	}), nil
}

// Replayer is one application in one engine worker.
type Replayer struct{ Worker *engine.Worker }

// New starts the application: its module is loaded and has settled.
func New(ctx context.Context, cfg engine.Config, scripts []engine.Script, env map[string]string) (*Replayer, error) {
	cfg.Scripts = scripts
	cfg.NodeMajor = 20
	cfg.CodeDir = engine.DefaultCodeDir()
	w, err := engine.Start(ctx, cfg)
	if err != nil {
		return nil, err
	}
	r := &Replayer{w}
	if _, err := r.run(ctx, job{Init: true, Env: env}); err != nil {
		w.Close()
		return nil, err
	}
	return r, nil
}

// Run re-executes a batch.
func (r *Replayer) Run(ctx context.Context, items []Item) (*Result, error) {
	return r.run(ctx, job{Items: items})
}

// Encode makes a batch ready for RunEncoded, for measurements that leave it out.
func Encode(items []Item) ([]byte, error) { return json.Marshal(job{Items: items}) }

// RunEncoded is Run on an encoded batch.
func (r *Replayer) RunEncoded(ctx context.Context, b []byte) (*Result, error) {
	out, err := r.Worker.Run(ctx, b)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	if err := json.Unmarshal(out, res); err != nil {
		return nil, fmt.Errorf("sequential: %w", err)
	}
	return res, nil
}

func (r *Replayer) run(ctx context.Context, j job) (*Result, error) {
	b, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	return r.RunEncoded(ctx, b)
}

// Close ends the worker.
func (r *Replayer) Close() { r.Worker.Close() }
