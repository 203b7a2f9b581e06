package v1

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/klauspost/compress/flate"

	"karousosc/verifier/advice/record"
)

// Result says how a file ended.
type Result struct {
	BuildID  string
	Complete bool
	Note     string // what is missing, if not Complete
}

// Rough sizes in memory of what each record becomes, for Limits.Memory.
var cost = [record.Absence + 1]int64{
	record.Request: 160, record.Tag: 0, record.Activation: 48, record.Location: 80, record.Write: 120, record.Read: 24,
	record.Object: 160, record.Fields: 0, record.Recorded: 120, record.Chunks: 64, record.Unauditable: 96, record.Env: 120, record.Turn: 12, record.Absence: 120,
}

// Decode reads one life. It calls emit for each record, in order; the record
// (but not what its slices and strings point to) is valid until emit returns.
// Strings share memory with the decoded blocks. memory is what may still be
// used, and is charged.
func Decode(name string, data []byte, lim record.Limits, memory *int64, emit func(*record.Record) error) (Result, error) {
	h, err := ReadHeader(name, data)
	if err != nil {
		return Result{}, err
	}
	if h.Size == 0 {
		return Result{Note: "the file ends inside its preamble"}, nil
	}
	d := decoder{name: name, lim: lim.WithDefaults(), memory: memory, emit: emit, lastObj: noObject}
	d.reqs = append(d.reqs, reqState{})
	res, err := d.file(data, h.Size)
	res.BuildID = h.BuildID
	return res, err
}

const noObject = record.Ref(math.MaxInt32)

type reqState struct {
	acts    int32
	tagged  bool
	chunked bool
}

type actState struct{ req, num int32 }

type decoder struct {
	name   string
	lim    record.Limits
	memory *int64
	emit   func(*record.Record) error
	r      record.Record

	// The block that is being read. reason is set once something is wrong with
	// it; p then is at its end, so that everything stops by itself.
	block  int64
	b      []byte
	p      int
	reason string

	// What has been defined so far.
	reqs    []reqState
	acts    []actState // numbered over the whole life
	locs    int32
	writes  []int32 // their locations
	lengths []int32 // of the lists that they left: see listLength
	objects []objState
	pending int // objects whose fields are still to come
	names   []string
	tags    [256]uint32
	tagSet  [256]bool
	ended   bool
	note    string

	lastQ   int32
	lastA   int32 // as in the file: 0, or 1 + index in acts
	lastRID uint64
	lastObj record.Ref
	lastNow int64

	values []record.Value
	fields []record.Field
	exts   []record.Ext
}

type objState struct {
	kind  record.ObjectKind
	later bool
}

// Lengths of what a write left that is no list, or a list of unknown length.
const (
	noList        = -1
	unknownLength = -2
)

func (d *decoder) file(data []byte, at int) (Result, error) {
	var src bytes.Reader
	inflate := flate.NewReader(&src)
	for seq := uint32(0); ; seq++ {
		d.block = int64(at)
		rest := data[at:]
		if len(rest) == 0 {
			break
		}
		if d.ended {
			return Result{}, d.bad("something follows the end of the life")
		}
		if len(rest) < headerSize {
			d.note = fmt.Sprintf("the file ends inside the header of block %d", seq)
			break
		}
		if string(rest[:4]) != blockMagic {
			return Result{}, d.bad("no block begins here")
		}
		u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(rest[i:]) }
		if crc(rest[:20]) != u32(20) {
			return Result{}, d.bad("the block header's checksum is wrong")
		}
		if u32(4) != seq {
			return Result{}, d.bad(fmt.Sprintf("this is block %d, but block %d belongs here", u32(4), seq))
		}
		packed, size := int64(u32(8)), int64(u32(12))
		if int64(len(rest)-headerSize) < packed {
			d.note = fmt.Sprintf("the file ends inside block %d: %d of %d bytes", seq, len(rest)-headerSize, packed)
			break
		}
		if size == 0 || size > d.lim.Block || size > packed*maxRatio+64 {
			return Result{}, d.bad(fmt.Sprintf("a block of %d bytes that claims to hold %d", packed, size))
		}
		body := rest[headerSize : headerSize+packed]
		if crc(body) != u32(16) {
			return Result{}, d.bad("the block's checksum is wrong")
		}
		if !d.charge(size) {
			return Result{}, d.bad(tooMuch)
		}
		raw := make([]byte, size)
		src.Reset(body)
		inflate.(flate.Resetter).Reset(&src, nil)
		if _, err := io.ReadFull(inflate, raw); err != nil {
			return Result{}, d.bad("the block does not decompress: " + err.Error())
		}
		var more [1]byte
		if n, err := inflate.Read(more[:]); n != 0 || err != io.EOF || src.Len() != 0 {
			return Result{}, d.bad("the block holds more than its header says")
		}
		d.b, d.p = raw, 0
		if err := d.records(); err != nil {
			return Result{}, err
		}
		at += headerSize + int(packed)
	}
	if d.ended && d.note == "" {
		return Result{Complete: true}, nil
	}
	if d.note == "" {
		d.note = "the life has no end: the server was killed or is still running"
	}
	return Result{Note: d.note}, nil
}

const tooMuch = "the advice needs more memory than the limits allow"

func (d *decoder) bad(reason string) error {
	return &record.FormatError{File: d.name, Offset: d.block, Inside: -1, Reason: reason}
}

func (d *decoder) charge(n int64) bool {
	*d.memory -= n
	return *d.memory >= 0
}

// fail notes what is wrong with the record and skips the rest of the block.
func (d *decoder) fail(reason string) {
	if d.reason == "" {
		d.reason = reason
	}
	d.p = len(d.b)
}

func (d *decoder) records() error {
	r := &d.r
	for d.p < len(d.b) {
		at := d.p
		if d.ended {
			d.fail("something follows the end of the life")
		} else {
			first := d.b[d.p]
			d.p++
			op := record.Op(first & opMask)
			if first&(opMask|flagB) == byte(record.Write)|flagB {
				op = record.Absence
			}
			if op == 0 { // Turn is the last that fits opMask
				d.fail("unknown record")
			} else {
				r.Op = op
				d.record(r, first)
				if !d.charge(cost[op]) {
					d.fail(tooMuch)
				}
			}
		}
		if d.reason != "" {
			return &record.FormatError{File: d.name, Offset: d.block, Inside: int64(at), Reason: d.reason}
		}
		if err := d.emit(r); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) record(r *record.Record, first byte) {
	flags := first & (flagA | flagB)
	switch r.Op {
	case record.Request:
		d.only(first, flagA)
		if flags&flagA == 0 {
			d.lastRID++
		} else {
			d.lastRID = uint64(int64(d.lastRID) + d.zigzag())
		}
		if d.lastRID == 0 || d.lastRID > record.MaxInt {
			d.fail("a request id out of range")
		}
		r.RID = d.lastRID
		d.lastQ, d.lastA = int32(len(d.reqs)), 0
		d.reqs = append(d.reqs, reqState{})
		if len(d.reqs) > maxIndex {
			d.fail("too many requests")
		}
		r.Req = d.lastQ
	case record.Tag:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		if flags&flagA != 0 {
			slot := d.byte()
			if !d.tagSet[slot] {
				d.fail("a tag that was not given before")
			}
			r.Tag = d.tags[slot]
		} else {
			if len(d.b)-d.p < 4 {
				d.fail("the block ends inside a record")
				return
			}
			r.Tag = binary.LittleEndian.Uint32(d.b[d.p:])
			d.p += 4
			slot := tagSlot(r.Tag)
			d.tags[slot], d.tagSet[slot] = r.Tag, true
		}
		if q := &d.reqs[r.Req]; q.tagged {
			d.fail("a second tag for one request")
		} else {
			q.tagged = true
		}
	case record.Activation:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		r.OpNum = d.index()
		r.Firing = 0
		if flags&flagA != 0 {
			r.Firing = d.index()
			if r.Firing == 0 {
				d.fail("a firing number of 0 that is spelled out")
			}
		}
		q := &d.reqs[r.Req]
		q.acts++
		d.acts = append(d.acts, actState{r.Req, q.acts})
		if len(d.acts) > maxIndex {
			d.fail("too many activations")
		}
		d.lastQ, d.lastA = r.Req, int32(len(d.acts))
	case record.Location:
		d.only(first, flagA|flagB)
		switch flags {
		case 0:
			if d.lastObj == noObject {
				d.fail("no location came before")
			}
			r.Obj = d.lastObj
		case flagA:
			r.Obj = record.InitRef(d.index())
		case flagB:
			r.Obj = d.object()
		default:
			d.fail("a location of two objects")
		}
		d.lastObj = r.Obj
		d.key(&r.Key, false)
		d.locs++
		if d.locs > maxIndex {
			d.fail("too many locations")
		}
	case record.Write: // with B it is an absence, and it uses all other bits
		d.head(r, first)
		if flags&flagA != 0 {
			r.Prev = d.back(len(d.writes), "a write")
			if d.reason == "" {
				r.Loc = d.writes[r.Prev]
			}
		} else {
			r.Prev = -1
			r.Loc = d.back(int(d.locs), "a location")
		}
		r.OpNum = d.index()
		d.written(r)
	case record.Absence:
		d.only(first, flagB)
		r.Loc = d.back(int(d.locs), "a location")
		r.Write = d.back(len(d.writes), "a write")
		r.Value = record.Value{Kind: record.Absent}
		d.counted(r, noList)
	case record.Read:
		d.only(first, ctxMask)
		d.head(r, first)
		r.Write = d.back(len(d.writes), "a write")
	case record.Object:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		k := d.byte()
		r.ObjectKind = record.ObjectKind(k >> 1)
		r.Class = 0
		if k&1 != 0 {
			r.Class = d.index()
			if r.Class == 0 {
				d.fail("a class id of 0 that is spelled out")
			}
		}
		r.OpNum, r.Index = d.index(), d.index()
		r.Later = flags&flagA != 0
		d.objects = append(d.objects, objState{r.ObjectKind, r.Later})
		if len(d.objects) > maxIndex {
			d.fail("too many objects")
		}
		if r.Later {
			r.Fields = nil
			d.pending++
		} else {
			r.Fields = d.fieldList(r.ObjectKind)
		}
	case record.Fields:
		d.only(first, 0)
		r.Obj = d.object()
		if d.reason != "" {
			return
		}
		o := &d.objects[r.Obj]
		if !o.later {
			d.fail("fields of an object that has them already")
			return
		}
		o.later = false
		d.pending--
		r.Fields = d.fieldList(o.kind)
	case record.Recorded:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		if flags&flagA != 0 {
			d.lastNow += d.zigzag()
			if d.lastNow > record.MaxInt || d.lastNow < -record.MaxInt {
				d.fail("a time out of range")
				d.lastNow = 0
			}
			r.Name, r.Value = nowName, record.Value{Kind: record.Int, Num: d.lastNow}
		} else {
			r.Name = d.nameString()
			d.value(&r.Value, 0)
			if r.Name == nowName && r.Value.Kind == record.Int {
				d.fail("a time that is spelled out")
			}
		}
	case record.Chunks:
		d.only(first, ctxMask)
		d.head(r, first)
		n := d.count(1)
		r.Lengths = nil
		if n > 0 && d.charge(int64(n)*4) {
			r.Lengths = make([]int32, n)
		}
		for i := range r.Lengths {
			r.Lengths[i] = d.index()
		}
		if q := &d.reqs[r.Req]; q.chunked {
			d.fail("chunk lengths given twice for one request")
		} else {
			q.chunked = true
		}
	case record.Unauditable:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		r.Shared = flags&flagA != 0
		r.Name, r.Where = d.string(), d.string()
	case record.Env:
		d.only(first, 0)
		r.Name = d.string()
		if d.value(&r.Value, 0); r.Value.Kind != record.String && r.Value.Kind != record.Undefined {
			d.fail("an environment variable that is neither text nor undefined")
		}
	case record.Incomplete:
		d.only(first, 0)
		r.Name = d.string()
		d.note = "the server could not write all of its advice: " + r.Name
		d.ended = true
	case record.End:
		d.only(first, 0)
		if d.pending > 0 {
			d.fail("the life ended, but objects without their fields remain")
		}
		d.ended = true
	case record.Turn:
		d.only(first, ctxMask|flagA)
		d.head(r, first)
		if r.Body = flags&flagA != 0; r.Body {
			r.Act = 0
		}
	}
}

const nowName = "now"

// only fails if bits of the first byte are set that the record does not use.
func (d *decoder) only(first byte, bits byte) {
	if first&^(opMask|bits) != 0 {
		d.fail("unknown flags")
	}
}

// head reads which activation a record is about.
func (d *decoder) head(r *record.Record, first byte) {
	switch first & ctxMask {
	case ctxActivation:
		n := d.back(len(d.acts), "an activation")
		if d.reason != "" {
			r.Req, r.Act = 0, 0
			return
		}
		d.lastQ, d.lastA = d.acts[n].req, n+1
	case ctxRequest:
		d.lastQ, d.lastA = d.back(len(d.reqs), "a request"), 0
	case ctxHandler:
		d.lastA = 0
	}
	r.Req = d.lastQ
	r.Act = 0
	if d.lastA > 0 {
		r.Act = d.acts[d.lastA-1].num
	}
}

func (d *decoder) byte() byte {
	if d.p >= len(d.b) {
		d.fail("the block ends inside a record")
		return 0
	}
	c := d.b[d.p]
	d.p++
	return c
}

func (d *decoder) varint() uint64 {
	if d.p < len(d.b) {
		if c := d.b[d.p]; c < 0x80 {
			d.p++
			return uint64(c)
		}
	}
	return d.longVarint()
}

func (d *decoder) longVarint() uint64 {
	var n uint64
	for i := 0; i < 9; i++ {
		c := d.byte()
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 {
				d.fail("a number that is longer than it needs to be")
			}
			return n
		}
	}
	d.fail("a number out of range")
	return 0
}

func (d *decoder) zigzag() int64 {
	n := d.varint()
	return int64(n>>1) ^ -int64(n&1)
}

// index reads a number that must fit an int32.
func (d *decoder) index() int32 {
	n := d.varint()
	if n > maxIndex {
		d.fail("a number out of range")
		return 0
	}
	return int32(n)
}

// back reads a reference to one of the n things defined so far, counted from the last.
func (d *decoder) back(n int, what string) int32 {
	i := d.varint()
	if i >= uint64(n) {
		d.fail("a reference to " + what + " that is not there")
		return 0
	}
	return int32(n - 1 - int(i))
}

func (d *decoder) object() record.Ref {
	return record.Ref(d.back(len(d.objects), "an object"))
}

// count reads how many things follow that take at least min bytes each.
func (d *decoder) count(min int) int {
	n := d.varint()
	if n > uint64(len(d.b)-d.p)/uint64(min) {
		d.fail("a count that is larger than what follows")
		return 0
	}
	return int(n)
}

// text takes the next n bytes as they are.
func (d *decoder) text(n uint64) string {
	if n > uint64(len(d.b)-d.p) {
		d.fail("the block ends inside a string")
		return ""
	}
	if n == 0 {
		return ""
	}
	s := unsafe.String(&d.b[d.p], int(n))
	d.p += int(n)
	return s
}

func (d *decoder) string() string { return d.stringAfter(d.byte()) }

// stringAfter reads the string whose first byte is c.
func (d *decoder) stringAfter(c byte) string {
	var s string
	switch {
	case c&0xc0 == tagShortString:
		s = d.text(uint64(c & 0x3f))
	case c == tagString:
		n := d.varint()
		if n < shortString {
			d.fail("a short string in the long form")
		}
		s = d.text(n)
	default:
		d.fail("something else where a string belongs")
	}
	if !record.ValidWTF8(s) {
		d.fail("a string that is not WTF-8")
	}
	return s
}

// nameString reads a string that may be one of the known names, or becomes one.
func (d *decoder) nameString() string {
	c := d.byte()
	var i uint64
	switch {
	case c&0xe0 == tagFirstName:
		i = uint64(c & 0x1f)
	case c == tagName:
		i = d.varint()
		if i < 32 {
			d.fail("a number that is longer than it needs to be")
		}
	default:
		s := d.stringAfter(c)
		if c != tagString && len(d.names) < maxNames && d.reason == "" {
			d.names = append(d.names, s)
		}
		return s
	}
	if i >= uint64(len(d.names)) {
		d.fail("a name that was not given before")
		return ""
	}
	return d.names[i]
}

// key reads a key. Names that are common to many objects are remembered.
func (d *decoder) key(k *record.Key, common bool) {
	c := d.byte()
	d.p--
	switch {
	case d.reason != "":
		d.p = len(d.b)
	case c&0xe0 == tagFirstName || c == tagName:
		*k = record.Name(d.nameString())
	case c&0xc0 == tagShortString || c == tagString:
		if common {
			*k = record.Name(d.nameString())
		} else {
			*k = record.Name(d.string())
		}
	case c == tagShape, c == tagAll:
		d.p++
		*k = record.Key{KeyKind: record.ShapeKey}
		if c == tagAll {
			k.KeyKind = record.AllKey
		}
	default:
		var v record.Value
		d.value(&v, 0)
		var ok bool
		if *k, ok = record.KeyOf(v); !ok {
			d.fail("a value that cannot be a key")
		}
	}
}

func (d *decoder) ext() *record.Ext {
	if len(d.exts) == 0 {
		d.exts = make([]record.Ext, 64)
	}
	d.charge(int64(unsafe.Sizeof(record.Ext{})))
	e := &d.exts[0]
	d.exts = d.exts[1:]
	return e
}

func (d *decoder) valueList(depth int) []record.Value {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	if depth >= d.lim.Depth {
		d.fail("values nested too deeply")
		return nil
	}
	if !d.charge(int64(n) * int64(unsafe.Sizeof(record.Value{}))) {
		d.fail(tooMuch)
		return nil
	}
	if len(d.values) < n {
		d.values = make([]record.Value, max(n, 256))
	}
	vs := d.values[:n:n]
	d.values = d.values[n:]
	for i := range vs {
		if d.reason != "" {
			break
		}
		d.value(&vs[i], depth+1)
	}
	return vs
}

func (d *decoder) fieldList(kind record.ObjectKind) []record.Field {
	n := d.varint()
	list := n&1 != 0
	n >>= 1
	if list && kind != record.Array {
		d.fail("fields without keys, of an object that is no array")
	}
	least := uint64(2)
	if list {
		least = 1
	}
	if n > uint64(len(d.b)-d.p)/least {
		d.fail("a count that is larger than what follows")
		return nil
	}
	if n == 0 {
		return nil
	}
	if !d.charge(int64(n) * int64(unsafe.Sizeof(record.Field{}))) {
		d.fail(tooMuch)
		return nil
	}
	if uint64(len(d.fields)) < n {
		d.fields = make([]record.Field, max(n, 256))
	}
	fs := d.fields[:n:n]
	d.fields = d.fields[n:]
	common := kind == record.PlainObject || kind == record.ClassInstance
	for i := range fs {
		if d.reason != "" {
			break
		}
		if list {
			fs[i].Key = record.Key{KeyKind: record.ValueKey, Kind: record.Int, Num: int64(i)}
		} else {
			d.key(&fs[i].Key, common)
		}
		d.value(&fs[i].Value, 0)
	}
	return fs
}

// written reads the value of a write and counts the write.
func (d *decoder) written(r *record.Record) {
	length := int32(noList)
	if d.p < len(d.b) && (d.b[d.p] == tagDeltaPrev || d.b[d.p] == tagDelta) {
		length = d.delta(r)
	} else {
		d.value(&r.Value, 0)
		if r.Value.Kind == record.List && d.reason == "" {
			length = int32(min(len(r.Value.Ext.List), maxIndex))
		}
	}
	d.counted(r, length)
}

// counted gives a write, or an absence, the next number.
func (d *decoder) counted(r *record.Record, length int32) {
	d.writes = append(d.writes, r.Loc)
	d.lengths = append(d.lengths, length)
	if len(d.writes) > maxIndex {
		d.fail("too many writes")
	}
}

// delta reads a delta, checks that it fits the list that it changes as far as
// lengths tell, and returns the length of the list that results.
func (d *decoder) delta(r *record.Record) int32 {
	base := r.Prev
	if d.byte() == tagDelta {
		base = d.back(len(d.writes), "a write")
		if base == r.Prev {
			d.fail("a base that is the overwritten value and spelled out")
		}
	} else if base < 0 {
		d.fail("a change of what nobody wrote")
	}
	if d.reason != "" {
		return noList
	}
	if d.writes[base] != r.Loc {
		d.fail("a change of what was written to another location")
	}
	length := d.lengths[base]
	if length == noList {
		d.fail("a change of what is no list")
	}
	e := d.ext()
	r.Value = record.Value{Kind: record.Delta, Ext: e}
	e.Base = base
	n := d.count(1)
	if d.reason != "" || !d.charge(int64(n)*int64(unsafe.Sizeof(record.DeltaOp{}))) {
		d.fail(tooMuch)
		return noList
	}
	e.Ops = make([]record.DeltaOp, n)
	for i := range e.Ops {
		op := &e.Ops[i]
		op.Kind = record.DeltaKind(d.byte())
		switch op.Kind {
		case record.Splice:
			op.Start, op.Del = d.index(), d.index()
			op.Values = d.valueList(0)
			if length == unknownLength {
				continue
			}
			if op.Del > length-op.Start {
				d.fail(fmt.Sprintf("a splice at %d of %d elements, in a list of %d", op.Start, op.Del, length))
				return noList
			}
			length = clampLength(int64(length) - int64(op.Del) + int64(len(op.Values)))
		case record.Add, record.Remove:
			op.Values = d.oneValue()
			if op.Kind == record.Remove {
				length = unknownLength
			} else if length != unknownLength {
				length = clampLength(int64(length) + 1)
			}
		case record.Clear:
			length = 0
		default:
			d.fail("an unknown change of a list")
		}
	}
	return length
}

func clampLength(n int64) int32 {
	if n > maxIndex {
		return unknownLength
	}
	return int32(n)
}

func (d *decoder) oneValue() []record.Value {
	if len(d.values) == 0 {
		d.values = make([]record.Value, 256)
	}
	d.charge(int64(unsafe.Sizeof(record.Value{})))
	vs := d.values[:1:1]
	d.values = d.values[1:]
	d.value(&vs[0], 1)
	return vs
}

// number reads a value that is part of another one and must be a number. It looks before it reads, so that nothing nests.
func (d *decoder) number(otherwise string) (v record.Value) {
	if d.p < len(d.b) {
		switch c := d.b[d.p]; {
		case c >= tagSmallInt, c == tagInt, c == tagNegative, c == tagDouble:
			d.value(&v, 0)
			return v
		}
	}
	d.fail(otherwise)
	return v
}

// value reads a value. Deltas are read by delta, because they stand for
// themselves only as the value of a write.
func (d *decoder) value(v *record.Value, depth int) {
	c := d.byte()
	*v = record.Value{}
	switch {
	case c >= tagSmallInt:
		v.Kind, v.Num = record.Int, int64(c&0x7f)
		return
	case c >= tagShortString:
		v.Kind, v.Str = record.String, d.stringAfter(c)
		return
	}
	switch c {
	case tagUndefined:
		v.Kind = record.Undefined
	case tagNull:
		v.Kind = record.Null
	case tagFalse, tagTrue:
		v.Kind, v.Num = record.Bool, int64(c-tagFalse)
	case tagAbsent:
		v.Kind = record.Absent
	case tagHole:
		v.Kind = record.Hole
	case tagInt, tagNegative:
		n := d.varint()
		if n > record.MaxInt || c == tagInt && n < 128 || c == tagNegative && n == record.MaxInt {
			d.fail("an integer in the wrong form")
		}
		v.Kind, v.Num = record.Int, int64(n)
		if c == tagNegative {
			v.Num = -1 - v.Num
		}
	case tagDouble:
		if len(d.b)-d.p < 8 {
			d.fail("the block ends inside a number")
			return
		}
		bits := binary.LittleEndian.Uint64(d.b[d.p:])
		d.p += 8
		*v = record.Number(math.Float64frombits(bits))
		if v.Kind != record.Double || uint64(v.Num) != bits {
			d.fail("a number in the wrong form")
		}
	case tagString:
		v.Kind, v.Str = record.String, d.stringAfter(c)
	case tagBigInt:
		v.Kind, v.Str = record.BigInt, d.string()
		if !ValidBigInt(v.Str) {
			d.fail("a bigint in the wrong form")
		}
	case tagDate:
		ms := d.number("a date in the wrong form")
		v.Kind, v.Num = record.Date, record.NumBits(ms.Float())
	case tagRegExp:
		v.Kind, v.Str, v.Ext = record.RegExp, d.string(), d.ext()
		v.Ext.Text = d.string()
		v.Ext.List = []record.Value{d.number("a regular expression in the wrong form")}
		d.charge(int64(unsafe.Sizeof(record.Value{})))
	case tagError:
		name := d.string()
		v.Kind, v.Str, v.Ext = record.Error, d.string(), d.ext()
		v.Ext.Text = name
	case tagInitRef:
		v.Kind, v.Num = record.RefValue, int64(record.InitRef(d.index()))
	case tagRef:
		v.Kind, v.Num = record.RefValue, int64(d.object())
	case tagFn:
		v.Kind, v.Num = record.Fn, int64(d.index())
	case tagList:
		v.Kind, v.Ext = record.List, d.ext()
		v.Ext.List = d.valueList(depth)
	case tagDelta, tagDeltaPrev:
		d.fail("a delta that is not the value of a write")
	case tagBytes:
		v.Kind, v.Ext = record.Bytes, d.ext()
		v.Ext.Text = d.string()
		v.Str = d.text(d.varint())
	default:
		d.fail("an unknown value")
	}
}

// ValidBigInt says whether s is how JavaScript prints some bigint.
func ValidBigInt(s string) bool {
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if digits == "" || digits[0] == '0' && s != "0" {
		return false
	}
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}
