// Package fake stands in for a server and an engine in tests of what lies between them: a program small enough to be
// run again by reading a job.
//
// The program keeps a map. POST sets the key that its URL names to its body and answers "ok"; GET answers the key's
// value or "none". A Server runs it and writes honest advice; an Engine runs it again from jobs.
package fake

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// A Server runs the program.
type Server struct {
	Trace *trace.Trace
	Life  *advice.Life
	last  map[string]int32
	value map[string]string
	loc   map[string]int32
}

// New starts a server with an empty map.
func New() *Server {
	return &Server{
		Trace: &trace.Trace{},
		Life:  &advice.Life{Requests: []advice.Request{{Acts: []advice.Act{{Parent: -1}}}}, Complete: true},
		last:  map[string]int32{}, value: map[string]string{}, loc: map[string]int32{},
	}
}

// Serve handles one request that arrives when it says and is answered before the next.
func (s *Server) Serve(line string) {
	s.Arrive(line)
	s.Answer(len(s.Trace.Exchanges) - 1)
}

// Arrive handles a request that is answered later. A line is a method, a key and for POST a value.
func (s *Server) Arrive(line string) {
	f := append(strings.SplitN(line, " ", 3), "")
	rid := uint64(len(s.Trace.Exchanges) + 1)
	x := trace.Exchange{RID: rid, HasResponse: true}
	x.Request = trace.Request{Method: f[0], Target: "/" + f[1], Headers: []trace.Header{{Name: "Host", Value: "h"}}, Body: []byte(f[2])}
	x.Response = trace.Response{Status: 200, Headers: []trace.Header{{Name: "X-Key", Value: f[1]}, {Name: "Date", Value: fmt.Sprint(rid)}}}
	s.Trace.Events = append(s.Trace.Events, trace.Event{RID: rid, Exchange: int32(rid - 1), Kind: trace.RequestEvent})
	q := int32(len(s.Life.Requests))
	tag := uint32(1)
	if f[0] == "POST" {
		tag = 2
	}
	s.Life.Requests = append(s.Life.Requests, advice.Request{RID: rid, Tag: tag, HasTag: true, Acts: []advice.Act{{Parent: -1}}})
	prev, known := s.last[f[1]]
	if f[0] == "POST" {
		if _, ok := s.loc[f[1]]; !ok {
			s.loc[f[1]] = int32(len(s.Life.Locations))
			s.Life.Locations = append(s.Life.Locations, advice.Location{Obj: record.InitRef(0), Key: record.Name(f[1])})
		}
		if !known {
			prev = -1
		}
		s.last[f[1]] = int32(len(s.Life.Writes))
		s.value[f[1]] = f[2]
		s.Life.Writes = append(s.Life.Writes, advice.Write{Req: q, Op: 1, Loc: s.loc[f[1]], Prev: prev, Value: record.Text(f[2])})
		x.Response.Body = []byte("ok")
	} else if known {
		s.Life.Reads = append(s.Life.Reads, advice.Read{Req: q, Write: prev})
		x.Response.Body = []byte(s.value[f[1]])
	} else {
		x.Response.Body = []byte("none")
	}
	s.Trace.Exchanges = append(s.Trace.Exchanges, x)
}

// Answer says when request i (from 0) was answered.
func (s *Server) Answer(i int) {
	s.Trace.Events = append(s.Trace.Events, trace.Event{RID: uint64(i + 1), Exchange: int32(i), Kind: trace.ResponseEvent})
}

// Advice is what the server reports.
func (s *Server) Advice() *advice.Advice { return &advice.Advice{Lives: []*advice.Life{s.Life}} }

// A Job is as much of a job as the program needs.
type Job struct {
	Look bool `json:"look"`
	ID   int  `json:"id"`
	N    int  `json:"n"`
	Init bool `json:"init"`
	Req  struct {
		Method, URL, Body json.RawMessage
		B64               bool
		Partial           *int
	}
	Expect *struct {
		Body    json.RawMessage
		Headers [][2]json.RawMessage
	}
	Explain bool
	Course  []int // nil: re-execution's own order
	R, W    []int
	Locs    [][2]json.RawMessage
	Writes  [][3]json.RawMessage
}

// column reads one lane's part of what is the same in all lanes or {"c": […]}.
func column(c json.RawMessage, lane int) string {
	var s string
	if json.Unmarshal(c, &s) == nil {
		return s
	}
	var per struct{ C []string }
	json.Unmarshal(c, &per)
	return per.C[lane]
}

// ErrBroken is what an engine dies of.
var ErrBroken = errors.New("the engine broke")

// An Engine runs jobs.
type Engine struct {
	Jobs    *atomic.Int64
	Breaks  func(job *Job) bool // the engine dies of this job
	Nervous bool                // tells a problem of lane 0 in every group
	Shares  func(job *Job) bool // the engine's program keeps something of this job that nobody tracks
	shared  bool
	closed  bool
}

func (e *Engine) Close() error { e.closed = true; return nil }

func (e *Engine) Run(_ context.Context, text []byte) ([]byte, error) {
	if e.closed {
		return nil, errors.New("the engine was closed")
	}
	var j Job
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, fmt.Errorf("a job that is no JSON: %v\n%s", err, text)
	}
	if j.Look {
		answer := map[string]any{"id": j.ID, "ok": !e.shared}
		if e.shared {
			answer["problems"] = []any{map[string]any{"lane": 0, "rule": "R-shared", "msg": "requests share state"}}
		}
		return json.Marshal(answer)
	}
	if e.Jobs != nil {
		e.Jobs.Add(1)
	}
	if e.Shares != nil && e.Shares(&j) {
		e.shared = true
	}
	if e.Breaks != nil && e.Breaks(&j) {
		e.closed = true
		return nil, ErrBroken
	}
	out := map[string]any{"id": j.ID, "ok": true, "diverged": nil, "acts": [][]int{{}}, "respAct": 0, "problems": []any{}, "keys": []any{}, "ops": []int{}}
	if j.Init {
		out["respAct"] = -1
		return json.Marshal(out)
	}
	methods := map[string]int{}
	parts := make([]int, j.N)
	for i := range parts {
		m := column(j.Req.Method, i) + fmt.Sprint(len(j.Req.Body) == 4)
		if _, ok := methods[m]; !ok {
			methods[m] = len(methods)
		}
		parts[i] = methods[m]
	}
	if len(methods) > 1 {
		out["ok"], out["diverged"] = false, map[string]any{"why": "methods differ", "parts": parts}
		return json.Marshal(out)
	}
	problems := []any{}
	problem := func(lane int, rule, msg, expected, found string) {
		problems = append(problems, map[string]any{"lane": lane, "rule": rule, "msg": msg, "expected": expected, "found": found})
	}
	if e.Nervous && j.N > 1 {
		problem(0, "R-test", "a problem that is none", "", "")
	}
	ops, keys := []int{}, []string{}
	value := func(w int) (string, string) {
		var v string
		var loc int
		var locKey string
		json.Unmarshal(j.Writes[w][2], &v)
		json.Unmarshal(j.Writes[w][0], &loc)
		json.Unmarshal(j.Locs[loc][1], &locKey)
		return v, locKey
	}
	for i := 0; i < j.N; i++ {
		key := column(j.Req.URL, i)[1:]
		at := len(keys)
		keys = append(keys, key)
		read, write := -1, -1
		for k := 0; k < len(j.R); k += 3 {
			if _, lk := value(j.R[k+2]); read < 0 && j.R[k+1] == i && lk == key {
				read = j.R[k+2]
				j.R[k+1] = -1
			}
		}
		for k := 0; k < len(j.W); k += 4 {
			if _, lk := value(j.W[k+3]); write < 0 && j.W[k+1] == i && lk == key && j.W[k+2] == 1 {
				write = j.W[k+3]
				j.W[k+1] = -1
			}
		}
		answer := "ok"
		answered := func() string {
			if part := j.Req.Partial; part != nil {
				return base64.StdEncoding.EncodeToString([]byte(answer)[:min(*part, len(answer))])
			}
			return answer
		}
		if column(j.Req.Method, i) == "POST" {
			kind, prev := 0, -1
			if write >= 0 {
				json.Unmarshal(j.Writes[write][1], &prev)
				if v, _ := value(write); v != column(j.Req.Body, i) {
					problem(i, "R-value", "the value written is not the logged one", column(j.Req.Body, i), v)
				}
			}
			if prev >= 0 {
				kind = 1
			}
			ops = append(ops, i, 0, 1, -1, at, 1, kind, max(prev, 0), 0, write)
		} else if read >= 0 {
			answer, _ = value(read)
			ops = append(ops, i, 0, 0, -1, at, 0, 1, read, 0, -1)
		} else {
			answer = "none"
			ops = append(ops, i, 0, 0, -1, at, 0, 0, 0, 0, -1)
		}
		if j.Expect == nil {
			continue
		}
		if want := column(j.Expect.Body, i); want != answered() {
			problem(i, "R-response", "the response's body is not what the program answers", answer, want)
		}
		if len(j.Expect.Headers) != 1 || string(j.Expect.Headers[0][0]) != `"x-key"` || column(j.Expect.Headers[0][1], i) != key {
			problem(i, "R-response", "the response's headers are not what the program answers", key, fmt.Sprint(j.Expect.Headers))
		}
	}
	for k := 0; k < len(j.R); k += 3 {
		if j.R[k+1] >= 0 {
			problem(j.R[k+1], "R-leftover", "a read is left over", "", "")
		}
	}
	for k := 0; k < len(j.W); k += 4 {
		if j.W[k+1] >= 0 {
			problem(j.W[k+1], "R-leftover", "a write is left over", "", "")
		}
	}
	out["ok"], out["problems"], out["ops"], out["keys"] = len(problems) == 0, problems, ops, keys
	if j.Explain {
		out["stacks"] = [][]any{{0, 0, ops[5], ops[2], "Error\n    at handler (program.js:1:3)"}}
	}
	return json.Marshal(out)
}
