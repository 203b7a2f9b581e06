package trace

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// HTTP Archive 1.2 is what browsers and proxies export. It knows no total order
// of events, so ours travels in a _karousos object per entry.

type harFile struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version   string     `json:"version"`
	Creator   harCreator `json:"creator"`
	Entries   []harEntry `json:"entries"`
	Truncated bool       `json:"_karousosTruncated,omitempty"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  time.Time    `json:"startedDateTime"`
	Time     float64      `json:"time"` // milliseconds
	Request  harRequest   `json:"request"`
	Response harResponse  `json:"response"`
	Cache    struct{}     `json:"cache"`
	Timings  harTimings   `json:"timings"`
	Karousos *harKarousos `json:"_karousos,omitempty"`
}

type harRequest struct {
	Method      string      `json:"method"`
	URL         string      `json:"url"`
	HTTPVersion string      `json:"httpVersion"`
	Cookies     []struct{}  `json:"cookies"`
	Headers     []harHeader `json:"headers"`
	QueryString []struct{}  `json:"queryString"`
	PostData    *harContent `json:"postData,omitempty"`
	HeadersSize int         `json:"headersSize"`
	BodySize    int         `json:"bodySize"`
}

type harResponse struct {
	Status      int         `json:"status"`
	StatusText  string      `json:"statusText"`
	HTTPVersion string      `json:"httpVersion"`
	Cookies     []struct{}  `json:"cookies"`
	Headers     []harHeader `json:"headers"`
	Content     harContent  `json:"content"`
	RedirectURL string      `json:"redirectURL"`
	HeadersSize int         `json:"headersSize"`
	BodySize    int         `json:"bodySize"`
}

type harHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"` // base64; HAR has it for responses only, and we for both
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// harKarousos is what HAR has no place for. Exact holds the exchange as JSON
// Lines would, where HAR's strings cannot (they are not valid UTF-8, say).
type harKarousos struct {
	RID        uint64     `json:"rid"`
	Arrived    int        `json:"arrived"`         // position of the request event
	Ended      int        `json:"ended,omitempty"` // position of the response or abort event
	ArrivedAt  int64      `json:"arrivedAt"`
	EndedAt    int64      `json:"endedAt,omitempty"`
	Aborted    bool       `json:"aborted,omitempty"`
	Unaudited  bool       `json:"unaudited,omitempty"`
	Note       text       `json:"note,omitempty"`
	Reason     text       `json:"reason,omitempty"`
	Target     text       `json:"target"`
	Method     text       `json:"method"`
	Proto      text       `json:"proto"`
	RequestHs  *[][2]text `json:"requestHeaders,omitempty"`
	ResponseHs *[][2]text `json:"responseHeaders,omitempty"`
}

func harHeaders(hs []Header) (out []harHeader, exact *[][2]text) {
	out = make([]harHeader, len(hs))
	for i, h := range hs {
		out[i] = harHeader{strings.ToValidUTF8(h.Name, "\ufffd"), strings.ToValidUTF8(h.Value, "\ufffd")}
		if out[i] != (harHeader{h.Name, h.Value}) && exact == nil {
			all := jsonHeaders(hs)
			exact = &all
		}
	}
	return out, exact
}

func fromHARHeaders(in []harHeader, exact *[][2]text) []Header {
	if exact != nil {
		return fromJSONHeaders(*exact)
	}
	if len(in) == 0 {
		return nil
	}
	hs := make([]Header, len(in))
	for i, h := range in {
		hs[i] = Header{h.Name, h.Value}
	}
	return hs
}

func header(hs []Header, name string) string {
	for _, h := range hs {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

func harBody(body []byte, hs []Header) harContent {
	c := harContent{Size: len(body), MimeType: strings.ToValidUTF8(header(hs, "Content-Type"), "\ufffd")}
	if utf8.Valid(body) {
		c.Text = string(body)
	} else {
		c.Text, c.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
	return c
}

func (c *harContent) body() ([]byte, error) {
	switch {
	case c == nil || c.Text == "":
		return nil, nil
	case c.Encoding == "":
		return []byte(c.Text), nil
	case c.Encoding == "base64":
		return base64.StdEncoding.DecodeString(c.Text)
	}
	return nil, fmt.Errorf("content in the unknown encoding %q", c.Encoding)
}

// ExportHAR writes t as an HTTP Archive.
func ExportHAR(out io.Writer, t *Trace) error {
	if err := t.Validate(); err != nil {
		return err
	}
	log := harLog{Version: "1.2", Creator: harCreator{"karousosc", fmt.Sprint(version)},
		Entries: make([]harEntry, len(t.Exchanges)), Truncated: t.Truncated != ""}
	for i := range t.Exchanges {
		x, e := &t.Exchanges[i], &log.Entries[i]
		k := &harKarousos{RID: x.RID, Aborted: x.Aborted, Unaudited: x.Unaudited, Note: text(x.Note), Reason: text(x.Response.Reason),
			Target: text(x.Request.Target), Method: text(x.Request.Method), Proto: text(x.Request.Proto)}
		e.Karousos = k
		host := header(x.Request.Headers, "Host")
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		e.Request = harRequest{Method: valid(x.Request.Method), URL: valid("http://" + host + x.Request.Target),
			HTTPVersion: valid(x.Request.Proto), Cookies: []struct{}{}, QueryString: []struct{}{},
			HeadersSize: -1, BodySize: len(x.Request.Body)}
		e.Request.Headers, k.RequestHs = harHeaders(x.Request.Headers)
		if len(x.Request.Body) > 0 {
			c := harBody(x.Request.Body, x.Request.Headers)
			e.Request.PostData = &c
		}
		e.Response = harResponse{Status: x.Response.Status, StatusText: valid(x.Response.Phrase()), HTTPVersion: "HTTP/1.1", Cookies: []struct{}{},
			HeadersSize: -1, BodySize: len(x.Response.Body), Content: harBody(x.Response.Body, x.Response.Headers)}
		e.Response.Headers, k.ResponseHs = harHeaders(x.Response.Headers)
	}
	for i, ev := range t.Events {
		e := &log.Entries[ev.Exchange]
		if ev.Kind == RequestEvent {
			e.Karousos.Arrived, e.Karousos.ArrivedAt = i, ev.Time
			// Years that RFC 3339 cannot write are for the exact copy only.
			if at := time.UnixMilli(ev.Time).UTC(); at.Year() >= 0 && at.Year() <= 9999 {
				e.Started = at
			}
		} else {
			e.Karousos.Ended, e.Karousos.EndedAt = i, ev.Time
			e.Time = float64(ev.Time - e.Karousos.ArrivedAt)
			e.Timings.Wait = e.Time
		}
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(harFile{log})
}

// ImportHAR reads an HTTP Archive, ours or another's. An archive from elsewhere
// is ordered by its times, with request events before responses at a tie, so
// that nothing is claimed to have happened in an order that it may not have had.
func ImportHAR(name string, in io.Reader, lim Limits) (*Trace, error) {
	lim = lim.withDefaults()
	fail := func(format string, args ...any) (*Trace, error) {
		return nil, &FormatError{name, -1, fmt.Sprintf(format, args...)}
	}
	var file harFile
	if err := json.NewDecoder(io.LimitReader(in, lim.MaxFile)).Decode(&file); err != nil {
		return fail("no HTTP Archive: %v", err)
	}
	entries := file.Log.Entries
	if file.Log.Version == "" {
		return fail("no HTTP Archive: it has no log.version")
	}
	if len(entries) > lim.MaxExchanges {
		return fail("more than the limit of %d requests", lim.MaxExchanges)
	}
	own := len(entries) > 0 && entries[0].Karousos != nil
	for i := range entries {
		if (entries[i].Karousos != nil) != own {
			return fail("only some entries have a _karousos object")
		}
	}
	if own {
		sort.SliceStable(entries, func(i, j int) bool { return entries[i].Karousos.Arrived < entries[j].Karousos.Arrived })
	} else {
		sort.SliceStable(entries, func(i, j int) bool { return entries[i].Started.Before(entries[j].Started) })
	}
	t := &Trace{}
	if file.Log.Truncated {
		t.Truncated = NotClosed
	}
	type at struct {
		e    Event
		pos  int       // own archives
		when time.Time // others
	}
	var events []at
	for i := range entries {
		x, begin, end, err := entries[i].exchange(i)
		if err != nil {
			return fail("entry %d: %v", i, err)
		}
		if int64(max(len(x.Request.Body), len(x.Response.Body))) > lim.MaxBody {
			return fail("entry %d: a body larger than the limit of %d bytes", i, lim.MaxBody)
		}
		t.Exchanges = append(t.Exchanges, x)
		b := at{Event{x.RID, begin.UnixMilli(), int32(i), RequestEvent}, 0, begin}
		f := at{Event{x.RID, end.UnixMilli(), int32(i), ResponseEvent}, 0, end}
		if k := entries[i].Karousos; k != nil {
			b.pos, f.pos = k.Arrived, k.Ended
			b.e.Time, f.e.Time = k.ArrivedAt, k.EndedAt
		}
		events = append(events, b)
		if x.Aborted {
			f.e.Kind = AbortEvent
		}
		if x.Aborted || x.HasResponse {
			events = append(events, f)
		}
	}
	sort.SliceStable(events, func(i, j int) bool {
		a, b := &events[i], &events[j]
		if own {
			return a.pos < b.pos
		}
		if !a.when.Equal(b.when) {
			return a.when.Before(b.when)
		}
		return a.e.Kind == RequestEvent && b.e.Kind != RequestEvent
	})
	for i := range events {
		t.Events = append(t.Events, events[i].e)
	}
	if err := t.Validate(); err != nil {
		return fail("%v", err)
	}
	return t, nil
}

func (e *harEntry) exchange(i int) (x Exchange, begin, end time.Time, err error) {
	begin = e.Started
	end = begin.Add(time.Duration(max(e.Time, 0) * float64(time.Millisecond)))
	x.RID = uint64(i + 1)
	if x.Request.Body, err = e.Request.PostData.body(); err != nil {
		return
	}
	if x.Response.Body, err = e.Response.Content.body(); err != nil {
		return
	}
	x.Response.Status = e.Response.Status
	if k := e.Karousos; k != nil {
		x.RID, x.Aborted, x.Unaudited, x.Note = k.RID, k.Aborted, k.Unaudited, string(k.Note)
		x.HasResponse = !k.Aborted && k.Ended > 0
		x.Request.Method, x.Request.Target, x.Request.Proto = string(k.Method), string(k.Target), string(k.Proto)
		x.Response.Reason = string(k.Reason)
		x.Request.Headers = fromHARHeaders(e.Request.Headers, k.RequestHs)
		x.Response.Headers = fromHARHeaders(e.Response.Headers, k.ResponseHs)
		return
	}
	if s := e.Response.StatusText; s != Usual(e.Response.Status) { // HTTP/2 has none
		x.Response.Reason = s
	}
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return
	}
	x.Request.Method, x.Request.Target, x.Request.Proto = e.Request.Method, u.RequestURI(), "HTTP/1.1"
	// An archive of an HTTP/2 connection has pseudo-headers instead of Host.
	for _, h := range e.Request.Headers {
		if !strings.HasPrefix(h.Name, ":") {
			x.Request.Headers = append(x.Request.Headers, Header{h.Name, h.Value})
		}
	}
	if header(x.Request.Headers, "Host") == "" {
		x.Request.Headers = append([]Header{{"Host", u.Host}}, x.Request.Headers...)
	}
	for _, h := range e.Response.Headers {
		if !strings.HasPrefix(h.Name, ":") {
			x.Response.Headers = append(x.Response.Headers, Header{h.Name, h.Value})
		}
	}
	switch {
	case e.Response.Status == 0:
		x.Aborted, x.Note = true, "the archive has no response"
	case e.Response.Status < 200:
		x.HasResponse, x.Unaudited, x.Note = true, true, "the connection was upgraded"
	default:
		x.HasResponse = true
		if enc := header(x.Response.Headers, "Content-Encoding"); enc != "" && enc != "identity" {
			x.Unaudited, x.Note = true, "the archive holds the body without its Content-Encoding"
		} else if e.Response.Content.Size > 0 && e.Response.Content.Text == "" {
			x.Unaudited, x.Note = true, "the archive leaves the body out"
		}
	}
	return
}
