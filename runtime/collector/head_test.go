package collector

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"karousosc/verifier/trace"
)

// heads are what the collector records of requests that are sent one after another on one connection, in pieces of so
// many bytes.
func heads(t *testing.T, text string, piece int) []trace.Request {
	t.Helper()
	up := raw(t, func(c net.Conn) {
		br := bufio.NewReader(c)
		for {
			r := readRequest(br)
			if r == "" {
				return
			}
			// net/http does not take all targets.
			_, rest, _ := strings.Cut(r, "\n")
			q, err := http.ReadRequest(bufio.NewReader(io.MultiReader(strings.NewReader("POST / HTTP/1.1\n"+rest), br)))
			if err != nil {
				return
			}
			io.Copy(io.Discard, q.Body)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	f := start(t, up)
	c, br := f.dial("")
	go func() {
		for rest := text; rest != ""; {
			n := min(piece, len(rest))
			io.WriteString(c, rest[:n])
			rest = rest[n:]
		}
	}()
	io.ReadAll(br)
	var all []trace.Request
	for _, x := range f.trace().Exchanges {
		all = append(all, x.Request)
	}
	return all
}

// Programs see targets and the names of headers as clients write them, and in their order, whatever came before on the
// connection and however it came.
func TestHeadsAsTheyCame(t *testing.T) {
	const body = "GET /body HTTP/1.1\r\nz: y\r\n\r\n"
	text := "GET /one?q=%zz HTTP/1.1\r\nx-b: 1\r\nHost: h\r\nX-a:  2 \r\nx-B: 3\r\n\r\n" +
		"GET /%zz?a=b HTTP/1.1\r\nhost: h\r\n\r\n" +
		fmt.Sprintf("POST /two HTTP/1.1\r\nHOST: h\r\ncontent-length: %d\r\n\r\n", len(body)) + body +
		"POST /three HTTP/1.1\r\ntransfer-encoding: chunked\r\nz: 1\r\nhost: h\r\n\r\n5;x=y\r\nabcde\r\nA\r\n0123\r\n\r\n89\r\n0\r\n\r\n" +
		"\r\nGET / HTTP/1.1\r\nb: 1\r\na: 2\r\nhost: h\r\nconnection: Close\r\n\r\n"
	want := "GET /one?q=%zz [{x-b 1} {Host h} {X-a 2} {x-B 3}] \n" +
		"GET /%zz?a=b [{host h}] \n" +
		"POST /two [{HOST h} {content-length 28}] " + body + "\n" +
		"POST /three [{transfer-encoding chunked} {z 1} {host h}] abcde0123\r\n\r\n89\n" +
		"GET / [{b 1} {a 2} {host h} {connection Close}] \n"
	for _, piece := range []int{1, 7, 50, 1000} {
		var got strings.Builder
		for _, r := range heads(t, text, piece) {
			fmt.Fprintf(&got, "%s %s %v %s\n", r.Method, r.Target, r.Headers, r.Body)
		}
		if got.String() != want {
			t.Errorf("in pieces of %d bytes: %s\nwant %s", piece, got.String(), want)
		}
	}
}

// What does not agree with what net/http read is not used.
func TestHeadsThatDisagree(t *testing.T) {
	read := func(text string) *http.Request {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text + "\r\n\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := read("POST /a HTTP/1.1\r\nHost: h\r\nA: 1\r\na: 2\r\nContent-Length: 0")
	for rows, agrees := range map[string]bool{
		"host: h|a: 1|A: 2|content-length: 0":                            true,
		"content-length: 0|a:1|a:\t2 |HOST:h":                            true,
		"host: h|a: 2|A: 1|content-length: 0":                            false,
		"host: h|a: 1|content-length: 0":                                 false,
		"host: h|a: 1|a: 2|a: 2|content-length: 0":                       false,
		"host: h|a: 1|a: 2|b: 2|content-length: 0":                       false,
		"host: i|a: 1|a: 2|content-length: 0":                            false,
		"host: h|a: 1|a: 2|content-length: 0|folded":                     false,
		"host: h|a: 1|a: 2|content-length: 0|transfer-encoding: chunked": false,
	} {
		h := &head{rows: strings.Split(rows, "|")}
		if hs := h.headers(r); (hs != nil) != agrees {
			t.Errorf("%s: %v", rows, hs)
		}
	}
	f := framer{heads: []head{{line: "GET /b HTTP/1.1"}, {line: "POST /a HTTP/1.1"}, {line: "GET /c HTTP/1.1"}}}
	if h := f.next(r); h == nil || h.line != "POST /a HTTP/1.1" || len(f.heads) != 1 || f.next(r) != nil {
		t.Errorf("%+v", f.heads)
	}
}

// net/http gets what the client sent, but for targets that it would refuse; at once, but for a request's line; and in
// whatever pieces it comes.
func FuzzFramer(f *testing.F) {
	f.Add([]byte("GET /%zz HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcPOST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET"), uint8(3))
	f.Add([]byte("POST / HTTP/1.1\nContent-Length: 99999999999999999999\nTransfer-Encoding: x\n\nzz\nGET /\n"), uint8(1))
	f.Add(bytes.Repeat([]byte("x"), 40_000), uint8(200))
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		var whole, parts framer
		out := whole.follow(nil, in)
		var got []byte
		for rest := in; len(rest) > 0; {
			n := min(int(piece)+1, len(rest))
			if free := parts.free(); free > 0 {
				n = int(min(int64(n), free))
				got = append(got, rest[:n]...)
				parts.pass(n)
			} else {
				got = parts.follow(got, rest[:n])
			}
			rest = rest[n:]
		}
		if !bytes.Equal(out, got) || !reflect.DeepEqual(whole.heads, parts.heads) {
			t.Errorf("in one piece %q, in several %q", out, got)
		}
		if whole.at != astray && bytes.Contains(whole.row, []byte("\n")) {
			t.Errorf("kept back: %q", whole.row)
		}
		if !bytes.Contains(in, []byte("%")) && !bytes.Equal(whole.stray(out), in) && whole.at == inLine {
			t.Errorf("%q became %q", in, out)
		}
	})
}
