package record

import (
	"math"
	"testing"
)

func TestEqual(t *testing.T) {
	splice := func(start, del int32, vs ...Value) Value {
		return DeltaFrom(3, DeltaOp{Kind: Splice, Start: start, Del: del, Values: vs})
	}
	all := []Value{
		{Kind: Undefined}, {Kind: Null}, Number(1), Number(2), Number(1.5), {Kind: Date, Num: 1}, Text("1"), Text("2"), Boolean(true), ListOf(), ListOf(Number(1)), ListOf(Number(2)),
		ListOf(Number(1), Number(1)), ListOf(ListOf(Number(1))), ListOf(ListOf(Number(2))), DeltaFrom(3), DeltaFrom(4), splice(0, 0), splice(1, 0), splice(0, 1), splice(0, 0, Number(1)),
		DeltaFrom(3, DeltaOp{Kind: Clear}), DeltaFrom(3, DeltaOp{Kind: Clear}, DeltaOp{Kind: Clear}),
		{Kind: Bytes, Str: "x", Ext: &Ext{Text: "Buffer"}}, {Kind: Bytes, Str: "x", Ext: &Ext{Text: "Uint8Array"}}, {Kind: Bytes, Str: "y", Ext: &Ext{Text: "Buffer"}}, {Kind: Bytes, Str: "x"},
	}
	for i, a := range all {
		for j, b := range all {
			if x := b.Ext; x != nil {
				c := *x // another one with the same in it
				b.Ext = &c
			}
			if Equal(a, b) != (i == j) {
				t.Errorf("values %d and %d: %t", i, j, i != j)
			}
		}
	}
}

// A number has one form.
func TestNumbers(t *testing.T) {
	for f, kind := range map[float64]Kind{
		0: Int, 7: Int, -7: Int, MaxInt: Int, -MaxInt: Int, MaxInt + 1: Double, -MaxInt - 1: Double, 0.5: Double, math.Copysign(0, -1): Double, math.Inf(1): Double, math.Inf(-1): Double,
	} {
		if v := Number(f); v.Kind != kind || v.Float() != f {
			t.Errorf("%v: %+v", f, v)
		}
	}
	if v := Number(math.NaN()); v.Kind != Double || v.Num != nanBits {
		t.Errorf("NaN: %+v", v)
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := range kindsEnd {
		seen[k.String()] = true
	}
	if len(seen) != int(kindsEnd) || seen["unknown"] || kindsEnd.String() != "unknown" {
		t.Errorf("%v %v", seen, kindsEnd)
	}
}

func TestWTF8(t *testing.T) {
	for s, valid := range map[string]bool{
		"": true, "a\u00e9\ud7ff\ue000\U0001f600": true, "\xed\x9f\xbf": true, "\xed\xa0\x80": true, "\xed\xbf\xbf": true, "\xed\xb8\x80\xed\xa0\xbd": true,
		"\xed\xa0\x80\xed\xb0\x80": false, "\xed\xa0\x80\xed\xaf\xbf": true, "\xff\xa0\x80": false,
		"\xed\xa0\xbd\xed\xb8\x80": false, "\xed\xa0": false, "\xed\xa0\x7f": false, "\xed\xa0\xc0": false, "\xed\xc0\x80": false, "\xff": false, "\xc0\x80": false,
	} {
		if ValidWTF8(s) != valid {
			t.Errorf("%q: %t", s, !valid)
		}
	}
	for s, want := range map[string]string{
		"\ud7ff": "\"\ud7ff\"", "\xed\xa0\x80": `"\ud800"`, "\xed\xbf\xbf": `"\udfff"`, "\xed\x9f\xbfx": "\"\ud7ffx\"",
	} {
		if got := string(AppendQuoted(nil, s)); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestFormatErrorText(t *testing.T) {
	for want, e := range map[string]*FormatError{
		"f: byte 9: why": {File: "f", Offset: 9, Inside: -1, Reason: "why"},
		"f: block at byte 9, record at byte 0 of it: why": {File: "f", Offset: 9, Inside: 0, Reason: "why"},
	} {
		if e.Error() != want {
			t.Errorf("%s, want %s", e.Error(), want)
		}
	}
}
