package record

import (
	"encoding/base64"
	"math"
	"strconv"
)

// Renumber says how references and writes are called in JSON. Nil functions
// leave the numbers as they are.
type Renumber struct {
	Ref   func(Ref) int64
	Write func(int32) int64
}

// AppendJSON appends v in the notation that people and the verifier's own jobs
// use: strings, finite numbers, booleans and null as themselves, all else as an
// array that begins with a letter.
//
//	["u"] undefined  ["n","NaN"] NaN, Infinity, -Infinity, -0  ["b","123"] bigint
//	["r",5] reference to object 5; -1, -2… are init's objects 0, 1…
//	["d",ms] Date (null: invalid)  ["x",source,flags,lastIndex] RegExp  ["e",class,message] Error
//	["f",id] function  ["y",type,base64] bytes  ["z"] absent  ["h"] hole  ["A",[values]] list
//	["D",base,[ops]] delta from write base: ["splice",start,del,[values]] ["add",v] ["remove",v] ["clear"]
func (v Value) AppendJSON(b []byte, as Renumber) []byte {
	switch v.Kind {
	case Undefined:
		return append(b, `["u"]`...)
	case Null:
		return append(b, "null"...)
	case Bool:
		return strconv.AppendBool(b, v.Num != 0)
	case Int, Double:
		return appendNumber(b, v)
	case String:
		return AppendQuoted(b, v.Str)
	case BigInt:
		b = AppendQuoted(append(b, `["b",`...), v.Str)
	case Date:
		b = append(b, `["d",`...)
		if f := v.Float(); f != f {
			b = append(b, "null"...)
		} else {
			b = appendNumber(b, Number(f))
		}
	case RegExp:
		b = AppendQuoted(append(b, `["x",`...), v.Str)
		b = AppendQuoted(append(b, ','), v.Ext.Text)
		b = appendNumber(append(b, ','), v.Ext.List[0])
	case Error:
		b = AppendQuoted(append(b, `["e",`...), v.Ext.Text)
		b = AppendQuoted(append(b, ','), v.Str)
	case RefValue:
		n := v.Num
		if as.Ref != nil {
			n = as.Ref(v.Ref())
		}
		b = strconv.AppendInt(append(b, `["r",`...), n, 10)
	case Fn:
		b = strconv.AppendInt(append(b, `["f",`...), v.Num, 10)
	case Absent:
		return append(b, `["z"]`...)
	case Hole:
		return append(b, `["h"]`...)
	case List:
		b = appendList(append(b, `["A",`...), v.Ext.List, as)
	case Delta:
		n := int64(v.Ext.Base)
		if as.Write != nil {
			n = as.Write(v.Ext.Base)
		}
		b = strconv.AppendInt(append(b, `["D",`...), n, 10)
		b = append(b, ",["...)
		for i := range v.Ext.Ops {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.Ext.Ops[i].appendJSON(b, as)
		}
		b = append(b, ']')
	case Bytes:
		b = AppendQuoted(append(b, `["y",`...), v.Ext.Text)
		b = append(b, `,"`...)
		b = base64.StdEncoding.AppendEncode(b, []byte(v.Str))
		b = append(b, '"')
	}
	return append(b, ']')
}

func (op *DeltaOp) appendJSON(b []byte, as Renumber) []byte {
	switch op.Kind {
	case Splice:
		b = strconv.AppendInt(append(b, `["splice",`...), int64(op.Start), 10)
		b = strconv.AppendInt(append(b, ','), int64(op.Del), 10)
		b = appendList(append(b, ','), op.Values, as)
	case Add:
		b = op.Values[0].AppendJSON(append(b, `["add",`...), as)
	case Remove:
		b = op.Values[0].AppendJSON(append(b, `["remove",`...), as)
	case Clear:
		b = append(b, `["clear"`...)
	}
	return append(b, ']')
}

func appendList(b []byte, vs []Value, as Renumber) []byte {
	b = append(b, '[')
	for i, v := range vs {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.AppendJSON(b, as)
	}
	return append(b, ']')
}

func appendNumber(b []byte, v Value) []byte {
	if v.Kind == Int {
		return strconv.AppendInt(b, v.Num, 10)
	}
	f := v.Float()
	switch {
	case f != f:
		return append(b, `["n","NaN"]`...)
	case math.IsInf(f, 1):
		return append(b, `["n","Infinity"]`...)
	case math.IsInf(f, -1):
		return append(b, `["n","-Infinity"]`...)
	case f == 0:
		return append(b, `["n","-0"]`...)
	}
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// AppendJSON appends k: a string as itself, ["#",value] for what is no string,
// ["shape"] and ["all"].
func (k Key) AppendJSON(b []byte, as Renumber) []byte {
	switch k.KeyKind {
	case StringKey:
		return AppendQuoted(b, k.Str)
	case ShapeKey:
		return append(b, `["shape"]`...)
	case AllKey:
		return append(b, `["all"]`...)
	}
	b = k.Value().AppendJSON(append(b, `["#",`...), as)
	return append(b, ']')
}
