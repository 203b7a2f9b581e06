package v1

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/flate"

	"karousosc/verifier/advice/record"
)

// Encoder writes one life, as the server would have written it. It refuses what
// the format cannot express (references to what does not exist yet, a write over
// a write of another location), but nothing that is merely untrue: forging advice
// for tests is one of its uses.
type Encoder struct {
	w       io.Writer
	err     error
	seq     uint32
	b       []byte
	deflate *flate.Writer
	packed  bytes.Buffer

	acts    [][]int32 // per request: the numbers of its activations over the whole life
	nActs   int32
	locs    int32
	writes  []int32
	objects []record.ObjectKind
	names   map[string]int
	tags    [256]uint32
	tagSet  [256]bool
	lastQ   int32
	lastA   int32
	lastRID uint64
	lastObj record.Ref
	lastNow int64
}

// NewEncoder writes the preamble of a life to w.
func NewEncoder(w io.Writer, buildID string) *Encoder {
	e := &Encoder{w: w, acts: [][]int32{nil}, names: map[string]int{}, lastObj: noObject}
	e.deflate, _ = flate.NewWriter(&e.packed, flate.BestSpeed)
	if len(buildID) > 255 {
		e.err = errors.New("the build id is longer than 255 bytes")
		return e
	}
	for i := range len(buildID) {
		if buildID[i] < 0x20 || buildID[i] > 0x7e {
			e.err = errors.New("the build id is not plain text")
			return e
		}
	}
	h := append([]byte(magic), Version, byte(len(buildID)))
	h = append(h, buildID...)
	h = binary.LittleEndian.AppendUint32(h, crc(h))
	_, e.err = w.Write(h)
	return e
}

// Close writes what is left. A life that is to be complete needs an End record first.
func (e *Encoder) Close() error {
	e.Flush()
	return e.err
}

// Flush ends the current block.
func (e *Encoder) Flush() error {
	if e.err == nil && len(e.b) > 0 {
		e.packed.Reset()
		e.deflate.Reset(&e.packed)
		e.deflate.Write(e.b)
		e.err = e.deflate.Close()
		h := binary.LittleEndian.AppendUint32([]byte(blockMagic), e.seq)
		h = binary.LittleEndian.AppendUint32(h, uint32(e.packed.Len()))
		h = binary.LittleEndian.AppendUint32(h, uint32(len(e.b)))
		h = binary.LittleEndian.AppendUint32(h, crc(e.packed.Bytes()))
		h = binary.LittleEndian.AppendUint32(h, crc(h))
		e.seq++
		e.b = e.b[:0]
		if e.err == nil {
			_, e.err = e.w.Write(append(h, e.packed.Bytes()...))
		}
	}
	return e.err
}

// Write appends one record.
func (e *Encoder) Write(r *record.Record) error {
	if e.err != nil {
		return e.err
	}
	start := len(e.b)
	if err := e.record(r); err != nil {
		e.b = e.b[:start]
		e.err = err
		return err
	}
	if len(e.b) >= blockSize {
		return e.Flush()
	}
	return nil
}

func (e *Encoder) record(r *record.Record) error {
	op := byte(r.Op)
	switch r.Op {
	case record.Request:
		if r.RID == 0 || r.RID > record.MaxInt {
			return fmt.Errorf("request id %d is out of range", r.RID)
		}
		if r.RID == e.lastRID+1 {
			e.b = append(e.b, op)
		} else {
			e.b = append(e.b, op|flagA)
			e.zigzag(int64(r.RID) - int64(e.lastRID))
		}
		e.lastRID = r.RID
		e.lastQ, e.lastA = int32(len(e.acts)), 0
		e.acts = append(e.acts, nil)
	case record.Tag:
		slot := tagSlot(r.Tag)
		known := e.tagSet[slot] && e.tags[slot] == r.Tag
		if known {
			op |= flagA
		}
		if err := e.headQ(op, r.Req); err != nil {
			return err
		}
		if known {
			e.b = append(e.b, slot)
		} else {
			e.b = binary.LittleEndian.AppendUint32(e.b, r.Tag)
			e.tags[slot], e.tagSet[slot] = r.Tag, true
		}
	case record.Activation:
		if r.Firing != 0 {
			op |= flagA
		}
		if err := e.head(op, r.Req, r.Act); err != nil {
			return err
		}
		if err := e.index(r.OpNum); err != nil {
			return err
		}
		if r.Firing != 0 {
			if err := e.index(r.Firing); err != nil {
				return err
			}
		}
		e.nActs++
		e.acts[r.Req] = append(e.acts[r.Req], e.nActs)
		e.lastA = e.nActs
	case record.Location:
		k, init := r.Obj.Init()
		switch {
		case r.Obj == e.lastObj:
			e.b = append(e.b, op)
		case init:
			e.b = append(e.b, op|flagA)
			e.varint(uint64(k))
		default:
			e.b = append(e.b, op|flagB)
			if err := e.back(int32(r.Obj), len(e.objects), "object"); err != nil {
				return err
			}
		}
		e.lastObj = r.Obj
		if err := e.key(r.Key, false); err != nil {
			return err
		}
		e.locs++
	case record.Write:
		if r.Prev >= 0 {
			op |= flagA
		}
		if err := e.head(op, r.Req, r.Act); err != nil {
			return err
		}
		if r.Prev >= 0 {
			if err := e.back(r.Prev, len(e.writes), "write"); err != nil {
				return err
			}
			if l := e.writes[r.Prev]; l != r.Loc {
				return fmt.Errorf("write %d is to location %d, so it cannot be what a write to location %d overwrote", r.Prev, l, r.Loc)
			}
		} else if err := e.back(r.Loc, int(e.locs), "location"); err != nil {
			return err
		}
		if err := e.index(r.OpNum); err != nil {
			return err
		}
		if err := e.value(r.Value, r.Prev, true); err != nil {
			return err
		}
		e.writes = append(e.writes, r.Loc)
	case record.Absence:
		e.b = append(e.b, byte(record.Write)|flagB)
		if err := e.back(r.Loc, int(e.locs), "location"); err != nil {
			return err
		}
		if err := e.back(r.Write, len(e.writes), "write"); err != nil {
			return err
		}
		e.writes = append(e.writes, r.Loc)
	case record.Read:
		if err := e.head(op, r.Req, r.Act); err != nil {
			return err
		}
		return e.back(r.Write, len(e.writes), "write")
	case record.Object:
		if r.Later {
			op |= flagA
		}
		if err := e.head(op, r.Req, r.Act); err != nil {
			return err
		}
		if r.ObjectKind > 127 {
			return fmt.Errorf("object kind %d is out of range", r.ObjectKind)
		}
		if r.Class != 0 {
			e.b = append(e.b, byte(r.ObjectKind)<<1|1)
			if err := e.index(r.Class); err != nil {
				return err
			}
		} else {
			e.b = append(e.b, byte(r.ObjectKind)<<1)
		}
		if err := e.index(r.OpNum); err != nil {
			return err
		}
		if err := e.index(r.Index); err != nil {
			return err
		}
		e.objects = append(e.objects, r.ObjectKind)
		if !r.Later {
			return e.fields(r.ObjectKind, r.Fields)
		}
	case record.Fields:
		e.b = append(e.b, op)
		if err := e.back(int32(r.Obj), len(e.objects), "object"); err != nil {
			return err
		}
		return e.fields(e.objects[r.Obj], r.Fields)
	case record.Recorded:
		now := r.Name == nowName && r.Value.Kind == record.Int
		if now {
			op |= flagA
		}
		if err := e.head(op, r.Req, r.Act); err != nil {
			return err
		}
		if now {
			e.zigzag(r.Value.Num - e.lastNow)
			e.lastNow = r.Value.Num
			return nil
		}
		if err := e.name(r.Name); err != nil {
			return err
		}
		return e.value(r.Value, -1, false)
	case record.Chunks:
		if err := e.headQ(op, r.Req); err != nil {
			return err
		}
		e.varint(uint64(len(r.Lengths)))
		for _, n := range r.Lengths {
			if err := e.index(n); err != nil {
				return err
			}
		}
	case record.Unauditable:
		if r.Shared {
			op |= flagA
		}
		if err := e.headQ(op, r.Req); err != nil {
			return err
		}
		if err := e.string(r.Name); err != nil {
			return err
		}
		return e.string(r.Where)
	case record.Env:
		e.b = append(e.b, op)
		if err := e.string(r.Name); err != nil {
			return err
		}
		return e.value(r.Value, -1, false)
	case record.Incomplete:
		e.b = append(e.b, op)
		return e.string(r.Name)
	case record.End:
		e.b = append(e.b, op)
	case record.Turn:
		if r.Body {
			return e.headQ(op|flagA, r.Req)
		}
		return e.head(op, r.Req, r.Act)
	default:
		return fmt.Errorf("unknown record %d", r.Op)
	}
	return nil
}

func (e *Encoder) head(op byte, req, act int32) error {
	if req < 0 || int(req) >= len(e.acts) {
		return fmt.Errorf("there is no request %d", req)
	}
	a := int32(0)
	if act != 0 {
		if act < 0 || int(act) > len(e.acts[req]) {
			return fmt.Errorf("request %d has no activation %d", req, act)
		}
		a = e.acts[req][act-1]
	}
	switch {
	case req == e.lastQ && a == e.lastA:
		e.b = append(e.b, op)
	case a != 0:
		e.b = append(e.b, op|ctxActivation)
		e.varint(uint64(e.nActs - a))
	case req == e.lastQ:
		e.b = append(e.b, op|ctxHandler)
	default:
		e.b = append(e.b, op|ctxRequest)
		e.varint(uint64(len(e.acts) - 1 - int(req)))
	}
	e.lastQ, e.lastA = req, a
	return nil
}

// headQ is head for records that are about a request, not an activation.
func (e *Encoder) headQ(op byte, req int32) error {
	if req == e.lastQ {
		e.b = append(e.b, op)
		return nil
	}
	return e.head(op, req, 0)
}

func (e *Encoder) varint(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *Encoder) zigzag(n int64) { e.varint(uint64(n<<1 ^ n>>63)) }

func (e *Encoder) index(n int32) error {
	if n < 0 || n > maxIndex {
		return fmt.Errorf("%d is out of range", n)
	}
	e.varint(uint64(n))
	return nil
}

func (e *Encoder) back(i int32, n int, what string) error {
	if i < 0 || int(i) >= n {
		return fmt.Errorf("there is no %s %d yet", what, i)
	}
	e.varint(uint64(n - 1 - int(i)))
	return nil
}

func (e *Encoder) string(s string) error {
	if !record.ValidWTF8(s) {
		return errors.New("a string that is not WTF-8")
	}
	if len(s) < shortString {
		e.b = append(e.b, tagShortString|byte(len(s)))
	} else {
		e.b = append(e.b, tagString)
		e.varint(uint64(len(s)))
	}
	e.b = append(e.b, s...)
	return nil
}

func (e *Encoder) name(s string) error {
	if i, ok := e.names[s]; ok {
		if i < 32 {
			e.b = append(e.b, tagFirstName|byte(i))
		} else {
			e.b = append(e.b, tagName)
			e.varint(uint64(i))
		}
		return nil
	}
	if len(s) < shortString && len(e.names) < maxNames {
		e.names[s] = len(e.names)
	}
	return e.string(s)
}

func (e *Encoder) key(k record.Key, common bool) error {
	switch k.KeyKind {
	case record.StringKey:
		if _, known := e.names[k.Str]; common || known {
			return e.name(k.Str)
		}
		return e.string(k.Str)
	case record.ShapeKey:
		e.b = append(e.b, tagShape)
		return nil
	case record.AllKey:
		e.b = append(e.b, tagAll)
		return nil
	}
	if _, ok := record.KeyOf(k.Value()); !ok || k.Kind == record.String {
		return fmt.Errorf("a %v cannot be a key", k.Kind)
	}
	return e.value(k.Value(), -1, false)
}

func (e *Encoder) fields(kind record.ObjectKind, fs []record.Field) error {
	list := kind == record.Array
	for i := range fs {
		k := &fs[i].Key
		list = list && k.KeyKind == record.ValueKey && k.Kind == record.Int && k.Num == int64(i)
	}
	n := uint64(len(fs)) << 1
	if list {
		n |= 1
	}
	e.varint(n)
	common := kind == record.PlainObject || kind == record.ClassInstance
	for i := range fs {
		if !list {
			if err := e.key(fs[i].Key, common); err != nil {
				return err
			}
		}
		if err := e.value(fs[i].Value, -1, false); err != nil {
			return err
		}
	}
	return nil
}

func (e *Encoder) values(vs []record.Value) error {
	e.varint(uint64(len(vs)))
	for _, v := range vs {
		if err := e.value(v, -1, false); err != nil {
			return err
		}
	}
	return nil
}

func (e *Encoder) number(v record.Value) error {
	switch {
	case v.Kind == record.Double:
		e.b = append(e.b, tagDouble)
		e.b = binary.LittleEndian.AppendUint64(e.b, uint64(v.Num))
	case v.Kind != record.Int:
		return fmt.Errorf("a %v where a number belongs", v.Kind)
	case v.Num < 0:
		e.b = append(e.b, tagNegative)
		e.varint(uint64(-1 - v.Num))
	case v.Num < 128:
		e.b = append(e.b, tagSmallInt|byte(v.Num))
	default:
		e.b = append(e.b, tagInt)
		e.varint(uint64(v.Num))
	}
	return nil
}

func (e *Encoder) value(v record.Value, prev int32, write bool) error {
	tag := func(t byte) { e.b = append(e.b, t) }
	switch v.Kind {
	case record.Undefined:
		tag(tagUndefined)
	case record.Null:
		tag(tagNull)
	case record.Bool:
		tag(tagFalse + byte(v.Num&1))
	case record.Int, record.Double:
		return e.number(v)
	case record.String:
		return e.string(v.Str)
	case record.BigInt:
		tag(tagBigInt)
		return e.string(v.Str)
	case record.Date:
		tag(tagDate)
		return e.number(record.Number(math.Float64frombits(uint64(v.Num))))
	case record.RegExp:
		tag(tagRegExp)
		if err := e.string(v.Str); err != nil {
			return err
		}
		if err := e.string(v.Ext.Text); err != nil {
			return err
		}
		return e.number(v.Ext.List[0])
	case record.Error:
		tag(tagError)
		if err := e.string(v.Ext.Text); err != nil {
			return err
		}
		return e.string(v.Str)
	case record.RefValue:
		if k, ok := v.Ref().Init(); ok {
			tag(tagInitRef)
			return e.index(k)
		}
		tag(tagRef)
		return e.back(int32(v.Num), len(e.objects), "object")
	case record.Fn:
		tag(tagFn)
		return e.index(int32(v.Num))
	case record.Absent:
		tag(tagAbsent)
	case record.Hole:
		tag(tagHole)
	case record.List:
		tag(tagList)
		return e.values(v.Ext.List)
	case record.Delta:
		return e.delta(v.Ext, prev, write)
	case record.Bytes:
		tag(tagBytes)
		if err := e.string(v.Ext.Text); err != nil {
			return err
		}
		e.varint(uint64(len(v.Str)))
		e.b = append(e.b, v.Str...)
	default:
		return fmt.Errorf("unknown value %d", v.Kind)
	}
	return nil
}

func (e *Encoder) delta(x *record.Ext, prev int32, write bool) error {
	if !write {
		return errors.New("a delta can only be what a write wrote")
	}
	if x.Base == prev {
		e.b = append(e.b, tagDeltaPrev)
	} else {
		e.b = append(e.b, tagDelta)
		if err := e.back(x.Base, len(e.writes), "write"); err != nil {
			return err
		}
	}
	e.varint(uint64(len(x.Ops)))
	for i := range x.Ops {
		op := &x.Ops[i]
		e.b = append(e.b, byte(op.Kind))
		switch op.Kind {
		case record.Splice:
			if err := e.index(op.Start); err != nil {
				return err
			}
			if err := e.index(op.Del); err != nil {
				return err
			}
			if err := e.values(op.Values); err != nil {
				return err
			}
		case record.Add, record.Remove:
			if err := e.value(op.Values[0], -1, false); err != nil {
				return err
			}
		}
	}
	return nil
}
