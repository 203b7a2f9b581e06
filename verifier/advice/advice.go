// Package advice holds what the server reports about its own execution: the
// untrusted half of an audit's input. Load decodes a directory of it under
// limits, into flat tables whose every index has been checked, so that the rest
// of the verifier can follow references without thinking about hostile bytes.
//
// What Load checks is form only. That a write ever happened, that a read could
// have seen it, that a request exists: re-execution and the order check say that.
// See v1/FORMAT.md for what is checked here and what is not.
package advice

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"karousosc/verifier/advice/record"
	v1 "karousosc/verifier/advice/v1"
)

// The vocabulary of advice is record's; these are the names to use.
type (
	Value       = record.Value
	Key         = record.Key
	Ref         = record.Ref
	Field       = record.Field
	DeltaOp     = record.DeltaOp
	ObjectKind  = record.ObjectKind
	Record      = record.Record
	Limits      = record.Limits
	FormatError = record.FormatError
	Encoder     = v1.Encoder
)

// Version is the format version that is written.
const Version = v1.Version

// extension is how the file of a life is named.
const extension = ".kadv"

// NewEncoder writes one life; see v1.Encoder.
var NewEncoder = v1.NewEncoder

// Advice is what a directory of advice holds: the server's lives in order.
type Advice struct {
	Lives []*Life
}

// Life is one run of the server, from start to end. Requests[0] is init; all
// other numbers are indexes into these tables.
type Life struct {
	File    string // the file's base name
	BuildID string

	Requests    []Request
	Locations   []Location
	Writes      []Write
	Reads       []Read
	Objects     []Object
	ND          []ND
	Env         []EnvVar
	Unauditable []Unauditable
	Turns       []Turn

	// Complete: the life ended cleanly and nothing is missing. Otherwise
	// MissingNote says what is.
	Complete    bool
	MissingNote string
}

// Request is one request as its life numbers it.
type Request struct {
	RID    uint64
	Tag    uint32
	HasTag bool
	Acts   []Act   // the logged activations; 0 is the request handler
	Chunks []int32 // the lengths in which a large body arrived, or nil
}

// Act names an activation: the Firing-th firing of what operation Op of
// activation Parent (of the same request) registered. Parent is -1 for the
// request handler.
type Act struct {
	Parent, Op, Firing int32
}

// Location is a key of an object.
type Location struct {
	Obj Ref
	Key Key
}

// Write is a logged write: operation Op of activation Act of request Req wrote
// Value to Loc, over what write Prev wrote (-1: not said). Or no write, but the version in which the key Loc is absent as
// of what write Shape left of its object's shape (Absence); then Req is -1.
type Write struct {
	Req, Act, Op, Loc, Prev, Shape int32
	Absence                        bool
	Value                          Value
}

// Read is a logged read: activation Act of request Req read what Write wrote.
type Read struct {
	Req, Act, Write int32
}

// Object is a tracked object that was published by a request: the Index-th by
// operation Op of activation Act of request Req.
type Object struct {
	Req, Act, Op, Index int32
	Kind                ObjectKind
	NoFields            bool // its fields are among what is missing from an incomplete life
	Class               int32
	Fields              []Field
}

// ND is a recorded result of an operation that re-execution cannot compute. The
// entries of one activation are in program order.
type ND struct {
	Req, Act int32
	Type     string
	Value    Value
}

// EnvVar is an environment variable as the program saw it.
type EnvVar struct {
	Name  string
	Value Value
}

// Unauditable says why the server's own runtime considers a request not auditable.
type Unauditable struct {
	Req           int32
	Reason, Where string
	Shared        bool // shared state holds what cannot be logged; all else was recorded
}

// Text is the reason with its place.
func (u *Unauditable) Text() string {
	if u.Where == "" {
		return u.Reason
	}
	return u.Reason + " (" + u.Where + ")"
}

// Turn is what the server's event loop ran next, in the order of all requests: init's and the requests' timers and
// what came for them from outside. What follows from these on its own (ticks, microtasks) has no turn.
type Turn struct {
	Req, Act int32
	Kind     TurnKind
}

// TurnKind says what happened in a turn.
type TurnKind uint8

const (
	Fired   TurnKind = iota // activation Act of Req ran
	Arrived                 // request Req began
	Body                    // the next piece of Req's body came, or its end
)

// Load decodes all lives in dir, in the order of their file names. Malformed
// advice is a *FormatError; a file that ends early is not malformed: what it
// holds is returned, with Complete false.
func Load(dir string, lim Limits) (*Advice, error) {
	names, err := files(dir, lim.WithDefaults().Files)
	if err != nil {
		return nil, err
	}
	memory := lim.WithDefaults().Memory
	a := &Advice{}
	for _, name := range names {
		data, err := readFile(filepath.Join(dir, name), &memory)
		if err != nil {
			return nil, err
		}
		l, err := load(name, data, lim, &memory)
		if err != nil {
			return nil, err
		}
		a.Lives = append(a.Lives, l)
	}
	return a, nil
}

// Decode decodes one life from memory; name is for messages.
func Decode(name string, data []byte, lim Limits) (*Life, error) {
	memory := lim.WithDefaults().Memory
	return load(name, data, lim, &memory)
}

// Records calls f for each record of one life, in order.
func Records(name string, data []byte, lim Limits, f func(*Record) error) (buildID string, err error) {
	memory := lim.WithDefaults().Memory
	res, err := v1.Decode(name, data, lim, &memory, f)
	return res.BuildID, err
}

func files(dir string, most int) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), extension) && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no advice (no *%s files)", dir, extension)
	}
	if len(names) > most {
		return nil, &FormatError{File: dir, Inside: -1, Reason: fmt.Sprintf("%d files, more than the limit of %d", len(names), most)}
	}
	sort.Strings(names)
	return names, nil
}

func readFile(path string, memory *int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &FormatError{File: path, Inside: -1, Reason: "not a regular file"}
	}
	if info.Size() > *memory {
		return nil, &FormatError{File: path, Inside: -1, Reason: "the file is larger than the limits allow"}
	}
	return os.ReadFile(path)
}

// load collects the records of one life into tables.
func load(name string, data []byte, lim Limits, memory *int64) (*Life, error) {
	l := &Life{File: filepath.Base(name)}
	var (
		requests  chunked[Request]
		locations chunked[Location]
		writes    chunked[Write]
		reads     chunked[Read]
		objects   chunked[Object]
		nd        chunked[ND]
		turns     chunked[Turn]
		// Activations arrive as requests interleave; they are put in order at the end.
		acts chunked[loggedAct]
	)
	requests.next()
	res, err := v1.Decode(name, data, lim, memory, func(r *Record) error {
		switch r.Op {
		case record.Request:
			q := requests.next()
			q.RID = r.RID
			*turns.next() = Turn{Req: r.Req, Kind: Arrived}
		case record.Tag:
			q := requests.at(r.Req)
			q.Tag, q.HasTag = r.Tag, true
		case record.Activation:
			*acts.next() = loggedAct{Act{r.Act, r.OpNum, r.Firing}, r.Req}
		case record.Location:
			*locations.next() = Location{r.Obj, r.Key}
		case record.Write:
			*writes.next() = Write{Req: r.Req, Act: r.Act, Op: r.OpNum, Loc: r.Loc, Prev: r.Prev, Value: r.Value}
		case record.Absence:
			*writes.next() = Write{Req: -1, Loc: r.Loc, Prev: -1, Shape: r.Write, Absence: true, Value: r.Value}
		case record.Read:
			*reads.next() = Read{r.Req, r.Act, r.Write}
		case record.Object:
			*objects.next() = Object{r.Req, r.Act, r.OpNum, r.Index, r.ObjectKind, r.Later, r.Class, r.Fields}
		case record.Fields:
			o := objects.at(int32(r.Obj))
			o.Fields, o.NoFields = r.Fields, false
		case record.Recorded:
			*nd.next() = ND{r.Req, r.Act, r.Name, r.Value}
		case record.Chunks:
			requests.at(r.Req).Chunks = r.Lengths
		case record.Env:
			l.Env = append(l.Env, EnvVar{r.Name, r.Value})
		case record.Unauditable:
			l.Unauditable = append(l.Unauditable, Unauditable{r.Req, r.Name, r.Where, r.Shared})
		case record.Turn:
			t := Turn{Req: r.Req, Act: r.Act}
			if r.Body {
				t.Kind = Body
			}
			*turns.next() = t
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.BuildID, l.Complete, l.MissingNote = res.BuildID, res.Complete, res.Note
	l.Requests = requests.all()
	l.Locations = locations.all()
	l.Writes = writes.all()
	l.Reads = reads.all()
	l.Objects = objects.all()
	l.ND = nd.all()
	l.Turns = turns.all()
	l.placeActs(&acts)
	return l, nil
}

type loggedAct struct {
	Act
	req int32
}

// placeActs gives each request its activations, all in one array.
func (l *Life) placeActs(acts *chunked[loggedAct]) {
	each := func(f func(*loggedAct)) {
		for _, c := range append(acts.full, acts.last) {
			for i := range c {
				f(&c[i])
			}
		}
	}
	end := make([]int32, len(l.Requests))
	n := len(l.Requests)
	each(func(a *loggedAct) { end[a.req]++; n++ })
	all := make([]Act, n)
	at := int32(0)
	for q := range l.Requests {
		n := end[q] + 1
		l.Requests[q].Acts = all[at : at+n : at+n]
		all[at] = Act{Parent: -1}
		end[q] = at + 1
		at += n
	}
	each(func(a *loggedAct) {
		all[end[a.req]] = a.Act
		end[a.req]++
	})
}

// ErrNotAList is what Contents returns for a write that left no list.
var ErrNotAList = errors.New("the write left no list")

// Contents is the whole list that write w left, with all deltas applied. Long
// chains cost their length each time: callers that need many should go forward
// through Writes and keep what they have.
func (l *Life) Contents(w int32) ([]Value, error) {
	var chain []int32
	for l.Writes[w].Value.Kind == record.Delta {
		chain = append(chain, w)
		w = l.Writes[w].Value.Ext.Base
	}
	if l.Writes[w].Value.Kind != record.List {
		return nil, ErrNotAList
	}
	list := append([]Value(nil), l.Writes[w].Value.Ext.List...)
	for i := len(chain) - 1; i >= 0; i-- {
		var err error
		if list, err = Apply(list, l.Writes[chain[i]].Value.Ext.Ops); err != nil {
			return nil, fmt.Errorf("write %d: %w", chain[i], err)
		}
	}
	return list, nil
}

// Apply changes list by ops; it may reuse list's memory.
func Apply(list []Value, ops []DeltaOp) ([]Value, error) {
	for i := range ops {
		op := &ops[i]
		switch op.Kind {
		case record.Splice:
			start, del := int(op.Start), int(op.Del)
			if del > len(list)-start {
				return nil, fmt.Errorf("a splice at %d of %d elements, in a list of %d", start, del, len(list))
			}
			tail := append([]Value(nil), list[start+del:]...)
			list = append(append(list[:start], op.Values...), tail...)
		case record.Add:
			list = append(list, op.Values[0])
		case record.Remove:
			kept := list[:0]
			for _, v := range list {
				if !record.Equal(v, op.Values[0]) {
					kept = append(kept, v)
				}
			}
			list = kept
		case record.Clear:
			list = list[:0]
		}
	}
	return list, nil
}
