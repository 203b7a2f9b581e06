package collector

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"karousosc/verifier/trace"
)

const (
	dialTimeout = 10 * time.Second
	// Node.js closes a connection that was idle for 5 s. One must be given up
	// earlier than that, since a request that meets a closing connection
	// cannot in general be sent again.
	idleTimeout     = 4 * time.Second
	checkAfter      = 50 * time.Millisecond
	maxIdle         = 1024
	maxResponseHead = 1 << 20
)

// pool keeps connections to the server. The one used last is used next, so
// that those which a burst left over grow old and go.
type pool struct {
	host   string // for requests without one
	dial   func(context.Context) (net.Conn, error)
	mu     sync.Mutex
	idle   []*conn
	closed bool
}

type conn struct {
	net.Conn
	br     *bufio.Reader
	out    []byte    // the request in the making
	until  time.Time // when to give it up
	since  time.Time // when it became idle
	reused bool
}

func newPool(u *url.URL) *pool {
	addr := u.Host
	if u.Port() == "" {
		addr = net.JoinHostPort(u.Hostname(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	d := &net.Dialer{Timeout: dialTimeout}
	p := &pool{host: u.Host}
	p.dial = func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, "tcp", addr) }
	if u.Scheme == "https" {
		t := &tls.Dialer{NetDialer: d, Config: &tls.Config{ServerName: u.Hostname(), NextProtos: []string{"http/1.1"}}}
		p.dial = func(ctx context.Context) (net.Conn, error) { return t.DialContext(ctx, "tcp", addr) }
	}
	return p
}

// get returns an idle connection, or a new one.
func (p *pool) get(ctx context.Context) (*conn, error) {
	now := time.Now()
	for {
		p.mu.Lock()
		n := len(p.idle)
		if n == 0 {
			p.mu.Unlock()
			return p.fresh(ctx)
		}
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		if now.Before(c.until) && (now.Sub(c.since) < checkAfter || alive(c.Conn)) {
			c.reused = true
			return c, nil
		}
		c.Close()
	}
}

func (p *pool) fresh(ctx context.Context) (*conn, error) {
	nc, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: nc, br: bufio.NewReaderSize(nc, 8<<10)}, nil
}

// put keeps c for keep (0: as long as is usual).
func (p *pool) put(c *conn, keep time.Duration) {
	if keep <= 0 || keep > idleTimeout {
		keep = idleTimeout
	}
	c.since = time.Now()
	c.until = c.since.Add(keep)
	var old *conn
	p.mu.Lock()
	switch {
	case p.closed || len(p.idle) >= maxIdle:
		old = c
	default:
		if len(p.idle) > 0 && p.idle[0].until.Before(c.since) {
			old = p.idle[0]
			p.idle = append(p.idle[:0], p.idle[1:]...)
		}
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.Close()
	}
	p.idle = nil
}

// alive looks whether the server has closed an idle connection, or (as bad)
// has sent something that nobody asked for.
func alive(nc net.Conn) bool {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return true // TLS: only its age can tell
	}
	quiet := false
	rc, err := sc.SyscallConn()
	if err == nil {
		err = rc.Read(func(fd uintptr) bool {
			var b [1]byte
			_, _, e := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			quiet = e == syscall.EAGAIN || e == syscall.EWOULDBLOCK
			return true
		})
	}
	return err == nil && quiet
}

// request puts the head of a request into c.out.
func (c *conn) request(r *trace.Request, rid uint64) {
	b := append(c.out[:0], r.Method...)
	b = append(b, ' ')
	b = append(b, r.Target...)
	// First, so that a program's maxHeadersCount does not cut it off.
	b = append(b, " HTTP/1.1\r\n"+RequestIDHeader+": "...)
	b = strconv.AppendUint(b, rid, 10)
	b = append(b, "\r\n"...)
	for i := range r.Headers {
		b = append(b, r.Headers[i].Name...)
		b = append(b, ": "...)
		b = append(b, r.Headers[i].Value...)
		b = append(b, "\r\n"...)
	}
	c.out = append(b, "\r\n"...)
}

// reply is the head of a response and the way to read its body.
type reply struct {
	status    int
	reason    string
	headers   []trace.Header
	length    int64 // of the body; -1 when only its end tells
	chunked   bool
	reuse     bool          // the connection can be used again after the body
	keepAlive time.Duration // how long the server promises to keep it, less a margin
	trailers  []trace.Header
	body      io.Reader
}

// readReply reads a head that is not merely informational (1xx, except 101).
// headers and scratch lend their memory.
func (c *conn) readReply(method string, headers []trace.Header, scratch *[]byte) (*reply, error) {
	for {
		r := &reply{headers: headers[:0]}
		head, err := c.readHead(scratch)
		if err != nil {
			return nil, err
		}
		if err := r.parse(head, method); err != nil {
			return nil, err
		}
		if r.status >= 200 || r.status == 101 {
			r.open(c)
			return r, nil
		}
	}
}

var errNoHead = errors.New("the server closed the connection without an answer")

// readHead reads up to the empty line, and returns it as one string, of which
// all names and values will be pieces.
func (c *conn) readHead(scratch *[]byte) (string, error) {
	buf := (*scratch)[:0]
	start := 0
	for {
		line, err := c.br.ReadSlice('\n')
		buf = append(buf, line...)
		if err != nil && err != bufio.ErrBufferFull {
			*scratch = buf
			if len(buf) == 0 && errors.Is(err, io.EOF) {
				return "", errNoHead
			}
			return "", fmt.Errorf("reading the response: %w", err)
		}
		if len(buf) > maxResponseHead {
			return "", fmt.Errorf("the response's headers are larger than %d bytes", maxResponseHead)
		}
		if err != nil {
			continue
		}
		if n := len(buf) - start; n == 1 || n == 2 && buf[start] == '\r' {
			*scratch = buf
			return string(buf), nil
		}
		start = len(buf)
	}
}

func cutLine(s string) (line, rest string) {
	line, rest, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(line, "\r"), rest
}

func (r *reply) parse(head, method string) error {
	line, rest := cutLine(head)
	proto, after, _ := strings.Cut(line, " ")
	if proto != "HTTP/1.1" && proto != "HTTP/1.0" || len(after) < 3 || len(after) > 3 && after[3] != ' ' {
		return fmt.Errorf("the server's answer begins with %.40q, which is not HTTP", line)
	}
	status, err := strconv.Atoi(after[:3])
	if err != nil || status < 100 {
		return fmt.Errorf("the server's answer has the status %q", after[:3])
	}
	r.status, r.reuse, r.length = status, proto == "HTTP/1.1", -1
	if r.reason = strings.TrimPrefix(after[3:], " "); !validValue(r.reason) {
		return fmt.Errorf("the response has the reason phrase %.60q", r.reason)
	}
	for {
		if line, rest = cutLine(rest); line == "" {
			break
		}
		h, err := parseHeader(line)
		if err != nil {
			return err
		}
		r.headers = append(r.headers, h)
		switch len(h.Name) { // most names have none of these lengths
		case len("Connection"), len("Content-Length"), len("Transfer-Encoding"):
			if err := r.framing(h); err != nil {
				return err
			}
		}
	}
	if r.chunked && r.length >= 0 {
		return errors.New("the response has both a Content-Length and a Transfer-Encoding")
	}
	switch {
	case method == "HEAD" || status < 200 || status == 204 || status == 304:
		r.length, r.chunked = 0, false
	case r.chunked:
		r.length = -1
	case r.length < 0:
		r.reuse = false // it ends with the connection
	}
	return nil
}

func parseHeader(line string) (trace.Header, error) {
	name, value, ok := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	if !ok || !validName(name) || !validValue(value) {
		return trace.Header{}, fmt.Errorf("the response has a malformed header %.60q", line)
	}
	return trace.Header{Name: name, Value: value}, nil
}

// validName tells whether s is a token (RFC 9110, 5.6.2).
func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-!#$%&'*+.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// validValue tells whether s has no control characters but tabs.
func validValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// framing looks at the headers that say where the response ends. A response
// that two readers could understand differently is refused.
func (r *reply) framing(h trace.Header) error {
	switch {
	case strings.EqualFold(h.Name, "Content-Length"):
		n, err := strconv.ParseUint(h.Value, 10, 62)
		if err != nil || r.length >= 0 && r.length != int64(n) {
			return fmt.Errorf("the response has the Content-Length %.40q", h.Value)
		}
		r.length = int64(n)
	case strings.EqualFold(h.Name, "Transfer-Encoding"):
		if r.chunked || !strings.EqualFold(h.Value, "chunked") {
			return fmt.Errorf("the response has the Transfer-Encoding %.40q", h.Value)
		}
		r.chunked = true
	case strings.EqualFold(h.Name, "Connection"):
		if hasToken(h.Value, "close") {
			r.reuse = false
		}
	case strings.EqualFold(h.Name, "Keep-Alive"): // as long as Connection
		r.keepAlive = keepAlive(h.Value)
	}
	return nil
}

func hasToken(list, token string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.Trim(part, " \t"), token) {
			return true
		}
	}
	return false
}

// keepAlive reads "timeout=5", and subtracts a margin.
func keepAlive(value string) time.Duration {
	for part := range strings.SplitSeq(value, ",") {
		if s, ok := strings.CutPrefix(strings.TrimSpace(part), "timeout="); ok {
			if n, err := strconv.ParseUint(s, 10, 16); err == nil {
				return max(time.Duration(n)*time.Second-time.Second, time.Duration(n)*time.Second/2, time.Millisecond)
			}
		}
	}
	return 0
}

// open makes the reader of the body.
func (r *reply) open(c *conn) {
	switch {
	case r.chunked:
		r.body = &chunkedBody{r: r, c: c, chunks: httputil.NewChunkedReader(c.br)}
	case r.length >= 0:
		r.body = &sizedBody{br: c.br, left: r.length}
	default:
		r.body = c.br
	}
}

type sizedBody struct {
	br   *bufio.Reader
	left int64
}

func (b *sizedBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.br.Read(p)
	b.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// chunkedBody reads the trailers behind the chunks, too.
type chunkedBody struct {
	r      *reply
	c      *conn
	chunks io.Reader
}

func (b *chunkedBody) Read(p []byte) (int, error) {
	n, err := b.chunks.Read(p)
	if err != io.EOF {
		return n, err
	}
	var scratch []byte
	text, err := b.c.readHead(&scratch)
	if err != nil {
		if errors.Is(err, errNoHead) || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return n, err
	}
	for {
		var line string
		if line, text = cutLine(text); line == "" {
			return n, io.EOF
		}
		h, err := parseHeader(line)
		if err != nil {
			return n, err
		}
		b.r.trailers = append(b.r.trailers, h)
	}
}
