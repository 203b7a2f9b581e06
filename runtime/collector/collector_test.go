package collector

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"karousosc/testapps/load"
	"karousosc/verifier/trace"
)

// fixture is a collector between a test and its server.
type fixture struct {
	t    *testing.T
	c    *Collector
	addr string
	buf  bytes.Buffer
	mu   sync.Mutex // of buf
	w    *trace.Writer
}

func (f *fixture) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.buf.Write(p)
}

func start(t *testing.T, upstream string, change ...func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t}
	var err error
	if f.w, err = trace.NewWriter(f); err != nil {
		t.Fatal(err)
	}
	o := Options{Upstream: upstream, Trace: f.w}
	for _, c := range change {
		c(&o)
	}
	if f.c, err = New(o); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.addr = l.Addr().String()
	go f.c.Serve(l)
	t.Cleanup(func() { f.close(0) })
	return f
}

func (f *fixture) close(grace time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	f.c.Close(ctx)
	f.w.Close()
}

// trace is what is recorded so far.
func (f *fixture) trace() *trace.Trace {
	f.t.Helper()
	f.w.Flush()
	f.mu.Lock()
	data := bytes.Clone(f.buf.Bytes())
	f.mu.Unlock()
	tr, err := trace.Decode("memory", data, trace.Limits{})
	if err != nil {
		f.t.Fatal(err)
	}
	return tr
}

// ended waits until exchange i has ended, and returns it.
func (f *fixture) ended(i int) *trace.Exchange {
	f.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if tr := f.trace(); len(tr.Exchanges) > i && (tr.Exchanges[i].HasResponse || tr.Exchanges[i].Aborted) {
			return &tr.Exchanges[i]
		}
	}
	f.t.Fatal("the exchange does not end in the trace")
	return nil
}

func handle(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// raw is a server that answers each connection by a function.
func raw(t *testing.T, serve func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// readRequest reads one request without a body from c, as it is on the wire.
func readRequest(br *bufio.Reader) string {
	var b strings.Builder
	for {
		line, err := br.ReadString('\n')
		b.WriteString(line)
		if err != nil || line == "\r\n" {
			return b.String()
		}
	}
}

// dial sends text to the collector and returns the connection.
func (f *fixture) dial(text string) (net.Conn, *bufio.Reader) {
	f.t.Helper()
	c, err := net.Dial("tcp", f.addr)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(c, text); err != nil {
		f.t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// exchange sends a raw request, and reads all that comes until the connection closes.
func (f *fixture) exchange(text string) string {
	f.t.Helper()
	_, br := f.dial(text)
	answer, _ := io.ReadAll(br)
	return string(answer)
}

// What the server receives is exactly what the trace says, plus our header.
func TestForwardsWhatItRecords(t *testing.T) {
	got := make(chan string, 10)
	up := raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		for {
			r := readRequest(br)
			if r == "" {
				return
			}
			if strings.Contains(r, "Content-Length: 4") {
				io.CopyN(io.Discard, br, 4)
			}
			got <- r
			io.WriteString(c, "HTTP/1.1 200 Fine\r\nx-lower: 1\r\nSet-Cookie: a=1\r\nETag: \"e\"\r\nSet-Cookie: b=2\r\nPragma: no-cache\r\n"+
				"Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	f := start(t, up)
	answer := f.exchange("POST /a/../b%2f?q=%zz&r=1 HTTP/1.1\r\nhost: Example.org:81\r\nx-b: 2\r\nX-A: one\r\nX-A: two\r\n" +
		"karousos-request-id: 77\r\nConnection: close, X-Drop, Content-Length\r\nX-Drop: 1\r\nTE: trailers\r\nProxy-Connection: x\r\n" +
		"Content-Length: 4\r\nAccept-Encoding: gzip\r\n\r\nbody")
	want := "POST /a/../b%2f?q=%zz&r=1 HTTP/1.1\r\nKarousos-Request-Id: 1\r\nhost: Example.org:81\r\nx-b: 2\r\nX-A: one\r\nX-A: two\r\n" +
		"Content-Length: 4\r\nAccept-Encoding: gzip\r\n\r\n"
	if r := <-got; r != want {
		t.Errorf("the server got %q,\nwant %q", r, want)
	}
	if want := "HTTP/1.1 200 Fine\r\nx-lower: 1\r\nSet-Cookie: a=1\r\nETag: \"e\"\r\nSet-Cookie: b=2\r\nPragma: no-cache\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"; answer != want {
		t.Errorf("the client got %q,\nwant %q", answer, want)
	}
	f.exchange("GET http://absolute.example/x?y HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n")
	if r, want := <-got, "GET http://absolute.example/x?y HTTP/1.1\r\nKarousos-Request-Id: 2\r\nHost: absolute.example\r\nConnection: close\r\n\r\n"; r != want {
		t.Errorf("the server got %q,\nwant %q", r, want)
	}
	f.exchange("POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	if r, want := <-got, "POST /nothing HTTP/1.1\r\nKarousos-Request-Id: 3\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"; r != want {
		t.Errorf("the server got %q,\nwant %q", r, want)
	}
	f.exchange("OPTIONS * HTTP/1.0\r\n\r\n")
	if r, want := <-got, "OPTIONS * HTTP/1.1\r\nKarousos-Request-Id: 4\r\nHost: "+strings.TrimPrefix(up, "http://")+"\r\n\r\n"; r != want {
		t.Errorf("the server got %q,\nwant %q", r, want)
	}
	f.dial("GET /kept HTTP/1.1\r\nHost: x\r\nConnection: Keep-Alive\r\n\r\n")
	if r, want := <-got, "GET /kept HTTP/1.1\r\nKarousos-Request-Id: 5\r\nHost: x\r\nConnection: Keep-Alive\r\n"; !strings.HasPrefix(r, want) {
		t.Errorf("the server got %q,\nwant %q and more", r, want)
	}
	x := f.trace().Exchanges[0]
	wantRequest := trace.Request{Method: "POST", Target: "/a/../b%2f?q=%zz&r=1", Proto: "HTTP/1.1", Body: []byte("body"), Headers: []trace.Header{
		{Name: "host", Value: "Example.org:81"}, {Name: "x-b", Value: "2"}, {Name: "X-A", Value: "one"}, {Name: "X-A", Value: "two"},
		{Name: "Content-Length", Value: "4"}, {Name: "Accept-Encoding", Value: "gzip"}}}
	wantResponse := trace.Response{Status: 200, Reason: "Fine", Body: []byte("ok"), Headers: []trace.Header{
		{Name: "x-lower", Value: "1"}, {Name: "Set-Cookie", Value: "a=1"}, {Name: "ETag", Value: "\"e\""}, {Name: "Set-Cookie", Value: "b=2"},
		{Name: "Pragma", Value: "no-cache"}, {Name: "Connection", Value: "keep-alive, X-Hop"}, {Name: "X-Hop", Value: "1"},
		{Name: "Keep-Alive", Value: "timeout=5"}, {Name: "Content-Length", Value: "2"}}}
	if !reflect.DeepEqual(x.Request, wantRequest) || !reflect.DeepEqual(x.Response, wantResponse) || !x.HasResponse || x.Unaudited {
		t.Errorf("recorded %+v", x)
	}
}

// The phrase is the server's, whatever the status and however the response is sent.
func TestReasonPhrases(t *testing.T) {
	phrases := []string{"413 Payload Too Large", "299 ", "404 Nothing (here)", "200 OK", "204 \xfcber", "500 " + strings.Repeat("long ", 2000)}
	next := make(chan string, 1)
	f := start(t, raw(t, func(c net.Conn) {
		for br := bufio.NewReader(c); readRequest(br) != ""; {
			length := "Content-Length: 2\r\n\r\nok"
			if p := <-next; strings.HasPrefix(p, "4") {
				io.WriteString(c, "HTTP/1.1 100 Go On\r\n\r\nHTTP/1.1 "+p+"\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
			} else if strings.HasPrefix(p, "204") {
				io.WriteString(c, "HTTP/1.1 "+p+"\r\n\r\n")
			} else {
				io.WriteString(c, "HTTP/1.1 "+p+"\r\n"+length)
			}
		}
	}))
	c, br := f.dial("")
	for i, p := range phrases { // on one connection
		next <- p
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		resp, err := http.ReadResponse(br, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		if resp.Status != p {
			t.Errorf("the client got %.60q, want %.60q", resp.Status, p)
		}
		if r := f.ended(i).Response; r.Status != resp.StatusCode || r.Phrase() != p[4:] && p != "299 " {
			t.Errorf("recorded %d %.60q, want %.60q", r.Status, r.Phrase(), p)
		}
	}
}

// Sixty connections at once: every exchange is in the trace, whole, by the time
// the client has the answer, and the connections to the server are used again.
func TestManyConnections(t *testing.T) {
	var conns atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s", r.Header.Get(RequestIDHeader), body)
	}))
	s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			conns.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	f := start(t, s.URL)
	requests := load.Motd{Requests: 3000, Writes: 50, Seed: 1}.Build()
	var checked atomic.Int32
	_, err := load.Run(context.Background(), requests, load.Options{Addr: f.addr, Connections: 60,
		Check: func(i int, r *load.Request, status int, body []byte) error {
			var rid uint64
			fmt.Sscan(string(body), &rid)
			if status != 200 || !strings.HasSuffix(string(body), " "+r.Body) {
				return fmt.Errorf("%d %s", status, body)
			}
			if i%100 != 0 {
				return nil
			}
			checked.Add(1)
			tr := f.trace()
			if x := tr.Find(rid); x < 0 || !tr.Exchanges[x].HasResponse || string(tr.Exchanges[x].Request.Body) != r.Body {
				return fmt.Errorf("the answer to request %d came before its record", rid)
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	f.close(time.Second)
	tr := f.trace()
	if err := tr.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(tr.Exchanges) != 3000 || len(tr.Events) != 6000 || checked.Load() == 0 || tr.Truncated != "" {
		t.Errorf("%d exchanges, %d events, %d checked", len(tr.Exchanges), len(tr.Events), checked.Load())
	}
	for i := range tr.Exchanges {
		x := &tr.Exchanges[i]
		if !x.HasResponse || string(x.Response.Body) != fmt.Sprintf("%d %s", x.RID, x.Request.Body) {
			t.Fatalf("exchange %d: %+v", i, x)
		}
	}
	// Some more than 60 are possible: on a slow machine one may grow old meanwhile.
	if n := conns.Load(); n > 200 {
		t.Errorf("%d connections to the server", n)
	}
	if s := f.c.Stats(); s.Requests != 3000 || s.Aborted != 0 || s.Unaudited != 0 {
		t.Errorf("%+v", s)
	}
}

// Bodies flow while they are recorded, both ways and at the same time.
func TestStreams(t *testing.T) {
	f := start(t, handle(t, func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).EnableFullDuplex()
		br := bufio.NewReader(r.Body)
		for {
			line, err := br.ReadString('\n')
			if err != nil {
				return
			}
			io.WriteString(w, "echo "+line)
			w.(http.Flusher).Flush()
		}
	}))
	c, br := f.dial("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	for i := range 5 {
		line := fmt.Sprintf("line %d\n", i)
		fmt.Fprintf(c, "%x\r\n%s\r\n", len(line), line)
		for {
			got, err := br.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if got == "echo "+line {
				break
			}
		}
		if x := f.trace().Exchanges[0]; x.HasResponse {
			t.Fatal("the response is recorded as complete too early")
		}
	}
	io.WriteString(c, "0\r\n\r\n")
	rest, err := br.ReadString('0')
	if err != nil {
		t.Fatal(rest, err)
	}
	x := f.ended(0)
	if want := "line 0\nline 1\nline 2\nline 3\nline 4\n"; string(x.Request.Body) != want || string(x.Response.Body) != "echo "+strings.ReplaceAll(want[:len(want)-1], "\n", "\necho ")+"\n" {
		t.Errorf("%q %q", x.Request.Body, x.Response.Body)
	}
	if x.Unaudited || !x.HasResponse {
		t.Errorf("%+v", x)
	}
}

func TestLargeBodies(t *testing.T) {
	f := start(t, handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sized" {
			w.Header().Set("Content-Length", fmt.Sprint(r.ContentLength))
		}
		io.Copy(w, r.Body)
	}))
	sent := bytes.Repeat([]byte("0123456789abcdef"), 300_000)
	for i, path := range []string{"/sized", "/chunks"} {
		resp, err := http.Post("http://"+f.addr+path, "", bytes.NewReader(sent))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("%s: %d bytes came back: %v", path, len(got), err)
		}
		x := f.ended(i)
		if !bytes.Equal(x.Request.Body, sent) || !bytes.Equal(x.Response.Body, sent) || x.Unaudited {
			t.Errorf("%s: recorded %d and %d bytes, %q", path, len(x.Request.Body), len(x.Response.Body), x.Note)
		}
	}
}

// A client that sent all of a large request may go on with another.
func TestLargeRequestsOneByOne(t *testing.T) {
	f := start(t, handle(t, func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }))
	sent := strings.Repeat("0123456789abcdef", 30_000)
	for _, body := range []io.Reader{strings.NewReader(sent), io.MultiReader(strings.NewReader(sent))} { // of known length, and in chunks
		resp, err := http.Post("http://"+f.addr, "", body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.Close {
			t.Error("the connection ends although all of the request was read")
		}
	}
}

func TestBodyLimit(t *testing.T) {
	f := start(t, handle(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, strings.Repeat("x", len(r.URL.Query().Get("n"))*100))
	}), func(o *Options) { o.MaxBody = 1000 })
	for i, c := range []struct {
		body, query, note string
	}{
		{strings.Repeat("x", 1000), "", ""},
		{strings.Repeat("x", 1001), "", "the request's body is larger"},
		{strings.Repeat("x", 200_000), "", "the request's body is larger"},
		{"", strings.Repeat("n", 10), ""},
		{"", strings.Repeat("n", 11), "the response's body is larger"},
		{"", strings.Repeat("n", 2000), "the response's body is larger"},
	} {
		resp, err := http.Post("http://"+f.addr+"/?n="+c.query, "", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(resp.Body); len(got) != 100*len(c.query) {
			t.Errorf("%d: the client got %d bytes", i, len(got))
		}
		x := f.ended(i)
		if x.Unaudited != (c.note != "") || !strings.HasPrefix(x.Note, c.note) || !x.HasResponse {
			t.Errorf("%d: %v %q", i, x.Unaudited, x.Note)
		}
		if len(x.Request.Body) > 1000 || len(x.Response.Body) > 1000 {
			t.Errorf("%d: %d and %d bytes recorded", i, len(x.Request.Body), len(x.Response.Body))
		}
	}
	if s := f.c.Stats(); s.Unaudited != 4 || len(s.Remarks) != 4 {
		t.Errorf("%+v", s)
	}
}

func TestResponsesWithoutBodies(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		for {
			r := readRequest(br)
			switch {
			case r == "":
				return
			case strings.HasPrefix(r, "HEAD"):
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n")
			case strings.Contains(r, "/304"):
				io.WriteString(c, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 9\r\n\r\n")
			case strings.Contains(r, "/204"):
				io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
			case strings.Contains(r, "/hints"):
				io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
			}
		}
	}))
	for i, c := range []struct {
		method, path string
		status       int
		length       int64
	}{{"HEAD", "/", 200, 1234}, {"GET", "/304", 304, -1}, {"GET", "/204", 204, 0}, {"GET", "/hints", 200, 1}} {
		r, _ := http.NewRequest(c.method, "http://"+f.addr+c.path, nil)
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || c.length >= 0 && resp.ContentLength != c.length || (len(body) == 1) != (c.path == "/hints") {
			t.Errorf("%s %s: %d, length %d, %q, %v", c.method, c.path, resp.StatusCode, resp.ContentLength, body, err)
		}
		if x := f.ended(i); x.Response.Status != c.status || !x.HasResponse || !bytes.Equal(x.Response.Body, body) && len(body) > 0 {
			t.Errorf("%+v", x)
		}
	}
}

// The server may answer without having read the request; the client gets the
// answer, and the rest of its body is not taken for another request.
func TestEarlyAnswer(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nno!")
		time.Sleep(100 * time.Millisecond)
	}))
	c, br := f.dial("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
	resp, err := http.ReadResponse(br, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 413 || string(body) != "no!" || !resp.Close {
		t.Errorf("%d %q close=%v", resp.StatusCode, body, resp.Close)
	}
	io.WriteString(c, "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
	if rest, _ := io.ReadAll(br); len(rest) > 0 {
		t.Errorf("a second answer: %q", rest)
	}
	x := f.ended(0)
	if !x.HasResponse || !x.Unaudited || !strings.Contains(x.Note, "before it had the whole request") {
		t.Errorf("%+v", x)
	}
	if n := len(f.trace().Exchanges); n != 1 {
		t.Errorf("%d exchanges", n)
	}
}

func TestClientGoesAway(t *testing.T) {
	gone := make(chan bool, 10)
	up := handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/partial" {
			io.WriteString(w, "some")
			w.(http.Flusher).Flush()
		}
		io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
			gone <- true
		case <-time.After(10 * time.Second):
			gone <- false
		}
	})
	f := start(t, up)
	for i, text := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /partial HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nbegin",
	} {
		c, br := f.dial(text)
		if strings.Contains(text, "partial") {
			if _, err := br.ReadString('m'); err != nil {
				t.Fatal(err)
			}
		} else {
			for len(f.trace().Exchanges) <= i {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond)
		}
		c.Close()
		if !<-gone {
			t.Errorf("%d: the server was not told", i)
		}
		x := f.ended(i)
		if !x.Aborted || x.HasResponse || x.Note != "the client went away" {
			t.Errorf("%d: %+v", i, x)
		}
		if partial := i == 1; partial != (x.Response.Status == 200) || partial != (string(x.Response.Body) == "some") {
			t.Errorf("%d: response %+v", i, x.Response)
		}
	}
	if s := f.c.Stats(); s.Aborted != 3 {
		t.Errorf("%+v", s)
	}
}

// What a client sends of a request and breaks off is not what it asked for.
func TestHalfARequest(t *testing.T) {
	var served atomic.Int32
	f := start(t, handle(t, func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err == nil {
			served.Add(1)
		}
	}))
	for i, text := range []string{
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nbegin",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegin\r\nno length\r\n",
	} {
		c, _ := f.dial(text)
		c.(*net.TCPConn).CloseWrite()
		if x := f.ended(i); !x.Aborted || x.Note != "the client went away" {
			t.Errorf("%d: %+v", i, x)
		}
	}
	if n := served.Load(); n != 0 {
		t.Errorf("%d requests were served", n)
	}
}

// leaver is a client that goes away while the response is written, or cannot be talked to directly.
type leaver struct {
	*httptest.ResponseRecorder
	writes int
}

func (l *leaver) Write(p []byte) (int, error) {
	if l.writes--; l.writes < 0 {
		return 0, errors.New("broken pipe")
	}
	return l.ResponseRecorder.Write(p)
}

func (l *leaver) FlushError() error {
	if l.writes <= 0 {
		return errors.New("broken pipe")
	}
	return nil
}

func TestClientGoesAwayInAResponse(t *testing.T) {
	more := make(chan bool, 100)
	up := handle(t, func(w http.ResponseWriter, r *http.Request) {
		for {
			io.WriteString(w, "some")
			w.(http.Flusher).Flush()
			select {
			case <-more:
			case <-r.Context().Done():
				return
			}
		}
	})
	for writes := range 2 {
		f := start(t, up)
		func() {
			defer func() {
				if e := recover(); e != http.ErrAbortHandler {
					t.Errorf("the handler ends with %v", e)
				}
			}()
			more <- true
			f.c.ServeHTTP(&leaver{httptest.NewRecorder(), writes}, httptest.NewRequest("GET", "/", nil))
		}()
		if x := f.trace().Exchanges[0]; !x.Aborted || x.HasResponse || x.Note != "the client went away" || !strings.HasPrefix(string(x.Response.Body), "some") {
			t.Errorf("%d writes: %+v", writes, x)
		}
	}
}

func TestServerFails(t *testing.T) {
	answer := func(text string) string {
		return raw(t, func(c net.Conn) {
			readRequest(bufio.NewReader(c))
			io.WriteString(c, text)
		})
	}
	for _, c := range []struct{ name, upstream, note string }{
		{"refused", "http://127.0.0.1:1", "refused"},
		{"no answer", answer(""), "without an answer"},
		{"half a head", answer("HTTP/1.1 200 OK\r\nCont"), "EOF"},
		{"not HTTP", answer("SSH-2.0-x\r\n\r\n"), "not HTTP"},
		{"another protocol", answer("SSH-2.0 200 OK\r\n\r\n"), "not HTTP"},
		{"status", answer("HTTP/1.1 99 X\r\n\r\n"), "not HTTP"},
		{"half a status", answer("HTTP/1.1 20\r\n\r\n"), "not HTTP"},
		{"a status that is no number", answer("HTTP/1.1 2x0 OK\r\n\r\n"), `the status "2x0"`},
		{"a status that is too low", answer("HTTP/1.1 099 OK\r\n\r\n"), `the status "099"`},
		{"malformed header", answer("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n"), "malformed"},
		{"folded header", answer("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"), "malformed"},
		{"a header without a name", answer("HTTP/1.1 200 OK\r\n: b\r\n\r\n"), "malformed"},
		{"a brace in a name", answer("HTTP/1.1 200 OK\r\nA{b: c\r\n\r\n"), "malformed"},
		{"a semicolon in a name", answer("HTTP/1.1 200 OK\r\nA;b: c\r\n\r\n"), "malformed"},
		{"a control character in a value", answer("HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n"), "malformed"},
		{"the last of the control characters in a value", answer("HTTP/1.1 200 OK\r\nA: b\x7f\r\n\r\n"), "malformed"},
		{"a line of one letter", answer("HTTP/1.1 200 OK\r\nx\nContent-Length: 0\r\n\r\n"), "malformed"},
		{"a line that begins as the empty one does", answer("HTTP/1.1 200 OK\r\n\rA: b\r\n\r\n"), "malformed"},
		{"no length, and one", answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\nx"), "Content-Length"},
		{"no length and chunks", answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "both"},
		{"chunks in chunks", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "Transfer-Encoding"},
		{"two lengths", answer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), "Content-Length"},
		{"negative length", answer("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), "Content-Length"},
		{"length and chunks", answer("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), "both"},
		{"unknown encoding", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"), "Transfer-Encoding"},
		{"huge head", answer("HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", maxResponseHead) + "\r\n\r\n"), "larger than"},
		{"unasked upgrade", answer("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"), "not asked for"},
		{"short small body", answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := start(t, c.upstream)
			resp, err := http.Get("http://" + f.addr + "/")
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != 502 {
				t.Errorf("status %d", resp.StatusCode)
			}
			if x := f.ended(0); !x.Aborted || x.HasResponse || !strings.Contains(x.Note, c.note) || x.Response.Status != 0 {
				t.Errorf("%+v", x)
			}
		})
	}
	for _, c := range []struct{ name, head string }{
		{"short large body", "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"},
		{"short chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n"},
		{"half a trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx: "},
		{"bad trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx\r\n\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := start(t, answer(c.head+strings.Repeat("x", 5000)))
			resp, err := http.Get("http://" + f.addr + "/")
			if err == nil {
				var body []byte
				if body, err = io.ReadAll(resp.Body); err == nil {
					t.Errorf("the client takes %d bytes for a complete response", len(body))
				}
			}
			if x := f.ended(0); !x.Aborted || x.HasResponse || x.Response.Status != 200 {
				t.Errorf("%+v", x)
			}
		})
	}
}

// A connection that the server closed while it was idle is not used; one that
// closes at the very moment is, and then only harmless requests are repeated.
func TestIdleConnections(t *testing.T) {
	var n atomic.Int32
	closeNow := make(chan bool)
	up := raw(t, func(c net.Conn) {
		first := n.Add(1)%2 == 1
		br := bufio.NewReader(c)
		for readRequest(br) != "" {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			if first {
				if <-closeNow {
					return
				}
				// The next request arrives at a connection that closes without an answer.
				readRequest(br)
				return
			}
		}
	})
	get := func(f *fixture, method string) int {
		r, _ := http.NewRequest(method, "http://"+f.addr+"/", nil)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	f := start(t, up)
	get(f, "GET")
	closeNow <- true
	time.Sleep(2 * checkAfter)
	if s := get(f, "POST"); s != 200 {
		t.Errorf("closed long ago: status %d", s)
	}
	for _, c := range []struct {
		method string
		status int
	}{{"GET", 200}, {"POST", 502}} {
		n.Store(0)
		f := start(t, up)
		get(f, "GET")
		closeNow <- false
		if s := get(f, c.method); s != c.status {
			t.Errorf("closed just now, %s: status %d", c.method, s)
		}
		// Should a program have seen it, the second one is another request.
		if x := f.ended(1); !x.Aborted {
			t.Errorf("%s: %+v", c.method, x)
		}
		if c.status == 200 {
			if x := f.ended(2); x.Aborted || x.RID != 3 {
				t.Errorf("%s, once more: %+v", c.method, x)
			}
		}
	}
}

// What has begun to be answered is not asked again, nor is the answer begun anew.
func TestHalfAnAnswerIsTheEnd(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		readRequest(br)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		readRequest(br)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nCont")
	}))
	for i, want := range []int{200, 502} {
		resp, err := http.Get("http://" + f.addr + "/")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%d: status %d", i, resp.StatusCode)
		}
	}
	if x := f.ended(1); !x.Aborted || !strings.Contains(x.Note, "EOF") {
		t.Errorf("%+v", x)
	}
	if n := len(f.trace().Exchanges); n != 2 {
		t.Errorf("%d exchanges", n)
	}
}

func TestUpgrade(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		r := readRequest(br)
		if !strings.Contains(r, "\r\nConnection: Upgrade\r\n") || !strings.Contains(r, "\r\nUpgrade: echo\r\n") {
			io.WriteString(c, "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
			return
		}
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello ")
		io.Copy(c, br)
	}))
	c, br := f.dial("GET /ws HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: echo\r\n\r\nfirst ")
	resp, err := http.ReadResponse(br, nil)
	if err != nil || resp.StatusCode != 101 || resp.Header.Get("Upgrade") != "echo" {
		t.Fatal(resp, err)
	}
	io.WriteString(c, "second")
	c.(*net.TCPConn).CloseWrite()
	if got, err := io.ReadAll(br); err != nil || string(got) != "hello first second" {
		t.Errorf("%q %v", got, err)
	}
	x := f.ended(0)
	if !x.Unaudited || x.HasResponse || x.Note != "the connection was upgraded to echo" || x.Response.Status != 101 {
		t.Errorf("%+v", x)
	}
	// One that stays open does not keep the collector from closing.
	_, br = f.dial("GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	if _, err := http.ReadResponse(br, nil); err != nil {
		t.Fatal(err)
	}
	f.close(time.Second)
	if _, err := io.ReadAll(br); err != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	if s := f.c.Stats(); s.Unaudited != 2 || s.Remarks[0] != (Remark{1, "GET", "/ws", "the connection was upgraded to echo"}) {
		t.Errorf("%+v", s)
	}
}

// A client that cannot be handed the connection gets none.
func TestUpgradeFails(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	}))
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "echo")
	w := httptest.NewRecorder()
	f.c.ServeHTTP(w, r)
	if x := f.trace().Exchanges[0]; w.Code != 502 || !x.Aborted || x.HasResponse || !x.Unaudited {
		t.Errorf("status %d: %+v", w.Code, x)
	}
}

func TestTrailers(t *testing.T) {
	got := make(chan string, 1)
	f := start(t, handle(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
		w.(http.Flusher).Flush()
		got <- r.Trailer.Get("X-Sum")
		w.Header().Set(http.TrailerPrefix+"X-Back", "2")
	}))
	_, br := f.dial("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
	resp, err := http.ReadResponse(br, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "abc" || resp.Trailer.Get("X-Back") != "2" {
		t.Errorf("%q %v %v", body, resp.Trailer, err)
	}
	if sum := <-got; sum != "1" {
		t.Errorf("the server got the trailer %q", sum)
	}
	if x := f.ended(0); !x.Unaudited || !strings.Contains(x.Note, "request has trailers") || !strings.Contains(x.Note, "response has trailers") {
		t.Errorf("%+v", x)
	}
}

func TestCloseCutsOff(t *testing.T) {
	reached := make(chan bool)
	f := start(t, handle(t, func(w http.ResponseWriter, r *http.Request) {
		reached <- true
		<-r.Context().Done()
	}))
	f.dial("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-reached
	f.close(10 * time.Millisecond)
	tr := f.trace()
	if x := tr.Exchanges[0]; !x.Aborted || x.Note != "the collector was stopped" || tr.Truncated != "" {
		t.Errorf("%+v", tr)
	}
}

// Nothing is recorded any more once the collector is closed, whatever still comes.
func TestClosed(t *testing.T) {
	f := start(t, handle(t, func(http.ResponseWriter, *http.Request) { t.Error("a request is forwarded") }))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	f.c.Close(ctx)
	func() {
		defer func() {
			if e := recover(); e != http.ErrAbortHandler {
				t.Errorf("the handler ends with %v", e)
			}
		}()
		f.c.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	if n := len(f.trace().Exchanges); n != 0 {
		t.Errorf("%d exchanges", n)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.c.Serve(l); err != nil {
		t.Errorf("a collector that was closed ends with %v", err)
	}
	open := start(t, "http://x")
	l.Close()
	if err := open.c.Serve(l); err == nil {
		t.Error("a collector that cannot accept anybody does not say so")
	}
}

type fullDisk struct{ n int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.n++; d.n > 2 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// What cannot be recorded is not forwarded.
func TestTraceFails(t *testing.T) {
	var served atomic.Int32
	up := handle(t, func(http.ResponseWriter, *http.Request) { served.Add(1) })
	w, err := trace.NewWriter(&fullDisk{})
	if err != nil {
		t.Fatal(err)
	}
	f := start(t, up, func(o *Options) { o.Trace = w })
	get := func() int {
		resp, err := http.Get("http://" + f.addr)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if s := get(); s != 200 {
		t.Fatal(s)
	}
	w.Flush()
	if s := get(); s != 503 || served.Load() != 1 {
		t.Errorf("status %d after the trace failed, %d served", s, served.Load())
	}
}

// A client learns nothing of a response that was to be recorded first, and could not be.
func TestCommitFails(t *testing.T) {
	up := handle(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "secret") })
	w, err := trace.NewWriter(&fullDisk{})
	if err != nil {
		t.Fatal(err)
	}
	f := start(t, up, func(o *Options) { o.Trace, o.Commit = w, true })
	// The disk takes two writes: the file's head and the session's first block.
	resp, err := http.Get("http://" + f.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 502 || strings.Contains(string(body), "secret") {
		t.Errorf("status %d: %q", resp.StatusCode, body)
	}
}

// Nor does it learn that a response which it has in part was complete.
func TestCommitFailsInTheMiddle(t *testing.T) {
	up := handle(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "some")
		w.(http.Flusher).Flush()
		io.WriteString(w, "more")
	})
	w, err := trace.NewWriter(&fullDisk{})
	if err != nil {
		t.Fatal(err)
	}
	f := start(t, up, func(o *Options) { o.Trace, o.Commit = w, true })
	resp, err := http.Get("http://" + f.addr)
	if err != nil {
		return // cut at once
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("the client takes %q for a complete response", body)
	}
}

// Headers that programs give are theirs, whatever they are called.
func TestHeadersOfTheProgram(t *testing.T) {
	const head = "X-Z9z: 1\r\nKarousos-Request-Id: mine\r\n"
	f := start(t, raw(t, func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head+"Content-Length: 0\r\n\r\n")
	}))
	if answer := f.exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, "X-Z9z: 1\r\n") || !strings.Contains(answer, "Karousos-Request-Id: mine\r\n") {
		t.Errorf("the client got %q", answer)
	}
	if x := f.ended(0); len(x.Response.Headers) != 3 || x.Response.Headers[1] != (trace.Header{Name: RequestIDHeader, Value: "mine"}) {
		t.Errorf("recorded %+v", x)
	}
}

// A client has the head of an answer as soon as the server has sent it, and may leave before there is more.
func TestHeadBeforeBody(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		asked := readRequest(br)
		if !strings.Contains(asked, "Expect: 100-Continue\r\n") {
			t.Errorf("the server got %q", asked)
		}
		io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-Early: yes\r\nTransfer-Encoding: chunked\r\n\r\n")
		io.Copy(io.Discard, br)
	}))
	c, br := f.dial("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\nsome")
	res, err := http.ReadResponse(br, nil)
	if err == nil && res.StatusCode == http.StatusContinue {
		res, err = http.ReadResponse(br, nil)
	}
	if err != nil || res.Header.Get("X-Early") != "yes" {
		t.Fatalf("%+v, %v", res, err)
	}
	c.Close()
	if x := f.ended(0); !x.Aborted || x.Response.Status != 200 || len(x.Response.Headers) != 2 {
		t.Errorf("recorded %+v", x)
	}
}

// A body comes in chunks to clients as well, however short it is; not to those that know no chunks.
func TestChunksStayChunks(t *testing.T) {
	f := start(t, raw(t, func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
	}))
	if answer := f.exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.Contains(answer, "Transfer-Encoding: chunked\r\n") || !strings.HasSuffix(answer, "\r\n\r\n2\r\nok\r\n0\r\n\r\n") {
		t.Errorf("the client got %q", answer)
	}
	if answer := f.exchange("GET / HTTP/1.0\r\n\r\n"); strings.Contains(answer, "chunked") || !strings.HasSuffix(answer, "\r\n\r\nok") {
		t.Errorf("a client of HTTP/1.0 got %q", answer)
	}
}

func TestOptions(t *testing.T) {
	if _, err := New(Options{Upstream: "http://x"}); err == nil {
		t.Error("a collector has nothing to write to")
	}
	w, err := trace.NewWriter(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, u := range []string{"", "localhost:3000", "ftp://x", "http://", "http://x/path", "http://x?q", "http://u@x", "http://%zz"} {
		if _, err := New(Options{Upstream: u, Trace: w}); err == nil {
			t.Errorf("%q is taken for an upstream", u)
		}
	}
}
