package advice

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"karousosc/verifier/advice/record"
	v1 "karousosc/verifier/advice/v1"
)

// JSON Lines: one object per record, for people to read, grep and change. The
// first name of a line says what it is. Numbers of requests, activations,
// locations, writes and objects are labels: after an edit they need be neither
// dense nor in order, only defined on an earlier line. A label that is defined
// again means the newer one from there on, so a line can be copied; a line can be
// removed if nothing refers to what it defines.

// Export writes all lives in dir as JSON Lines. It returns notes about what is
// missing from lives that end early.
func Export(dir string, w io.Writer, lim Limits) (notes []string, err error) {
	names, err := files(dir, lim.WithDefaults().Files)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	for _, name := range names {
		memory := lim.WithDefaults().Memory
		data, err := readFile(filepath.Join(dir, name), &memory)
		if err != nil {
			return notes, err
		}
		note, err := ExportLife(name, data, out, lim)
		if err != nil {
			return notes, err
		}
		if note != "" {
			notes = append(notes, name+": "+note)
		}
	}
	return notes, out.Flush()
}

// ExportLife writes one life as JSON Lines.
func ExportLife(name string, data []byte, w io.Writer, lim Limits) (note string, err error) {
	memory := lim.WithDefaults().Memory
	h, err := v1.ReadHeader(name, data)
	if err != nil {
		return "", err
	}
	b := []byte(`{"life":`)
	b = record.AppendQuoted(b, filepath.Base(name))
	b = fmt.Appendf(b, `,"version":%d,"build":`, Version)
	b = append(record.AppendQuoted(b, h.BuildID), "}\n"...)
	if _, err := w.Write(b); err != nil {
		return "", err
	}
	x := exporter{acts: []int32{0}}
	res, err := v1.Decode(name, data, lim, &memory, func(r *Record) error {
		b = append(x.line(b[:0], r), "}\n"...)
		_, err := w.Write(b)
		return err
	})
	return res.Note, err
}

// exporter counts what the records define, to name it.
type exporter struct {
	acts                       []int32
	locations, writes, objects int
}

func (x *exporter) line(b []byte, r *Record) []byte {
	as := record.Renumber{}
	open := func(name string, n int64) { b = strconv.AppendInt(append(b, `{"`+name+`":`...), n, 10) }
	num := func(name string, n int64) { b = strconv.AppendInt(append(b, `,"`+name+`":`...), n, 10) }
	text := func(before, s string) { b = record.AppendQuoted(append(b, before...), s) }
	act := func() { num("req", int64(r.Req)); num("act", int64(r.Act)) }
	fields := func() {
		b = append(b, `,"fields":[`...)
		for i := range r.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = r.Fields[i].Key.AppendJSON(append(b, '['), as)
			b = r.Fields[i].Value.AppendJSON(append(b, ','), as)
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	switch r.Op {
	case record.Request:
		open("request", int64(len(x.acts)))
		num("rid", int64(r.RID))
		x.acts = append(x.acts, 0)
	case record.Tag:
		open("tag", int64(r.Tag))
		num("req", int64(r.Req))
	case record.Activation:
		x.acts[r.Req]++
		open("activation", int64(x.acts[r.Req]))
		num("req", int64(r.Req))
		num("parent", int64(r.Act))
		num("op", int64(r.OpNum))
		num("firing", int64(r.Firing))
	case record.Location:
		open("location", int64(x.locations))
		num("obj", int64(r.Obj))
		b = r.Key.AppendJSON(append(b, `,"key":`...), as)
		x.locations++
	case record.Write:
		open("write", int64(x.writes))
		act()
		num("op", int64(r.OpNum))
		num("loc", int64(r.Loc))
		num("prev", int64(r.Prev))
		b = r.Value.AppendJSON(append(b, `,"value":`...), as)
		x.writes++
	case record.Absence:
		open("absence", int64(x.writes))
		num("loc", int64(r.Loc))
		num("shape", int64(r.Write))
		x.writes++
	case record.Read:
		open("read", int64(r.Write))
		act()
	case record.Object:
		open("object", int64(x.objects))
		act()
		num("op", int64(r.OpNum))
		num("index", int64(r.Index))
		if k := int(r.ObjectKind); k < len(objectKinds) {
			text(`,"kind":`, objectKinds[k])
		} else {
			num("kind", int64(k))
		}
		num("class", int64(r.Class))
		if !r.Later {
			fields()
		}
		x.objects++
	case record.Fields:
		open("of", int64(r.Obj))
		fields()
	case record.Recorded:
		text(`{"nd":`, r.Name)
		act()
		b = r.Value.AppendJSON(append(b, `,"value":`...), as)
	case record.Chunks:
		b = append(b, `{"chunks":[`...)
		for i, n := range r.Lengths {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, ']')
		num("req", int64(r.Req))
	case record.Unauditable:
		text(`{"unauditable":`, r.Name)
		num("req", int64(r.Req))
		text(`,"where":`, r.Where)
		if r.Shared {
			b = append(b, `,"shared":true`...)
		}
	case record.Env:
		text(`{"env":`, r.Name)
		b = r.Value.AppendJSON(append(b, `,"value":`...), as)
	case record.Incomplete:
		text(`{"incomplete":`, r.Name)
	case record.End:
		b = append(b, `{"end":true`...)
	case record.Turn:
		if r.Body {
			b = append(b, `{"turn":"body"`...)
			num("req", int64(r.Req))
		} else {
			b = append(b, `{"turn":"activation"`...)
			act()
		}
	}
	return b
}

var objectKinds = [...]string{record.PlainObject: "object", record.Array: "array", record.Map: "map", record.Set: "set", record.ClassInstance: "class"}

// Import reads JSON Lines and writes each life to what create returns for its
// file name. name is for messages.
func Import(name string, r io.Reader, lim Limits, create func(file string) (io.WriteCloser, error)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	im := importer{depth: 2*lim.WithDefaults().Depth + 8, create: create}
	var offset int64
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 {
			if bad := im.line(trimmed); bad != nil {
				im.finish()
				return &FormatError{File: name, Offset: offset, Inside: -1, Reason: fmt.Sprintf("line %d: %v", line, bad)}
			}
		}
		offset += int64(len(text))
		if err == io.EOF {
			break
		}
	}
	if im.enc == nil {
		return &FormatError{File: name, Inside: -1, Reason: "no life in it"}
	}
	return im.finish()
}

type importer struct {
	depth  int
	create func(string) (io.WriteCloser, error)
	files  map[string]bool

	enc  *Encoder
	file io.WriteCloser
	buf  *bufio.Writer

	// What labels mean now, and how many of each there are.
	requests, locations, writes, objects labels
	acts                                 map[int32]*labels

	// The line being read.
	node jsonNode
	used int
	err  error
}

type labels struct {
	of map[int64]int32
	n  int32
}

func newLabels(n int32) labels {
	l := labels{of: map[int64]int32{}, n: n}
	for i := int32(0); i < n; i++ {
		l.of[int64(i)] = i
	}
	return l
}

func (l *labels) define(label int64) {
	l.of[label] = l.n
	l.n++
}

func (im *importer) finish() error {
	if im.enc == nil {
		return nil
	}
	err := im.enc.Close()
	if e := im.buf.Flush(); err == nil {
		err = e
	}
	if e := im.file.Close(); err == nil {
		err = e
	}
	im.enc = nil
	return err
}

func (im *importer) bad(format string, args ...any) {
	if im.err == nil {
		im.err = fmt.Errorf(format, args...)
	}
}

// get returns the named part of the line.
func (im *importer) get(name string, kind jsonKind) *jsonNode {
	for i, n := range im.node.names {
		if n == name {
			im.used++
			v := &im.node.list[i]
			if v.kind != kind {
				im.bad("%q must be %s", name, jsonKinds[kind])
				return &jsonNode{kind: kind}
			}
			return v
		}
	}
	im.bad("%q is missing", name)
	return &jsonNode{kind: kind}
}

func (im *importer) has(name string) bool {
	for _, n := range im.node.names {
		if n == name {
			return true
		}
	}
	return false
}

func integer(n *jsonNode, from, to int64) (int64, bool) {
	if n.kind != jsonNumber || n.num != math.Trunc(n.num) || n.num < float64(from) || n.num > float64(to) {
		return 0, false
	}
	return int64(n.num), true
}

func (im *importer) num(name string, from, to int64) int64 {
	i, ok := integer(im.get(name, jsonNumber), from, to)
	if !ok {
		im.bad("%q must be an integer from %d to %d", name, from, to)
	}
	return i
}

func (im *importer) index(name string) int32 { return int32(im.num(name, 0, math.MaxInt32-1)) }

func (im *importer) label(name string) int64 { return im.num(name, 0, record.MaxInt) }

// look finds what a label stands for.
func (im *importer) look(l *labels, what string, label int64) int32 {
	i, ok := l.of[label]
	if !ok && im.err == nil {
		im.bad("no line before this one defines %s %d", what, label)
	}
	return i
}

func (im *importer) req(r *Record) { r.Req = im.look(&im.requests, "request", im.label("req")) }

func (im *importer) act(r *Record, name string) {
	im.req(r)
	label := im.label(name)
	if label == 0 {
		return
	}
	of := im.acts[r.Req]
	if of == nil {
		of = &labels{}
	}
	r.Act = im.look(of, "activation", label)
}

func (im *importer) ref(n *jsonNode) Ref {
	i, ok := integer(n, -math.MaxInt32, record.MaxInt)
	if !ok {
		im.bad("an object's number must be an integer")
		return 0
	}
	if i < 0 {
		return Ref(i)
	}
	return Ref(im.look(&im.objects, "object", i))
}

func (im *importer) line(text []byte) error {
	node, err := parseJSON(text, im.depth)
	if err != nil {
		return err
	}
	if node.kind != jsonObject || len(node.names) == 0 {
		return errors.New("a line must be an object")
	}
	im.node, im.used, im.err = node, 0, nil
	kind := node.names[0]
	if kind == "life" {
		return im.life()
	}
	if im.enc == nil {
		return errors.New("the first line must be a life")
	}
	var r Record
	var defines *labels
	var label int64
	switch kind {
	case "request":
		r.Op = record.Request
		defines, label = &im.requests, im.label(kind)
		r.RID = uint64(im.num("rid", 1, record.MaxInt))
	case "tag":
		r.Op, r.Tag = record.Tag, uint32(im.num(kind, 0, math.MaxUint32))
		im.req(&r)
	case "activation":
		r.Op = record.Activation
		im.act(&r, "parent")
		r.OpNum, r.Firing = im.index("op"), im.index("firing")
		if label = im.label(kind); label == 0 {
			im.bad("activation 0 is the request handler")
		}
		defines = im.acts[r.Req]
		if defines == nil {
			l := newLabels(1)
			defines = &l
			im.acts[r.Req] = defines
		}
	case "location":
		r.Op = record.Location
		defines, label = &im.locations, im.label(kind)
		r.Obj = im.ref(im.get("obj", jsonNumber))
		r.Key = im.key(im.any("key"))
	case "write":
		r.Op = record.Write
		defines, label = &im.writes, im.label(kind)
		im.act(&r, "act")
		r.OpNum = im.index("op")
		r.Loc = im.look(&im.locations, "location", im.label("loc"))
		r.Prev = -1
		if prev := im.num("prev", -1, record.MaxInt); prev >= 0 {
			r.Prev = im.look(&im.writes, "write", prev)
		}
		r.Value = im.value(im.any("value"))
	case "absence":
		r.Op = record.Absence
		defines, label = &im.writes, im.label(kind)
		r.Loc = im.look(&im.locations, "location", im.label("loc"))
		r.Write = im.look(&im.writes, "write", im.label("shape"))
	case "read":
		r.Op, r.Write = record.Read, im.look(&im.writes, "write", im.label(kind))
		im.act(&r, "act")
	case "object":
		r.Op = record.Object
		label = im.label(kind)
		im.act(&r, "act")
		r.OpNum, r.Index, r.Class = im.index("op"), im.index("index"), im.index("class")
		r.ObjectKind = im.objectKind(im.any("kind"))
		// Its own fields may refer to the object.
		im.objects.define(label)
		if r.Later = !im.has("fields"); !r.Later {
			r.Fields = im.fields()
		}
	case "of":
		r.Op, r.Obj = record.Fields, Ref(im.look(&im.objects, "object", im.label(kind)))
		r.Fields = im.fields()
	case "nd":
		r.Op, r.Name = record.Recorded, im.get(kind, jsonString).str
		im.act(&r, "act")
		r.Value = im.value(im.any("value"))
	case "chunks":
		r.Op = record.Chunks
		for _, n := range im.get(kind, jsonArray).list {
			i, ok := integer(&n, 0, math.MaxInt32-1)
			if !ok {
				im.bad("a chunk length must be an integer")
			}
			r.Lengths = append(r.Lengths, int32(i))
		}
		im.req(&r)
	case "unauditable":
		r.Op, r.Name = record.Unauditable, im.get(kind, jsonString).str
		im.req(&r)
		r.Where = im.get("where", jsonString).str
		if r.Shared = im.has("shared"); r.Shared {
			im.get("shared", jsonBool)
		}
	case "env":
		r.Op, r.Name = record.Env, im.get(kind, jsonString).str
		r.Value = im.value(im.any("value"))
	case "incomplete":
		r.Op, r.Name = record.Incomplete, im.get(kind, jsonString).str
	case "end":
		r.Op = record.End
		im.get(kind, jsonBool)
	case "turn":
		r.Op = record.Turn
		switch what := im.get(kind, jsonString).str; what {
		case "body":
			r.Body = true
			im.req(&r)
		case "activation":
			im.act(&r, "act")
		default:
			im.bad("%q is no kind of turn", what)
		}
	default:
		return fmt.Errorf("%q is no record", kind)
	}
	if im.err == nil && im.used != len(node.names) {
		im.bad("there is a name that does not belong to a record of kind %q", kind)
	}
	if im.err != nil {
		return im.err
	}
	if err := im.enc.Write(&r); err != nil {
		return err
	}
	if defines != nil {
		defines.define(label)
	}
	return nil
}

func (im *importer) life() error {
	file := im.get("life", jsonString).str
	build := im.get("build", jsonString).str
	if version := im.num("version", 0, 255); im.err == nil && version != Version {
		im.bad("format version %d is unknown", version)
	}
	if im.err != nil {
		return im.err
	}
	if !strings.HasSuffix(file, extension) || file != filepath.Base(file) || strings.ContainsAny(file, "/\\\x00") || file[0] == '.' {
		return fmt.Errorf("%q is no name for a life: life-<time>-<pid>%s is", file, extension)
	}
	if im.files[file] {
		return fmt.Errorf("life %q is there twice", file)
	}
	if err := im.finish(); err != nil {
		return err
	}
	f, err := im.create(file)
	if err != nil {
		return err
	}
	if im.files == nil {
		im.files = map[string]bool{}
	}
	im.files[file] = true
	im.file, im.buf = f, bufio.NewWriterSize(f, 1<<16)
	im.enc = NewEncoder(im.buf, build)
	im.requests, im.locations, im.writes, im.objects = newLabels(1), newLabels(0), newLabels(0), newLabels(0)
	im.acts = map[int32]*labels{}
	return im.enc.Flush()
}

// any is get for a part that may be of any kind.
func (im *importer) any(name string) *jsonNode {
	for i, n := range im.node.names {
		if n == name {
			im.used++
			return &im.node.list[i]
		}
	}
	im.bad("%q is missing", name)
	return &jsonNode{}
}

func (im *importer) objectKind(n *jsonNode) ObjectKind {
	for i, k := range objectKinds {
		if n.kind == jsonString && n.str == k {
			return ObjectKind(i)
		}
	}
	i, ok := integer(n, 0, 127)
	if !ok {
		im.bad("no such kind of object")
	}
	return ObjectKind(i)
}

func (im *importer) fields() []Field {
	var fs []Field
	for _, n := range im.get("fields", jsonArray).list {
		if n.kind != jsonArray || len(n.list) != 2 {
			im.bad("a field must be [key, value]")
			return nil
		}
		fs = append(fs, Field{Key: im.key(&n.list[0]), Value: im.value(&n.list[1])})
	}
	return fs
}

func (im *importer) key(n *jsonNode) Key {
	if n.kind == jsonString {
		return record.Name(n.str)
	}
	if n.kind == jsonArray && len(n.list) > 0 && n.list[0].kind == jsonString {
		switch tag := n.list[0].str; {
		case tag == "shape" && len(n.list) == 1:
			return Key{KeyKind: record.ShapeKey}
		case tag == "all" && len(n.list) == 1:
			return Key{KeyKind: record.AllKey}
		case tag == "#" && len(n.list) == 2:
			if k, ok := record.KeyOf(im.value(&n.list[1])); ok && k.KeyKind == record.ValueKey {
				return k
			}
		}
	}
	im.bad("no such key")
	return Key{}
}

func (im *importer) values(n *jsonNode) []Value {
	if n.kind != jsonArray {
		im.bad("a list of values must be an array")
		return nil
	}
	var vs []Value
	for i := range n.list {
		vs = append(vs, im.value(&n.list[i]))
	}
	return vs
}

func (im *importer) value(n *jsonNode) Value {
	switch n.kind {
	case jsonNull:
		return Value{Kind: record.Null}
	case jsonBool:
		return record.Boolean(n.truth)
	case jsonNumber:
		return record.Number(n.num)
	case jsonString:
		return record.Text(n.str)
	case jsonArray:
		if len(n.list) > 0 && n.list[0].kind == jsonString {
			if v, ok := im.tagged(n.list[0].str, n.list[1:]); ok {
				return v
			}
		}
	}
	im.bad("no such value")
	return Value{}
}

// shape says whether args are of these kinds (0: any).
func shape(args []jsonNode, kinds ...jsonKind) bool {
	if len(args) != len(kinds) {
		return false
	}
	for i, k := range kinds {
		if k != 0 && args[i].kind != k {
			return false
		}
	}
	return true
}

func (im *importer) tagged(tag string, args []jsonNode) (Value, bool) {
	switch tag {
	case "u":
		return Value{Kind: record.Undefined}, len(args) == 0
	case "z":
		return Value{Kind: record.Absent}, len(args) == 0
	case "h":
		return Value{Kind: record.Hole}, len(args) == 0
	case "n":
		if shape(args, jsonString) {
			switch args[0].str {
			case "NaN":
				return record.Number(math.NaN()), true
			case "Infinity":
				return record.Number(math.Inf(1)), true
			case "-Infinity":
				return record.Number(math.Inf(-1)), true
			case "-0":
				return record.Number(math.Copysign(0, -1)), true
			}
		}
	case "b":
		if shape(args, jsonString) {
			return Value{Kind: record.BigInt, Str: args[0].str}, v1.ValidBigInt(args[0].str)
		}
	case "d":
		if len(args) == 1 && args[0].kind == jsonNull {
			return Value{Kind: record.Date, Num: record.NumBits(math.NaN())}, true
		}
		if len(args) == 1 {
			ms := im.value(&args[0])
			return Value{Kind: record.Date, Num: record.NumBits(ms.Float())}, ms.Kind == record.Int || ms.Kind == record.Double
		}
	case "x":
		if shape(args, jsonString, jsonString, 0) {
			last := im.value(&args[2])
			return Value{Kind: record.RegExp, Str: args[0].str, Ext: &record.Ext{Text: args[1].str, List: []Value{last}}},
				last.Kind == record.Int || last.Kind == record.Double
		}
	case "e":
		if shape(args, jsonString, jsonString) {
			return Value{Kind: record.Error, Str: args[1].str, Ext: &record.Ext{Text: args[0].str}}, true
		}
	case "r":
		if shape(args, jsonNumber) {
			return record.RefTo(im.ref(&args[0])), true
		}
	case "f":
		if len(args) == 1 {
			i, ok := integer(&args[0], 0, math.MaxInt32-1)
			return Value{Kind: record.Fn, Num: i}, ok
		}
	case "y":
		if shape(args, jsonString, jsonString) {
			b, err := base64.StdEncoding.Strict().DecodeString(args[1].str)
			return Value{Kind: record.Bytes, Str: string(b), Ext: &record.Ext{Text: args[0].str}}, err == nil
		}
	case "A":
		if shape(args, jsonArray) {
			return Value{Kind: record.List, Ext: &record.Ext{List: im.values(&args[0])}}, true
		}
	case "D":
		if shape(args, jsonNumber, jsonArray) {
			return im.delta(args)
		}
	}
	return Value{}, false
}

func (im *importer) delta(args []jsonNode) (Value, bool) {
	base, ok := integer(&args[0], 0, record.MaxInt)
	if !ok {
		return Value{}, false
	}
	x := &record.Ext{Base: im.look(&im.writes, "write", base), Ops: []DeltaOp{}}
	for _, n := range args[1].list {
		if n.kind != jsonArray || len(n.list) == 0 || n.list[0].kind != jsonString {
			return Value{}, false
		}
		switch tag, rest := n.list[0].str, n.list[1:]; {
		case tag == "splice" && shape(rest, jsonNumber, jsonNumber, jsonArray):
			start, ok := integer(&rest[0], 0, math.MaxInt32-1)
			del, ok2 := integer(&rest[1], 0, math.MaxInt32-1)
			if !ok || !ok2 {
				return Value{}, false
			}
			x.Ops = append(x.Ops, DeltaOp{Kind: record.Splice, Start: int32(start), Del: int32(del), Values: im.values(&rest[2])})
		case tag == "add" && len(rest) == 1:
			x.Ops = append(x.Ops, DeltaOp{Kind: record.Add, Values: []Value{im.value(&rest[0])}})
		case tag == "remove" && len(rest) == 1:
			x.Ops = append(x.Ops, DeltaOp{Kind: record.Remove, Values: []Value{im.value(&rest[0])}})
		case tag == "clear" && len(rest) == 0:
			x.Ops = append(x.Ops, DeltaOp{Kind: record.Clear})
		default:
			return Value{}, false
		}
	}
	return Value{Kind: record.Delta, Ext: x}, true
}
