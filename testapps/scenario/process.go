package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Process is a server or a collector that runs beside us.
type Process struct {
	Addr string // host:port on which it answers

	name   string
	cmd    *exec.Cmd
	output *tail
	exited chan struct{}
	begin  time.Duration // processor time when it was ready
}

// Usage is what a process has cost, as the kernel counted.
type Usage struct {
	CPU    time.Duration // of the process and of the children that it waited for
	Start  time.Duration // the part of CPU before it was ready
	MaxRSS int64         // bytes; the largest of the process and its children
	Code   int           // exit status, -1 if a signal ended it
	Signal syscall.Signal
}

// Work is the processor time from when the process was ready to its end.
func (u Usage) Work() time.Duration { return u.CPU - u.Start }

// start starts a command. What it prints is kept for messages, and shown to watch
// line by line if there is one.
func start(ctx context.Context, name string, cmd *exec.Cmd, watch func(line string)) (*Process, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p := &Process{name: name, cmd: cmd, output: &tail{watch: watch}, exited: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.output, p.output
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	go func() {
		cmd.Wait()
		close(p.exited)
	}()
	context.AfterFunc(ctx, func() { p.cmd.Process.Kill() })
	return p, nil
}

// ready waits until the process answers on its address.
func (p *Process) ready(ctx context.Context) error {
	limit := time.NewTimer(30 * time.Second)
	defer limit.Stop()
	for {
		if c, err := net.DialTimeout("tcp", p.Addr, time.Second); err == nil {
			c.Close()
			p.begin = p.CPU()
			return nil
		}
		select {
		case <-p.exited:
			return fmt.Errorf("%s ended (%s) before it listened:\n%s", p.name, p.cmd.ProcessState, p.Output())
		case <-limit.C:
			p.Kill()
			return fmt.Errorf("%s does not listen on %s after 30 s:\n%s", p.name, p.Addr, p.Output())
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Pid is the process's number.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Output is the end of what the process has printed so far.
func (p *Process) Output() string { return p.output.String() }

// CPU is the processor time of a running process so far, over all its threads.
// Unlike /proc/PID/stat, which counts in ticks of 10 ms, this is exact.
func (p *Process) CPU() time.Duration {
	var total int64
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.Pid()))
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended meanwhile
		}
		ns, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(ns, 10, 64)
		total += n
	}
	return time.Duration(total)
}

// Exited is closed once the process is gone.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Stop asks the process to end, as ^C or an init system would, and waits.
func (p *Process) Stop(sig syscall.Signal) (Usage, error) {
	p.cmd.Process.Signal(sig)
	select {
	case <-p.exited:
	case <-time.After(20 * time.Second):
		p.cmd.Process.Kill()
		<-p.exited
		return p.usage(), fmt.Errorf("%s still ran 20 s after %s:\n%s", p.name, sig, p.Output())
	}
	u := p.usage()
	if u.Code != 0 && u.Signal != sig && u.Code != 128+int(sig) {
		return u, fmt.Errorf("%s ended with %s:\n%s", p.name, p.cmd.ProcessState, p.Output())
	}
	return u, nil
}

// Kill ends the process at once and waits until it is gone.
func (p *Process) Kill() {
	p.cmd.Process.Kill()
	<-p.exited
}

func (p *Process) usage() Usage {
	u := usageOf(p.cmd.ProcessState)
	u.Start = p.begin
	return u
}

func usageOf(s *os.ProcessState) Usage {
	u := Usage{CPU: s.UserTime() + s.SystemTime(), Code: s.ExitCode()}
	if r, ok := s.SysUsage().(*syscall.Rusage); ok {
		u.MaxRSS = r.Maxrss << 10
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		u.Signal = w.Signal()
	}
	return u
}

// tail keeps the last of what is written to it.
type tail struct {
	mu    sync.Mutex
	text  []byte
	line  []byte
	watch func(string)
}

const tailSize = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text); n > 2*tailSize {
		t.text = append(t.text[:0], t.text[n-tailSize:]...)
	}
	if t.watch != nil {
		t.line = append(t.line, b...)
		for {
			i := bytes.IndexByte(t.line, '\n')
			if i < 0 {
				break
			}
			t.watch(string(t.line[:i]))
			t.line = t.line[i+1:]
		}
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimRight(string(t.text), "\n")
}

// finish runs a command to its end; during, if there is one, runs beside it until
// the channel is closed.
func finish(ctx context.Context, cmd *exec.Cmd, stdout io.Writer, during func(pid int, done <-chan struct{})) (Usage, string, error) {
	errs := &tail{}
	cmd.Stdout, cmd.Stderr = stdout, errs
	if err := cmd.Start(); err != nil {
		return Usage{}, "", err
	}
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		if during != nil {
			during(cmd.Process.Pid, done)
		}
	}()
	err := cmd.Wait()
	close(done)
	<-watched
	if ctx.Err() != nil {
		return Usage{}, errs.String(), context.Cause(ctx)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Usage{}, errs.String(), err
	}
	return usageOf(cmd.ProcessState), errs.String(), nil
}

// watch looks at how much memory a process and its children have had resident at
// most. The kernel keeps the peaks, so looking now and then is enough.
type watch struct{ own, child int64 }

func (w *watch) run(pid int, done <-chan struct{}) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		w.own = max(w.own, peakOf(pid))
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, list := range lists {
			text, _ := os.ReadFile(list)
			for _, child := range strings.Fields(string(text)) {
				if n, err := strconv.Atoi(child); err == nil {
					w.child = max(w.child, peakOf(n))
				}
			}
		}
		select {
		case <-done:
			return
		case <-tick.C:
		}
	}
}

// peakOf reads a process's high-water mark of resident memory.
func peakOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(kb, 10, 64)
	return n << 10
}
