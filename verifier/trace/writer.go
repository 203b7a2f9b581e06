package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
)

// flushAfter bounds how long a recorded event stays in memory only.
const flushAfter = 200 * time.Millisecond

// Writer appends to a trace. Its methods may be called from many goroutines;
// the order of the calls Begin, Respond and Abort is the trace's total order.
//
// Encoding happens in the caller, under one lock, into a block of memory;
// compressing and writing happen in a goroutine of the Writer's own. Unless
// Options.Sync says otherwise, nothing is synced to the disk before Close,
// because a machine that loses power takes the connections of its clients with it.
type Writer struct {
	mu     sync.Mutex
	cur    *block
	handed <-chan struct{} // closed when the block that was handed on last has been written
	next   uint64          // the next request id
	armed  bool            // the timer will hand the block on
	closed bool
	timer  *time.Timer

	full   chan *block
	free   chan *block
	done   chan struct{}
	failed chan struct{} // closed after the first error
	err    error         // set before failed is closed

	out    io.Writer
	file   *os.File // nil for NewWriter
	opt    Options
	number uint32 // of the next block; the writing goroutine's
	first  bool   // the next block is the session's first; the writing goroutine's
}

// Options change how a trace file is written.
type Options struct {
	// Witness, if set, is told of all that the file holds.
	Witness Witness
	// Sync makes Commit wait for the disk and not only for the file.
	Sync bool
}

// A Witness follows what a trace file holds, to vouch for it. Its methods are
// called one after the other. An error ends the writing of the trace.
type Witness interface {
	// Wrote is told of the file's head and then of each block, once the file has
	// it. found says that the file had it before this Writer came.
	Wrote(piece []byte, found bool) error
	// Close is called at the end. whole says that all that was recorded has been
	// written, and the session marked as closed.
	Close(whole bool) error
}

func (o Options) witness(piece []byte, found bool) error {
	if o.Witness == nil {
		return nil
	}
	return o.Witness.Wrote(piece, found)
}

type lastValue struct {
	index uint32
	value string
	has   bool
}

// block is a payload in the making with the tables that its encoding needs.
type block struct {
	buf               []byte
	names             map[string]*lastValue
	requests, headers uint32
	rid               uint64
	time              int64
	last              bool          // ends the session
	ack               chan struct{} // closed when it has been written
}

func newBlock() *block {
	return &block{buf: make([]byte, 0, blockTarget+blockTarget/2), names: make(map[string]*lastValue, 64), ack: make(chan struct{})}
}

// Create starts a new trace file. It never overwrites one.
func Create(path string, opt Options) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	w, err := start(f, f, opt)
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	return w, nil
}

// Append goes on with an existing trace file, or creates it. An incomplete
// block at its end (a collector was killed while writing) is removed first.
func Append(path string, opt Options) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return Create(path, opt)
	}
	if err != nil {
		return nil, err
	}
	w, err := resume(path, f, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s is being written by another collector", f.Name())
	}
	return err
}

func resume(path string, f *os.File, opt Options) (*Writer, error) {
	if err := lock(f); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := scan(path, data, Limits{})
	if err != nil {
		return nil, err
	}
	t, err := s.decode()
	if err != nil {
		return nil, err
	}
	for _, piece := range s.pieces() {
		if err := opt.witness(piece, true); err != nil {
			return nil, err
		}
	}
	if err := f.Truncate(s.end); err != nil {
		return nil, err
	}
	if _, err := f.Seek(s.end, io.SeekStart); err != nil {
		return nil, err
	}
	next := uint64(1)
	if n := len(t.Exchanges); n > 0 {
		next = t.Exchanges[n-1].RID + 1
	}
	if s.open {
		next += ridGap
	}
	return run(f, f, opt, next, uint32(len(s.blocks)))
}

// NewWriter writes a new trace to out.
func NewWriter(out io.Writer) (*Writer, error) { return start(out, nil, Options{}) }

func start(out io.Writer, f *os.File, opt Options) (*Writer, error) {
	if f != nil {
		if err := lock(f); err != nil {
			return nil, err
		}
	}
	head := []byte(fileMagic + string([]byte{version}))
	if _, err := out.Write(head); err != nil {
		return nil, err
	}
	if err := opt.witness(head, false); err != nil {
		return nil, err
	}
	return run(out, f, opt, 1, 0)
}

// run starts a session, and writes a first empty block at once: should the
// session be killed before it writes another, the file shows that it was there.
func run(out io.Writer, f *os.File, opt Options, next uint64, number uint32) (*Writer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(512<<10))
	if err != nil {
		return nil, err
	}
	w := &Writer{
		cur: newBlock(), next: next,
		full: make(chan *block, 4), free: make(chan *block, 4),
		done: make(chan struct{}), failed: make(chan struct{}),
		out: out, file: f, opt: opt, number: number, first: true,
	}
	w.timer = time.AfterFunc(time.Hour, w.onTimer)
	w.timer.Stop()
	go w.loop(enc)
	if err := w.Flush(); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Begin records the arrival of a request and names it. The body is recorded
// too if r has one; parts of it that come later go to RequestBody.
func (w *Writer) Begin(r *Request) uint64 {
	now := time.Now().UnixMilli()
	w.mu.Lock()
	rid := w.next
	w.begin(rid, now, r)
	w.mu.Unlock()
	w.RequestBody(rid, r.Body)
	return rid
}

func (w *Writer) begin(rid uint64, now int64, r *Request) {
	w.next = rid + 1
	b := w.record(recRequest, rid)
	b.when(now)
	b.name(r.Method)
	b.text(r.Target)
	b.name(r.Proto)
	b.list(r.Headers)
	b.requests++
	w.recorded()
}

// RequestBody records the next part of a request's body.
func (w *Writer) RequestBody(rid uint64, part []byte) { w.parts(recRequestPart, rid, part, 0) }

// ResponseBody records the next part of a response's body, before Respond.
func (w *Writer) ResponseBody(rid uint64, part []byte) { w.parts(recResponsePart, rid, part, 0) }

// parts records all of the part but the last keep bytes' worth of a chunk.
func (w *Writer) parts(kind byte, rid uint64, part []byte, keep int) []byte {
	for len(part) > keep {
		n := min(len(part), maxPart)
		w.mu.Lock()
		b := w.record(kind, rid)
		b.bytes(part[:n])
		w.recorded()
		w.mu.Unlock()
		part = part[n:]
	}
	return part
}

// Respond records a response; r.Body is the last part of its body (all of it
// if ResponseBody was not called). Call it just before the last byte leaves.
func (w *Writer) Respond(rid uint64, r *Response) {
	w.respond(rid, time.Now().UnixMilli(), r)
}

func (w *Writer) respond(rid uint64, now int64, r *Response) {
	body := w.parts(recResponsePart, rid, r.Body, maxPart)
	w.mu.Lock()
	w.reason(rid, r)
	b := w.record(recResponse, rid)
	b.when(now)
	b.number(uint64(r.Status))
	b.list(r.Headers)
	b.bytes(body)
	w.recorded()
	w.mu.Unlock()
}

// Abort records that an exchange ended without a complete response. r is what
// had been sent of one, or nil.
func (w *Writer) Abort(rid uint64, r *Response, note string) {
	w.abort(rid, time.Now().UnixMilli(), r, note)
}

func (w *Writer) abort(rid uint64, now int64, r *Response, note string) {
	if r == nil {
		r = &Response{}
	}
	body := w.parts(recResponsePart, rid, r.Body, maxPart)
	w.mu.Lock()
	w.reason(rid, r)
	b := w.record(recAbort, rid)
	b.when(now)
	b.number(uint64(r.Status))
	b.list(r.Headers)
	b.bytes(body)
	b.text(note)
	w.recorded()
	w.mu.Unlock()
}

// reason records a reason phrase that is not the usual one. The lock is held.
func (w *Writer) reason(rid uint64, r *Response) {
	if r.Status == 0 || r.Reason == "" || r.Reason == Usual(r.Status) {
		return
	}
	b := w.record(recReason, rid)
	b.text(r.Reason)
	w.recorded()
}

// Unaudited records that what the trace says of an exchange is not all.
func (w *Writer) Unaudited(rid uint64, note string) {
	w.mu.Lock()
	b := w.record(recUnaudited, rid)
	b.text(note)
	w.recorded()
	w.mu.Unlock()
}

// record starts a record in the current block. The lock is held.
func (w *Writer) record(kind byte, rid uint64) *block {
	b := w.cur
	b.buf = append(b.buf, kind)
	b.buf = binary.AppendVarint(b.buf, int64(rid-b.rid))
	b.rid = rid
	return b
}

// recorded hands the block on when it is full, else sees to it that it will be
// handed on soon. The lock is held.
func (w *Writer) recorded() {
	if w.closed {
		w.cur.reset() // nobody will write it
		return
	}
	if len(w.cur.buf) >= blockTarget {
		w.handOn()
	} else if !w.armed {
		w.armed = true
		w.timer.Reset(flushAfter)
	}
}

func (w *Writer) onTimer() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	if !w.closed && len(w.cur.buf) > 0 {
		w.handOn()
	}
}

// handOn lets the current block be written, and starts another. The lock is held.
func (w *Writer) handOn() {
	w.handed = w.cur.ack
	w.full <- w.cur
	select {
	case w.cur = <-w.free:
	default:
		w.cur = newBlock()
	}
}

// Commit waits until the file (with Options.Sync: the disk) has all that was
// recorded before. Many may wait at a time: what comes in while a block is being
// written goes into the next one, together.
func (w *Writer) Commit() error {
	w.mu.Lock()
	ack, before := w.cur.ack, w.handed
	if w.closed || len(w.cur.buf) == 0 {
		ack = nil
	}
	w.mu.Unlock()
	if before != nil {
		<-before
	}
	if ack == nil {
		return w.Err()
	}
	w.mu.Lock()
	if w.cur.ack == ack && !w.closed {
		w.handOn()
	}
	w.mu.Unlock()
	<-ack
	return w.Err()
}

// Flush writes what has been recorded and waits until the file has it.
func (w *Writer) Flush() error { return w.sync(false) }

// Close flushes, marks the trace as closed and syncs the file. Events recorded
// afterwards are lost.
func (w *Writer) Close() error {
	err := w.sync(true)
	if w.file != nil {
		if e := w.file.Sync(); err == nil {
			err = e
		}
	}
	<-w.done
	if w.opt.Witness != nil {
		if e := w.opt.Witness.Close(err == nil); err == nil {
			err = e
		}
	}
	if w.file != nil {
		if e := w.file.Close(); err == nil {
			err = e
		}
	}
	return err
}

func (w *Writer) sync(last bool) error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		<-w.done
		if last {
			return errors.New("trace: closed twice")
		}
		return w.Err()
	}
	ack := w.cur.ack
	w.cur.last = last
	w.handOn()
	if last {
		w.closed = true
		w.timer.Stop()
		close(w.full)
	}
	w.mu.Unlock()
	<-ack
	return w.Err()
}

// Failed is closed once the trace could not be written; Err then says why.
// What is recorded after that is lost.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err returns the first error of writing.
func (w *Writer) Err() error {
	select {
	case <-w.failed:
		return w.err
	default:
		return nil
	}
}

// loop compresses and writes blocks, and keeps taking them after an error so
// that nobody waits for ever.
func (w *Writer) loop(enc *zstd.Encoder) {
	defer close(w.done)
	var out []byte
	for b := range w.full {
		if w.Err() == nil && len(b.buf) > maxBlock {
			w.fail(fmt.Errorf("a record of %d bytes is too large for a trace", len(b.buf)))
		}
		if w.Err() == nil {
			out = w.encode(enc, b, out)
			if err := w.put(out); err != nil {
				w.fail(err)
			}
		}
		ack := b.ack
		b.reset()
		select {
		case w.free <- b:
		default:
		}
		close(ack)
	}
}

// put writes an encoded block.
func (w *Writer) put(out []byte) error {
	if _, err := w.out.Write(out); err != nil {
		return err
	}
	if w.opt.Sync && w.file != nil {
		if err := w.file.Sync(); err != nil {
			return err
		}
	}
	return w.opt.witness(out, false)
}

func (w *Writer) fail(err error) {
	w.err = err
	close(w.failed)
}

func (w *Writer) encode(enc *zstd.Encoder, b *block, out []byte) []byte {
	out = append(out[:0], make([]byte, blockHead)...)
	h := head{number: w.number, raw: uint32(len(b.buf)), requests: b.requests, headers: b.headers}
	if w.first {
		h.flags |= flagFirst
	}
	if b.last {
		h.flags |= flagLast
	}
	w.first = false
	w.number++
	out = enc.EncodeAll(b.buf, out)
	if len(out)-blockHead >= len(b.buf) {
		h.flags |= flagStored
		out = append(out[:blockHead], b.buf...)
	}
	h.stored = uint32(len(out) - blockHead)
	h.crc = crc32.Checksum(out[blockHead:], castagnoli)
	h.put(out)
	return out
}

func (b *block) reset() {
	b.buf = b.buf[:0]
	clear(b.names)
	b.requests, b.headers, b.rid, b.time, b.last, b.ack = 0, 0, 0, 0, false, make(chan struct{})
}

func (b *block) number(n uint64) { b.buf = binary.AppendUvarint(b.buf, n) }

func (b *block) when(now int64) {
	b.buf = binary.AppendVarint(b.buf, now-b.time)
	b.time = now
}

func (b *block) text(s string) {
	b.buf = binary.AppendUvarint(b.buf, uint64(len(s)))
	b.buf = append(b.buf, s...)
}

func (b *block) bytes(s []byte) {
	b.buf = binary.AppendUvarint(b.buf, uint64(len(s)))
	b.buf = append(b.buf, s...)
}

func (b *block) name(s string) *lastValue {
	v := b.names[s]
	if v != nil {
		b.buf = binary.AppendUvarint(b.buf, uint64(v.index))
		return v
	}
	v = &lastValue{index: uint32(len(b.names) + 1)}
	b.names[s] = v
	b.buf = append(b.buf, 0)
	b.text(s)
	return v
}

func (b *block) list(hs []Header) {
	b.buf = binary.AppendUvarint(b.buf, uint64(len(hs)))
	b.headers += uint32(len(hs))
	for i := range hs {
		v := b.name(hs[i].Name)
		if v.has && v.value == hs[i].Value {
			b.buf = append(b.buf, 0)
			continue
		}
		v.value, v.has = hs[i].Value, true
		b.buf = append(b.buf, 1)
		b.text(hs[i].Value)
	}
}
