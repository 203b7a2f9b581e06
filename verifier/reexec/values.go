package reexec

import (
	"math"
	"strconv"
	"unicode/utf8"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// ref appends a reference to an object: init's objects have negative numbers everywhere, others their job's.
func (j *builder) ref(b []byte, r record.Ref) []byte {
	if r < 0 {
		return appendInt(b, int32(r))
	}
	return appendInt(b, j.object(int32(r)))
}

func (j *builder) value(b []byte, v record.Value) []byte {
	switch v.Kind {
	case record.Undefined:
		return append(b, `["u"]`...)
	case record.Null:
		return append(b, "null"...)
	case record.Bool:
		return appendBool(b, v.Num != 0)
	case record.Int:
		return appendInt(b, v.Num)
	case record.Double:
		return appendFloat(b, v.Float())
	case record.String:
		return appendText(b, v.Str)
	case record.BigInt:
		return append(appendText(append(b, `["b",`...), v.Str), ']')
	case record.Date:
		return append(appendFloat(append(b, `["d",`...), v.Float()), ']')
	case record.RegExp:
		b = appendText(append(b, `["x",`...), v.Str)
		b = append(appendText(append(b, ','), v.Ext.Text), ',')
		if len(v.Ext.List) > 0 {
			b = j.value(b, v.Ext.List[0])
		} else {
			b = append(b, '0')
		}
		return append(b, ']')
	case record.Error:
		b = appendText(append(b, `["e",`...), v.Ext.Text)
		return append(appendText(append(b, ','), v.Str), ']')
	case record.RefValue:
		return append(j.ref(append(b, `["r",`...), v.Ref()), ']')
	case record.Fn:
		return append(appendInt(append(b, `["f",`...), v.Num), ']')
	case record.Absent:
		return append(b, `["z"]`...)
	case record.Hole:
		return append(b, `["h"]`...)
	case record.List:
		return j.listValue(b, v.Ext.List)
	case record.Bytes:
		b = appendText(append(b, `["y",`...), v.Ext.Text)
		return append(appendBase64(append(b, ','), []byte(v.Str)), ']')
	}
	// A delta inside another value: no honest server writes one, and nothing equals this.
	return append(b, `["?"]`...)
}

func (j *builder) listValue(b []byte, list []record.Value) []byte {
	b = append(b, `["A",`...)
	for i := range list {
		b = j.value(append(b, sep(i)), list[i])
	}
	return append(closed(b, len(list)), ']')
}

// deltaValue writes a delta on a base that the job names, and how long the list is if somebody else reads it.
func (j *builder) deltaValue(b []byte, w *advice.Write, e *jobWrite) []byte {
	x := w.Value.Ext
	b = append(b, `["D",`...)
	b = appendInt(b, j.writeIn[x.Base]-1)
	b = append(b, ',')
	for i := range x.Ops {
		b = append(b, sep(i))
		switch o := &x.Ops[i]; o.Kind {
		case record.Splice:
			b = append(b, `["splice",`...)
			b = appendInt(b, o.Start)
			b = append(b, ',')
			b = appendInt(b, o.Del)
			b = append(b, ',')
			for k := range o.Values {
				b = j.value(append(b, sep(k)), o.Values[k])
			}
			b = append(closed(b, len(o.Values)), ']')
		case record.Add:
			b = append(j.value(append(b, `["add",`...), o.Values[0]), ']')
		case record.Remove:
			b = append(j.value(append(b, `["remove",`...), o.Values[0]), ']')
		default:
			b = append(b, `["clear"]`...)
		}
	}
	b = closed(b, len(x.Ops))
	if e.need&needValue != 0 {
		b = append(b, ',')
		b = appendInt(b, len(j.listable.at(e.w)))
	}
	return append(b, ']')
}

func (j *builder) key(b []byte, k record.Key) []byte {
	switch k.KeyKind {
	case record.StringKey:
		return appendText(b, k.Str)
	case record.ShapeKey:
		return append(b, `["shape"]`...)
	case record.AllKey:
		return append(b, `["all"]`...)
	}
	return append(j.value(append(b, `["#",`...), k.Value()), ']')
}

// keyObject returns the object that a key is, if it is one.
func keyObject(k record.Key) (record.Ref, bool) {
	if k.Kind == record.RefValue {
		return record.Ref(k.Num), true
	}
	return 0, false
}

// shapeName is the canonical form of a shape's key.
const shapeName = "S"

// canonicalKey is the key in the form that scanner.key reads.
func canonicalKey(k record.Key) string {
	switch k.KeyKind {
	case record.StringKey:
		return "s" + k.Str
	case record.ShapeKey:
		return shapeName
	case record.AllKey:
		return "A"
	}
	switch k.Kind {
	case record.Undefined:
		return `#["u"]`
	case record.Null:
		return "#null"
	case record.Bool:
		return string(appendBool([]byte{'#'}, k.Num != 0))
	case record.BigInt:
		return `#["b","` + k.Str + `"]`
	case record.RefValue:
		return refKey(int32(k.Num))
	}
	return string(appendFloat([]byte{'#'}, k.Value().Float()))
}

// keyFrom turns a canonical key back, for messages: exotic ones come out as text.
func keyFrom(s string) record.Key {
	switch {
	case s == "S":
		return record.Key{KeyKind: record.ShapeKey}
	case s == "A":
		return record.Key{KeyKind: record.AllKey}
	case s[0] == 's':
		return record.Name(s[1:])
	}
	if f, err := strconv.ParseFloat(s[1:], 64); err == nil {
		k, _ := record.KeyOf(record.Number(f))
		return k
	}
	return record.Name(s[1:])
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, `["n","NaN"]`...)
	case math.IsInf(f, 1):
		return append(b, `["n","Infinity"]`...)
	case math.IsInf(f, -1):
		return append(b, `["n","-Infinity"]`...)
	case f == 0 && math.Signbit(f):
		return append(b, `["n","-0"]`...)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func validText(b []byte) bool { return utf8.Valid(b) }

// delta says whether a write is logged as changes to another one's list.
func (l *life) delta(w *advice.Write) (base int32, ok bool) {
	if w.Value.Kind != record.Delta {
		return -1, false
	}
	return w.Value.Ext.Base, true
}

func (l *life) deltaLen(w *advice.Write) int  { return len(w.Value.Ext.Ops) }
func (l *life) isList(w *advice.Write) bool   { return w.Value.Kind == record.List }
func (l *life) isAbsent(w *advice.Write) bool { return w.Value.Kind == record.Absent }

// lists tells what a list that is logged as changes holds. It keeps the list of each location that it worked out last,
// because jobs ask for the versions of a list mostly in their order.
type lists struct {
	l    *life
	last map[int32]*kept
	size int
}

type kept struct {
	write  int32
	values []record.Value
}

// maxKept bounds the elements that lists hold on to.
const maxKept = 1 << 20

func newLists(l *life) *lists { return &lists{l: l, last: map[int32]*kept{}} }

// at returns the list that write w left. It is valid until the next call.
func (s *lists) at(w int32) []record.Value {
	loc := s.l.Writes[w].Loc
	k := s.last[loc]
	if k == nil {
		if s.size > maxKept {
			clear(s.last)
			s.size = 0
		}
		k = &kept{write: -1}
		s.last[loc] = k
	}
	var steps []int32
	at := w
	for at != k.write {
		base, delta := s.l.delta(&s.l.Writes[at])
		if !delta {
			break
		}
		steps = append(steps, at)
		at = base
	}
	before := len(k.values)
	if at != k.write {
		k.values = k.values[:0]
		if v := s.l.Writes[at].Value; v.Kind == record.List {
			k.values = append(k.values, v.Ext.List...)
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		for _, o := range s.l.Writes[steps[i]].Value.Ext.Ops {
			k.values = change(k.values, o)
		}
	}
	k.write = w
	s.size += len(k.values) - before
	return k.values
}

// change applies one step as the verifier's runtime does: whatever is out of range is cut off.
func change(l []record.Value, o record.DeltaOp) []record.Value {
	switch o.Kind {
	case record.Clear:
		return l[:0]
	case record.Add:
		return append(l, o.Values[0])
	case record.Remove:
		n := 0
		for i := range l {
			if !record.Equal(l[i], o.Values[0]) {
				l[n] = l[i]
				n++
			}
		}
		return l[:n]
	}
	start := min(max(int(o.Start), 0), len(l))
	end := min(max(int(o.Start)+int(o.Del), 0), len(l))
	end = max(end, start)
	if start == len(l) {
		return append(l, o.Values...)
	}
	tail := append([]record.Value(nil), l[end:]...)
	return append(append(l[:start], o.Values...), tail...)
}
