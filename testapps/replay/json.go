package replay

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"karousosc/verifier/trace"
)

// Items are appended byte by byte, as the verifier's own jobs are: the baseline
// must not lose time on the way to the engine.

func appendBatch(b []byte, part []trace.Exchange) []byte {
	b = append(b, `{"items":[`...)
	for i := range part {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendItem(b, &part[i])
	}
	return append(b, "]}"...)
}

func appendItem(b []byte, x *trace.Exchange) []byte {
	q, r := &x.Request, &x.Response
	b = appendString(append(b, `{"req":{"method":`...), q.Method)
	b = appendString(append(b, `,"url":`...), q.Target)
	b = append(b, `,"headers":[`...)
	for i, h := range q.Headers {
		b = appendHeader(b, i, h.Name, h.Value)
	}
	b = append(b, `],"body":`...)
	if len(q.Body) == 0 {
		b = append(b, `null,"b64":false`...)
	} else {
		b = appendBody(b, q.Body)
	}
	b = append(b, `,"chunks":null},"expect":{"status":`...)
	b = strconv.AppendInt(b, int64(r.Status), 10)
	b = append(b, `,"headers":[`...)
	n := 0
	for _, h := range r.Headers {
		switch name := strings.ToLower(h.Name); name {
		case "date", "connection", "keep-alive", "transfer-encoding": // the platform's own
		default:
			b = appendHeader(b, n, name, h.Value)
			n++
		}
	}
	b = append(b, `],"body":`...)
	b = appendBody(b, r.Body)
	return append(b, "}}"...)
}

func appendHeader(b []byte, i int, name, value string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = appendString(append(b, '['), name)
	b = appendString(append(b, ','), value)
	return append(b, ']')
}

func appendBody(b, body []byte) []byte {
	if utf8.Valid(body) {
		b = appendString(b, string(body))
		return append(b, `,"b64":false`...)
	}
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, body)
	return append(b, `","b64":true`...)
}

const hex = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		if c >= ' ' {
			b = append(b, '\\', c)
		} else {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
