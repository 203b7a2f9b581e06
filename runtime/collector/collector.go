// Package collector is the trusted recorder that stands between the clients
// and the server under audit: a reverse proxy that writes the trace.
//
// It is the one part of the system that every request passes and that must be
// believed, so it is small, does nothing to what it forwards that the trace does
// not show, and never passes on what it cannot record. Clients are served by
// net/http. The connection to the server is our own (upstream.go): the trace must
// hold the request exactly as the application received it, in the order of the
// wire, and the response exactly as the server sent it, before anything is
// canonicalised, sorted or added.
package collector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"karousosc/verifier/trace"
)

// RequestIDHeader names each request to the server's runtime, which takes it
// away before the application looks.
const RequestIDHeader = "Karousos-Request-Id"

// DefaultMaxBody is how much of one body is recorded unless Options say otherwise.
const DefaultMaxBody = 256 << 20

// Options configure a Collector.
type Options struct {
	Upstream string        // http://host:port of the server, or https
	Trace    *trace.Writer // where to record; the caller closes it after Close
	Commit   bool          // a response is completed only when the trace's file has it
	MaxBody  int64         // bytes of one body that are recorded; 0 = DefaultMaxBody
	Log      *log.Logger   // what goes wrong, for people; nil = silent
}

// Collector forwards requests and records them. It is an http.Handler; Serve
// runs it on a listener.
type Collector struct {
	trace   *trace.Writer
	commit  bool
	maxBody int64
	pool    *pool
	server  *http.Server

	stop     context.Context // ends tunnels
	stopNow  context.CancelFunc
	inFlight sync.WaitGroup

	mu     sync.Mutex
	stats  Stats
	closed bool // no more exchanges begin
}

// Remark is an exchange that the trace cannot tell everything about.
type Remark struct {
	RID                  uint64
	Method, Target, Note string
}

// maxRemarks bounds the list that Stats returns; the trace has all of them.
const maxRemarks = 100

// Stats counts what has been collected.
type Stats struct {
	Requests, Aborted, Unaudited int64
	Remarks                      []Remark // the first of the unauditable ones
}

// New makes a collector; it connects to the server when the first request comes.
func New(o Options) (*Collector, error) {
	u, err := url.Parse(o.Upstream)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the upstream %q is not of the form http://host:port", o.Upstream)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil:
		return nil, fmt.Errorf("the upstream %q has more than a host: paths are forwarded as they come", o.Upstream)
	case o.Trace == nil:
		return nil, errors.New("a collector needs a trace to write")
	}
	c := &Collector{trace: o.Trace, commit: o.Commit, maxBody: o.MaxBody, pool: newPool(u)}
	if c.maxBody == 0 {
		c.maxBody = DefaultMaxBody
	}
	c.stop, c.stopNow = context.WithCancel(context.Background())
	logger := o.Log
	if logger == nil {
		logger = log.New(io.Discard, "", 0)
	}
	c.server = &http.Server{
		Handler: c,
		// A client must not hold a connection by sending nothing; how long
		// a body or a response may take is the application's business.
		ReadHeaderTimeout: time.Minute,
		IdleTimeout:       5 * time.Minute,
		ErrorLog:          logger,
		// "OPTIONS *" is the server's to answer, too.
		DisableGeneralOptionsHandler: true,
		ConnContext:                  withClient,
	}
	return c, nil
}

// Serve accepts clients on l until Close is called.
func (c *Collector) Serve(l net.Listener) error {
	if err := c.server.Serve(clients{l}); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close stops accepting, lets the exchanges under way finish until ctx is done,
// then cuts them off (the trace lists them as aborted). When it returns, nothing
// is recorded any more.
func (c *Collector) Close(ctx context.Context) {
	err := c.server.Shutdown(ctx)
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stopNow()
	if err != nil {
		c.server.Close()
	}
	c.inFlight.Wait()
	c.pool.close()
}

// Stats tells what has been collected so far.
func (c *Collector) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Remarks = slices.Clone(s.Remarks)
	return s
}

// enter counts an exchange, unless the collector is closed.
func (c *Collector) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.inFlight.Add(1)
	c.stats.Requests++
	return true
}
