package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// request is one request of a load.
type request struct {
	method, path string
	headers      string // lines "Name: value"
	body         string
	chunks       int // send the body in so many pieces of unknown total length
}

func jsonBody(method, path, body string) request {
	return request{method: method, path: path, headers: "Content-Type: application/json", body: body}
}

func form(method, path, body string) request {
	return request{method: method, path: path, headers: "Content-Type: application/x-www-form-urlencoded", body: body}
}

func get(path string) request { return request{method: "GET", path: path} }

// drive sends all requests over so many connections, each of which sends its
// next when it has the answer to the last. It returns how often each status
// came back.
func drive(ctx context.Context, addr string, connections int, requests []request) (map[int]int, error) {
	statuses := map[int]int{}
	var mu sync.Mutex
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for k := range connections {
		wg.Go(func() {
			tr := &http.Transport{DisableCompression: true, MaxConnsPerHost: 1, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}
			defer tr.CloseIdleConnections()
			session := ""
			for i := k; i < len(requests); i += connections {
				status, _, err := requests[i].in(ctx, &session, tr, addr)
				if err != nil {
					cancel(fmt.Errorf("request %d, %s %s: %w", i, requests[i].method, requests[i].path, err))
					return
				}
				mu.Lock()
				statuses[status]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return statuses, context.Cause(ctx)
}

func (r *request) send(ctx context.Context, tr http.RoundTripper, addr string) (status int, body []byte, err error) {
	none := ""
	return r.in(ctx, &none, tr, addr)
}

// in sends the request in a session: with the cookie "sid" that an answer before set.
func (r *request) in(ctx context.Context, session *string, tr http.RoundTripper, addr string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var in io.Reader
	switch {
	case r.chunks > 0:
		in = &pieces{rest: []byte(r.body), size: len(r.body)/r.chunks + 1}
	case r.body != "":
		in = strings.NewReader(r.body)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, "http://"+addr, in)
	if err != nil {
		return 0, nil, err
	}
	q.URL.Opaque = r.path // as it is, well-formed or not
	for _, line := range strings.Split(r.headers, "\n") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			q.Header.Add(name, value)
		}
	}
	if *session != "" {
		q.AddCookie(&http.Cookie{Name: "sid", Value: *session})
	}
	res, err := tr.RoundTrip(q) // follows no redirects
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if c.Name == "sid" {
			*session = c.Value
		}
	}
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, body, err
}

// pieces hides its length, so that it is sent in chunks, with pauses between.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	time.Sleep(2 * time.Millisecond)
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

func TestPieces(t *testing.T) {
	b, err := io.ReadAll(&pieces{rest: bytes.Repeat([]byte("x"), 1000), size: 300})
	if err != nil || len(b) != 1000 {
		t.Error(len(b), err)
	}
}
