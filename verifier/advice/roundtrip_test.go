package advice_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// life draws a well-formed stream of records.
type life struct {
	t       *rapid.T
	out     []record.Record
	acts    []int32
	locs    int32
	writes  []int32 // their locations
	isList  []bool
	objects []record.ObjectKind
	later   []int32
	tagged  map[int32]bool
	chunked map[int32]bool
}

func drawLife(t *rapid.T) []record.Record {
	l := life{t: t, acts: []int32{0}, tagged: map[int32]bool{}, chunked: map[int32]bool{}}
	for range rapid.IntRange(0, 60).Draw(t, "records") {
		l.record()
	}
	for _, o := range l.later {
		l.out = append(l.out, record.Record{Op: record.Fields, Obj: record.Ref(o), Fields: l.fields(l.objects[o])})
	}
	if rapid.Bool().Draw(t, "ends") {
		l.out = append(l.out, record.Record{Op: record.End})
	} else if rapid.Bool().Draw(t, "says so") {
		l.out = append(l.out, record.Record{Op: record.Incomplete, Name: l.text()})
	}
	return l.out
}

func (l *life) below(n int, label string) int32 {
	return int32(rapid.IntRange(0, n-1).Draw(l.t, label))
}

func (l *life) small() int32 {
	return rapid.OneOf(rapid.Int32Range(0, 5), rapid.Int32Range(0, math.MaxInt32-1)).Draw(l.t, "number")
}

func (l *life) act() (q, a int32) {
	q = l.below(len(l.acts), "request")
	return q, l.below(int(l.acts[q])+1, "activation")
}

// text draws a string in WTF-8, often with lone surrogates, quotes and the like.
func (l *life) text() string {
	units := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{"a", "name", "\"", "\\", "\n", "\x00", "\x7f", "é", "日", "😀", "\u2028", "\ufffd", "\xed\xa0\x80", "\xed\xb0\x80 ", "\xed\xbf\xbf ", strings.Repeat("x", 63), strings.Repeat("y", 64), strings.Repeat("z", 300)}),
		rapid.StringN(0, 3, -1)), 0, 4).Draw(l.t, "text")
	s := strings.Join(units, "")
	if !record.ValidWTF8(s) {
		return "not well-formed"
	}
	return s
}

func (l *life) value(depth int) record.Value {
	most := 12
	if depth < 3 {
		most++
	}
	switch rapid.IntRange(0, most).Draw(l.t, "kind") {
	case 0:
		return record.Value{Kind: rapid.SampledFrom([]record.Kind{record.Undefined, record.Null, record.Absent, record.Hole}).Draw(l.t, "nothing")}
	case 1:
		return record.Boolean(rapid.Bool().Draw(l.t, "boolean"))
	case 2:
		return record.Number(rapid.Float64().Draw(l.t, "number"))
	case 3:
		return record.Number(float64(rapid.OneOf(rapid.Int64Range(-300, 300), rapid.Int64Range(-record.MaxInt-5, record.MaxInt+5)).Draw(l.t, "integer")))
	case 4:
		return record.Number(rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64, 5e-324, 1e21, 1e-7}).Draw(l.t, "odd number"))
	case 5:
		return record.Text(l.text())
	case 6:
		return record.Value{Kind: record.BigInt, Str: fmt.Sprint(rapid.Int64().Draw(l.t, "bigint"))}
	case 7:
		return record.Value{Kind: record.Date, Num: record.NumBits(rapid.SampledFrom([]float64{0, -1, 1.7e12, math.NaN()}).Draw(l.t, "date"))}
	case 8:
		last := record.Number(rapid.Float64().Draw(l.t, "lastIndex"))
		return record.Value{Kind: record.RegExp, Str: l.text(), Ext: &record.Ext{Text: "gi", List: []record.Value{last}}}
	case 9:
		return record.Value{Kind: record.Error, Str: l.text(), Ext: &record.Ext{Text: l.text()}}
	case 10:
		if len(l.objects) > 0 && rapid.Bool().Draw(l.t, "logged") {
			return record.RefTo(record.Ref(l.below(len(l.objects), "object")))
		}
		return record.RefTo(record.InitRef(l.small()))
	case 11:
		return record.Value{Kind: record.Fn, Num: int64(l.small())}
	case 12:
		return record.Value{Kind: record.Bytes, Str: string(rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(l.t, "bytes")), Ext: &record.Ext{Text: "Buffer"}}
	}
	return l.list(depth)
}

func (l *life) values(depth int) []record.Value {
	var vs []record.Value
	for range rapid.IntRange(0, 3).Draw(l.t, "elements") {
		vs = append(vs, l.value(depth+1))
	}
	return vs
}

func (l *life) list(depth int) record.Value {
	return record.Value{Kind: record.List, Ext: &record.Ext{List: l.values(depth)}}
}

func (l *life) key() record.Key {
	switch rapid.IntRange(0, 4).Draw(l.t, "key") {
	case 0:
		return record.Key{KeyKind: record.ShapeKey}
	case 1:
		return record.Key{KeyKind: record.AllKey}
	case 2, 3:
		return record.Name(l.text())
	}
	k, ok := record.KeyOf(l.value(3))
	if !ok {
		return record.Name("k")
	}
	return k
}

func (l *life) fields(kind record.ObjectKind) []record.Field {
	var fs []record.Field
	indexes := rapid.Bool().Draw(l.t, "indexes")
	for i := range rapid.IntRange(0, 4).Draw(l.t, "fields") {
		k := l.key()
		if indexes {
			k = record.Key{KeyKind: record.ValueKey, Kind: record.Int, Num: int64(i)}
		}
		fs = append(fs, record.Field{Key: k, Value: l.value(0)})
	}
	return fs
}

func (l *life) record() {
	r := record.Record{Op: record.Op(rapid.IntRange(int(record.Request), int(record.Env)+1).Draw(l.t, "record"))}
	if r.Op > record.Env {
		r.Op = record.Turn
	}
	switch r.Op {
	case record.Request:
		r.RID = uint64(rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, record.MaxInt)).Draw(l.t, "rid"))
		l.acts = append(l.acts, 0)
		r.Req = int32(len(l.acts) - 1)
	case record.Tag:
		r.Req = l.below(len(l.acts), "request")
		if l.tagged[r.Req] {
			return
		}
		l.tagged[r.Req] = true
		r.Tag = rapid.OneOf(rapid.Uint32Range(1, 3), rapid.Uint32()).Draw(l.t, "tag")
	case record.Activation:
		r.Req, r.Act = l.act()
		r.OpNum, r.Firing = l.small(), l.small()
		l.acts[r.Req]++
	case record.Location:
		if v := l.value(9); v.Kind == record.RefValue {
			r.Obj = v.Ref()
		} else {
			r.Obj = record.InitRef(2)
		}
		r.Key = l.key()
		l.locs++
	case record.Write:
		if l.locs == 0 {
			return
		}
		r.Req, r.Act = l.act()
		r.OpNum, r.Prev = l.small(), -1
		r.Loc = l.below(int(l.locs), "location")
		r.Value = l.value(0)
		if len(l.writes) > 0 && rapid.Bool().Draw(l.t, "over") {
			r.Prev = l.below(len(l.writes), "prev")
			r.Loc = l.writes[r.Prev]
			if base := l.base(r.Loc); base >= 0 && rapid.Bool().Draw(l.t, "delta") {
				r.Value = l.delta(base)
			}
		}
		l.writes = append(l.writes, r.Loc)
		l.isList = append(l.isList, r.Value.Kind == record.List || r.Value.Kind == record.Delta)
	case record.Read:
		if len(l.writes) == 0 {
			return
		}
		r.Req, r.Act = l.act()
		r.Write = l.below(len(l.writes), "write")
	case record.Object:
		r.Req, r.Act = l.act()
		r.OpNum, r.Index = l.small(), l.small()
		r.ObjectKind = record.ObjectKind(rapid.IntRange(0, 6).Draw(l.t, "kind"))
		if rapid.Bool().Draw(l.t, "has a class") {
			r.Class = l.small()
		}
		l.objects = append(l.objects, r.ObjectKind)
		if r.Later = rapid.Bool().Draw(l.t, "later"); r.Later {
			l.later = append(l.later, int32(len(l.objects)-1))
		} else {
			r.Fields = l.fields(r.ObjectKind)
		}
	case record.Fields:
		if len(l.later) == 0 {
			return
		}
		o := l.later[0]
		l.later = l.later[1:]
		r.Obj, r.Fields = record.Ref(o), l.fields(l.objects[o])
	case record.Recorded:
		r.Req, r.Act = l.act()
		r.Name = rapid.SampledFrom([]string{"now", "random", "x"}).Draw(l.t, "type")
		r.Value = l.value(0)
	case record.Chunks:
		r.Req = l.below(len(l.acts), "request")
		if l.chunked[r.Req] {
			return
		}
		l.chunked[r.Req] = true
		for range rapid.IntRange(0, 3).Draw(l.t, "chunks") {
			r.Lengths = append(r.Lengths, l.small())
		}
	case record.Unauditable:
		r.Req, r.Name, r.Where = l.below(len(l.acts), "request"), l.text(), l.text()
		r.Shared = rapid.Bool().Draw(l.t, "shared")
	case record.Turn:
		if r.Body = rapid.Bool().Draw(l.t, "body"); r.Body {
			r.Req = l.below(len(l.acts), "request")
		} else {
			r.Req, r.Act = l.act()
		}
	case record.Env:
		if r.Name = l.text(); rapid.Bool().Draw(l.t, "set") {
			r.Value = record.Text(l.text())
		}
	}
	l.out = append(l.out, r)
}

func (l *life) base(loc int32) int32 {
	for w := len(l.writes) - 1; w >= 0; w-- {
		if l.writes[w] == loc && l.isList[w] {
			return int32(w)
		}
	}
	return -1
}

// delta draws steps that fit any list, because it clears it first.
func (l *life) delta(base int32) record.Value {
	x := &record.Ext{Base: base, Ops: []record.DeltaOp{{Kind: record.Clear}}}
	x.Ops = append(x.Ops, record.DeltaOp{Kind: record.Splice, Values: l.values(0)})
	n := int32(len(x.Ops[1].Values))
	start := l.below(int(n)+1, "start")
	x.Ops = append(x.Ops, record.DeltaOp{Kind: record.Splice, Start: start, Del: l.below(int(n-start)+1, "del"), Values: l.values(0)})
	for range rapid.IntRange(0, 3).Draw(l.t, "steps") {
		kind := rapid.SampledFrom([]record.DeltaKind{record.Add, record.Remove}).Draw(l.t, "step")
		x.Ops = append(x.Ops, record.DeltaOp{Kind: kind, Values: []record.Value{l.value(0)}})
	}
	return record.Value{Kind: record.Delta, Ext: x}
}

// meaning is r without what does not belong to its kind, for comparison.
func meaning(r *record.Record) string {
	as := record.Renumber{}
	fields := ""
	for _, f := range r.Fields {
		fields += string(f.Key.AppendJSON(nil, as)) + string(f.Value.AppendJSON([]byte(":"), as)) + ","
	}
	value := string(r.Value.AppendJSON(nil, as))
	switch r.Op {
	case record.Request:
		return fmt.Sprint("request ", r.RID)
	case record.Tag:
		return fmt.Sprint("tag ", r.Req, r.Tag)
	case record.Activation:
		return fmt.Sprint("activation ", r.Req, r.Act, r.OpNum, r.Firing)
	case record.Location:
		return fmt.Sprint("location ", r.Obj, string(r.Key.AppendJSON(nil, as)))
	case record.Write:
		return fmt.Sprint("write ", r.Req, r.Act, r.OpNum, r.Loc, r.Prev, value)
	case record.Read:
		return fmt.Sprint("read ", r.Req, r.Act, r.Write)
	case record.Object:
		return fmt.Sprint("object ", r.Req, r.Act, r.OpNum, r.Index, r.ObjectKind, r.Class, r.Later, fields)
	case record.Fields:
		return fmt.Sprint("fields ", r.Obj, fields)
	case record.Recorded:
		return fmt.Sprint("recorded ", r.Req, r.Act, r.Name, value)
	case record.Chunks:
		return fmt.Sprint("chunks ", r.Req, r.Lengths)
	case record.Unauditable:
		return fmt.Sprint("unauditable ", r.Req, r.Name, r.Where, r.Shared)
	case record.Turn:
		return fmt.Sprint("turn ", r.Req, r.Act, r.Body)
	case record.Env:
		return fmt.Sprint("env ", r.Name, value)
	case record.Incomplete:
		return fmt.Sprint("incomplete ", r.Name)
	}
	return "end"
}

func meanings(name string, data []byte) ([]string, error) {
	var out []string
	_, err := advice.Records(name, data, advice.Limits{}, func(r *record.Record) error {
		out = append(out, meaning(r))
		return nil
	})
	return out, err
}

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// Records survive the binary form, and both survive JSON Lines.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawLife(t)
		var file buffer
		e := advice.NewEncoder(&file, "c0ffee")
		var want []string
		for i := range records {
			want = append(want, meaning(&records[i]))
			if err := e.Write(&records[i]); err != nil {
				t.Fatalf("%s: %v", want[i], err)
			}
			if rapid.IntRange(0, 9).Draw(t, "flush") == 0 {
				e.Flush()
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := meanings("life-1-1.kadv", file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
		if _, err := decode(file.Bytes()); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := advice.ExportLife("life-1-1.kadv", file.Bytes(), &text, advice.Limits{}); err != nil {
			t.Fatal(err)
		}
		var again buffer
		if err := advice.Import("text", bytes.NewReader(text.Bytes()), advice.Limits{}, func(string) (io.WriteCloser, error) { return &again, nil }); err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if got, err = meanings("life-1-1.kadv", again.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("through JSON: %v, got  %q\nwant %q", err, got, want)
		}
	})
}

// Any block that decodes can be encoded, and means the same then.
func FuzzLoad(f *testing.F) {
	f.Add([]byte{req, tag, 1, 2, 3, 4, locInit, 0, 0x41, 'k', write, 0, 1, 17, 1, 0x81, over, 0, 1, 18, 1, 0, 0, 1, 0, read, 0, end})
	f.Add([]byte{req, act, 1, obj | 0x40, 0, 1, 0, fld, 0, 2, 0x41, 'k', 0x81, nd | 0x40, 4, nd, 0x41, 'r', 8, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, env, 0x41, 'x', 12, 0x40, 0x40, 0x80, end})
	f.Add([]byte{obj, 2, 1, 0, 5, 0x81, 13, 0x41, 'E', 0x40, env, 0x42, 0xc3, 0xa9, 20, 0x40, 2, 1, 2, chunks, 1, 5, unaud, 0x40, 0x40, incomplete, 0x40})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 || len(raw) > 0xffff {
			return
		}
		// Deflate's stored form: compressing would take most of the time.
		n := len(raw)
		stored := append([]byte{1, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}, raw...)
		data := append(preamble(1, "c0ffee"), packedBlock(0, n, stored)...)
		want, err := meanings("life-1-1.kadv", data)
		if _, e := decode(data); (e == nil) != (err == nil) {
			t.Fatalf("Load says %v, the records say %v", e, err)
		}
		if err != nil {
			return
		}
		var out buffer
		e := advice.NewEncoder(&out, "c0ffee")
		if _, err := advice.Records("x", data, advice.Limits{}, e.Write); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := meanings("life-1-1.kadv", out.Bytes())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, got  %q\nwant %q", err, got, want)
		}
	})
}

// Files that are nowhere near well-formed.
func FuzzFile(f *testing.F) {
	f.Add(honest(f))
	f.Add(sealed(req, end))
	f.Fuzz(func(t *testing.T, data []byte) { decode(data) })
}

// What can be imported comes out again, and then stays the same.
func FuzzImport(f *testing.F) {
	var text bytes.Buffer
	if _, err := advice.ExportLife("life-1-1.kadv", honest(f), &text, advice.Limits{}); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add(head + `{"env":"\ud83d\ude00\ud800","value":["n","-0"]}` + "\n" + `{"env":"x","value":["d",null]}`)
	f.Add(head + `{"request":1,"rid":1}` + "\n" + `{"object":5,"req":1,"act":0,"op":1,"index":0,"kind":9,"class":3,"fields":[[["#",["r",5]],["y","Buffer","AAE="]]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var files []*buffer
		var names []string
		err := advice.Import("fuzz", strings.NewReader(text), advice.Limits{}, func(name string) (io.WriteCloser, error) {
			files, names = append(files, &buffer{}), append(names, name)
			return files[len(files)-1], nil
		})
		if err != nil {
			return
		}
		for i, file := range files {
			want, err := meanings(names[i], file.Bytes())
			if err != nil {
				continue // A forgery need not be well-formed.
			}
			var out bytes.Buffer
			if _, err := advice.ExportLife(names[i], file.Bytes(), &out, advice.Limits{}); err != nil {
				t.Fatal(err)
			}
			var again buffer
			if err := advice.Import("again", &out, advice.Limits{}, func(string) (io.WriteCloser, error) { return &again, nil }); err != nil {
				t.Fatal(err)
			}
			if got, err := meanings(names[i], again.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%v, got  %q\nwant %q", err, got, want)
			}
		}
	})
}
