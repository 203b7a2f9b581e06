package sequential

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"karousosc/testapps/scenario"
	"karousosc/verifier/engine"
)

func TestMain(m *testing.M) {
	engine.MaybeWorker()
	os.Exit(m.Run())
}

// The same app, served by Node over HTTP and by the models: every status,
// header and body must be the same.
func TestModelsAnswerAsNode(t *testing.T) {
	for _, version := range []string{"4", "5"} {
		t.Run("express"+version, func(t *testing.T) {
			entry := "express" + version + ".js"
			node := startNode(t, "../tour", entry)
			scripts, err := Scripts("../tour", entry)
			if err != nil {
				t.Fatal(err)
			}
			r, err := New(t.Context(), engine.Config{}, scripts, map[string]string{"NODE_ENV": "production"})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			same := 0
			for _, req := range corpus(node) {
				want := node.do(t, req)
				res, err := r.Run(t.Context(), []Item{{Req: req}})
				if err != nil {
					t.Errorf("%s %s: %v", req.Method, req.URL, err)
					continue
				}
				if len(res.Answers) != 1 {
					t.Errorf("%s %s: %d answers", req.Method, req.URL, len(res.Answers))
					continue
				}
				got := res.Answers[0]
				for i := range got.Headers {
					got.Headers[i][0] = strings.ToLower(got.Headers[i][0])
				}
				sortHeaders(got.Headers)
				g, w := show(got), show(want)
				if g != w {
					t.Errorf("%s %s %.60q\nmodels: %s\nnode:   %s", req.Method, req.URL, req.Body, g, w)
					continue
				}
				same++
			}
			t.Logf("%d responses equal", same)
		})
	}
}

func show(r Response) string {
	b, _ := json.Marshal(r)
	if len(b) > 6000 {
		b = append(b[:6000], "…"...)
	}
	return string(b)
}

func sortHeaders(h []Header) {
	sort.SliceStable(h, func(i, j int) bool { return h[i][0] < h[j][0] })
}

// corpus is what is asked, in order: some requests look at the one before.
func corpus(n *nodeServer) []Request {
	var c []Request
	add := func(method, url, body string, headers ...string) {
		r := Request{Method: method, URL: url, Body: body, Headers: []Header{{"Host", "app.example.com:8080"}, {"User-Agent", "tour"}}}
		for i := 0; i+1 < len(headers); i += 2 {
			r.Headers = append(r.Headers, Header{headers[i], headers[i+1]})
		}
		if body != "" || method == "POST" || method == "PUT" {
			r.Headers = append(r.Headers, Header{"Content-Length", fmt.Sprint(len(body))})
		}
		if !utf8.ValidString(body) {
			r.Body, r.B64 = base64.StdEncoding.EncodeToString([]byte(body)), true
		}
		c = append(c, r)
	}
	gets := strings.Fields(`/ /empty /unicode /long /longer /json /jsonp?callback=cb /jsonp /buffer /textbuffer /number /null /end /endtext /endlatin1 /endbase64 /write /writelength
		/status/200 /status/204 /status/205 /status/304 /status/404 /status/599 /sendstatus/200 /sendstatus/204 /sendstatus/418 /sendstatus/999 /type/html /type/json /type/png /type/.js
		/redirect /redirect301 /location /links /cookie /cookies /append /nonascii /nonasciibuffer /disposition /writehead /writeheadarray /flush /removed /format /headersent
		/echo /echo?a=1&b[c]=2&d[]=3&d[]=4&e=%C3%BC&f=%zz&__proto__=x&a.b=1 /params/x/%C3%BC%20y /params/%zz/b /headonly /all /route /router /router/items/7 /router/items/bad /router/skip /missing /missing?x=<script>
		/async /order /events /lastevents /hashes /buffers /querystring /inspect /url /throw /teapot /handled /reject /badheader /badmessages //double //double/slash /%E0%A4%A /caf%C3%A9`)
	for _, u := range gets {
		add("GET", u, "")
		add("HEAD", u, "")
	}
	for _, m := range []string{"OPTIONS", "PUT", "DELETE", "PATCH", "POST"} {
		for _, u := range []string{"/all", "/route", "/", "/missing"} {
			add(m, u, "")
		}
	}
	for _, a := range []string{"text/plain", "text/html", "application/json", "image/png", "*/*", "text/*;q=0.5, application/json;q=0.4"} {
		add("GET", "/format", "", "Accept", a)
	}
	for _, u := range []string{"/", "/json", "/long", "/unicode", "/empty"} {
		etag := n.etag(u)
		add("GET", u, "", "If-None-Match", etag)
		add("HEAD", u, "", "If-None-Match", etag)
		add("GET", u, "", "If-None-Match", etag, "Cache-Control", "no-cache")
		add("GET", u, "", "If-None-Match", `W/"other", `+etag)
	}
	add("GET", "/echo", "", "X-Thing", "1", "X-Thing", "2", "X-Forwarded-For", "10.1.2.3, 127.0.0.1", "X-Forwarded-Proto", "https", "X-Requested-With", "XMLHttpRequest", "Accept-Language", "de;q=0.9, en;q=0.8", "Accept", "application/json")
	add("GET", "/echo", "", "Referer", "a", "Referer", "b", "Accept", "text/html", "Accept", "x/y")
	add("GET", "/redirect", "", "Accept", "text/html")
	add("GET", "/missing", "", "Accept", "application/json")
	add("GET", "/cookies", "", "Cookie", "a=b; c=%7B%7D; j=j:{\"x\":1}; s=s:signed.wrong; d=1; d=2")
	add("GET", "/cookies", "", "Cookie", "a=1", "Cookie", "b=2")
	json := "application/json"
	for _, b := range []string{`{"a":1}`, `[1,2,"ü🍀"]`, `"text"`, `{`, `{"a":x}`, ``, `  {"b": {"c": [null]}}`, `null`, `{"__proto__":{"x":1}}`, "\ufeff{}", "{\"a\":\"\xff\"}", `{"big":"` + strings.Repeat("x", 70000) + `"}`, `{"bigger":"` + strings.Repeat("ü", 60000) + `"}`, "{\n\"a\": 1,\n b}"} {
		add("POST", "/json", b, "Content-Type", json)
		add("POST", "/loose", b, "Content-Type", json)
		add("POST", "/verify", b, "Content-Type", json+"; charset=UTF-8")
	}
	add("POST", "/json", `{"a":1}`, "Content-Type", "text/plain")
	add("POST", "/json", `{"a":1}`)
	add("POST", "/json", `{"a":1}`, "Content-Type", json+"; charset=x-unknown")
	add("POST", "/json", "\xff\xfe{\x00}\x00", "Content-Type", json+"; charset=utf-16")
	add("POST", "/json", `{"a":1}`, "Content-Type", json, "Content-Encoding", "x-unknown")
	for _, b := range []string{"a=1&b=2", "a[b]=1&a[c][]=2&a[c][]=3", "x=%C3%BC+y&z=%zz", "", "a=1&a=2&a=3", strings.Repeat("k=v&", 2000), "a=" + strings.Repeat("x", 120000), "=&&=x&y"} {
		add("POST", "/form", b, "Content-Type", "application/x-www-form-urlencoded")
		add("POST", "/simpleform", b, "Content-Type", "application/x-www-form-urlencoded")
	}
	for _, u := range strings.Fields("/text /raw /byhand /setencoding /decoder /iterate /pipe /pipeback /paused /ignored /late /requestevents") {
		for _, b := range []string{"", "short", "ünï🍀cödé", strings.Repeat("long ", 10000), "\x00\xff\xfe\xc3"} {
			add("POST", u, b, "Content-Type", "text/plain")
		}
	}
	return c
}

// nodeServer is the app on real Node, and one connection to it.
type nodeServer struct {
	addr  string
	conn  net.Conn
	r     *bufio.Reader
	etags map[string]string
	t     *testing.T
}

func startNode(t *testing.T, dir, entry string) *nodeServer {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	port, err := scenario.Port()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", entry)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), fmt.Sprint("PORT=", port), "NODE_ENV=production")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &nodeServer{addr: fmt.Sprint("127.0.0.1:", port), t: t, etags: map[string]string{}}
	t.Cleanup(func() {
		if n.conn != nil {
			n.conn.Close()
		}
		cmd.Process.Kill()
		cmd.Wait()
	})
	for i := 0; ; i++ {
		if n.conn, err = net.Dial("tcp", n.addr); err == nil {
			break
		}
		if i == 100 {
			t.Fatalf("node does not listen: %v\n%s", err, out.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
	n.r = bufio.NewReader(n.conn)
	return n
}

func (n *nodeServer) etag(url string) string {
	r := n.do(n.t, Request{Method: "GET", URL: url, Headers: []Header{{"Host", "x"}}})
	for _, h := range r.Headers {
		if h[0] == "etag" {
			return h[1]
		}
	}
	n.t.Fatalf("%s has no ETag", url)
	return ""
}

func (n *nodeServer) do(t *testing.T, r Request) Response { return n.ask(t, r, false) }

func (n *nodeServer) ask(t *testing.T, r Request, again bool) Response {
	t.Helper()
	body := []byte(r.Body)
	if r.B64 {
		body, _ = base64.StdEncoding.DecodeString(r.Body)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", r.Method, r.URL)
	for _, h := range r.Headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("\r\n")
	b.Write(body)
	if n.conn == nil {
		c, err := net.Dial("tcp", n.addr)
		if err != nil {
			t.Fatal(err)
		}
		n.conn, n.r = c, bufio.NewReader(c)
	}
	n.conn.SetDeadline(time.Now().Add(20 * time.Second))
	_, err := n.conn.Write(b.Bytes())
	if err == nil {
		// Node closes connections that idle for five seconds.
		_, err = n.r.Peek(1)
	}
	if err != nil && !again {
		n.conn.Close()
		n.conn = nil
		return n.ask(t, r, true)
	}
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	res, err := http.ReadResponse(n.r, &http.Request{Method: r.Method})
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	out := Response{Status: res.StatusCode, Reason: strings.TrimSpace(strings.TrimPrefix(res.Status, strconv.Itoa(res.StatusCode))), Headers: []Header{}, Body: string(text)}
	if !utf8.Valid(text) {
		out.Body, out.B64 = base64.StdEncoding.EncodeToString(text), true
	}
	for name, values := range res.Header {
		switch name = strings.ToLower(name); name {
		case "date", "connection", "keep-alive":
			continue
		}
		for _, v := range values {
			out.Headers = append(out.Headers, Header{name, latin1(v)})
		}
	}
	sortHeaders(out.Headers)
	if res.Close {
		n.conn.Close()
		n.conn = nil
	}
	return out
}

// latin1: header values are bytes; as text, each byte is a character.
func latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}
