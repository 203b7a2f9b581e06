package engine

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/tommie/v8go"
)

//go:embed prelude.js
var prelude string

// MaybeWorker turns this process into a worker, and never returns, when it was
// started as one.
func MaybeWorker() {
	if os.Getenv(workerEnv) == "" {
		return
	}
	os.Unsetenv(workerEnv)
	os.Exit(runWorker())
}

// fatal is a worker's last message.
type fatal struct {
	Kind    string // timeout, memory, other
	Message string
}

func (f fatal) error(c Config) error {
	switch f.Kind {
	case "timeout":
		return &TimeoutError{After: c.Timeout}
	case "memory":
		return &MemoryError{Limit: c.MaxRSS}
	}
	return errors.New("engine: " + f.Message)
}

type frame struct {
	kind    byte
	payload []byte
}

func runWorker() int {
	// ^C reaches the whole foreground group; the parent decides what it means.
	signal.Ignore(os.Interrupt, syscall.SIGHUP)
	frames := make(chan frame)
	// A frame's memory is used again once its answer is out.
	free := make(chan []byte, 2)
	go func() {
		r := bufio.NewReaderSize(os.Stdin, 64<<10)
		for {
			var buf []byte
			select {
			case buf = <-free:
			default:
			}
			kind, payload, err := readFrame(r, buf)
			if err != nil {
				// The parent is gone, or wants this worker gone: even if
				// JavaScript runs right now.
				os.Exit(0)
			}
			frames <- frame{kind, payload}
		}
	}()
	out := bufio.NewWriterSize(os.NewFile(3, "parent"), 64<<10)
	send := func(kind byte, parts ...string) {
		if writeFrame(out, kind, parts...) != nil {
			os.Exit(1)
		}
	}

	// V8 wants one thread.
	runtime.LockOSThread()
	first := <-frames
	var cfg workerConfig
	if first.kind != frameConfig || json.Unmarshal(first.payload, &cfg) != nil {
		send(frameFatal, `{"Kind":"other","Message":"bad configuration"}`)
		return 1
	}
	m, err := newMachine(cfg)
	if err != nil {
		send(frameFatal, m.fatal(err))
		return 1
	}
	send(frameResult)
	for f := range frames {
		var result string
		var err error
		m.timed(func() {
			switch f.kind {
			case frameScript:
				result, err = m.script(f.payload)
			case frameCode:
				result, err = m.code(bytesAsString(f.payload))
			case frameJob:
				result, err = m.job(bytesAsString(f.payload))
			default:
				err = fmt.Errorf("bad request of kind %q", f.kind)
			}
		})
		var thrown *v8go.JSError
		switch {
		case err == nil && !m.timedOut.Load():
			send(frameResult, result)
		case errors.As(err, &thrown) && !m.timedOut.Load() && !terminated(thrown):
			b, _ := json.Marshal(JSError{Message: thrown.Message, Location: thrown.Location, Stack: thrown.StackTrace})
			send(frameThrown, bytesAsString(b))
		default:
			send(frameFatal, m.fatal(err))
			return 1
		}
		select {
		case free <- f.payload:
		default:
		}
	}
	return 0
}

// machine is the worker's one isolate and realm.
type machine struct {
	cfg      workerConfig
	iso      *v8go.Isolate
	ctx      *v8go.Context
	run      *v8go.Function
	scripts  []*v8go.UnboundScript
	timedOut atomic.Bool
	answer   []byte // of a host call, until the caller has room for it
	files    fileTable
}

func newMachine(cfg workerConfig) (*machine, error) {
	limitData(cfg.MaxRSS + 1<<30)
	m := &machine{cfg: cfg}
	// Bytecode is kept: a worker runs the same code until its end. Of a program
	// and its packages, little runs: nothing is compiled before it does. The prelude
	// needs one runtime function, for which the syntax is allowed until the
	// prelude has run.
	v8go.SetFlags(append([]string{"--no-flush-bytecode", "--max-lazy", "--stack-size=3900"}, cfg.Flags...)...)
	v8go.SetFlags("--allow-natives-syntax")
	heap := uint64(min(cfg.MaxRSS, 3<<30))
	m.iso = v8go.NewIsolate(v8go.WithResourceConstraints(32<<20, heap))
	m.ctx = v8go.NewContext(m.iso)
	if err := m.installHost(); err != nil {
		return m, err
	}
	if _, err := m.ctx.RunScript(prelude, "karousos:prelude"); err != nil {
		return m, err
	}
	v8go.SetFlags("--no-allow-natives-syntax")
	init, err := m.global("__engine")
	if err != nil {
		return m, err
	}
	major, err := v8go.NewValue(m.iso, int32(cfg.NodeMajor))
	if err != nil {
		return m, err
	}
	run, err := init.Call(v8go.Undefined(m.iso), major)
	if err != nil {
		return m, err
	}
	m.run, err = run.AsFunction()
	return m, err
}

func (m *machine) global(name string) (*v8go.Function, error) {
	v, err := m.ctx.Global().Get(name)
	if err != nil {
		return nil, err
	}
	return v.AsFunction()
}

// timed stops the JavaScript that f runs when its time is up.
func (m *machine) timed(f func()) {
	t := time.AfterFunc(m.cfg.Timeout, func() {
		m.timedOut.Store(true)
		m.iso.TerminateExecution()
	})
	defer t.Stop()
	f()
}

// codeRejected: V8 would not take the code that came with a script.
const codeRejected = "rejected"

func (m *machine) script(payload []byte) (string, error) {
	name, rest, _ := bytes.Cut(payload, []byte{0})
	if len(rest) < 4 || uint32(len(rest)-4) < binary.LittleEndian.Uint32(rest) {
		return "", errors.New("bad script")
	}
	n := binary.LittleEndian.Uint32(rest)
	var opts v8go.CompileOptions
	if n > 0 {
		opts.CachedData = &v8go.CompilerCachedData{Bytes: rest[4 : 4+n]}
	}
	u, err := m.iso.CompileUnboundScript(bytesAsString(rest[4+n:]), string(name), opts)
	if err != nil {
		return "", err
	}
	m.scripts = append(m.scripts, u)
	v, err := u.Run(m.ctx)
	if err != nil {
		return "", err
	}
	v.Release()
	if n > 0 && opts.CachedData.Rejected {
		return codeRejected, nil
	}
	return "", nil
}

// code is what V8 has compiled of a script so far.
func (m *machine) code(number string) (string, error) {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(m.scripts) {
		return "", errors.New("no such script")
	}
	return bytesAsString(m.scripts[i].CreateCodeCache().Bytes), nil
}

func (m *machine) job(text string) (string, error) {
	arg, err := v8go.NewValue(m.iso, text)
	if err != nil {
		return "", err
	}
	defer arg.Release()
	v, err := m.run.Call(v8go.Undefined(m.iso), arg)
	if err != nil {
		return "", err
	}
	defer v.Release()
	if !v.IsString() {
		return "", &v8go.JSError{Message: "TypeError: __result() must return a string"}
	}
	return v.String(), nil
}

func terminated(e *v8go.JSError) bool {
	return strings.HasPrefix(e.Message, "ExecutionTerminated")
}

// fatal words the worker's last message. V8 terminates by itself only when its
// heap is nearly full.
func (m *machine) fatal(err error) string {
	f := fatal{Kind: "other"}
	if err != nil {
		f.Message = err.Error()
	}
	var thrown *v8go.JSError
	switch {
	case m.timedOut.Load():
		f.Kind = "timeout"
	case errors.As(err, &thrown) && terminated(thrown):
		f.Kind = "memory"
	}
	b, _ := json.Marshal(f)
	return string(b)
}

// bytesAsString shares the memory of b, which must not change any more.
func bytesAsString(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func stringAsBytes(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
