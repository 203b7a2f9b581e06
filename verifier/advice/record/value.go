// Package record says what advice consists of, apart from how any version of
// the format writes it down: values, keys and records. It exists so that the
// versions (advice/v1, …) and the package that users see (advice) agree without
// importing one another.
package record

import "math"

// Kind is the kind of a Value.
type Kind uint8

const (
	Undefined Kind = iota
	Null
	Bool     // Num is 0 or 1
	Int      // Num, at most 2^53-1 either way, never -0
	Double   // Num holds the bits of any other number: fractions, ±Inf, NaN, -0, large integers
	String   // Str, in WTF-8: UTF-8 that may hold lone surrogates
	BigInt   // Str, in decimal
	Date     // Num holds the bits of the time value
	RegExp   // Str is the source; Ext.Text the flags, Ext.List[0] lastIndex
	Error    // Str is the message; Ext.Text the name of the class
	RefValue // Num is a Ref
	Fn       // Num is the function's id
	Absent   // what a deleted or never written key holds
	Hole     // an initial value that nobody can read any more, or no array element
	List     // Ext.List: the whole contents of an array, or the keys of a container in order
	Delta    // Ext.Base and Ext.Ops: a list told as changes to what another write left
	Bytes    // Str holds the bytes; Ext.Text the constructor ("Buffer", "Uint8Array", …)
	kindsEnd
)

var kindNames = [...]string{"undefined", "null", "boolean", "integer", "number", "string", "bigint", "date", "regexp", "error",
	"reference", "function", "absent", "hole", "list", "delta", "bytes"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Value is one value of the advice. It is small and comparable parts of it may
// share memory with the file's decoded blocks; Ext is nil for all but composite
// values.
type Value struct {
	Kind Kind
	Num  int64
	Str  string
	Ext  *Ext
}

// Ext is what composite values need beyond a Value.
type Ext struct {
	Text string
	List []Value
	Base int32
	Ops  []DeltaOp
}

// DeltaKind is what one step of a delta does.
type DeltaKind uint8

const (
	Splice DeltaKind = iota // delete Del values at Start and put Values there
	Add                     // append Values[0]
	Remove                  // take Values[0] out
	Clear                   // take everything out
)

// DeltaOp is one step of a delta.
type DeltaOp struct {
	Kind       DeltaKind
	Start, Del int32
	Values     []Value
}

// Ref names a tracked object: o >= 0 is the o-th object that this advice
// defines, -(k+1) the k-th object that init published.
type Ref int32

// InitRef is the reference to the k-th object that init published.
func InitRef(k int32) Ref { return Ref(-k - 1) }

// Init says whether r is an object of init, and which.
func (r Ref) Init() (k int32, ok bool) { return int32(-(r + 1)), r < 0 }

// MaxInt is the largest integer that is an Int rather than a Double.
const MaxInt = 1<<53 - 1

// NaN has one representation, whatever bits the engine happened to use.
const nanBits = 0x7ff8000000000000

// NumBits are the canonical bits of f.
func NumBits(f float64) int64 {
	if f != f {
		return nanBits
	}
	return int64(math.Float64bits(f))
}

// Number is the value of a JavaScript number.
func Number(f float64) Value {
	if i := int64(f); f == math.Trunc(f) && math.Abs(f) <= MaxInt && (f != 0 || !math.Signbit(f)) {
		return Value{Kind: Int, Num: i}
	}
	return Value{Kind: Double, Num: NumBits(f)}
}

// Float is the number that an Int, Double or Date holds.
func (v Value) Float() float64 {
	if v.Kind == Int {
		return float64(v.Num)
	}
	return math.Float64frombits(uint64(v.Num))
}

// Ref is the object that a RefValue refers to.
func (v Value) Ref() Ref { return Ref(v.Num) }

// Text is the value of a string (in WTF-8).
func Text(s string) Value { return Value{Kind: String, Str: s} }

// Boolean is the value true or false.
func Boolean(b bool) Value {
	if b {
		return Value{Kind: Bool, Num: 1}
	}
	return Value{Kind: Bool}
}

// RefTo is a reference to a tracked object.
func RefTo(r Ref) Value { return Value{Kind: RefValue, Num: int64(r)} }

// ListOf is a list of values.
func ListOf(vs ...Value) Value { return Value{Kind: List, Ext: &Ext{List: vs}} }

// DeltaFrom is a list told as changes to the one that write base left.
func DeltaFrom(base int32, ops ...DeltaOp) Value {
	return Value{Kind: Delta, Ext: &Ext{Base: base, Ops: ops}}
}

// Equal compares two values of the same life, references and delta bases by number.
func Equal(a, b Value) bool {
	if a.Kind != b.Kind || a.Num != b.Num || a.Str != b.Str {
		return false
	}
	x, y := a.Ext, b.Ext
	if x == y {
		return true
	}
	if x == nil || y == nil || x.Text != y.Text || x.Base != y.Base || len(x.Ops) != len(y.Ops) || !equalLists(x.List, y.List) {
		return false
	}
	for i := range x.Ops {
		p, q := &x.Ops[i], &y.Ops[i]
		if p.Kind != q.Kind || p.Start != q.Start || p.Del != q.Del || !equalLists(p.Values, q.Values) {
			return false
		}
	}
	return true
}

func equalLists(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// KeyKind is the kind of a Key.
type KeyKind uint8

const (
	StringKey KeyKind = iota // a property name or a Map key or Set element that is a string
	ValueKey                 // any other Map key or Set element, or an array index: Kind and Num or Str as in Value
	ShapeKey                 // size, order and iteration of a container
	AllKey                   // all of an array
)

// Key is the part of an object that a location is. Keys are comparable with ==.
type Key struct {
	KeyKind KeyKind
	Kind    Kind // String, or for a ValueKey: Undefined, Null, Bool, Int, Double, BigInt or RefValue
	Num     int64
	Str     string
}

// Name is the key of a property or of a string Map key.
func Name(s string) Key { return Key{Kind: String, Str: s} }

// KeyOf is the key that v is; false when v cannot be one.
func KeyOf(v Value) (Key, bool) {
	switch v.Kind {
	case String:
		return Name(v.Str), true
	case Undefined, Null, Bool, Int, Double, BigInt, RefValue:
		return Key{KeyKind: ValueKey, Kind: v.Kind, Num: v.Num, Str: v.Str}, true
	}
	return Key{}, false
}

// Value is the key as a value; not for ShapeKey and AllKey.
func (k Key) Value() Value { return Value{Kind: k.Kind, Num: k.Num, Str: k.Str} }

// ObjectKind is the kind of a tracked object.
type ObjectKind uint8

const (
	PlainObject ObjectKind = iota
	Array
	Map
	Set
	ClassInstance
)

// Field is one initial entry of an object.
type Field struct {
	Key   Key
	Value Value
}
