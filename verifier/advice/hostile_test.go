package advice_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"unsafe"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

func preamble(version byte, build string) []byte {
	b := append([]byte("KADVICE"), version, byte(len(build)))
	b = append(b, build...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// block packs raw records by FORMAT.md, not by the package's own code.
func block(seq int, raw []byte) []byte {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, 1)
	w.Write(raw)
	w.Close()
	return packedBlock(seq, len(raw), packed.Bytes())
}

func packedBlock(seq, size int, packed []byte) []byte {
	h := binary.LittleEndian.AppendUint32([]byte("KADV"), uint32(seq))
	h = binary.LittleEndian.AppendUint32(h, uint32(len(packed)))
	h = binary.LittleEndian.AppendUint32(h, uint32(size))
	h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(packed))
	h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(h))
	return append(h, packed...)
}

// sealed is a file that holds one block of raw records.
func sealed(raw ...byte) []byte { return append(preamble(1, "c0ffee"), block(0, raw)...) }

func decode(data []byte) (*advice.Life, error) { return advice.Decode("x.kadv", data, advice.Limits{}) }

func mustFail(t *testing.T, data []byte, offset int64, reason string) {
	t.Helper()
	_, err := decode(data)
	var f *advice.FormatError
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a format error: %s", err, reason)
	}
	if f.Offset != offset || !strings.Contains(f.Reason, reason) || f.File != "x.kadv" {
		t.Errorf("got %q at byte %d of %s, want %q at %d", f.Reason, f.Offset, f.File, reason, offset)
	}
}

const (
	req, tag, act, loc, write, read, obj, fld, nd, chunks, unaud, env, incomplete, end, turn = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	locInit                                                                                  = loc | 0x40
	over                                                                                     = write | 0x40
	absence                                                                                  = write | 0x80
)

// A record that begins with flags that it does not use is refused, whatever follows.
func TestFlagsThatAreNotUsed(t *testing.T) {
	const a, b, context = 0x40, 0x80, 0x30 // a write with b is an absence
	for op, used := range map[byte]byte{
		req: a, tag: context | a, act: context | a, loc: a | b, write: context | a | b, read: context, obj: context | a, fld: 0, nd: context | a,
		chunks: context, unaud: context | a, env: 0, incomplete: 0, end: 0, turn: context | a,
	} {
		for bits := byte(0); bits < 16; bits++ {
			flags := bits << 4
			if flags&^used == 0 && flags&b == 0 || op == loc && flags&^used == 0 || op == write && flags == b {
				continue
			}
			_, err := decode(sealed(req, locInit, 0, 0x41, 'k', op|flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
			var f *advice.FormatError
			if !errors.As(err, &f) || f.Reason != "unknown flags" || f.Inside != 5 {
				t.Errorf("record %d with flags %#x: %v", op, flags, err)
			}
		}
	}
}

// Each case is one block of records; all but the last record are in order.
func TestMalformedRecords(t *testing.T) {
	for _, c := range []struct {
		name   string
		raw    []byte
		reason string
	}{
		{"no record 0", []byte{0}, "unknown record"},
		{"flags of a turn", []byte{turn | 0x80}, "unknown flags"},
		{"turn of no activation", []byte{req, turn | 0x10, 0}, "an activation"},
		{"flags of end", []byte{end | 0x40}, "unknown flags"},
		{"context of a request", []byte{req | 0x10}, "unknown flags"},
		{"after the end", []byte{end, req}, "follows the end"},
		{"after incomplete", []byte{incomplete, 0x41, 'x', end}, "follows the end"},
		{"request id 0", []byte{req | 0x40, 0}, "request id"},
		{"request id negative", []byte{req | 0x40, 1}, "request id"},
		{"request id huge", []byte{req | 0x40, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, "request id"},
		{"endless varint", []byte{req | 0x40, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "out of range"},
		{"long varint", []byte{req | 0x40, 0x82, 0x00}, "longer than it needs"},
		{"cut varint", []byte{req | 0x40, 0x82}, "ends inside"},
		{"tag of no request", []byte{tag | 0x20, 1, 1, 2, 3, 4}, "a request that is not there"},
		{"tag cut", []byte{req, tag, 1, 2, 3}, "ends inside"},
		{"tag slot empty", []byte{req, tag | 0x40, 3}, "not given before"},
		{"two tags", []byte{req, tag, 1, 2, 3, 4, tag, 1, 2, 3, 4}, "second tag"},
		{"activation of no activation", []byte{act | 0x10, 0, 1}, "an activation that is not there"},
		{"firing 0", []byte{act | 0x40, 1, 0}, "firing"},
		{"op too large", []byte{act, 0xff, 0xff, 0xff, 0xff, 0x0f}, "out of range"},
		{"location of no object", []byte{loc, 0x41, 'k'}, "no location came before"},
		{"location of two objects", []byte{loc | 0xc0, 0x41, 'k'}, "two objects"},
		{"location of an object to come", []byte{loc | 0x80, 0, 0x41, 'k'}, "an object that is not there"},
		{"key is a list", []byte{locInit, 0, 17, 0}, "cannot be a key"},
		{"key is absent", []byte{locInit, 0, 4}, "cannot be a key"},
		{"key is cut", []byte{locInit, 0}, "ends inside"},
		{"name unknown", []byte{locInit, 0, 0x20}, "a name that was not given"},
		{"name unknown, long form", []byte{locInit, 0, 23, 40}, "a name that was not given"},
		{"name in the wrong form", []byte{locInit, 0, 23, 3}, "longer than it needs"},
		{"write to no location", []byte{write, 0, 1, 1}, "a location that is not there"},
		{"write over no write", []byte{over, 0, 1, 1}, "a write that is not there"},
		{"write without a value", []byte{locInit, 0, 0x41, 'k', write, 0, 1}, "ends inside"},
		{"absence of no location", []byte{absence, 0, 0}, "a location that is not there"},
		{"absence as of no write", []byte{locInit, 0, 0x41, 'k', absence, 0, 0}, "a write that is not there"},
		{"change of an absence", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, absence, 0, 0, over, 0, 1, 18, 0}, "no list"},
		{"read of no write", []byte{read, 0}, "a write that is not there"},
		{"read of the future", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 0x85, read, 1}, "a write that is not there"},
		{"unknown value", []byte{env, 0x41, 'k', 24}, "unknown value"},
		{"shape as a value", []byte{env, 0x41, 'k', 21}, "unknown value"},
		{"name as a value", []byte{nd, 0x41, 'k', 0x20}, "unknown value"},
		{"small integer in long form", []byte{env, 0x41, 'k', 6, 5}, "integer in the wrong form"},
		{"integer too large", []byte{env, 0x41, 'k', 6, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10}, "integer in the wrong form"},
		{"integer too small", []byte{env, 0x41, 'k', 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f}, "integer in the wrong form"},
		{"integer as a double", []byte{env, 0x41, 'k', 8, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, "number in the wrong form"},
		{"another NaN", []byte{env, 0x41, 'k', 8, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f}, "number in the wrong form"},
		{"double cut", []byte{env, 0x41, 'k', 8, 1, 0}, "ends inside a number"},
		{"string cut", []byte{env, 0x41, 'k', 0x45, 'x'}, "ends inside a string"},
		{"string of 2^62", []byte{env, 0x41, 'k', 9, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40}, "ends inside a string"},
		{"short string in long form", []byte{env, 0x41, 'k', 9, 1, 'x'}, "short string in the long form"},
		{"not UTF-8", []byte{env, 0x41, 'k', 0x41, 0xff}, "not WTF-8"},
		{"overlong UTF-8", []byte{env, 0x41, 'k', 0x42, 0xc0, 0x80}, "not WTF-8"},
		{"a pair as two surrogates", []byte{env, 0x41, 'k', 0x46, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80}, "not WTF-8"},
		{"bigint with a zero", []byte{env, 0x41, 'k', 10, 0x42, '0', '1'}, "bigint"},
		{"bigint -0", []byte{env, 0x41, 'k', 10, 0x42, '-', '0'}, "bigint"},
		{"bigint empty", []byte{env, 0x41, 'k', 10, 0x40}, "bigint"},
		{"date of dates", append([]byte{env, 0x41, 'k'}, bytes.Repeat([]byte{11}, 10<<20)...), "date"},
		{"regexps of regexps", append([]byte{env, 0x41, 'k'}, bytes.Repeat([]byte{12, 0x40, 0x40}, 5<<20)...), "regular expression"},
		{"date of a string", []byte{env, 0x41, 'k', 11, 0x40}, "date"},
		{"regexp without a number", []byte{env, 0x41, 'k', 12, 0x40, 0x40, 1}, "regular expression"},
		{"reference to no object", []byte{env, 0x41, 'k', 15, 0}, "an object that is not there"},
		{"list longer than the block", []byte{env, 0x41, 'k', 17, 0xff, 0xff, 0xff, 0xff, 0x07}, "count that is larger"},
		{"delta outside a write", []byte{env, 0x41, 'k', 18, 0}, "not the value of a write"},
		{"delta in a list", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 1, 18, 0}, "not the value of a write"},
		{"delta without a base", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 18, 0}, "what nobody wrote"},
		{"delta of a later write", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 19, 0, 0}, "a write that is not there"},
		{"delta of a number", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 0x81, over, 0, 1, 18, 0}, "no list"},
		{"delta of another location", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, loc, 0x41, 'l', write, 0, 1, 19, 0, 0}, "another location"},
		{"delta base spelled out", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, over, 0, 1, 19, 0, 0}, "spelled out"},
		{"splice outside", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 1, 0x81, over, 0, 1, 18, 1, 0, 2, 0, 0}, "a splice at 2"},
		{"splice too long", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 1, 0x81, over, 0, 1, 18, 1, 0, 0, 2, 0}, "in a list of 1"},
		{"splice of what a splice left", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 1, 0x81, over, 0, 1, 18, 2, 0, 0, 1, 0, 0, 0, 1, 0}, "in a list of 0"},
		{"unknown step", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, over, 0, 1, 18, 1, 4}, "unknown change"},
		{"too many steps", []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, over, 0, 1, 18, 100}, "count that is larger"},
		{"fields without keys of a map", []byte{obj, 2 << 1, 1, 0, 3, 0x81}, "no array"},
		{"too many fields", []byte{obj, 0, 1, 0, 100, 0x41, 'k', 1}, "count that is larger"},
		{"class 0", []byte{obj, 9, 0, 1, 0, 0}, "class id of 0"},
		{"fields twice", []byte{obj, 0, 1, 0, 0, fld, 0, 0}, "has them already"},
		{"fields of no object", []byte{fld, 0, 0}, "an object that is not there"},
		{"fields never", []byte{obj | 0x40, 0, 1, 0, end}, "without their fields"},
		{"time spelled out", []byte{nd, 0x43, 'n', 'o', 'w', 0x85}, "spelled out"},
		{"time out of range", []byte{nd | 0x40, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, "time out of range"},
		{"time out of range, later", []byte{nd | 0x40, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, "time out of range"},
		{"endless operation number", []byte{act, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "a number out of range"},
		{"environment of a number", []byte{env, 0x41, 'k', 0x85}, "neither text nor undefined"},
		{"zero as a double", []byte{env, 0x41, 'k', 8, 0, 0, 0, 0, 0, 0, 0, 0}, "number in the wrong form"},
		{"bigint of letters", []byte{env, 0x41, 'k', 10, 0x43, '1', ':', '2'}, "bigint"},
		{"bigint of signs", []byte{env, 0x41, 'k', 10, 0x43, '1', '/', '2'}, "bigint"},
		{"half a surrogate", []byte{env, 0x41, 'k', 0x43, 0xed, 0xa0, 0x7f}, "not WTF-8"},
		{"a surrogate beyond the last", []byte{env, 0x41, 'k', 0x43, 0xed, 0xc0, 0x80}, "not WTF-8"},
		{"chunks twice", []byte{req, chunks, 1, 5, chunks, 1, 5}, "twice"},
		{"too many chunks", []byte{req, chunks, 200, 1, 5}, "count that is larger"},
		{"reason cut", []byte{req, unaud, 0x45}, "ends inside"},
		{"reason is a number", []byte{req, unaud, 0x85, 0x40}, "where a string belongs"},
	} {
		t.Run(c.name, func(t *testing.T) { mustFail(t, sealed(c.raw...), int64(len(preamble(1, "c0ffee"))), c.reason) })
	}
}

func TestMalformedFiles(t *testing.T) {
	pre := preamble(1, "c0ffee")
	at := int64(len(pre))
	good := block(0, []byte{req, end})
	bomb := func(size int) []byte {
		var packed bytes.Buffer
		w, _ := flate.NewWriter(&packed, 9)
		zeros := make([]byte, 1<<20)
		for range 64 {
			w.Write(zeros)
		}
		w.Close()
		return packedBlock(0, size, packed.Bytes())
	}
	big := packedBlock(0, 1<<31, make([]byte, 100))
	wrongSeq := block(1, []byte{req})
	cut := func(b []byte, n int) []byte { return b[:len(b)-n] }
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, 1)
	w.Write([]byte{req, end})
	w.Close()
	var endless bytes.Buffer
	w, _ = flate.NewWriter(&endless, 1)
	w.Write([]byte{req, end})
	w.Flush()
	for _, c := range []struct {
		name   string
		data   []byte
		offset int64
		reason string
	}{
		{"another file", []byte("PK\x03\x04 and so on"), 0, "not an advice file"},
		{"newer version", preamble(2, "c0ffee"), 7, "unknown format version"},
		{"newer version, cut short", preamble(2, "c0ffee")[:9], 7, "unknown format version"},
		{"version 0", preamble(0, "c0ffee"), 7, "unknown format version"},
		{"preamble's checksum", append(bytes.Clone(cut(pre, 1)), pre[at-1]^1), 0, "preamble's checksum"},
		{"build id", preamble(1, "a\nb"), 9, "not plain text"},
		{"no block", append(pre[:at:at], bytes.Repeat([]byte{'x'}, 30)...), at, "no block begins here"},
		{"zeros", append(pre[:at:at], make([]byte, 30)...), at, "no block begins here"},
		{"wrong number", append(pre[:at:at], wrongSeq...), at, "this is block 1"},
		{"block twice", append(append(pre[:at:at], block(0, []byte{req})...), block(0, []byte{req})...), at + int64(len(block(0, []byte{req}))), "this is block 0"},
		{"block after the end", append(append(pre[:at:at], good...), block(1, []byte{req})...), at + int64(len(good)), "follows the end"},
		{"bytes after the end", append(append(pre[:at:at], good...), 'x'), at + int64(len(good)), "follows the end"},
		{"claims 2 GiB", append(pre[:at:at], big...), at, "claims to hold"},
		{"claims nothing", append(pre[:at:at], packedBlock(0, 0, packed.Bytes())...), at, "claims to hold"},
		{"bomb that claims little", append(pre[:at:at], bomb(1000)...), at, "more than its header says"},
		{"bomb that claims much", append(pre[:at:at], bomb(64<<20)...), at, "unknown record"},
		{"claims too much", append(pre[:at:at], packedBlock(0, 3, packed.Bytes())...), at, "does not decompress"},
		{"not deflate", append(pre[:at:at], packedBlock(0, 3, []byte("nonsense"))...), at, "does not decompress"},
		{"more than deflate can do", append(pre[:at:at], packedBlock(0, len(packed.Bytes())*1040+65, packed.Bytes())...), at, "claims to hold"},
		{"deflate without an end", append(pre[:at:at], packedBlock(0, 2, endless.Bytes())...), at, "more than its header says"},
		{"build id of another sort", preamble(1, "a\x7fb"), 9, "not plain text"},
		{"bytes after deflate", append(pre[:at:at], packedBlock(0, 2, append(packed.Bytes(), 'x'))...), at, "more than its header says"},
	} {
		t.Run(c.name, func(t *testing.T) { mustFail(t, c.data, c.offset, c.reason) })
	}
}

// honest is a small life with every record in several blocks.
func honest(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	text := head + `{"env":"HOME","value":"/root"}
{"location":0,"obj":-1,"key":"k"}
{"write":0,"req":0,"act":0,"op":1,"loc":0,"prev":-1,"value":["A",[1,2,"` + strings.Repeat("long ", 30) + `"]]}
{"request":1,"rid":1}
{"activation":1,"req":1,"parent":0,"op":1,"firing":2}
{"object":0,"req":1,"act":1,"op":1,"index":0,"kind":"object","class":0,"fields":[["name","x"],["n",1.5]]}
{"object":1,"req":1,"act":1,"op":1,"index":1,"kind":"map","class":0}
{"of":1,"fields":[["k",["r",1]]]}
{"write":1,"req":1,"act":0,"op":2,"loc":0,"prev":0,"value":["D",0,[["splice",1,1,["x"]],["add",5]]]}
{"read":1,"req":1,"act":1}
{"nd":"random","req":1,"act":1,"value":0.5}
{"nd":"now","req":1,"act":1,"value":1700000000000}
{"chunks":[1,2],"req":1}
{"turn":"activation","req":1,"act":1}
{"turn":"body","req":1}
{"unauditable":"why","req":1,"where":"a.js:1:1","shared":true}
{"tag":5,"req":1}
{"end":true}
`
	importInto(t, dir, text)
	data, err := os.ReadFile(filepath.Join(dir, "life-1700000000000-1.kadv"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// An absence is numbered like a write, and says nothing but of what.
func TestAbsence(t *testing.T) {
	l, err := decode(sealed(locInit, 0, 0x41, 'k', locInit, 0, 21, write, 0, 1, 0x81, absence, 1, 0, read, 0, end))
	if err != nil {
		t.Fatal(err)
	}
	w := l.Writes[1]
	if w.Req != -1 || w.Loc != 0 || w.Prev != -1 || w.Shape != 0 || !w.Absence || w.Value.Kind != record.Absent || l.Reads[0].Write != 1 {
		t.Errorf("%+v %+v", l.Writes, l.Reads)
	}
}

// A life that says that something is missing is not complete, whatever else it says.
func TestIncompleteLife(t *testing.T) {
	l, err := decode(sealed(incomplete, 0x44, 'f', 'u', 'l', 'l'))
	if err != nil || l.Complete || l.MissingNote != "the server could not write all of its advice: full" {
		t.Errorf("%+v %v", l, err)
	}
}

// A flipped bit anywhere is noticed.
func TestBitFlips(t *testing.T) {
	data := honest(t)
	if _, err := decode(data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		for bit := range 8 {
			flipped := bytes.Clone(data)
			flipped[i] ^= 1 << bit
			if l, err := decode(flipped); err == nil && l.Complete {
				t.Fatalf("bit %d of byte %d of %d went unnoticed", bit, i, len(data))
			}
		}
	}
}

// A file that is cut off anywhere is read up to its last whole block.
func TestTruncation(t *testing.T) {
	dir := t.TempDir()
	mustNode(t, dir, `const l = w.location(0, 'k');
for (let i = 1; i <= 5; i++) { const q = w.request(i); for (let j = 0; j < 10; j++) w.write(q, 0, j, l, -1, i * j); w.sync(); }
w.close();`)
	entries, _ := os.ReadDir(dir)
	data, err := os.ReadFile(filepath.Join(dir, entries[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for n := range data {
		l, err := decode(data[:n:n])
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
		if l.Complete || l.MissingNote == "" {
			t.Fatalf("%d of %d bytes: complete %v, %q", n, len(data), l.Complete, l.MissingNote)
		}
		if len(l.Writes)%10 != 0 || len(l.Requests) != len(l.Writes)/10+1 || len(l.Writes) < before {
			t.Fatalf("%d of %d bytes: %d requests, %d writes", n, len(data), len(l.Requests), len(l.Writes))
		}
		before = len(l.Writes)
	}
	first := len(preamble(1, "c0ffee"))
	for n, note := range map[int]string{first - 1: "inside its preamble", first: "has no end", first + 23: "inside the header of block 0", first + 24: "inside block 0: 0 of "} {
		if l, err := decode(data[:n:n]); err != nil || !strings.Contains(l.MissingNote, note) {
			t.Errorf("%d bytes: %v %+v, want %s", n, err, l, note)
		}
	}
	if before != 50 {
		t.Errorf("at the end: %d writes", before)
	}
}

// Small files must not take much memory, whatever they say.
func TestMemoryIsBounded(t *testing.T) {
	requests := bytes.Repeat([]byte{req}, 32<<20)
	lists := append([]byte{env, 0x41, 'k'}, bytes.Repeat([]byte{17, 1}, 1<<20)...)
	flat := append([]byte{env, 0x41, 'k', 17, 0x80, 0x80, 0x80, 0x10}, bytes.Repeat([]byte{1}, 1<<25)...)
	writes := append([]byte{locInit, 0, 0x41, 'k'}, bytes.Repeat([]byte{write, 0, 1, 1}, 8<<20)...)
	fields := append([]byte{obj, 0, 1, 0, 0x80, 0x80, 0x80, 0x02}, bytes.Repeat([]byte{0x41, 'k', 1}, 1<<21)...)
	steps := append([]byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, over, 0, 1, 18, 0x80, 0x80, 0x80, 0x01}, bytes.Repeat([]byte{3}, 1<<21)...)
	for _, c := range []struct {
		name   string
		raw    []byte
		limits advice.Limits
		reason string
	}{
		{"the block itself", bytes.Repeat([]byte{'x'}, 2<<20), advice.Limits{Memory: 1 << 20}, "memory"},
		{"fields", fields, advice.Limits{Memory: 16 << 20}, "memory"},
		{"steps", steps, advice.Limits{Memory: 16 << 20}, "memory"},
		{"requests", requests, advice.Limits{Memory: 256 << 20}, "memory"},
		{"writes", writes, advice.Limits{Memory: 256 << 20}, "memory"},
		{"a list", flat, advice.Limits{Memory: 256 << 20}, "memory"},
		{"nested lists", lists, advice.Limits{}, "nested too deeply"},
		{"a block", flat, advice.Limits{Block: 1 << 20}, "claims to hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := sealed(c.raw...)
			c.raw = nil
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := advice.Decode("x.kadv", data, c.limits)
			runtime.ReadMemStats(&after)
			var f *advice.FormatError
			if !errors.As(err, &f) || !strings.Contains(f.Reason, c.reason) {
				t.Fatalf("%v", err)
			}
			used := int64(after.TotalAlloc - before.TotalAlloc)
			if most := max(c.limits.Memory, 4<<20); used > most*2 {
				t.Errorf("a file of %d bytes took %d MiB", len(data), used>>20)
			}
		})
	}
}

// What the limits allow is read.
func TestMemoryThatSuffices(t *testing.T) {
	if _, err := advice.Decode("x.kadv", sealed(end), advice.Limits{Memory: 1}); err != nil {
		t.Error(err)
	}
	if _, err := advice.Decode("x.kadv", sealed(turn, end), advice.Limits{Memory: 1}); err == nil {
		t.Error("two bytes were read into one")
	}
}

// Whatever a record becomes in memory is charged.
func TestMemoryOfValues(t *testing.T) {
	const (
		value = int64(unsafe.Sizeof(record.Value{}))
		ext   = int64(unsafe.Sizeof(record.Ext{}))
		step  = int64(unsafe.Sizeof(record.DeltaOp{}))
		field = int64(unsafe.Sizeof(record.Field{}))
	)
	least := func(raw []byte) int64 {
		return int64(sort.Search(1<<16, func(n int) bool {
			_, err := advice.Decode("x.kadv", sealed(append(raw, end)...), advice.Limits{Memory: int64(n + 1)})
			return err == nil
		}))
	}
	recorded := []byte{nd, 0x41, 'k'}
	list := []byte{locInit, 0, 0x41, 'k', write, 0, 1, 17, 0, over, 0, 1}
	object := []byte{obj, 0, 1, 0}
	for _, c := range []struct {
		name         string
		before, a, b []byte
		more         int64 // that b takes besides its bytes
	}{
		{"lists", recorded, []byte{0x81}, []byte{17, 2, 17, 0, 17, 0}, 2*value + 3*ext},
		{"a regular expression", recorded, []byte{0x81}, []byte{12, 0x40, 0x40, 0x81}, value + ext},
		{"an error", recorded, []byte{0x81}, []byte{13, 0x40, 0x40}, ext},
		{"a change", list, []byte{0x81}, []byte{18, 0}, ext},
		{"steps", list, []byte{18, 0}, []byte{18, 3, 1, 0x81, 1, 0x82, 3}, 3*step + 2*value},
		{"a splice", list, []byte{18, 0}, []byte{18, 1, 0, 0, 0, 1, 0x81}, step + value},
		{"fields", object, []byte{0}, []byte{4, 0x41, 'k', 0x81, 0x41, 'l', 0x82}, 2 * field},
		{"chunk lengths", []byte{req, chunks}, []byte{0}, []byte{2, 5, 5}, 8},
	} {
		a, b := least(slices.Concat(c.before, c.a)), least(slices.Concat(c.before, c.b))
		if more := b - a - int64(len(c.b)-len(c.a)); more != c.more {
			t.Errorf("%s: %d bytes are charged, want %d", c.name, more, c.more)
		}
	}
}

func TestDepthThatSuffices(t *testing.T) {
	list := func(depth int) []byte {
		return sealed(append(append([]byte{nd, 0x41, 'k'}, bytes.Repeat([]byte{17, 1}, depth)...), 0x81)...)
	}
	if _, err := advice.Decode("x.kadv", list(3), advice.Limits{Depth: 3}); err != nil {
		t.Error(err)
	}
	if _, err := advice.Decode("x.kadv", list(4), advice.Limits{Depth: 3}); err == nil {
		t.Error("values nested too deeply were read")
	}
}

// Whoever looks at the records may end it.
func TestRecordsEnd(t *testing.T) {
	n := 0
	if _, err := advice.Records("x.kadv", honest(t), advice.Limits{}, func(*advice.Record) error { n++; return os.ErrClosed }); !errors.Is(err, os.ErrClosed) || n != 1 {
		t.Errorf("%d records, %v", n, err)
	}
}

func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	if _, err := advice.Load(filepath.Join(dir, "missing"), advice.Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
	if _, err := advice.Load(dir, advice.Limits{}); err == nil || !strings.Contains(err.Error(), "holds no advice") {
		t.Errorf("an empty directory: %v", err)
	}
	for i, build := range []string{"b", "a"} {
		data := append(preamble(1, build), block(0, []byte{end})...)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("life-170000000000%d-1.kadv", 1-i)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := t.TempDir()
	var malformed *advice.FormatError
	os.WriteFile(filepath.Join(bad, "life-1.kadv"), []byte("no advice"), 0o600)
	if _, err := advice.Load(bad, advice.Limits{}); !errors.As(err, &malformed) {
		t.Errorf("what is no advice: %v", err)
	}
	linked := t.TempDir()
	os.Symlink(bad, filepath.Join(linked, "life-1.kadv"))
	if _, err := advice.Load(linked, advice.Limits{}); !errors.As(err, &malformed) || malformed.Reason != "not a regular file" {
		t.Errorf("what is no file: %v", err)
	}
	dangling := t.TempDir()
	os.Symlink(filepath.Join(dangling, "nothing"), filepath.Join(dangling, "life-1.kadv"))
	if _, err := advice.Load(dangling, advice.Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	os.WriteFile(filepath.Join(dir, "README"), []byte("x"), 0o600)
	a, err := advice.Load(dir, advice.Limits{})
	if err != nil || len(a.Lives) != 2 || a.Lives[0].BuildID != "a" || a.Lives[1].BuildID != "b" {
		t.Errorf("%v %v", a, err)
	}
	var f *advice.FormatError
	if _, err := advice.Load(dir, advice.Limits{Files: 1}); !errors.As(err, &f) {
		t.Errorf("too many files: %v", err)
	}
	if _, err := advice.Load(dir, advice.Limits{Memory: 10}); !errors.As(err, &f) {
		t.Errorf("too large files: %v", err)
	}
}
