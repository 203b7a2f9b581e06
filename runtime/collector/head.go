package collector

import (
	"bytes"
	"math"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"karousosc/verifier/trace"
)

// Programs see the names of headers as the client wrote them, in its order, and targets that net/url refuses
// ("/%zz"). net/http keeps neither, so what it reads from a client is followed here, byte by byte.

// A head is a request's line and headers as they came.
type head struct {
	line string   // "GET /%zz HTTP/1.1"
	rows []string // "Name: value"
}

// maxRow is how long a line of a head may be: longer heads are not served anyway.
const maxRow = maxHead + 1024

// A framer finds the heads in what a client sends.
type framer struct {
	at    place
	row   []byte // the line that is being read
	left  int64  // bytes of the body, or of its chunk
	size  int64  // of the body; -1: it comes in chunks
	head  head
	heads []head // of the requests that net/http has not handed on yet
}

// place is what comes next.
type place uint8

const (
	inLine place = iota
	inHeaders
	inBody
	inChunkSize
	inChunkEnd
	inTrailer
	astray // whatever it is, it is not looked at
)

// follow looks at what came, and appends to out what net/http is to read in its place. A request's line is kept back until
// it is whole.
func (f *framer) follow(out, in []byte) []byte {
	for len(in) > 0 {
		switch f.at {
		case astray:
			return append(out, in...)
		case inBody:
			n := int(min(int64(len(in)), f.left))
			out, in = append(out, in[:n]...), in[n:]
			f.pass(n)
			continue
		}
		n := bytes.IndexByte(in, '\n') + 1
		whole := n > 0
		if !whole {
			n = len(in)
		}
		f.row = append(f.row, in[:n]...)
		if f.at != inLine {
			out = append(out, in[:n]...)
		}
		in = in[n:]
		switch {
		case len(f.row) > maxRow || len(f.head.rows) > maxRow:
			out = f.stray(out)
		case whole:
			out = f.read(out)
		}
	}
	return out
}

// free is how much may be read without its being looked at: a part of a body, or everything.
func (f *framer) free() int64 {
	switch f.at {
	case inBody:
		return f.left
	case astray:
		return math.MaxInt64
	}
	return 0
}

// pass goes on after so many bytes of what is free.
func (f *framer) pass(n int) {
	if f.at != inBody {
		return
	}
	f.left -= int64(n)
	switch {
	case f.left > 0:
	case f.size < 0:
		f.at = inChunkEnd
	default:
		f.at = inLine
	}
}

// stray gives up following.
func (f *framer) stray(out []byte) []byte {
	if f.at == inLine {
		out = append(out, f.row...)
	}
	f.at, f.row = astray, nil
	return out
}

// read takes one whole line that is no part of a body.
func (f *framer) read(out []byte) []byte {
	row := strings.TrimRight(string(f.row), "\r\n")
	switch f.at {
	case inLine:
		out = append(out, servable(f.row)...)
		if row != "" {
			f.at, f.size, f.head = inHeaders, 0, head{line: row}
		}
	case inHeaders:
		if row != "" {
			f.head.rows = append(f.head.rows, row)
			f.frames(row)
			break
		}
		f.heads = append(f.heads, f.head)
		f.at, f.left = inLine, f.size
		switch {
		case f.size < 0:
			f.at = inChunkSize
		case f.size > 0:
			f.at = inBody
		}
	case inChunkSize:
		digits, _, _ := strings.Cut(row, ";")
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 16, 64)
		switch {
		case err != nil || n < 0:
			return f.stray(out)
		case n == 0:
			f.at = inTrailer
		default:
			f.at, f.left = inBody, n
		}
	case inChunkEnd:
		f.at = inChunkSize
	case inTrailer:
		if row == "" {
			f.at = inLine
		}
	}
	f.row = f.row[:0]
	return out
}

// frames looks at a header for how long the body is.
func (f *framer) frames(row string) {
	name, value, _ := strings.Cut(row, ":")
	switch {
	case strings.EqualFold(name, "Transfer-Encoding"):
		f.size = -1
	case strings.EqualFold(name, "Content-Length") && f.size == 0:
		if n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil && n > 0 {
			f.size = n
		}
	}
}

// servable is a request's line that net/http does not refuse for its target; the handler gets the client's.
func servable(line []byte) []byte {
	method, target, proto := requestLine(string(line))
	if !strings.HasPrefix(target, "/") {
		return line
	}
	if _, err := url.ParseRequestURI(target); err == nil {
		return line
	}
	return []byte(method + " / " + proto)
}

func requestLine(line string) (method, target, proto string) {
	method, rest, _ := strings.Cut(line, " ")
	target, proto, _ = strings.Cut(rest, " ")
	return method, target, proto
}

// next is the head of the request that net/http has read, nil if that is not known.
func (f *framer) next(r *http.Request) *head {
	for len(f.heads) > 0 {
		h := f.heads[0]
		f.heads = f.heads[1:]
		method, target, _ := requestLine(h.line)
		if method == r.Method && (target == r.RequestURI || r.RequestURI == "/" && strings.HasPrefix(target, "/")) {
			return &h
		}
	}
	return nil
}

// headers are those of the head in the client's order, if net/http has read just them; else nil.
func (h *head) headers(r *http.Request) []trace.Header {
	var hs []trace.Header
	count := map[string]int{}
	for _, row := range h.rows {
		name, value, ok := strings.Cut(row, ":")
		value = textproto.TrimString(value)
		key := textproto.CanonicalMIMEHeaderKey(name)
		switch {
		case !ok:
			return nil
		case key == "Host":
			if value != r.Host {
				return nil
			}
		case key == "Transfer-Encoding":
			if r.ContentLength >= 0 {
				return nil
			}
		case key == "Trailer", key == "Content-Length" && r.ContentLength < 0:
			continue // net/http has taken them away
		default:
			i := count[key]
			count[key]++
			if vs := r.Header[key]; i >= len(vs) || vs[i] != value {
				return nil
			}
		}
		hs = append(hs, trace.Header{Name: name, Value: value})
	}
	for key, vs := range r.Header {
		if count[key] != len(vs) {
			return nil
		}
	}
	return slices.Clip(hs)
}
