package collector

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
)

// A client is a connection of a client. net/http gives every status a reason phrase of its own choice
// and has no place for the server's, so it is exchanged on its way out.
type client struct {
	net.Conn
	status []byte // " 413 ", as it is about to be written; nil if nothing is to be exchanged
	reason string
}

type clientKey struct{}

// clients accepts them.
type clients struct{ net.Listener }

func (l clients) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &client{Conn: c}, nil
}

func withClient(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// phrase says which reason phrase the next response has. The handler calls it before it
// writes the head, which is then what is written next.
func (c *client) phrase(status int, reason string) {
	if reason == "" || reason != http.StatusText(status) {
		c.status, c.reason = strconv.AppendInt([]byte(" "), int64(status), 10), reason
	}
}

func (c *client) Write(p []byte) (int, error) {
	if c.status == nil {
		return c.Conn.Write(p)
	}
	status, line := c.status, bytes.IndexByte(p, '\r')
	c.status = nil
	const proto = len("HTTP/1.1")
	if line < proto || !bytes.HasPrefix(p, []byte("HTTP/1.")) || !bytes.HasPrefix(p[proto:], status) {
		return c.Conn.Write(p)
	}
	head := append(append([]byte{}, p[:proto]...), status...)
	head = append(append(head, ' '), c.reason...)
	n, err := c.Conn.Write(append(head, p[line:]...))
	return min(max(n-len(head)+line, 0), len(p)), err
}

// CloseWrite ends what goes to the client, when a tunnel's other side has ended.
func (c *client) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Conn.Close()
}
