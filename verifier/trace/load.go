package trace

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// Load reads a whole trace file. Everything that is wrong with the file comes
// back as a *FormatError, except that it cannot be opened or read.
func Load(path string, lim Limits) (*Trace, error) {
	lim = lim.withDefaults()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &FormatError{path, -1, "not a regular file"}
	}
	if info.Size() > lim.MaxFile {
		return nil, &FormatError{path, -1, fmt.Sprintf("the file has %d bytes, and the limit is %d", info.Size(), lim.MaxFile)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, data, lim)
}

// Decode reads a trace from memory; name is for its errors. The trace may
// share memory with data.
func Decode(name string, data []byte, lim Limits) (*Trace, error) {
	s, err := scan(name, data, lim)
	if err != nil {
		return nil, err
	}
	return s.decode()
}

// scanned is a file whose blocks have been found, but not looked into.
type scanned struct {
	name   string
	data   []byte
	lim    Limits
	blocks []located
	end    int64 // where the last whole block ends
	cut    bool  // some session was cut short
	open   bool  // the last one was
}

type located struct {
	head
	at int // offset of the payload
}

func scan(name string, data []byte, lim Limits) (*scanned, error) {
	s := &scanned{name: name, data: data, lim: lim.withDefaults(), open: true}
	fail := func(at int, format string, args ...any) (*scanned, error) {
		return nil, &FormatError{name, int64(at), fmt.Sprintf(format, args...)}
	}
	switch {
	case len(data) == 0:
		return fail(0, "the file is empty")
	case len(data) < fileHead && string(data) == fileMagic[:min(len(data), len(fileMagic))]:
		return fail(len(data), "the file ends within its first %d bytes", fileHead)
	case len(data) < fileHead || string(data[:len(fileMagic)]) != fileMagic:
		return fail(0, "this is not a trace file")
	case data[len(fileMagic)] != version:
		return fail(len(fileMagic), "format version %d, and this program reads version %d", data[len(fileMagic)], version)
	}
	var memory int64
	var requests int
	at := fileHead
	for at < len(data) {
		if len(data)-at < blockHead {
			break
		}
		h, reason := parseHead(data[at:])
		if reason != "" {
			return fail(at, "%s", reason)
		}
		first := h.flags&flagFirst != 0
		switch {
		case h.number != uint32(len(s.blocks)):
			return fail(at, "block %d stands where block %d should", h.number, len(s.blocks))
		case h.number == 0 && !first:
			return fail(at, "block 0 does not begin a session")
		case !s.open && !first:
			return fail(at, "block %d goes on with a session that was closed", h.number)
		}
		if len(data)-at-blockHead < int(h.stored) {
			break
		}
		memory += int64(h.raw) + int64(h.headers)*int64(unsafe.Sizeof(Header{})) +
			int64(h.requests)*int64(unsafe.Sizeof(Exchange{})+2*unsafe.Sizeof(Event{}))
		requests += int(h.requests)
		if memory > s.lim.MaxMemory {
			return fail(at, "the trace needs more than the limit of %d bytes of memory", s.lim.MaxMemory)
		}
		if requests > s.lim.MaxExchanges {
			return fail(at, "the trace has more than the limit of %d requests", s.lim.MaxExchanges)
		}
		if first && s.open && h.number > 0 {
			s.cut = true
		}
		s.open = h.flags&flagLast == 0
		s.blocks = append(s.blocks, located{h, at + blockHead})
		at += blockHead + int(h.stored)
	}
	s.end = int64(at)
	// A closed session followed by the torn first block of another: that one
	// was cut short too.
	if at < len(data) {
		s.open = true
	}
	if s.open {
		s.cut = true
	}
	return s, nil
}

// pieces are the file's head and its whole blocks.
func (s *scanned) pieces() [][]byte {
	ps := [][]byte{s.data[:fileHead]}
	for _, b := range s.blocks {
		ps = append(ps, s.data[b.at-blockHead:b.at+int(b.stored)])
	}
	return ps
}

// Pieces cuts a trace file into what a Witness is told of. What follows the last
// whole block is left out.
func Pieces(name string, data []byte) ([][]byte, error) {
	s, err := scan(name, data, Limits{})
	if err != nil {
		return nil, err
	}
	return s.pieces(), nil
}

// decode turns the blocks into a trace. Blocks are decompressed by several
// goroutines ahead of the one that reads the records in order.
func (s *scanned) decode() (*Trace, error) {
	var requests, headers int
	for i := range s.blocks {
		requests += int(s.blocks[i].requests)
		headers += int(s.blocks[i].headers)
	}
	d := &decoder{s: s, t: &Trace{}, arena: make([]Header, 0, headers)}
	if requests > 0 {
		d.t.Exchanges = make([]Exchange, 0, requests)
		d.t.Events = make([]Event, 0, 2*requests)
	}
	if s.cut {
		d.t.Truncated = NotClosed
	}

	workers := min(runtime.GOMAXPROCS(0), 4, len(s.blocks))
	if workers == 0 {
		return d.t, nil
	}
	zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(workers), zstd.WithDecoderMaxMemory(maxBlock),
		zstd.WithDecoderMaxWindow(maxBlock), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	defer zr.Close()
	type unpacked struct {
		payload []byte
		reason  string
	}
	ready := make([]chan unpacked, len(s.blocks))
	for i := range ready {
		ready[i] = make(chan unpacked, 1)
	}
	var next atomic.Int64
	for range workers {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(ready) {
					return
				}
				payload, reason := s.unpack(zr, &s.blocks[i])
				ready[i] <- unpacked{payload, reason}
			}
		}()
	}
	var failed error
	for i := range ready {
		u := <-ready[i]
		if u.reason != "" {
			failed = &FormatError{s.name, int64(s.blocks[i].at), u.reason}
		} else if reason := d.block(&s.blocks[i], u.payload); reason != "" {
			failed = &FormatError{s.name, int64(s.blocks[i].at),
				fmt.Sprintf("block %d, byte %d after decompression: %s", i, d.i, reason)}
		}
		if failed != nil {
			// Stop the others, and wait: the decompressor is about to be closed.
			for j := int(next.Swap(int64(len(ready)))); j > i+1; j-- {
				if j-1 < len(ready) {
					<-ready[j-1]
				}
			}
			return nil, failed
		}
	}
	return d.t, nil
}

func (s *scanned) unpack(zr *zstd.Decoder, b *located) ([]byte, string) {
	stored := s.data[b.at : b.at+int(b.stored)]
	if crc32.Checksum(stored, castagnoli) != b.crc {
		return nil, fmt.Sprintf("block %d does not match its checksum (damaged file)", b.number)
	}
	if b.flags&flagStored != 0 {
		if b.stored != b.raw {
			return nil, fmt.Sprintf("block %d has two lengths", b.number)
		}
		return stored, ""
	}
	payload, err := zr.DecodeAll(stored, make([]byte, 0, b.raw))
	if err != nil {
		return nil, fmt.Sprintf("block %d cannot be decompressed: %v", b.number, err)
	}
	if len(payload) != int(b.raw) {
		return nil, fmt.Sprintf("block %d decompresses to %d bytes instead of %d", b.number, len(payload), b.raw)
	}
	return payload, ""
}

// decoder reads the records of one payload after another. The first thing that
// is wrong sets bad, after which every read returns zero values, so that the
// records' code needs to look at it once only.
type decoder struct {
	s     *scanned
	t     *Trace
	arena []Header // never grows: the exchanges' lists are pieces of it

	b   []byte
	i   int
	bad string

	rid   uint64
	time  int64
	names []named
}

type named struct {
	name, value string
	has         bool
}

func (d *decoder) block(h *located, payload []byte) string {
	d.b, d.i, d.bad, d.rid, d.time, d.names = payload, 0, "", 0, 0, d.names[:0]
	requests, headers := len(d.t.Exchanges)+int(h.requests), len(d.arena)+int(h.headers)
	for d.i < len(d.b) && d.bad == "" {
		d.record()
	}
	if d.bad == "" && (len(d.t.Exchanges) != requests || len(d.arena) != headers) {
		d.bad = "the block does not hold what its head counts"
	}
	return d.bad
}

func (d *decoder) record() {
	kind := d.b[d.i]
	d.i++
	d.rid += uint64(d.varint())
	if kind == recRequest {
		d.request()
		return
	}
	i := find(d.t.Exchanges, d.rid)
	if i < 0 {
		d.fail(fmt.Sprintf("a record of request %d, which did not arrive before", d.rid))
		return
	}
	x := &d.t.Exchanges[i]
	if x.HasResponse || x.Aborted {
		if kind == recResponse || kind == recResponsePart || kind == recAbort || kind == recReason {
			d.fail(fmt.Sprintf("request %d goes on after its end", d.rid))
			return
		}
	}
	switch kind {
	case recRequestPart:
		d.part(&x.Request.Body)
	case recResponsePart:
		d.part(&x.Response.Body)
	case recResponse:
		d.event(i, ResponseEvent)
		d.response(&x.Response)
		if x.Response.Status == 0 {
			d.fail("a response without a status")
		}
		x.HasResponse = true
	case recAbort:
		d.event(i, AbortEvent)
		d.response(&x.Response)
		d.note(x)
		x.Aborted = true
	case recReason:
		x.Response.Reason = d.text()
	case recUnaudited:
		d.note(x)
		x.Unaudited = true
	default:
		d.fail(fmt.Sprintf("unknown record kind %d", kind))
	}
}

func (d *decoder) request() {
	n := len(d.t.Exchanges)
	if n == cap(d.t.Exchanges) {
		d.fail("more requests than the block's head counts")
		return
	}
	if d.rid == 0 || n > 0 && d.rid <= d.t.Exchanges[n-1].RID {
		d.fail(fmt.Sprintf("request id %d out of order", d.rid))
		return
	}
	d.t.Exchanges = d.t.Exchanges[:n+1]
	x := &d.t.Exchanges[n]
	x.RID = d.rid
	d.event(n, RequestEvent)
	x.Request.Method = d.name().name
	x.Request.Target = d.text()
	x.Request.Proto = d.name().name
	x.Request.Headers = d.list()
}

func (d *decoder) event(exchange int, k Kind) {
	d.time += d.varint()
	d.t.Events = append(d.t.Events, Event{RID: d.rid, Time: d.time, Exchange: int32(exchange), Kind: k})
}

func (d *decoder) response(r *Response) {
	status := d.uvarint()
	if status != 0 && (status < 100 || status > 999) {
		d.fail(fmt.Sprintf("status %d", status))
	}
	r.Status = int(status)
	r.Headers = d.list()
	d.part(&r.Body)
}

// part appends to a body. The first part stays where it is.
func (d *decoder) part(body *[]byte) {
	p := d.bytes()
	switch {
	case len(p) == 0:
	case int64(len(*body)+len(p)) > d.s.lim.MaxBody:
		d.fail(fmt.Sprintf("a body of request %d is larger than the limit of %d bytes", d.rid, d.s.lim.MaxBody))
	case *body == nil:
		*body = p
	default:
		*body = append(*body, p...)
	}
}

// note keeps every remark: an exchange may earn more than one.
func (d *decoder) note(x *Exchange) {
	if s := d.text(); x.Note == "" {
		x.Note = s
	} else if s != "" {
		x.Note += "; " + s
	}
}

func (d *decoder) list() []Header {
	count := d.uvarint()
	if count == 0 {
		return nil
	}
	from := len(d.arena)
	if count > uint64(cap(d.arena)-from) {
		d.fail("more headers than the block's head counts")
		return nil
	}
	for range count {
		v := d.name()
		switch d.byte() {
		case 0:
			if !v.has {
				d.fail("a header refers to a value that there was not")
			}
		case 1:
			v.value, v.has = d.text(), true
		default:
			d.fail("a header of an unknown form")
		}
		if d.bad != "" {
			return nil
		}
		d.arena = append(d.arena, Header{v.name, v.value})
	}
	return d.arena[from:len(d.arena):len(d.arena)]
}

// name returns an entry of the table; it is good until the next call.
func (d *decoder) name() *named {
	n := d.uvarint()
	if n > uint64(len(d.names)) {
		d.fail("a name that there was not")
		n = 0
	} else if n == 0 {
		d.names = append(d.names, named{name: d.text()})
		n = uint64(len(d.names))
	}
	if n == 0 {
		return &named{}
	}
	return &d.names[n-1]
}

func (d *decoder) text() string {
	p := d.bytes()
	return unsafe.String(unsafe.SliceData(p), len(p))
}

func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)-d.i) {
		d.fail("a length that goes past the end of the block")
		return nil
	}
	if n == 0 {
		return nil
	}
	p := d.b[d.i : d.i+int(n) : d.i+int(n)]
	d.i += int(n)
	return p
}

func (d *decoder) byte() byte {
	if d.i >= len(d.b) {
		d.fail("the block ends within a record")
		return 0
	}
	c := d.b[d.i]
	d.i++
	return c
}

func (d *decoder) uvarint() uint64 {
	if d.i < len(d.b) && d.b[d.i] < 0x80 {
		d.i++
		return uint64(d.b[d.i-1])
	}
	v, n := binary.Uvarint(d.b[d.i:])
	if n <= 0 {
		d.fail("a damaged number")
		return 0
	}
	d.i += n
	return v
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// fail keeps the first reason; block stops at the end of the record.
func (d *decoder) fail(reason string) {
	if d.bad == "" {
		d.bad = reason
	}
}
