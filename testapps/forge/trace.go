package forge

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// ETag is the weak entity tag that Express gives a body.
func ETag(body []byte) string {
	sum := sha1.Sum(body)
	return fmt.Sprintf(`W/"%x-%s"`, len(body), base64.StdEncoding.EncodeToString(sum[:])[:27])
}

// SetBody changes a response's body and what its headers say of it.
func SetBody(x *trace.Exchange, body []byte) {
	x.Response.Body = body
	x.Response.Headers = slices.Clone(x.Response.Headers)
	for i := range x.Response.Headers {
		h := &x.Response.Headers[i]
		switch {
		case strings.EqualFold(h.Name, "content-length"):
			h.Value = strconv.Itoa(len(body))
		case strings.EqualFold(h.Name, "etag"):
			h.Value = ETag(body)
		}
	}
}

// FlipByte changes one byte of a response's body, leaving its length as it is.
func FlipByte(x *trace.Exchange) (at int, before, after byte) {
	x.Response.Body = slices.Clone(x.Response.Body)
	at = len(x.Response.Body) / 2
	before = x.Response.Body[at]
	after = before ^ 1
	x.Response.Body[at] = after
	return at, before, after
}

// Answered says whether request a was answered before request b arrived.
func (e *Evidence) Answered(a, b uint64) bool {
	done := false
	for _, ev := range e.Trace.Events {
		switch {
		case ev.RID == b && ev.Kind == trace.RequestEvent:
			return done
		case ev.RID == a && ev.Kind == trace.ResponseEvent:
			done = true
		}
	}
	return false
}

// Exchange finds a request in the trace.
func (e *Evidence) Exchange(rid uint64) *trace.Exchange {
	if i := e.Trace.Find(rid); i >= 0 {
		return &e.Trace.Exchanges[i]
	}
	return nil
}

// Stale tells of a read that was re-pointed.
type Stale struct {
	Reader       uint64 // the request whose read it is
	Older, Newer uint64 // who wrote what it is now said to have read, and what it read
	Location     string
	Was, Is      []byte // the response's body
}

// StaleRead re-points one logged read at the write before the one that it saw,
// and changes the response to what the app would have answered then. The newer
// write was acknowledged before the reading request even arrived, so that no
// schedule excuses the answer. The last read for which this can be done is taken.
func (e *Evidence) StaleRead() (*Stale, error) {
	for i := len(e.Lives) - 1; i >= 0; i-- {
		l := e.Lives[i]
		reads := l.All(record.Read)
		slices.Reverse(reads)
		for _, r := range reads {
			newer := l.Get(record.Write, r.Write)
			if newer == nil || newer.Prev < 0 {
				continue
			}
			older := l.Get(record.Write, newer.Prev)
			if older == nil {
				continue
			}
			s := &Stale{Reader: l.RID(r), Older: l.RID(older), Newer: l.RID(newer)}
			if s.Newer == s.Reader || s.Older == s.Reader || !e.Answered(s.Newer, s.Reader) {
				continue
			}
			x := e.Exchange(s.Reader)
			s.Was = x.Response.Body
			s.Is = l.retell(s.Was, newer.Value, older.Value)
			if s.Is == nil || bytes.Equal(s.Was, s.Is) {
				continue
			}
			if loc := l.Get(record.Location, newer.Loc); loc != nil {
				s.Location = string(loc.Key.AppendJSON(nil, record.Renumber{}))
			}
			r.Write = older.ID
			SetBody(x, s.Is)
			return s, nil
		}
	}
	return nil, fmt.Errorf("no logged read saw an overwrite that was acknowledged before it; send more requests to fewer keys")
}

// retell is body with the text of one value replaced by that of another; nil if
// that is not enough to tell what the app would have answered.
func (l *Life) retell(body []byte, from, to record.Value) []byte {
	if from.Kind == record.String && to.Kind == record.String {
		if from.Str == "" || !bytes.Contains(body, []byte(from.Str)) {
			return nil
		}
		return bytes.ReplaceAll(body, []byte(from.Str), []byte(to.Str))
	}
	if from.Kind != record.RefValue || to.Kind != record.RefValue {
		return nil
	}
	_, f := l.Object(from.Ref())
	_, t := l.Object(to.Ref())
	if len(f) == 0 || len(f) != len(t) {
		return nil
	}
	var out []byte
	for k, v := range f {
		w, ok := t[k]
		switch {
		case !ok:
			return nil
		case record.Equal(v, w):
		case v.Kind == record.String && w.Kind == record.String && out == nil:
			if out = l.retell(body, v, w); out == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return out
}

// Overlap makes all requests arrive before the first answer, so that time orders
// nothing: what is still rejected contradicts itself.
func (e *Evidence) Overlap() {
	slices.SortStableFunc(e.Trace.Events, func(a, b trace.Event) int {
		return int(min(a.Kind, trace.ResponseEvent)) - int(min(b.Kind, trace.ResponseEvent))
	})
	for i := range e.Trace.Events {
		e.Trace.Events[i].Time = e.Trace.Events[0].Time
	}
}

// Answer changes what a request was answered.
func (e *Evidence) Answer(rid uint64, body string) { SetBody(e.Exchange(rid), []byte(body)) }
