package trace

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// Save writes t to a new file, which must not exist.
func Save(path string, t *Trace) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = Encode(f, t)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// Encode writes t in the binary format, as one session. What it writes loads
// as an equal trace; a trace that no file could hold is an error.
func Encode(out io.Writer, t *Trace) error {
	if err := t.Validate(); err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<20)
	w, err := NewWriter(buffered)
	if err != nil {
		return err
	}
	for _, e := range t.Events {
		x := &t.Exchanges[e.Exchange]
		switch e.Kind {
		case RequestEvent:
			w.mu.Lock()
			w.begin(e.RID, e.Time, &x.Request)
			w.mu.Unlock()
			w.RequestBody(e.RID, x.Request.Body)
			if x.Unaudited {
				w.Unaudited(e.RID, x.Note)
			}
			if !x.HasResponse && !x.Aborted {
				w.ResponseBody(e.RID, x.Response.Body)
			}
		case ResponseEvent:
			w.respond(e.RID, e.Time, &x.Response)
		case AbortEvent:
			note := x.Note
			if x.Unaudited {
				note = ""
			}
			w.abort(e.RID, e.Time, &x.Response, note)
		}
	}
	if err := w.sync(t.Truncated == ""); err != nil {
		return err
	}
	return buffered.Flush()
}

// Validate checks what every loaded trace keeps: the rules of the comments on
// Trace, Exchange and Event. Traces made by hand or imported may break them.
func (t *Trace) Validate() error {
	const (
		absent = iota
		begun
		ended
	)
	state := make([]byte, len(t.Exchanges))
	arrived := 0
	for i, e := range t.Events {
		if e.Exchange < 0 || int(e.Exchange) >= len(t.Exchanges) || t.Exchanges[e.Exchange].RID != e.RID {
			return fmt.Errorf("event %d does not belong to an exchange", i)
		}
		x, s := &t.Exchanges[e.Exchange], &state[e.Exchange]
		switch {
		case e.Kind == RequestEvent && *s == absent:
			if int(e.Exchange) != arrived {
				return fmt.Errorf("request %d is not in the order of the exchanges", e.RID)
			}
			arrived++
			*s = begun
		case e.Kind == ResponseEvent && *s == begun && x.HasResponse, e.Kind == AbortEvent && *s == begun && x.Aborted:
			*s = ended
		default:
			return fmt.Errorf("the %v event of request %d is out of place", e.Kind, e.RID)
		}
	}
	last := uint64(0)
	for i := range t.Exchanges {
		x := &t.Exchanges[i]
		status := x.Response.Status
		switch {
		case x.RID <= last:
			return fmt.Errorf("request ids must increase from 1, and %d comes after %d", x.RID, last)
		case state[i] == absent:
			return fmt.Errorf("request %d has no request event", x.RID)
		case x.HasResponse && x.Aborted:
			return fmt.Errorf("request %d is both answered and aborted", x.RID)
		case (x.HasResponse || x.Aborted) != (state[i] == ended):
			return fmt.Errorf("request %d has ended without an event", x.RID)
		case status < 100 && (status != 0 || x.HasResponse) || status > 999:
			return fmt.Errorf("request %d has status %d", x.RID, status)
		case state[i] == begun && (status != 0 || len(x.Response.Headers) > 0):
			return fmt.Errorf("request %d has a response without an event", x.RID)
		case x.Note != "" && !x.Aborted && !x.Unaudited:
			return fmt.Errorf("request %d has a note, but is neither aborted nor unauditable", x.RID)
		}
		last = x.RID
	}
	return nil
}
