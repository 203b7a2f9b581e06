// Package load drives the test apps: a closed loop in which each of N
// connections sends its next request when it has the answer to the last.
//
// It exists so that the demo, the tests and the benchmarks send the very same
// requests: what is sent is decided by the seed alone. It writes HTTP itself, on
// plain connections, since on two cores a general client would take as much time
// as the server that it measures. It talks to this machine only.
package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Request is one request to send.
type Request struct {
	Method, Path string
	Body         string // JSON, if there is one
}

// Options say how to send them.
type Options struct {
	Addr        string // host:port, on this machine
	Connections int    // 1 if zero
	Warmup      int    // so many first answers are not timed (the paper leaves out 120 of 600)
	// Check looks at every answer; an error ends the run. It is called from
	// many goroutines. Without it, any status under 500 will do.
	Check func(i int, r *Request, status int, body []byte) error
}

// Result is what a run came to.
type Result struct {
	Requests int             // sent and answered
	Elapsed  time.Duration   // from the first to the last answer, without the warmup
	Timed    int             // requests in Elapsed
	Latency  []time.Duration // of the timed requests, sorted
}

// PerSecond is the rate of the timed requests.
func (r *Result) PerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Timed) / r.Elapsed.Seconds()
}

// Quantile returns the latency that a share q of the timed requests did not exceed.
func (r *Result) Quantile(q float64) time.Duration {
	if len(r.Latency) == 0 {
		return 0
	}
	return r.Latency[min(int(q*float64(len(r.Latency))), len(r.Latency)-1)]
}

const (
	maxConnections = 1024
	maxRequests    = 10_000_000
	maxBody        = 64 << 20
	answerWithin   = 60 * time.Second
)

// Run sends all requests and waits for all answers. Connection k of n sends
// requests k, k+n, k+2n, …
func Run(ctx context.Context, requests []Request, o Options) (*Result, error) {
	addr, err := local(o.Addr)
	if err != nil {
		return nil, err
	}
	if o.Connections == 0 {
		o.Connections = 1
	}
	if o.Connections < 0 || o.Connections > maxConnections || len(requests) > maxRequests {
		return nil, fmt.Errorf("load: at most %d connections and %d requests", maxConnections, maxRequests)
	}
	o.Connections = min(o.Connections, max(len(requests), 1))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// All connect before any sends, so that N connections are N from the start.
	conns := make([]*client, o.Connections)
	for i := range conns {
		nc, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", addr)
		if err != nil {
			for _, c := range conns[:i] {
				c.Close()
			}
			return nil, fmt.Errorf("load: %w", err)
		}
		conns[i] = &client{Conn: nc, br: bufio.NewReaderSize(nc, 16<<10), host: o.Addr}
	}
	sent, done := make([]time.Duration, len(requests)), make([]time.Duration, len(requests))
	start := time.Now()
	var wg sync.WaitGroup
	for k, c := range conns {
		wg.Go(func() {
			defer c.Close()
			defer context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })()
			for i := k; i < len(requests); i += o.Connections {
				sent[i] = time.Since(start)
				status, body, err := c.do(&requests[i])
				done[i] = time.Since(start)
				if err == nil {
					if o.Check != nil {
						err = o.Check(i, &requests[i], status, body)
					} else if status >= 500 {
						err = fmt.Errorf("status %d: %.200s", status, body)
					}
				}
				if err != nil {
					cancel(fmt.Errorf("load: request %d, %s %s: %w", i, requests[i].Method, requests[i].Path, err))
					return
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return summarize(sent, done, o.Warmup), nil
}

func summarize(sent, done []time.Duration, warmup int) *Result {
	r := &Result{Requests: len(done)}
	if len(done) <= warmup {
		return r
	}
	order := make([]int, len(done))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(done[a] - done[b]) })
	var from time.Duration
	if warmup > 0 {
		from = done[order[warmup-1]]
	}
	r.Timed = len(done) - warmup
	r.Elapsed = done[order[len(order)-1]] - from
	for _, i := range order[warmup:] {
		r.Latency = append(r.Latency, done[i]-sent[i])
	}
	slices.Sort(r.Latency)
	return r
}

// local refuses every address but this machine's own: a load generator pointed
// elsewhere by mistake is an attack.
func local(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("load: %w", err)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return "", fmt.Errorf("load: %s is not an address of this machine (127.0.0.1)", host)
	}
	return net.JoinHostPort(host, port), nil
}

type client struct {
	net.Conn
	br   *bufio.Reader
	host string
	out  []byte
	body []byte
}

func (c *client) do(r *Request) (status int, body []byte, err error) {
	c.SetDeadline(time.Now().Add(answerWithin))
	b := append(c.out[:0], r.Method...)
	b = append(b, ' ')
	b = append(b, r.Path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, c.host...)
	b = append(b, "\r\n"...)
	if r.Body != "" {
		b = append(b, "Content-Type: application/json\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(r.Body)), 10)
		b = append(b, "\r\n"...)
	}
	b = append(b, "\r\n"...)
	c.out = append(b, r.Body...)
	if _, err := c.Write(c.out); err != nil {
		return 0, nil, err
	}
	return c.answer()
}

// answer reads what the test apps send: a head, and a body of known length or
// in chunks.
func (c *client) answer() (status int, body []byte, err error) {
	line, err := c.line()
	if err != nil {
		return 0, nil, err
	}
	if len(line) < 12 || !strings.HasPrefix(string(line[:9]), "HTTP/1.1 ") {
		return 0, nil, fmt.Errorf("not an HTTP response: %.40q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, fmt.Errorf("not an HTTP response: %.40q", line)
	}
	length, chunked := 0, false
	for {
		if line, err = c.line(); err != nil {
			return 0, nil, err
		}
		if len(line) == 0 {
			break
		}
		switch {
		case hasName(line, "content-length"):
			if length, err = strconv.Atoi(strings.TrimSpace(string(line[15:]))); err != nil || length < 0 || length > maxBody {
				return 0, nil, fmt.Errorf("%.40q", line)
			}
		case hasName(line, "transfer-encoding"):
			chunked = true
		}
	}
	c.body = c.body[:0]
	if !chunked {
		return status, c.body, c.read(length)
	}
	for {
		if line, err = c.line(); err != nil {
			return 0, nil, err
		}
		n, err := strconv.ParseUint(string(line), 16, 31)
		if err != nil || len(c.body)+int(n) > maxBody {
			return 0, nil, fmt.Errorf("chunk %.40q", line)
		}
		if err := c.read(int(n)); err != nil {
			return 0, nil, err
		}
		if line, err = c.line(); err != nil {
			return 0, nil, err
		}
		if n == 0 {
			return status, c.body, nil
		}
	}
}

func (c *client) read(n int) error {
	from := len(c.body)
	c.body = slices.Grow(c.body, n)[:from+n]
	_, err := io.ReadFull(c.br, c.body[from:])
	return err
}

func (c *client) line() ([]byte, error) {
	line, err := c.br.ReadSlice('\n')
	if err == io.EOF {
		return nil, errors.New("the server closed the connection")
	}
	if err != nil {
		return nil, err
	}
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}

func hasName(line []byte, lower string) bool {
	return len(line) > len(lower) && line[len(lower)] == ':' && strings.EqualFold(string(line[:len(lower)]), lower)
}
