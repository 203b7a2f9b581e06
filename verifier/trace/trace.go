// Package trace holds the trusted record of what clients asked of the server
// and what they were answered: the one input of an audit that nobody may doubt.
//
// The collector appends to a trace file while it forwards (Writer); the
// verifier loads the whole file (Load). The two have different needs, which
// shaped the format (FORMAT.md): writing must be cheap, safe against a crash
// and shared by many handlers at once; loading must be quick and must not make
// one heap object per header, so the strings and bodies of a loaded trace are
// views into a few large blocks. Treat them as read-only.
package trace

import (
	"fmt"
	"net/http"
	"strings"
)

// Header is one header line. The list in a Request or Response is in the order
// of the wire; the same name may occur more than once. Names compare without
// regard to case.
type Header struct{ Name, Value string }

// Request is what was forwarded to the server, less the Karousos-Request-Id
// header: what the application saw.
type Request struct {
	Method  string
	Target  string // as on the request line, e.g. /post?x=1
	Proto   string // HTTP/1.1
	Headers []Header
	Body    []byte // nil when empty
}

// Response is what the server answered.
type Response struct {
	Status  int
	Headers []Header
	Body    []byte // nil when empty
	Reason  string // the phrase behind the status; "" for the usual one
}

// Exchange is one request with what became of it.
type Exchange struct {
	RID         uint64 // request id; exchanges are in increasing order of it
	Request     Request
	Response    Response // partial when Aborted: what had reached the client
	HasResponse bool     // a complete response was handed to the client
	Aborted     bool     // it ended without a complete response; Note says why
	Unaudited   bool     // the record is not the whole story (an upgrade, a body over the limit); Note says why
	Note        string
}

// Upgraded tells whether the connection then spoke another protocol than HTTP, of which nothing is recorded.
func (x *Exchange) Upgraded() bool {
	return x.Unaudited && x.Response.Status == http.StatusSwitchingProtocols
}

// PartlyAnswered tells whether the client, or the collector, had a part of an answer when the connection ended.
func (x *Exchange) PartlyAnswered() bool {
	r := &x.Response
	return x.Aborted && (r.Status != 0 || len(r.Headers) > 0 || len(r.Body) > 0)
}

// AsksToUpgrade tells whether the client wanted that.
func (x *Exchange) AsksToUpgrade() bool {
	connection, protocol := false, false
	for _, h := range x.Request.Headers {
		connection = connection || strings.EqualFold(h.Name, "Connection") && strings.EqualFold(h.Value, "Upgrade")
		protocol = protocol || strings.EqualFold(h.Name, "Upgrade")
	}
	return connection && protocol
}

// Kind tells the events of an exchange apart.
type Kind uint8

const (
	RequestEvent  Kind = 1 // the request arrived
	ResponseEvent Kind = 2 // just before the last byte of the response went out
	AbortEvent    Kind = 3 // the exchange ended without a complete response
)

func (k Kind) String() string {
	switch k {
	case RequestEvent:
		return "request"
	case ResponseEvent:
		return "response"
	case AbortEvent:
		return "abort"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Event is a point in the collector's total order. An exchange has one
// RequestEvent and at most one of the other two after it.
type Event struct {
	RID      uint64
	Time     int64 // Unix milliseconds by the collector's clock, for people: order is by position
	Exchange int32 // index into Trace.Exchanges
	Kind     Kind
}

// Trace is a loaded trace.
type Trace struct {
	Exchanges []Exchange // in order of their request events
	Events    []Event    // in the order in which the collector saw them

	// Truncated is empty when the collector closed the trace. Otherwise it is
	// NotClosed: the collector was killed, and what it saw in its last
	// moments may be missing from the end.
	Truncated string
}

// NotClosed is the value of Trace.Truncated for a trace that was not closed.
const NotClosed = "the collector did not close this trace (it was killed, or is still running); what it saw last may be missing"

// FormatError says where and why a trace file could not be used.
type FormatError struct {
	File   string
	Offset int64 // byte offset in the file, or line number for JSON Lines; -1 when there is none
	Reason string
}

func (e *FormatError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("trace %s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("trace %s: at %d: %s", e.File, e.Offset, e.Reason)
}

// Limits bound what Load accepts. Zero fields take the defaults.
type Limits struct {
	MaxFile      int64 // bytes on disk (default 16 GiB)
	MaxMemory    int64 // bytes after decompression (default 8 GiB)
	MaxExchanges int   // default 50 million
	MaxBody      int64 // bytes of one body (default 1 GiB)
}

func (l Limits) withDefaults() Limits {
	if l.MaxFile == 0 {
		l.MaxFile = 16 << 30
	}
	if l.MaxMemory == 0 {
		l.MaxMemory = 8 << 30
	}
	if l.MaxExchanges == 0 {
		l.MaxExchanges = 50_000_000
	}
	if l.MaxBody == 0 {
		l.MaxBody = 1 << 30
	}
	return l
}

// Find returns the index in t.Exchanges of the exchange rid, or -1.
func (t *Trace) Find(rid uint64) int { return find(t.Exchanges, rid) }

// find relies on rids being increasing, and usually consecutive: the guess is
// right unless a collector was killed and another went on with its file.
func find(xs []Exchange, rid uint64) int {
	if len(xs) == 0 {
		return -1
	}
	if d := rid - xs[0].RID; d < uint64(len(xs)) && xs[d].RID == rid {
		return int(d)
	}
	lo, hi := 0, len(xs)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if xs[mid].RID < rid {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(xs) && xs[lo].RID == rid {
		return lo
	}
	return -1
}

// Requests lists request ids, shortened: requests 3, 5 to 9 and 12.
func Requests(rids []uint64) string {
	if len(rids) == 1 {
		return fmt.Sprintf("request %d", rids[0])
	}
	var parts []string
	for i := 0; i < len(rids); {
		j := i
		for j+1 < len(rids) && rids[j+1] == rids[j]+1 {
			j++
		}
		switch {
		case j == i:
			parts = append(parts, fmt.Sprint(rids[i]))
		case j == i+1:
			parts = append(parts, fmt.Sprint(rids[i]), fmt.Sprint(rids[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", rids[i], rids[j]))
		}
		i = j + 1
	}
	const most = 20
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("%d in all", len(rids)))
	}
	if len(parts) == 1 {
		return "requests " + parts[0]
	}
	return "requests " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
