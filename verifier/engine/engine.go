// Package engine runs JavaScript for the verifier: V8, embedded through v8go,
// in worker processes of its own.
//
// A process each, because V8 cannot promise to survive its guest: one large
// allocation past the heap limit aborts the process even with a callback at
// the limit, array buffers are outside that limit, and all isolates of a
// process share one 4 GB cage. What is audited is an application that we did
// not write, fed with bytes that an untrusted server sent, so every way to
// die must be an error value in the parent: hangs are stopped after
// Config.Timeout (first by V8, then by the kernel), memory is watched from
// outside, crashes carry V8's last words. The worker is this same executable,
// started with an environment variable; a program that uses the package calls
// MaybeWorker first thing in main (or TestMain).
//
// A worker evaluates Config.Scripts once, then jobs: a job calls
// __start(job), then __step() after each microtask checkpoint until it returns
// 0, then __result(), which is the answer. Those three functions are defined by
// the scripts. Microtasks run at these checkpoints only: each job is one call
// into V8, which by itself drains microtasks only when the outermost call
// returns.
package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Script is evaluated at the top level of the worker's realm, in order.
type Script struct{ Name, Source string }

// Config says what a worker runs and how far it may go.
type Config struct {
	Scripts []Script
	// Timeout bounds loading all scripts, and each job. Default one minute.
	Timeout time.Duration
	// MaxRSS bounds the worker's resident memory. Default 2 GiB.
	MaxRSS int64
	// SemiSpaceMiB sizes V8's young generation. Lane vectors die young but are
	// large; the default of 8 avoids copying them. 0 means the default.
	SemiSpaceMiB int
	// Flags are further V8 flags.
	Flags []string
	// Env is added to the worker's environment (TZ decides local time).
	Env []string
	// CodeDir keeps compiled code between runs, if it is not empty.
	CodeDir string
	// NodeMajor names the Node.js release whose built-ins the realm shows;
	// newer ones are hidden, because feature tests would branch on them.
	// Only 20 is known; 0 hides nothing.
	NodeMajor int
	// Files is the table of the app's own files, as a build writes it, or "".
	Files string
}

const (
	workerEnv = "KAROUSOSC_ENGINE_WORKER"
	// A worker that does not stop this long after V8 was told to is killed.
	grace = 2 * time.Second
	// How often memory is looked at while a job runs.
	rssInterval = 20 * time.Millisecond
	outputTail  = 8 << 10
)

func (c Config) withDefaults() Config {
	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}
	if c.MaxRSS <= 0 {
		c.MaxRSS = 2 << 30
	}
	if c.SemiSpaceMiB <= 0 {
		c.SemiSpaceMiB = 8
	}
	return c
}

// workerConfig is what the worker itself needs to know.
type workerConfig struct {
	Timeout   time.Duration
	MaxRSS    int64
	Flags     []string
	NodeMajor int
	Files     string
}

// Worker is one isolate in one process. Run may be called from several
// goroutines; jobs run one after another.
type Worker struct {
	cfg    Config
	cmd    *exec.Cmd
	in     io.WriteCloser
	w      *bufio.Writer
	out    *os.File
	r      *bufio.Reader
	output *tail

	// codeless are the scripts whose code is yet to be kept, and where.
	codeless map[int]string

	mu      sync.Mutex // held by the job that runs
	busy    atomic.Bool
	dead    error // set under mu: what every further Run answers
	cause   atomic.Pointer[error]
	waited  chan struct{}
	waitErr error
}

// Start starts a worker and evaluates the scripts. ctx bounds the start and
// the worker's whole life: when it is done, the worker is killed.
func Start(ctx context.Context, cfg Config) (*Worker, error) {
	cfg = cfg.withDefaults()
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	fromWorker, toParent, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	w := &Worker{cfg: cfg, out: fromWorker, output: &tail{}, waited: make(chan struct{})}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), cfg.Env...)
	// Job-sized blocks stay in the heap: mapping and faulting them in anew for
	// each job costs more than copying them.
	// A worker has one thread of work: a scheduler with more to do its chores on
	// only wakes them for nothing.
	cmd.Env = append(cmd.Env, workerEnv+"=1", "GOMAXPROCS=1", "MALLOC_MMAP_THRESHOLD_=268435456", "MALLOC_TRIM_THRESHOLD_=268435456")
	cmd.ExtraFiles = []*os.File{toParent}
	// V8 says on stdout or stderr why it aborts.
	cmd.Stdout = w.output
	cmd.Stderr = w.output
	w.cmd = cmd
	w.in, err = cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	toParent.Close()
	if err != nil {
		fromWorker.Close()
		return nil, fmt.Errorf("engine: starting a worker: %w", err)
	}
	growPipe(fromWorker)
	if f, ok := w.in.(syscall.Conn); ok {
		growPipe(f)
	}
	w.w = bufio.NewWriterSize(w.in, 64<<10)
	w.r = bufio.NewReaderSize(fromWorker, 64<<10)
	go func() {
		w.waitErr = cmd.Wait()
		close(w.waited)
	}()
	go w.watchMemory()
	context.AfterFunc(ctx, func() { w.stop(ctx.Err()) })

	flags := append([]string{"--single-threaded", "--min-semi-space-size=" + strconv.Itoa(cfg.SemiSpaceMiB), "--max-semi-space-size=" + strconv.Itoa(2*cfg.SemiSpaceMiB)}, cfg.Flags...)
	c, err := json.Marshal(workerConfig{Timeout: cfg.Timeout, MaxRSS: cfg.MaxRSS, Flags: flags, NodeMajor: cfg.NodeMajor, Files: cfg.Files})
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.exchange(ctx, frameConfig, string(c))
	for i, s := range cfg.Scripts {
		if err != nil {
			break
		}
		var code []byte
		var file string
		if cfg.CodeDir != "" {
			file = codeFile(cfg.CodeDir, flags, s)
			code = readCode(file)
		}
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(code)))
		var answer []byte
		answer, err = w.exchange(ctx, frameScript, s.Name, "\x00", string(size[:]), bytesAsString(code), s.Source)
		if file != "" && (code == nil || string(answer) == codeRejected) {
			if w.codeless == nil {
				w.codeless = map[int]string{}
			}
			w.codeless[i] = file
		}
	}
	if err != nil {
		w.dead = err
		w.stop(err)
		w.release()
		return nil, err
	}
	return w, nil
}

// Run runs one job. After a *JSError the worker takes further jobs; after any
// other error it is gone and the caller starts another one.
func (w *Worker) Run(ctx context.Context, job []byte) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead != nil {
		return nil, fmt.Errorf("engine: the worker is gone: %w", w.dead)
	}
	return w.exchange(ctx, frameJob, bytesAsString(job))
}

// keepCode keeps what V8 has compiled of the scripts in all jobs. mu is held.
func (w *Worker) keepCode() {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	for i, file := range w.codeless {
		if code, err := w.exchange(ctx, frameCode, strconv.Itoa(i)); err == nil {
			writeCode(file, code)
		}
	}
	w.codeless = nil
}

// Close ends the worker and waits for it. It may be called more than once.
func (w *Worker) Close() error {
	if w.mu.TryLock() {
		if w.dead == nil {
			w.keepCode()
		}
		w.mu.Unlock()
	}
	w.stop(errClosed)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead == nil {
		w.dead = errClosed
	}
	w.release()
	return nil
}

var errClosed = errors.New("engine: the worker was closed")

// PID is the worker's process id, for tools that measure it.
func (w *Worker) PID() int { return w.cmd.Process.Pid }

// CPU is the processor time that the worker has used so far.
func (w *Worker) CPU() time.Duration {
	select {
	case <-w.waited:
		return w.cmd.ProcessState.UserTime() + w.cmd.ProcessState.SystemTime()
	default:
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.cmd.Process.Pid))
	_, rest, ok := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if err != nil || !ok || len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	const tick = time.Second / 100
	return time.Duration(user+system) * tick
}

// exchange sends one frame and waits for the answer; mu is held.
func (w *Worker) exchange(ctx context.Context, kind byte, parts ...string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.busy.Store(true)
	defer w.busy.Store(false)
	hard := time.AfterFunc(w.cfg.Timeout+grace, func() {
		w.stop(&TimeoutError{After: w.cfg.Timeout, Killed: true})
	})
	defer hard.Stop()
	cancelled := context.AfterFunc(ctx, func() { w.stop(ctx.Err()) })
	defer cancelled()

	err := writeFrame(w.w, kind, parts...)
	var payload []byte
	if err == nil {
		kind, payload, err = readFrame(w.r, nil)
	}
	if err != nil {
		return nil, w.die(nil)
	}
	switch kind {
	case frameResult:
		return payload, nil
	case frameThrown:
		e := &JSError{}
		if err := json.Unmarshal(payload, e); err != nil {
			return nil, w.die(fmt.Errorf("engine: bad answer: %w", err))
		}
		return nil, e
	case frameFatal:
		var f fatal
		if err := json.Unmarshal(payload, &f); err != nil {
			return nil, w.die(fmt.Errorf("engine: bad answer: %w", err))
		}
		return nil, w.die(f.error(w.cfg))
	}
	return nil, w.die(fmt.Errorf("engine: bad answer of kind %q", kind))
}

// die buries a worker that is ending or must end, and says why.
func (w *Worker) die(why error) error {
	select {
	case <-w.waited:
	case <-time.After(200 * time.Millisecond): // time to write its last words
	}
	if c := w.cause.Load(); c != nil {
		why = *c
	}
	if why == nil {
		select {
		case <-w.waited:
		case <-time.After(grace):
		}
	}
	w.stop(why)
	w.release()
	if why == nil {
		why = w.crash()
	}
	w.dead = why
	return why
}

func (w *Worker) crash() error {
	out := w.output.String()
	if strings.Contains(out, "out of memory") || strings.Contains(out, "cannot allocate memory") {
		return &MemoryError{Limit: w.cfg.MaxRSS}
	}
	return &CrashError{State: w.cmd.ProcessState.String(), Output: out}
}

// stop kills the worker; the first cause is the one that is told.
func (w *Worker) stop(cause error) {
	if cause != nil {
		w.cause.CompareAndSwap(nil, &cause)
	}
	w.cmd.Process.Kill()
}

// release waits for the process and closes the pipes; mu is held.
func (w *Worker) release() {
	w.cmd.Process.Kill()
	<-w.waited
	w.in.Close()
	w.out.Close()
}

// watchMemory kills a worker whose resident memory passes the limit while it
// works: V8's own limit is soft and leaves array buffers out.
func (w *Worker) watchMemory() {
	path := fmt.Sprintf("/proc/%d/statm", w.cmd.Process.Pid)
	page := int64(os.Getpagesize())
	t := time.NewTicker(rssInterval)
	defer t.Stop()
	for {
		select {
		case <-w.waited:
			return
		case <-t.C:
		}
		if !w.busy.Load() {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f := strings.Fields(string(b))
		if len(f) < 2 {
			continue
		}
		pages, _ := strconv.ParseInt(f[1], 10, 64)
		if rss := pages * page; rss > w.cfg.MaxRSS {
			w.stop(&MemoryError{Limit: w.cfg.MaxRSS, RSS: rss})
			return
		}
	}
}

// tail keeps the last bytes written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if n := len(t.b) - outputTail; n > 0 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.b))
}
