package engine

import (
	"fmt"
	"time"
)

// JSError is an exception that left the JavaScript side. The worker goes on.
// Stack positions are those of the scripts as given; mapping them to the
// application's sources is the caller's.
type JSError struct {
	Message  string // "TypeError: x is not a function"
	Location string // script:line:column, if known
	Stack    string
}

func (e *JSError) Error() string {
	if e.Stack != "" {
		return e.Stack
	}
	if e.Location != "" {
		return e.Message + " (" + e.Location + ")"
	}
	return e.Message
}

// TimeoutError: a job ran longer than Config.Timeout. The worker is gone.
type TimeoutError struct {
	After  time.Duration
	Killed bool // it did not even stop when V8 was told to
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("engine: no answer within %v", e.After)
}

// MemoryError: the worker grew past Config.MaxRSS, or V8 found no memory
// below it. The worker is gone.
type MemoryError struct {
	Limit int64
	RSS   int64 // what it had when it was stopped, if known
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("engine: out of memory (the limit is %d MiB)", e.Limit>>20)
}

// CrashError: the worker process ended by itself. Output is the tail of what
// it (V8, usually) wrote.
type CrashError struct {
	State  string
	Output string
}

func (e *CrashError) Error() string {
	if e.Output == "" {
		return "engine: the worker ended: " + e.State
	}
	return "engine: the worker ended: " + e.State + ": " + e.Output
}
