package advice_test

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

// What could not be read back is not written.
func TestRecordsThatAreRefused(t *testing.T) {
	write := func(v record.Value) []record.Record {
		return []record.Record{{Op: record.Write, Prev: -1, OpNum: 1, Value: v}}
	}
	env := func(v record.Value) []record.Record {
		return []record.Record{{Op: record.Env, Name: "k", Value: v}}
	}
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		records []record.Record
		says    string
	}{
		"request 0":                    {[]record.Record{{Op: record.Request}}, "request id 0"},
		"a request beyond all numbers": {[]record.Record{{Op: record.Request, RID: record.MaxInt + 1}}, "out of range"},
		"a kind of object beyond all":  {[]record.Record{{Op: record.Object, ObjectKind: 128}}, "object kind 128"},
		"request -1":                   {[]record.Record{{Op: record.Read, Req: -1}}, "no request -1"},
		"a request to come":            {[]record.Record{{Op: record.Read, Req: 1}}, "no request 1"},
		"activation -1":                {[]record.Record{{Op: record.Read, Act: -1}}, "no activation -1"},
		"an activation to come":        {[]record.Record{{Op: record.Read, Act: 1}}, "no activation 1"},
		"operation -1":                 {[]record.Record{{Op: record.Activation, OpNum: -1}}, "-1 is out of range"},
		"an operation beyond all":      {[]record.Record{{Op: record.Activation, OpNum: math.MaxInt32}}, "out of range"},
		"write -1":                     {[]record.Record{{Op: record.Read, Write: -1}}, "no write -1"},
		"a write to come":              {[]record.Record{{Op: record.Read, Write: 0}}, "no write 0"},
		"text that is none":            {[]record.Record{{Op: record.Env, Name: "\xff"}}, "WTF-8"},
		"a key that is a list":         {[]record.Record{{Op: record.Location, Obj: record.InitRef(0), Key: record.Key{KeyKind: record.ValueKey, Kind: record.List}}}, "cannot be a key"},
		"a key that is text after all": {[]record.Record{{Op: record.Location, Obj: record.InitRef(0), Key: record.Key{KeyKind: record.ValueKey, Kind: record.String}}}, "cannot be a key"},
		"a lastIndex that is text":     {env(record.Value{Kind: record.RegExp, Ext: &record.Ext{List: []record.Value{record.Text("1")}}}), "where a number belongs"},
		"a change outside of a write":  {env(record.DeltaFrom(0)), "what a write wrote"},
		"a change in a list":           {write(record.ListOf(record.DeltaFrom(0))), "what a write wrote"},
		"an unknown value":             {env(record.Value{Kind: 99}), "unknown value"},
		"an unknown record":            {[]record.Record{{Op: 99}}, "unknown record"},
	} {
		e := advice.NewEncoder(discard{}, "b")
		e.Write(&record.Record{Op: record.Location, Obj: record.InitRef(0), Key: record.Name("k")})
		var err error
		for i := range c.records {
			err = e.Write(&c.records[i])
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
		// Nothing follows a gap.
		if again := e.Write(&record.Record{Op: record.End}); err != nil && again != err {
			t.Errorf("%s: written after it: %v", name, again)
		}
	}
	for _, build := range []string{long, "a\nb", "a\x7fb"} {
		if err := advice.NewEncoder(discard{}, build).Write(&record.Record{Op: record.End}); err == nil {
			t.Errorf("build %.5q was written", build)
		}
	}
	if err := advice.NewEncoder(discard{}, long[:255]).Write(&record.Record{Op: record.End}); err != nil {
		t.Error(err)
	}
}

// Names of fields are numbered like other names.
func TestNamesOfFieldsAndResults(t *testing.T) {
	var b bytes.Buffer
	e := advice.NewEncoder(&b, "c0ffee")
	for _, r := range []record.Record{
		{Op: record.Object, OpNum: 1, Fields: []record.Field{{Key: record.Name("field"), Value: record.Number(1)}}},
		{Op: record.Recorded, Name: "result", Value: record.Number(2)},
		{Op: record.Recorded, Name: "result", Value: record.Number(3)},
		{Op: record.Recorded, Name: "field", Value: record.Number(4)},
		{Op: record.Location, Obj: 0, Key: record.Name("result")},
		{Op: record.Write, OpNum: 2, Prev: -1, Value: record.Number(5)},
		{Op: record.End},
	} {
		if err := e.Write(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := decode(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{l.Objects[0].Fields[0].Key.Str, l.ND[0].Type, l.ND[1].Type, l.ND[2].Type, l.Locations[0].Key.Str}
	if strings.Join(got, " ") != "field result result field result" {
		t.Error(got)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return io.Discard.Write(p) }
