package trace

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// sample is a small trace with everything in it: overlap, a large body in
// parts, repeated headers, an abort, an upgrade, a request without an end.
func sample() *Trace {
	hs := func(length string) []Header {
		return []Header{{"Host", "localhost"}, {"Content-Type", "application/json"}, {"Content-Length", length}, {"X", "a"}, {"X", "b"}}
	}
	t := &Trace{Exchanges: []Exchange{
		{RID: 1, Request: Request{"POST", "/post", "HTTP/1.1", hs("2"), []byte("{}")},
			Response: Response{200, []Header{{"ETag", "W/\"1\""}}, []byte("ok"), ""}, HasResponse: true},
		{RID: 2, Request: Request{"GET", "/large?q=1", "HTTP/1.1", hs("0"), nil},
			Response: Response{200, nil, bytes.Repeat([]byte("large "), 100_000), "\xfcbersized"}, HasResponse: true},
		{RID: 3, Request: Request{"GET", "/slow", "HTTP/1.1", nil, nil},
			Response: Response{200, []Header{{"Content-Length", "10"}}, []byte("abc"), "Partly"}, Aborted: true, Note: "the client went away"},
		{RID: 4, Request: Request{"GET", "/socket", "HTTP/1.1", []Header{{"Bytes", "\xff\x00"}}, nil},
			Aborted: true, Unaudited: true, Note: "upgrade"},
		{RID: 9, Request: Request{"PUT", "/never", "HTTP/1.1", nil, []byte{0xff, 0, 1}}},
	}}
	for i, e := range []Event{{RID: 1, Kind: 1}, {RID: 2, Kind: 1}, {RID: 3, Kind: 1}, {RID: 2, Kind: 2}, {RID: 4, Kind: 1},
		{RID: 4, Kind: 3}, {RID: 1, Kind: 2}, {RID: 3, Kind: 3}, {RID: 9, Kind: 1}} {
		e.Time = 1_700_000_000_000 + int64(i)
		e.Exchange = int32(t.Find(e.RID))
		t.Events = append(t.Events, e)
	}
	return t
}

func encoded(tb testing.TB, t *Trace) []byte {
	tb.Helper()
	var buf bytes.Buffer
	if err := Encode(&buf, t); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func same(tb interface{ Fatalf(string, ...any) }, got, want *Trace) {
	if len(got.Exchanges) == 0 && len(want.Exchanges) == 0 && got.Truncated == want.Truncated {
		return
	}
	if !reflect.DeepEqual(got, want) {
		tb.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func randomTrace(t *rapid.T) *Trace {
	str := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }))
	headers := rapid.Map(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Header {
		name := rapid.OneOf(rapid.SampledFrom([]string{"Host", "Date", "Content-Type", "ETag"}), str).Draw(t, "name")
		value := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "text/html"}), str).Draw(t, "value")
		return Header{name, value}
	}), 0, 5), func(hs []Header) []Header {
		if len(hs) == 0 {
			return nil
		}
		return hs
	})
	body := rapid.Custom(func(t *rapid.T) []byte {
		b := rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "bytes")
		if n := rapid.SampledFrom([]int{0, 0, 0, 0, 0, 5_000}).Draw(t, "times"); n > 0 {
			b = bytes.Repeat(b, n)
		}
		if len(b) == 0 {
			return nil
		}
		return b
	})
	response := rapid.Custom(func(t *rapid.T) Response {
		return Response{rapid.IntRange(100, 999).Draw(t, "status"), headers.Draw(t, "headers"), body.Draw(t, "body"), rapid.SampledFrom([]string{"", "Fine", "\xff"}).Draw(t, "reason")}
	})
	tr := &Trace{}
	if rapid.Bool().Draw(t, "truncated") {
		tr.Truncated = NotClosed
	}
	var open []int
	rid := uint64(0)
	for range rapid.IntRange(0, 30).Draw(t, "events") {
		at := rapid.Int64().Draw(t, "time")
		if len(open) == 0 || rapid.Bool().Draw(t, "arrive") {
			rid += rapid.Uint64Range(1, 3).Draw(t, "gap")
			x := Exchange{RID: rid, Request: Request{str.Draw(t, "method"), str.Draw(t, "target"), str.Draw(t, "proto"),
				headers.Draw(t, "headers"), body.Draw(t, "body")}}
			if rapid.IntRange(0, 9).Draw(t, "unaudited") == 0 {
				x.Unaudited, x.Note = true, str.Draw(t, "note")
			}
			open = append(open, len(tr.Exchanges))
			tr.Events = append(tr.Events, Event{rid, at, int32(len(tr.Exchanges)), RequestEvent})
			tr.Exchanges = append(tr.Exchanges, x)
			continue
		}
		k := rapid.IntRange(0, len(open)-1).Draw(t, "which")
		x := &tr.Exchanges[open[k]]
		e := Event{x.RID, at, int32(open[k]), ResponseEvent}
		open = append(open[:k], open[k+1:]...)
		x.Response = response.Draw(t, "response")
		if rapid.IntRange(0, 4).Draw(t, "abort") == 0 {
			e.Kind, x.Aborted = AbortEvent, true
			if rapid.Bool().Draw(t, "headless") {
				x.Response = Response{}
			}
			if !x.Unaudited {
				x.Note = str.Draw(t, "note")
			}
		} else {
			x.HasResponse = true
		}
		tr.Events = append(tr.Events, e)
	}
	return tr
}

func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := randomTrace(t)
		var buf bytes.Buffer
		if err := Encode(&buf, want); err != nil {
			t.Fatalf("%v", err)
		}
		got, err := Decode("memory", buf.Bytes(), Limits{})
		if err != nil {
			t.Fatalf("binary: %v", err)
		}
		same(t, got, want)

		buf.Reset()
		if err := ExportJSONL(&buf, want); err != nil {
			t.Fatalf("%v", err)
		}
		if got, err = ImportJSONL("memory", &buf, Limits{}); err != nil {
			t.Fatalf("JSON Lines: %v", err)
		}
		same(t, got, want)

		buf.Reset()
		if err := ExportHAR(&buf, want); err != nil {
			t.Fatalf("%v", err)
		}
		if got, err = ImportHAR("memory", &buf, Limits{}); err != nil {
			t.Fatalf("HAR: %v", err)
		}
		same(t, got, want)
	})
}

func TestSample(t *testing.T) {
	want := sample()
	got, err := Decode("memory", encoded(t, want), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
	if i := got.Find(9); i != 4 {
		t.Errorf("Find(9) = %d", i)
	}
	if i := got.Find(5); i != -1 {
		t.Errorf("Find(5) = %d", i)
	}
}

// Every single bit matters: the checksums must notice each of them.
func TestBitFlips(t *testing.T) {
	data := encoded(t, sample())
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			_, err := Decode("flipped", data, Limits{})
			var format *FormatError
			if !errors.As(err, &format) || format.Reason == "" {
				t.Fatalf("byte %d bit %d: %v", i, bit, err)
			}
			data[i] ^= 1 << bit
		}
	}
}

// A file that ends anywhere is either no trace yet, or holds whole blocks and
// says that more may be missing.
func TestTruncatedTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		rid := w.Begin(&Request{Method: "GET", Target: fmt.Sprint("/", i)})
		w.Respond(rid, &Response{Status: 200, Body: []byte("ok")})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := -1
	for n := range data {
		got, err := Decode("cut", data[:n], Limits{})
		if n < fileHead {
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if got.Truncated == "" {
			t.Fatalf("%d of %d bytes: not noticed", n, len(data))
		}
		if len(got.Exchanges) < seen {
			t.Fatalf("%d bytes: fewer exchanges than before", n)
		}
		seen = len(got.Exchanges)
	}
	if seen != 20 {
		t.Fatalf("%d exchanges before the end", seen)
	}
	if got, err := Decode("whole", data, Limits{}); err != nil || got.Truncated != "" {
		t.Fatalf("%v %v", got, err)
	}
}

func TestFormatErrors(t *testing.T) {
	good := encoded(t, sample())
	block := func(flags, number uint32, payload string) []byte {
		h := head{flags: flags | flagStored, number: number, raw: uint32(len(payload)), stored: uint32(len(payload)), requests: 1, headers: 1}
		h.crc = crc32.Checksum([]byte(payload), castagnoli)
		b := make([]byte, blockHead)
		h.put(b)
		return append(b, payload...)
	}
	headed := func(change func(h *head), payload string) []byte {
		h := head{flags: flagFirst | flagStored, raw: uint32(len(payload)), stored: uint32(len(payload)), requests: 1, headers: 1, crc: crc32.Checksum([]byte(payload), castagnoli)}
		change(&h)
		b := make([]byte, blockHead)
		h.put(b)
		return append([]byte(fileMagic+"\x01"), append(b, payload...)...)
	}
	nothing := "\x28\xb5\x2f\xfd\x20\x03\x19\x00\x00abc" // zstd of abc
	start := fileMagic + "\x01"
	future := append([]byte{}, good...)
	future[len(fileMagic)] = 9
	first := len(start) + blockHead // the first block is empty
	get := "\x01\x02\x00" + "\x00\x03GET" + "\x01/" + "\x00\x08HTTP/1.1" + "\x01\x00\x01H\x01\x01v"
	for _, c := range []struct {
		name string
		data []byte
		lim  Limits
		want string
	}{
		{"empty", nil, Limits{}, "empty"},
		{"short", []byte("KTR"), Limits{}, "ends within its first"},
		{"another kind of file", []byte("{\"trace\":1}\n{}"), Limits{}, "not a trace"},
		{"future version", future, Limits{}, "version 9"},
		{"removed block", append([]byte(start), good[first:]...), Limits{}, "block 1 stands where block 0 should"},
		{"doubled block", append([]byte(start), append(append([]byte{}, good[len(start):first]...), good[len(start):]...)...), Limits{}, "block 0 stands where block 1"},
		{"after the end", append(append([]byte{}, good...), block(0, 4, get)...), Limits{}, "closed"},
		{"garbage after the end", append(append([]byte{}, good...), strings.Repeat("x", blockHead)...), Limits{}, "no block starts here"},
		{"memory", good, Limits{MaxMemory: 1000}, "limit of 1000 bytes"},
		{"requests", good, Limits{MaxExchanges: 4}, "limit of 4 requests"},
		{"body", good, Limits{MaxBody: 100_000}, "limit of 100000 bytes"},
		{"valid", append([]byte(start), block(flagFirst|flagLast, 0, get)...), Limits{}, ""},
		{"rid 0", append([]byte(start), block(flagFirst, 0, strings.Replace(get, "\x01\x02", "\x01\x00", 1))...), Limits{}, "request id 0"},
		{"response before request", append([]byte(start), block(flagFirst, 0, "\x03\x02\x00")...), Limits{}, "did not arrive"},
		{"two responses", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\xc8\x01\x00\x00"+"\x03\x00\x00\xc8\x01\x00\x00")...), Limits{}, "after its end"},
		{"status 0", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\x00\x00\x00")...), Limits{}, "without a status"},
		{"status 1000", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\xe8\x07\x00\x00")...), Limits{}, "status 1000"},
		{"record kind", append([]byte(start), block(flagFirst, 0, get+"\x63\x00")...), Limits{}, "kind 99"},
		{"long text", append([]byte(start), block(flagFirst, 0, "\x01\x02\x00\x00\xff\xff\xff\xff\x0f")...), Limits{}, "past the end"},
		{"endless number", append([]byte(start), block(flagFirst, 0, "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")...), Limits{}, "damaged number"},
		{"missing name", append([]byte(start), block(flagFirst, 0, "\x01\x02\x00\x07")...), Limits{}, "a name that there was not"},
		{"too many headers", append([]byte(start), block(flagFirst, 0, get[:len(get)-7]+"\x7f")...), Limits{}, "more headers"},
		{"short, and another kind of file", []byte("xyz"), Limits{}, "not a trace"},
		{"more requests than counted", headed(func(h *head) { h.headers = 2 }, get+get), Limits{}, "more requests"},
		{"status 99", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\x63\x00\x00")...), Limits{}, "status 99"},
		{"a value that there was not", append([]byte(start), block(flagFirst, 0, get[:len(get)-3]+"\x00")...), Limits{}, "a value that there was not"},
		{"a header of another form", append([]byte(start), block(flagFirst, 0, get[:len(get)-3]+"\x02")...), Limits{}, "unknown form"},
		{"a record without its number", append([]byte(start), block(flagFirst, 0, get+"\x06")...), Limits{}, "a damaged number"},
		{"a header without a form", append([]byte(start), block(flagFirst, 0, get[:len(get)-3])...), Limits{}, "within a record"},
		{"unknown flags", headed(func(h *head) { h.flags |= 8 }, get), Limits{}, "flags that this version"},
		{"a large block", headed(func(h *head) { h.raw = maxBlock + 1 }, get), Limits{}, "larger than any"},
		{"a large stored block", headed(func(h *head) { h.stored = maxBlock + 1 }, get), Limits{}, "larger than any"},
		{"the largest block", headed(func(h *head) { h.raw, h.stored = maxBlock, maxBlock }, get), Limits{}, ""},
		{"more headers than bytes", headed(func(h *head) { h.headers = h.raw + 1 }, get), Limits{}, "more records than it has bytes"},
		{"more requests than bytes", headed(func(h *head) { h.requests = h.raw + 1 }, get), Limits{}, "more records than it has bytes"},
		{"a first block that goes on", headed(func(h *head) { h.flags = flagStored }, get), Limits{}, "does not begin a session"},
		{"two lengths", headed(func(h *head) { h.raw++ }, get), Limits{}, "two lengths"},
		{"another payload", headed(func(h *head) { h.crc++ }, get), Limits{}, "does not match its checksum"},
		{"not compressed", headed(func(h *head) { h.flags = flagFirst }, get), Limits{}, "cannot be decompressed"},
		{"compressed to something longer", headed(func(h *head) { h.flags, h.raw, h.requests, h.headers = flagFirst, 2, 0, 0 }, nothing), Limits{}, "block 0"},
		{"compressed to something shorter", headed(func(h *head) { h.flags, h.raw, h.requests, h.headers = flagFirst, 4, 0, 0 }, nothing), Limits{}, "decompresses to 3 bytes instead of 4"},
		{"a part of a response that is over", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\xc8\x01\x00\x00"+"\x04\x00\x01x")...), Limits{}, "after its end"},
		{"an abort of a response that is over", append([]byte(start), block(flagFirst, 0, get+"\x03\x00\x00\xc8\x01\x00\x00"+"\x05\x00\x00\x00\x00\x00\x00")...), Limits{}, "after its end"},
		{"a response after an abort", append([]byte(start), block(flagFirst, 0, get+"\x05\x00\x00\x00\x00\x00\x00"+"\x03\x00\x00\xc8\x01\x00\x00")...), Limits{}, "after its end"},
		{"a request twice", headed(func(h *head) { h.requests, h.headers = 2, 2 }, get+strings.Replace(get, "\x01\x02", "\x01\x00", 1)), Limits{}, "request id 1 out of order"},
		{"requests in another order", headed(func(h *head) { h.requests, h.headers = 2, 2 }, strings.Replace(get, "\x01\x02", "\x01\x04", 1)+strings.Replace(get, "\x01\x02", "\x01\x01", 1)), Limits{}, "request id 1 out of order"},
		{"fewer records than counted", append([]byte(start), block(flagFirst, 0, "")...), Limits{}, "more records than it has bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode("x.ktrace", c.data, c.lim)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var format *FormatError
			if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestLoadFileLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	if err := Save(path, sample()); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, Limits{MaxFile: 10}); err == nil || !strings.Contains(err.Error(), "limit is 10") {
		t.Fatal(err)
	}
	if _, err := Load(path+" that is not there", Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if _, err := Load(filepath.Dir(path), Limits{}); err == nil || err.Error() != "trace "+filepath.Dir(path)+": not a regular file" {
		t.Fatalf("a folder was read as a trace: %v", err)
	}
	var format *FormatError
	if _, err := Load("/proc/self/mem", Limits{}); err == nil || errors.As(err, &format) {
		t.Fatalf("what cannot be read: %v", err)
	}
	if err := Save(path, sample()); !errors.Is(err, os.ErrExist) {
		t.Fatalf("overwrote a trace: %v", err)
	}
	if _, err := Create(path, Options{}); !errors.Is(err, os.ErrExist) {
		t.Fatalf("overwrote a trace: %v", err)
	}
}

func TestConcurrentWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const each = 500
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range each {
				body := []byte(fmt.Sprintf("%d/%d %s", g, i, strings.Repeat("x", i)))
				rid := w.Begin(&Request{Method: "POST", Target: "/", Headers: []Header{{"N", fmt.Sprint(i)}}})
				w.RequestBody(rid, body[:1])
				w.RequestBody(rid, body[1:])
				w.ResponseBody(rid, body[:2])
				w.Respond(rid, &Response{Status: 200, Body: body[2:]})
			}
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(got.Exchanges) != 8*each || len(got.Events) != 16*each {
		t.Fatalf("%d exchanges, %d events", len(got.Exchanges), len(got.Events))
	}
	for i := range got.Exchanges {
		x := &got.Exchanges[i]
		if x.RID != uint64(i+1) || !x.HasResponse || !bytes.Equal(x.Request.Body, x.Response.Body) || len(x.Request.Body) == 0 {
			t.Fatalf("exchange %d: %+v", i, x)
		}
	}
}

// A collector that dies loses no more than what the last moments brought.
func TestFlushesByItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Begin(&Request{Method: "GET", Target: "/"})
	deadline := time.Now().Add(20 * flushAfter)
	for {
		got, err := Load(path, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Exchanges) == 1 && got.Truncated != "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing was written")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t")
	session := func(wantRID uint64) {
		t.Helper()
		w, err := Append(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Append(path, Options{}); err == nil || !strings.Contains(err.Error(), "another collector") {
			t.Fatalf("two writers at once: %v", err)
		}
		if rid := w.Begin(&Request{Method: "GET", Target: "/"}); rid != wantRID {
			t.Fatalf("rid %d, want %d", rid, wantRID)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	session(1)
	session(2)
	got, err := Load(path, Limits{})
	if err != nil || got.Truncated != "" || len(got.Exchanges) != 2 {
		t.Fatalf("%v %v", got, err)
	}
	// Tear the last block: what it named may have reached the server.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-1); err != nil {
		t.Fatal(err)
	}
	session(2 + ridGap)
	session(3 + ridGap)
	got, err = Load(path, Limits{})
	if err != nil || got.Truncated == "" || len(got.Exchanges) != 3 {
		t.Fatalf("%+v %v", got, err)
	}
}

// A writer is closed once.
func TestCloseTwice(t *testing.T) {
	w, err := NewWriter(&bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Flush(); err != nil {
		t.Errorf("nothing to write any more: %v", err)
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("closed again: %v", err)
	}
}

func TestUpgrades(t *testing.T) {
	for _, c := range []struct {
		unaudited bool
		status    int
		want      bool
	}{{true, 101, true}, {false, 101, false}, {true, 200, false}, {true, 0, false}} {
		if x := (&Exchange{Unaudited: c.unaudited, Response: Response{Status: c.status}}); x.Upgraded() != c.want {
			t.Errorf("upgraded: %+v", c)
		}
	}
	for _, c := range []struct {
		headers []Header
		want    bool
	}{
		{nil, false},
		{[]Header{{"Connection", "Upgrade"}, {"Upgrade", "websocket"}}, true},
		{[]Header{{"upgrade", "h2c"}, {"Host", "h"}, {"connection", "upgrade"}}, true},
		{[]Header{{"Connection", "Upgrade"}}, false},
		{[]Header{{"Upgrade", "websocket"}}, false},
		{[]Header{{"Connection", "keep-alive"}, {"Upgrade", "websocket"}}, false},
	} {
		if x := (&Exchange{Request: Request{Headers: c.headers}}); x.AsksToUpgrade() != c.want {
			t.Errorf("asks to upgrade: %+v", c)
		}
	}
}

func TestRequestsInWords(t *testing.T) {
	var odd []uint64
	for i := range uint64(30) {
		odd = append(odd, 2*i+1)
	}
	for _, c := range []struct {
		rids []uint64
		want string
	}{
		{[]uint64{7}, "request 7"},
		{[]uint64{7, 8}, "requests 7 and 8"},
		{[]uint64{7, 8, 9}, "requests 7 to 9"},
		{[]uint64{3, 5, 6, 7, 12}, "requests 3, 5 to 7 and 12"},
		{odd, "requests 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39 and 30 in all"},
	} {
		if got := Requests(c.rids); got != c.want {
			t.Errorf("%v: %s, want %s", c.rids, got, c.want)
		}
	}
}

// What was committed is in the file, however many commit at a time.
func TestCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.ktrace")
	w, err := Create(path, Options{Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				rid := w.Begin(&Request{Method: "GET", Target: "/", Proto: "HTTP/1.1"})
				w.Respond(rid, &Response{Status: 200})
				if err := w.Commit(); err != nil {
					t.Error(err)
				}
				tr, err := Load(path, Limits{})
				if err != nil {
					t.Error(err)
					return
				}
				if i := tr.Find(rid); i < 0 || !tr.Exchanges[i].HasResponse {
					t.Errorf("request %d was committed, and is not in the file", rid)
				}
			}
		})
	}
	wg.Wait()
	if err := w.Commit(); err != nil { // nothing to wait for
		t.Error(err)
	}
}

type brokenDisk struct{ left int }

func (d *brokenDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		return 0, errors.New("no space left")
	}
	d.left -= len(p)
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	w, err := NewWriter(&brokenDisk{left: 100})
	if err != nil {
		t.Fatal(err)
	}
	// Many times what the blocks under way can hold: nobody may wait for ever.
	for i := range 100 {
		rid := w.Begin(&Request{Method: "GET", Target: "/"})
		w.Respond(rid, &Response{Status: 200, Body: bytes.Repeat([]byte{byte(i)}, blockTarget/2)})
	}
	select {
	case <-w.Failed():
	case <-time.After(10 * time.Second):
		t.Fatal("the failure was not reported")
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Fatalf("Close: %v", err)
	}
	w.Begin(&Request{}) // after Close: lost, but harmless
	if err := w.Flush(); err == nil {
		t.Fatal("Flush after a failure")
	}
}

func TestRecordTooLarge(t *testing.T) {
	tr := sample()
	tr.Exchanges[0].Request.Target = strings.Repeat("x", maxBlock)
	if err := Encode(&bytes.Buffer{}, tr); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Fatal(err)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		want string
		harm func(*Trace)
	}{
		{"does not belong", func(t *Trace) { t.Events[0].Exchange = 7 }},
		{"does not belong", func(t *Trace) { t.Events[0].RID = 2 }},
		{"out of place", func(t *Trace) { t.Events[0], t.Events[6] = t.Events[6], t.Events[0] }},
		{"not in the order", func(t *Trace) { t.Events[0], t.Events[1] = t.Events[1], t.Events[0] }},
		{"out of place", func(t *Trace) { t.Events = append(t.Events, t.Events[3]) }},
		{"without an event", func(t *Trace) { t.Events = append(t.Events[:3], t.Events[4:]...) }},
		{"without an event", func(t *Trace) { t.Events = append(t.Events[:7], t.Events[8:]...) }},
		{"has ended without an event", func(t *Trace) { t.Events = append(t.Events[:5], t.Events[6:]...) }},
		{"must increase", func(t *Trace) { t.Exchanges[4].RID, t.Events[8].RID = 4, 4 }},
		{"both", func(t *Trace) { t.Exchanges[0].Aborted = true }},
		{"status", func(t *Trace) { t.Exchanges[0].Response.Status = 0 }},
		{"note", func(t *Trace) { t.Exchanges[0].Note = "?" }},
		{"does not belong", func(t *Trace) { t.Events[0].Exchange = -1 }},
		{"has no request event", func(t *Trace) { t.Events = t.Events[:8] }},
		{"has status 99", func(t *Trace) { t.Exchanges[2].Response.Status = 99 }},
		{"has status 1000", func(t *Trace) { t.Exchanges[2].Response.Status = 1000 }},
		{"a response without an event", func(t *Trace) { t.Exchanges[4].Response.Status = 200 }},
		{"a response without an event", func(t *Trace) { t.Exchanges[4].Response.Headers = []Header{{"A", "b"}} }},
		{"not in the order", func(t *Trace) { t.Events = append(t.Events[8:], t.Events[:8]...) }},
	} {
		tr := sample()
		c.harm(tr)
		if err := tr.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestImportErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "empty"},
		{"x", "the first line"},
		{`{"trace":7}`, "version 7"},
		{"{\"trace\":1}\n[]", "at 2"},
		{"{\"trace\":1}\n{\"event\":\"response\",\"rid\":1}", "did not arrive"},
		{"{\"trace\":1}\n{\"event\":\"request\",\"rid\":1}\n{\"event\":\"dance\",\"rid\":1}", "unknown event"},
		{"{\"trace\":1}\n{\"event\":\"request\",\"rid\":1,\"body\":{\"base64\":\"!\"}}", "base64"},
	} {
		_, err := ImportJSONL("x.jsonl", strings.NewReader(c.in), Limits{})
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.in, err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"", "no HTTP Archive"},
		{"{}", "no HTTP Archive"},
		{`{"log":{"version":"1.2","entries":[{"_karousos":{}},{}]}}`, "only some"},
		{`{"log":{"version":"1.2","entries":[{"response":{"content":{"text":"x","encoding":"rot13"}}}]}}`, "rot13"},
	} {
		_, err := ImportHAR("x.har", strings.NewReader(c.in), Limits{})
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.in, err, c.want)
		}
	}
}

// An archive from elsewhere has no ids and no order but its times.
func TestForeignHAR(t *testing.T) {
	const archive = `{"log":{"version":"1.2","entries":[
	 {"startedDateTime":"2024-05-01T10:00:00.010Z","time":5,"request":{"method":"GET","url":"https://example.org/b?x=1","headers":[{"name":":authority","value":"example.org"}]},
	  "response":{"status":200,"headers":[{"name":"Content-Encoding","value":"br"}],"content":{"size":2,"text":"hi"}}},
	 {"startedDateTime":"2024-05-01T10:00:00.000Z","time":12,"request":{"method":"POST","url":"https://example.org/a","headers":[{"name":"host","value":"h"}],"postData":{"text":"body"}},
	  "response":{"status":201,"headers":[],"content":{"size":2,"text":"aGk=","encoding":"base64"}}}]}}`
	got, err := ImportHAR("x.har", strings.NewReader(archive), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	at := int64(1714557600000)
	same(t, got, &Trace{
		Exchanges: []Exchange{
			{RID: 1, HasResponse: true, Request: Request{"POST", "/a", "HTTP/1.1", []Header{{"host", "h"}}, []byte("body")},
				Response: Response{Status: 201, Body: []byte("hi")}},
			{RID: 2, HasResponse: true, Unaudited: true, Note: "the archive holds the body without its Content-Encoding",
				Request:  Request{"GET", "/b?x=1", "HTTP/1.1", []Header{{"Host", "example.org"}}, nil},
				Response: Response{Status: 200, Headers: []Header{{"Content-Encoding", "br"}}, Body: []byte("hi")}},
		},
		Events: []Event{{1, at, 0, RequestEvent}, {2, at + 10, 1, RequestEvent}, {1, at + 12, 0, ResponseEvent}, {2, at + 15, 1, ResponseEvent}},
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, sample()))
	f.Add(encoded(f, &Trace{}))
	f.Add([]byte(fileMagic + "\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Decode("fuzz", data, Limits{MaxMemory: 1 << 24})
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Fatalf("%T %v", err, err)
		}
		if err == nil && tr.Validate() != nil {
			t.Fatal(tr.Validate())
		}
	})
}

// The checksums keep a fuzzer out of the records, so this one goes round them.
func FuzzRecords(f *testing.F) {
	s, err := scan("seed", encoded(f, sample()), Limits{})
	if err != nil {
		f.Fatal(err)
	}
	s.lim.MaxBody = 1 << 20
	f.Add([]byte{}, uint32(0), uint32(0))
	f.Add([]byte("\x01\x02\x00\x00\x03GET\x01/\x00\x08HTTP/1.1\x01\x00\x01H\x01\x01v\x03\x00\x00\xc8\x01\x00\x00"), uint32(1), uint32(1))
	f.Fuzz(func(t *testing.T, payload []byte, requests, headers uint32) {
		h := &located{head: head{requests: min(requests, 1000), headers: min(headers, 1000)}}
		d := &decoder{s: s, t: &Trace{Exchanges: make([]Exchange, 0, h.requests)}, arena: make([]Header, 0, h.headers)}
		if d.block(h, payload) == "" {
			if err := d.t.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func large(n int) *Trace {
	t := &Trace{Exchanges: make([]Exchange, n)}
	for i := range t.Exchanges {
		body := fmt.Sprintf(`{"date":"2024-%02d-%02d","message":"message number %d of the day","readable":true}`, i%12+1, i%28+1, i)
		answer := fmt.Sprintf("Message set for 2024-%02d-%02d", i%12+1, i%28+1)
		t.Exchanges[i] = Exchange{RID: uint64(i + 1), HasResponse: true,
			Request: Request{"POST", "/post", "HTTP/1.1", []Header{{"Host", "127.0.0.1:8080"}, {"Content-Length", fmt.Sprint(len(body))},
				{"Accept", "*/*"}, {"Content-Type", "application/json"}, {"User-Agent", "load/1"}}, []byte(body)},
			Response: Response{200, []Header{{"Connection", "keep-alive"}, {"Content-Length", fmt.Sprint(len(answer))},
				{"Content-Type", "text/plain; charset=utf-8"}, {"Date", fmt.Sprintf("Sat, 21 Nov 2026 01:%02d:%02d GMT", i/60000, i/1000%60)},
				{"Etag", fmt.Sprintf(`W/"1a-%07dAIjw9/hzuX6CspH4GCh"`, i*7919%10000000)}, {"Keep-Alive", "timeout=5"}, {"X-Powered-By", "Express"}}, []byte(answer), ""}}
	}
	const open = 30
	for i := range n + open {
		if i < n {
			t.Events = append(t.Events, Event{uint64(i + 1), 1700000000000 + int64(i/5), int32(i), RequestEvent})
		}
		if j := i - open; j >= 0 {
			t.Events = append(t.Events, Event{uint64(j + 1), 1700000000000 + int64(i/5), int32(j), ResponseEvent})
		}
	}
	return t
}

func BenchmarkLoad20000(b *testing.B) {
	data := encoded(b, large(20_000))
	b.ReportMetric(float64(len(data)), "file-bytes")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode("bench", data, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	t := large(1000)
	w, err := NewWriter(&brokenDisk{left: 1 << 40})
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		x := &t.Exchanges[i%1000]
		i++
		rid := w.Begin(&x.Request)
		w.Respond(rid, &x.Response)
	}
	w.Close()
}
