package trace

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// text is a string of any bytes: JSON strings hold Unicode only, so what is not
// valid UTF-8 becomes {"base64": "..."}.
type text string

func (s text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(s)) {
		return json.Marshal(string(s))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(s))})
}

func (s *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var enc struct {
			Base64 *string `json:"base64"`
		}
		if err := json.Unmarshal(b, &enc); err != nil {
			return err
		}
		if enc.Base64 == nil {
			return errors.New(`{"base64": …} expected`)
		}
		raw, err := base64.StdEncoding.DecodeString(*enc.Base64)
		*s = text(raw)
		return err
	}
	var plain string
	err := json.Unmarshal(b, &plain)
	*s = text(plain)
	return err
}

type jsonHead struct {
	Trace     int  `json:"trace"`
	Truncated bool `json:"truncated,omitempty"`
}

type jsonEvent struct {
	Event   string    `json:"event"`
	RID     uint64    `json:"rid"`
	Time    int64     `json:"time,omitempty"`
	Method  text      `json:"method,omitempty"`
	Target  text      `json:"target,omitempty"`
	Proto   text      `json:"proto,omitempty"`
	Status  int       `json:"status,omitempty"`
	Reason  text      `json:"reason,omitempty"`
	Headers [][2]text `json:"headers,omitempty"`
	Body    text      `json:"body,omitempty"`
	Note    text      `json:"note,omitempty"`
}

func jsonHeaders(hs []Header) [][2]text {
	out := make([][2]text, len(hs))
	for i, h := range hs {
		out[i] = [2]text{text(h.Name), text(h.Value)}
	}
	return out
}

func fromJSONHeaders(in [][2]text) []Header {
	if len(in) == 0 {
		return nil
	}
	hs := make([]Header, len(in))
	for i, h := range in {
		hs[i] = Header{string(h[0]), string(h[1])}
	}
	return hs
}

func bodyOf(s text) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// ExportJSONL writes t as JSON Lines (FORMAT.md).
func ExportJSONL(out io.Writer, t *Trace) error {
	if err := t.Validate(); err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 64<<10)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(jsonHead{Trace: version, Truncated: t.Truncated != ""}); err != nil {
		return err
	}
	for _, e := range t.Events {
		x := &t.Exchanges[e.Exchange]
		line := jsonEvent{Event: e.Kind.String(), RID: e.RID, Time: e.Time}
		switch e.Kind {
		case RequestEvent:
			r := &x.Request
			line.Method, line.Target, line.Proto = text(r.Method), text(r.Target), text(r.Proto)
			line.Headers, line.Body = jsonHeaders(r.Headers), text(r.Body)
		default:
			r := &x.Response
			line.Status, line.Reason, line.Headers, line.Body = r.Status, text(r.Reason), jsonHeaders(r.Headers), text(r.Body)
			if e.Kind == AbortEvent && !x.Unaudited {
				line.Note = text(x.Note)
			}
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
		if e.Kind == RequestEvent && x.Unaudited {
			if err := enc.Encode(jsonEvent{Event: "unaudited", RID: e.RID, Note: text(x.Note)}); err != nil {
				return err
			}
		}
		if e.Kind == RequestEvent && !x.HasResponse && !x.Aborted && len(x.Response.Body) > 0 {
			if err := enc.Encode(jsonEvent{Event: "partial", RID: e.RID, Body: text(x.Response.Body)}); err != nil {
				return err
			}
		}
	}
	return buffered.Flush()
}

// ImportJSONL reads what ExportJSONL writes; name is for its errors, whose
// offsets are line numbers.
func ImportJSONL(name string, in io.Reader, lim Limits) (*Trace, error) {
	lim = lim.withDefaults()
	lines := bufio.NewScanner(in)
	// A body of the largest size as base64, and something for the headers.
	lines.Buffer(make([]byte, 0, 64<<10), int(min(lim.MaxBody/3*4, 1<<40))+(16<<20))
	n := 0
	fail := func(format string, args ...any) (*Trace, error) {
		return nil, &FormatError{name, int64(n), fmt.Sprintf(format, args...)}
	}
	t := &Trace{}
	for lines.Scan() {
		n++
		if len(lines.Bytes()) == 0 {
			continue
		}
		if n == 1 {
			var h jsonHead
			if err := json.Unmarshal(lines.Bytes(), &h); err != nil || h.Trace == 0 {
				return fail(`the first line must be {"trace":%d}`, version)
			}
			if h.Trace != version {
				return fail("format version %d, and this program reads version %d", h.Trace, version)
			}
			if h.Truncated {
				t.Truncated = NotClosed
			}
			continue
		}
		var l jsonEvent
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fail("%v", err)
		}
		if l.Event == "request" {
			if len(t.Exchanges) == lim.MaxExchanges {
				return fail("more than the limit of %d requests", lim.MaxExchanges)
			}
			t.Events = append(t.Events, Event{l.RID, l.Time, int32(len(t.Exchanges)), RequestEvent})
			t.Exchanges = append(t.Exchanges, Exchange{RID: l.RID, Request: Request{
				string(l.Method), string(l.Target), string(l.Proto), fromJSONHeaders(l.Headers), bodyOf(l.Body)}})
			continue
		}
		i := t.Find(l.RID)
		if i < 0 {
			return fail("request %d did not arrive before", l.RID)
		}
		x := &t.Exchanges[i]
		response := Response{l.Status, fromJSONHeaders(l.Headers), bodyOf(l.Body), string(l.Reason)}
		switch l.Event {
		case "response":
			x.HasResponse, x.Response = true, response
			t.Events = append(t.Events, Event{l.RID, l.Time, int32(i), ResponseEvent})
		case "abort":
			x.Aborted, x.Response = true, response
			x.Note += string(l.Note)
			t.Events = append(t.Events, Event{l.RID, l.Time, int32(i), AbortEvent})
		case "unaudited":
			x.Unaudited = true
			x.Note += string(l.Note)
		case "partial":
			x.Response.Body = response.Body
		default:
			return fail("unknown event %q", l.Event)
		}
	}
	if err := lines.Err(); err != nil {
		return fail("%v", err)
	}
	if n == 0 {
		return fail("the file is empty")
	}
	if err := t.Validate(); err != nil {
		return fail("%v", err)
	}
	return t, nil
}
