package collector

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A client is a connection of a client. net/http gives every status a reason phrase of its own choice, and all
// headers names and an order; so heads are noted as they were on their way in, and exchanged on their way out.
type client struct {
	net.Conn
	in, out []byte
	ready   []byte // of out: to be read next

	mu     sync.Mutex // net/http listens to a client while the handler serves it
	framer framer

	reply *reply // whose head is about to be written, if it is
}

type clientKey struct{}

// clients accepts them.
type clients struct{ net.Listener }

func (l clients) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &client{Conn: c, in: make([]byte, 4<<10)}, nil
}

func withClient(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// answer says what the head of the next response was like at the server. The handler calls it before it
// writes the head, which is then what is written next, if only after the handler has gone on to something else.
func (c *client) answer(r *reply) {
	c.reply = &reply{status: r.status, reason: r.reason, headers: slices.Clone(r.headers)}
}

func (c *client) Write(p []byte) (int, error) {
	if c.reply == nil {
		return c.Conn.Write(p)
	}
	r := c.reply
	c.reply = nil
	const proto = len("HTTP/1.1")
	line := bytes.IndexByte(p, '\r')
	if line < proto || !bytes.HasPrefix(p, []byte("HTTP/1.")) || !bytes.HasPrefix(p[proto:], fmt.Appendf(nil, " %d ", r.status)) {
		return c.Conn.Write(p)
	}
	head := fmt.Appendf(nil, "%s %d %s", p[:proto], r.status, r.reason)
	from := line
	if end := bytes.Index(p, []byte("\r\n\r\n")); end > line {
		head = r.arrange(head, string(p[line:end]))
		from = end
	}
	n, err := c.Conn.Write(append(head, p[from:]...))
	return min(max(n-len(head)+from, 0), len(p)), err
}

// arrange appends the rows of a head as net/http made it, in the server's order and with its names as far as they are
// the server's.
func (r *reply) arrange(head []byte, rows string) []byte {
	rest := strings.Split(rows, "\r\n")[1:]
	for i := range r.headers {
		h := &r.headers[i]
		row := http.CanonicalHeaderKey(h.Name) + ": " + h.Value
		if at := slices.Index(rest, row); at >= 0 {
			rest = slices.Delete(rest, at, at+1)
			head = fmt.Appendf(head, "\r\n%s: %s", h.Name, h.Value)
		}
	}
	for _, row := range rest {
		head = append(append(head, "\r\n"...), row...)
	}
	return head
}

// Read reads what the client sent.
func (c *client) Read(p []byte) (int, error) {
	if n := copy(p, c.ready); n > 0 || len(p) == 0 {
		c.ready = c.ready[n:]
		return n, nil
	}
	for {
		c.mu.Lock()
		into := c.in
		free := c.framer.free()
		if free > 0 {
			into = p[:min(int64(len(p)), free)]
		}
		c.mu.Unlock()
		n, err := c.Conn.Read(into)
		c.mu.Lock()
		if free > 0 {
			c.framer.pass(n)
		} else {
			c.out = c.framer.follow(c.out[:0], into[:n])
			n = copy(p, c.out)
			c.ready = c.out[n:]
		}
		c.mu.Unlock()
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next is the head of the request that net/http has read, nil if that is not known.
func (c *client) next(r *http.Request) *head {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.framer.next(r)
}

// release stops looking at what the client sends.
func (c *client) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ready = append(bytes.Clone(c.ready), c.framer.stray(nil)...)
}

// CloseWrite ends what goes to the client, when a tunnel's other side has ended.
func (c *client) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Conn.Close()
}
