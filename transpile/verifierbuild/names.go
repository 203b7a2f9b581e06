package verifierbuild

import "github.com/grafana/sobek/token"

// The helpers that emitted code calls, as runtime/js/verifier puts them on the
// global object.
const (
	helperTruth    = "$T"      // (x) -> boolean that all lanes agree on
	helperTypeof   = "$typeof" // (x)
	helperIn       = "$in"     // (key, o); the form with t: agreed boolean
	helperInTest   = "$t_in"
	helperIs       = "$inst" // (x, C): instanceof
	helperIsTest   = "$t_inst"
	helperDelete   = "$del"   // (o, key, strict)
	helperGet      = "$geti"  // (o, key): computed read
	helperSet      = "$seti"  // (o, key, v): computed write
	helperKey      = "$key"   // (key): a key that all lanes agree on, for computed calls
	helperLength   = "$len"   // (o, v): o.length of a tracked o
	helperKeys     = "$fi"    // (o): what for-in runs over
	helperSwitch   = "$sw"    // (x, cases): discriminant that all lanes agree on among the case values
	helperCatch    = "$c"     // (e): at the beginning of catch
	helperFinally  = "$f"     // (): at the beginning of finally
	helperDefault  = "$chkU"  // (x): diverges where some lanes are undefined
	helperTemplate = "$tpl"   // (strings, ...values): untagged template
	helperMethod   = "$sm"    // (o, name, ...args): a method that may be native, with an argument that may be a multivalue
	helperCall     = "$ncall" // (C, ...args): a native constructor called as a function
	helperNew      = "$new"   // (C, ...args)
	helperNot      = "$not"   // (x)
	helperNumeric  = "$num"   // (x): ToNumeric
	helperInc      = "$inc"   // (x, d): x + d after ToNumeric
	helperAnd      = "$land"  // (x, () => y)
	helperOr       = "$lor"   // (x, () => y)
	helperCoalesce = "$lnul"  // (x, () => y)
	helperNullish  = "$N_"    // (x) -> boolean: null or undefined, agreed
	helperPureTest = "$pureQ" // (f, self, args): f is to be run lane by lane
	helperPure     = "$pureR" // (f, self, args)
	trackedMark    = "$k.T"   // the symbol of tracked objects
)

type operator struct {
	helper string // value form
	test   string // agreed boolean, for comparisons
}

var operators = map[token.Token]operator{
	token.PLUS:                 {helper: "$add"},
	token.MINUS:                {helper: "$sub"},
	token.MULTIPLY:             {helper: "$mul"},
	token.SLASH:                {helper: "$dv"},
	token.REMAINDER:            {helper: "$mod"},
	token.EXPONENT:             {helper: "$pow"},
	token.AND:                  {helper: "$and"},
	token.OR:                   {helper: "$or"},
	token.EXCLUSIVE_OR:         {helper: "$xor"},
	token.SHIFT_LEFT:           {helper: "$shl"},
	token.SHIFT_RIGHT:          {helper: "$sar"},
	token.UNSIGNED_SHIFT_RIGHT: {helper: "$shr"},
	token.LESS:                 {"$lt", "$t_lt"},
	token.GREATER:              {"$gt", "$t_gt"},
	token.LESS_OR_EQUAL:        {"$le", "$t_le"},
	token.GREATER_OR_EQUAL:     {"$ge", "$t_ge"},
	token.EQUAL:                {"$eq", "$t_eq"},
	token.NOT_EQUAL:            {"$ne", "$t_ne"},
	token.STRICT_EQUAL:         {"$seq", "$t_seq"},
	token.STRICT_NOT_EQUAL:     {"$sne", "$t_sne"},
}

var unaries = map[token.Token]string{
	token.NOT:         helperNot,
	token.MINUS:       "$neg",
	token.PLUS:        "$pos",
	token.BITWISE_NOT: "$bnot",
}

// nativeMethods are called by name on strings, arrays, numbers, regular expressions and
// objects; natives among them coerce or compare what they are given.
var nativeMethods = set(
	"charAt", "charCodeAt", "codePointAt", "endsWith", "includes", "indexOf", "lastIndexOf", "localeCompare", "normalize",
	"padEnd", "padStart", "repeat", "search", "slice", "startsWith", "substr", "substring", "replace", "replaceAll", "split",
	"match", "matchAll", "exec", "test", "hasOwnProperty", "propertyIsEnumerable", "concat", "join", "toString", "toFixed", "toPrecision", "at",
)

// nativeConstructors look at their arguments.
var nativeConstructors = set(
	"Object", "Array", "String", "Number", "Boolean", "Symbol", "Map", "Set", "RegExp", "Date", "Error", "TypeError", "RangeError",
	"SyntaxError", "URIError", "EvalError", "ReferenceError", "AggregateError", "BigInt", "ArrayBuffer", "DataView", "Uint8Array", "Uint8ClampedArray",
	"Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
	"WeakMap", "WeakSet", "WeakRef",
)

// platformNames are free names that never are multivalues.
var platformNames = set(
	"undefined", "NaN", "Infinity", "globalThis", "Math", "JSON", "Reflect", "Promise", "Proxy", "Function", "Intl", "Atomics",
	"parseInt", "parseFloat", "isNaN", "isFinite", "decodeURIComponent", "encodeURIComponent", "decodeURI", "encodeURI", "escape", "unescape",
	"console", "process", "Buffer", "require", "module", "exports", "global",
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
