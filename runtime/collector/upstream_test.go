package collector

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"
)

// connected is a pool with connections to a server, whose ends of them are yielded, too.
func connected(t *testing.T) (p *pool, ends chan net.Conn) {
	ends = make(chan net.Conn, 10)
	over := make(chan bool)
	addr := raw(t, func(c net.Conn) {
		ends <- c
		<-over
	})
	u, err := url.Parse(addr)
	if err != nil {
		t.Fatal(err)
	}
	p = newPool(u)
	t.Cleanup(func() {
		p.close()
		close(over)
	})
	return p, ends
}

func get(t *testing.T, p *pool) *conn {
	t.Helper()
	c, err := p.get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A connection is used again while it is young, or still silent.
func TestPool(t *testing.T) {
	p, ends := connected(t)
	c := get(t, p)
	<-ends
	if c.reused {
		t.Error("the first connection was there before")
	}
	for _, idle := range []time.Duration{0, 2 * checkAfter} {
		p.put(c, 0)
		time.Sleep(idle)
		if again := get(t, p); again != c || !again.reused {
			t.Fatalf("after %v it is not used again", idle)
		}
	}
	p.put(c, time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	old := c
	if c = get(t, p); c == old {
		t.Error("it is used longer than the server keeps it")
	}
	io.WriteString(<-ends, "what nobody asked for")
	p.put(c, 0)
	time.Sleep(2 * checkAfter)
	if get(t, p) == c {
		t.Error("it is used although the server has spoken")
	}
	c = get(t, p)
	c.Close()
	if alive(c.Conn) {
		t.Error("a connection that was closed is alive")
	}
}

func TestKeepAlive(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"timeout=5": 4 * time.Second, "max=3, timeout=5": 4 * time.Second, "timeout=1": time.Second / 2, "timeout=0": time.Millisecond,
		"timeout=x": 0, "timeout=99999": 0, "max=3": 0, "": 0,
	} {
		if got := keepAlive(value); got != want {
			t.Errorf("%q: %v, not %v", value, got, want)
		}
	}
}

// A body ends where its length says, whoever reads on.
func TestSizedBody(t *testing.T) {
	br := bufio.NewReader(strings.NewReader("abcdef"))
	if got, err := io.ReadAll(&sizedBody{br: br, left: 3}); string(got) != "abc" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if rest, _ := io.ReadAll(br); string(rest) != "def" {
		t.Errorf("%q is left", rest)
	}
}
