// Package forge makes the lies that an audit has to find: it takes what an honest
// run left, trace and advice, changes it, and writes the copy.
//
// The demo shows two of them, the end-to-end tests hold all. Advice is changed
// record by record, so that a forgery is well-formed and only untrue; a forger
// who knows the system would do the same.
package forge

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// Evidence is a trace with the advice for it.
type Evidence struct {
	Trace *trace.Trace
	Lives []*Life
}

// A Life is the advice of one start of the server.
type Life struct {
	File, BuildID string
	Records       []*Record
	next          int32
}

// A Record is a record that can be moved, removed and copied: what it refers to
// is named by IDs, which stay when numbers change.
//
// Requests, activations, locations, writes and objects are numbered in the order
// of their records; a Record that defines one has its number in the honest advice
// as ID, and all other records refer to that. (Activations are numbered within
// their request.)
type Record struct {
	advice.Record
	ID int32
}

// Load reads evidence.
func Load(traceFile, adviceDir string) (*Evidence, error) {
	t, err := trace.Load(traceFile, trace.Limits{})
	if err != nil {
		return nil, err
	}
	e := &Evidence{Trace: t}
	entries, err := os.ReadDir(adviceDir)
	if err != nil {
		return nil, err
	}
	for _, f := range entries {
		if !strings.HasSuffix(f.Name(), ".kadv") {
			continue
		}
		l, err := loadLife(filepath.Join(adviceDir, f.Name()))
		if err != nil {
			return nil, err
		}
		e.Lives = append(e.Lives, l)
	}
	return e, nil
}

func loadLife(name string) (*Life, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	l := &Life{File: filepath.Base(name)}
	var requests, locations, writes, objects int32
	acts := map[int32]int32{}
	l.BuildID, err = advice.Records(name, data, advice.Limits{}, func(r *advice.Record) error {
		c := &Record{Record: meaningful(r), ID: -1}
		switch r.Op {
		case record.Request:
			requests++ // 0 is init
			c.ID = requests
		case record.Activation:
			acts[r.Req]++
			c.ID = acts[r.Req]
		case record.Location:
			c.ID = locations
			locations++
		case record.Write, record.Absence:
			c.ID = writes
			writes++
		case record.Object:
			c.ID = objects
			objects++
		}
		l.Records = append(l.Records, c)
		return nil
	})
	l.next = max(requests, locations, writes, objects) + 1_000_000
	return l, err
}

// meaningful copies what a record means; what the decoder left in its other
// fields is from records before.
func meaningful(r *advice.Record) advice.Record {
	c := advice.Record{Op: r.Op}
	switch r.Op {
	case record.Request:
		c.RID = r.RID
	case record.Tag:
		c.Req, c.Tag = r.Req, r.Tag
	case record.Activation:
		c.Req, c.Act, c.OpNum, c.Firing = r.Req, r.Act, r.OpNum, r.Firing
	case record.Location:
		c.Obj, c.Key = r.Obj, r.Key
	case record.Write:
		c.Req, c.Act, c.OpNum, c.Loc, c.Prev, c.Value = r.Req, r.Act, r.OpNum, r.Loc, r.Prev, r.Value
	case record.Absence:
		c.Loc, c.Write = r.Loc, r.Write
	case record.Read:
		c.Req, c.Act, c.Write = r.Req, r.Act, r.Write
	case record.Object:
		c.Req, c.Act, c.OpNum, c.Index, c.ObjectKind, c.Class, c.Later, c.Fields = r.Req, r.Act, r.OpNum, r.Index, r.ObjectKind, r.Class, r.Later, slices.Clone(r.Fields)
	case record.Fields:
		c.Obj, c.Fields = r.Obj, slices.Clone(r.Fields)
	case record.Recorded:
		c.Req, c.Act, c.Name, c.Value = r.Req, r.Act, r.Name, r.Value
	case record.Chunks:
		c.Req, c.Lengths = r.Req, slices.Clone(r.Lengths)
	case record.Unauditable:
		c.Req, c.Name, c.Where, c.Shared = r.Req, r.Name, r.Where, r.Shared
	case record.Turn:
		c.Req, c.Act, c.Body = r.Req, r.Act, r.Body
	case record.Env:
		c.Name, c.Value = r.Name, r.Value
	case record.Incomplete:
		c.Name = r.Name
	}
	return c
}

// Save writes the evidence to a new file and a new directory.
func (e *Evidence) Save(traceFile, adviceDir string) error {
	if err := trace.Save(traceFile, e.Trace); err != nil {
		return err
	}
	if err := os.MkdirAll(adviceDir, 0o755); err != nil {
		return err
	}
	for _, l := range e.Lives {
		data, err := l.Encode()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(adviceDir, l.File), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Encode is the life as the server would have written it.
func (l *Life) Encode() ([]byte, error) {
	var out bytes.Buffer
	enc := advice.NewEncoder(&out, l.BuildID)
	n := newNumbering()
	for i, r := range l.Records {
		c, err := n.record(r)
		if err == nil {
			err = enc.Write(&c)
		}
		if err != nil {
			return nil, fmt.Errorf("record %d (%+v): %w", i, r.Record, err)
		}
	}
	err := enc.Close()
	return out.Bytes(), err
}

// numbering turns IDs into numbers again.
type numbering struct {
	requests, locations, writes, objects map[int32]int32
	acts                                 map[[2]int32]int32
	actCount                             map[int32]int32
}

func newNumbering() *numbering {
	return &numbering{requests: map[int32]int32{0: 0}, locations: map[int32]int32{}, writes: map[int32]int32{-1: -1}, objects: map[int32]int32{},
		acts: map[[2]int32]int32{}, actCount: map[int32]int32{}}
}

func (n *numbering) record(r *Record) (c advice.Record, err error) {
	c = r.Record
	look := func(m map[int32]int32, what string, id int32) int32 {
		v, ok := m[id]
		if !ok && err == nil {
			err = fmt.Errorf("refers to %s %d, which is not there", what, id)
		}
		return v
	}
	ref := func(x record.Ref) record.Ref {
		if _, init := x.Init(); init {
			return x
		}
		return record.Ref(look(n.objects, "object", int32(x)))
	}
	value := func(v record.Value) record.Value {
		return mapValue(v, ref, func(w int32) int32 { return look(n.writes, "write", w) })
	}
	key := func(k record.Key) record.Key {
		if k.KeyKind == record.ValueKey && k.Kind == record.RefValue {
			k.Num = int64(ref(record.Ref(k.Num)))
		}
		return k
	}
	switch r.Op {
	case record.Location, record.Absence, record.Fields, record.Env, record.Incomplete, record.End, record.Request:
	default:
		c.Req = look(n.requests, "request", r.Req)
		if r.Act != 0 {
			a, ok := n.acts[[2]int32{r.Req, r.Act}]
			if !ok {
				return c, fmt.Errorf("refers to activation %d of request %d, which is not there", r.Act, r.Req)
			}
			c.Act = a
		}
	}
	switch r.Op {
	case record.Request:
		n.requests[r.ID] = int32(len(n.requests))
	case record.Activation:
		n.actCount[r.Req]++
		n.acts[[2]int32{r.Req, r.ID}] = n.actCount[r.Req]
	case record.Location:
		c.Obj, c.Key = ref(r.Obj), key(r.Key)
		n.locations[r.ID] = int32(len(n.locations))
	case record.Write:
		c.Loc = look(n.locations, "location", r.Loc)
		c.Prev = look(n.writes, "write", r.Prev)
		c.Value = value(r.Value)
		n.writes[r.ID] = int32(len(n.writes) - 1)
	case record.Absence:
		c.Loc, c.Write = look(n.locations, "location", r.Loc), look(n.writes, "write", r.Write)
		n.writes[r.ID] = int32(len(n.writes) - 1)
	case record.Read:
		c.Write = look(n.writes, "write", r.Write)
	case record.Object:
		n.objects[r.ID] = int32(len(n.objects))
	case record.Fields:
		c.Obj = ref(r.Obj)
	case record.Recorded, record.Env:
		c.Value = value(r.Value)
	}
	if len(r.Fields) > 0 {
		c.Fields = make([]record.Field, len(r.Fields))
		for i, f := range r.Fields {
			c.Fields[i] = record.Field{Key: key(f.Key), Value: value(f.Value)}
		}
	}
	return c, err
}

func mapValue(v record.Value, ref func(record.Ref) record.Ref, write func(int32) int32) record.Value {
	if v.Kind == record.RefValue {
		return record.RefTo(ref(v.Ref()))
	}
	if v.Ext == nil {
		return v
	}
	list := func(vs []record.Value) []record.Value {
		out := make([]record.Value, len(vs))
		for i, x := range vs {
			out[i] = mapValue(x, ref, write)
		}
		return out
	}
	x := *v.Ext
	x.List = list(x.List)
	if v.Kind == record.Delta {
		x.Base = write(x.Base)
		x.Ops = slices.Clone(x.Ops)
		for i := range x.Ops {
			x.Ops[i].Values = list(x.Ops[i].Values)
		}
	}
	v.Ext = &x
	return v
}

// All returns the records of one kind, in order.
func (l *Life) All(op record.Op) []*Record {
	var out []*Record
	for _, r := range l.Records {
		if r.Op == op {
			out = append(out, r)
		}
	}
	return out
}

// Get returns the record that defines what id names, nil if there is none. It is
// not for activations.
func (l *Life) Get(op record.Op, id int32) *Record {
	for _, r := range l.Records {
		if r.Op == op && r.ID == id {
			return r
		}
	}
	return nil
}

// Drop removes records.
func (l *Life) Drop(gone ...*Record) {
	l.Records = slices.DeleteFunc(l.Records, func(r *Record) bool { return slices.Contains(gone, r) })
}

// InsertAfter puts a record behind another one and names what it defines.
func (l *Life) InsertAfter(at *Record, r advice.Record) *Record {
	c := &Record{Record: r, ID: l.next}
	l.next++
	i := slices.Index(l.Records, at)
	l.Records = slices.Insert(l.Records, i+1, c)
	return c
}

// RID is the request id of the request that a record belongs to, 0 for init.
func (l *Life) RID(r *Record) uint64 {
	if q := l.Get(record.Request, r.Req); q != nil {
		return q.RID
	}
	return 0
}

// Of returns the records of one kind that belong to a request.
func (l *Life) Of(rid uint64, op record.Op) []*Record {
	var out []*Record
	for _, r := range l.All(op) {
		if l.RID(r) == rid {
			out = append(out, r)
		}
	}
	return out
}

// Object returns an object's record, or nil, and its fields.
func (l *Life) Object(x record.Ref) (*Record, map[record.Key]record.Value) {
	o := l.Get(record.Object, int32(x))
	if o == nil {
		return nil, nil
	}
	fields := o.Fields
	for _, r := range l.All(record.Fields) {
		if r.Obj == x {
			fields = r.Fields
		}
	}
	m := map[record.Key]record.Value{}
	for _, f := range fields {
		m[f.Key] = f.Value
	}
	return o, m
}

// WriteTo returns the logged write of a request to a key that is a string, nil if
// there is none. If there are several, it is the last.
func (l *Life) WriteTo(rid uint64, key string) *Record {
	var found *Record
	for _, w := range l.Of(rid, record.Write) {
		if loc := l.Get(record.Location, w.Loc); loc != nil && loc.Key == record.Name(key) {
			found = w
		}
	}
	return found
}

// Version returns the write with an id, or the absence.
func (l *Life) Version(id int32) *Record {
	if w := l.Get(record.Write, id); w != nil {
		return w
	}
	return l.Get(record.Absence, id)
}

// ReadsOf returns the logged reads of a key by a request, in order.
func (l *Life) ReadsOf(rid uint64, key string) []*Record {
	var found []*Record
	for _, r := range l.Of(rid, record.Read) {
		w := l.Version(r.Write)
		if loc := l.Get(record.Location, w.Loc); loc != nil && loc.Key == record.Name(key) {
			found = append(found, r)
		}
	}
	return found
}

// MoveAfter puts a record behind another one.
func (l *Life) MoveAfter(r, at *Record) {
	l.Records = slices.DeleteFunc(l.Records, func(x *Record) bool { return x == r })
	l.Records = slices.Insert(l.Records, slices.Index(l.Records, at)+1, r)
}

// Tidy removes what has become superfluous: activations without entries,
// locations without writes, objects that nothing refers to. A careful forger
// leaves none behind.
func (l *Life) Tidy() {
	for {
		acts, locs, objects := map[[2]int32]bool{}, map[int32]bool{}, map[record.Ref]bool{}
		value := func(v record.Value) {
			mapValue(v, func(x record.Ref) record.Ref {
				objects[x] = true
				return x
			}, func(w int32) int32 { return w })
		}
		for _, r := range l.Records {
			acts[[2]int32{r.Req, r.Act}] = true
			switch r.Op {
			case record.Location:
				objects[r.Obj] = true
				if r.Key.KeyKind == record.ValueKey && r.Key.Kind == record.RefValue {
					objects[record.Ref(r.Key.Num)] = true
				}
			case record.Absence:
				locs[r.Loc] = true
			case record.Write:
				locs[r.Loc] = true
				value(r.Value)
			}
			for _, f := range r.Fields {
				value(f.Value)
			}
		}
		before := len(l.Records)
		l.Records = slices.DeleteFunc(l.Records, func(r *Record) bool {
			switch r.Op {
			case record.Activation:
				return !acts[[2]int32{r.Req, r.ID}]
			case record.Location:
				return !locs[r.ID]
			case record.Object:
				return !objects[record.Ref(r.ID)]
			case record.Fields:
				return !objects[r.Obj]
			}
			return false
		})
		if len(l.Records) == before {
			return
		}
	}
}
