package verifierbuild

import "github.com/grafana/sobek/token"

// The helpers that emitted code calls, as runtime/js/verifier puts them on the
// global object.
const (
	helperTruth    = "$_T"      // (x) -> boolean that all lanes agree on
	helperTypeof   = "$_typeof" // (x)
	helperIn       = "$_in"     // (key, o); the form with t: agreed boolean
	helperIs       = "$_inst"   // (x, C): instanceof
	helperDelete   = "$_del"    // (o, key, strict)
	helperGet      = "$_geti"   // (o, key): computed read
	helperSet      = "$_seti"   // (o, key, v): computed write
	helperKey      = "$_key"    // (key): a key that all lanes agree on, for computed calls
	helperLength   = "$_len"    // (o, v): o.length of a tracked o
	helperKeys     = "$_fi"     // (o): what for-in runs over
	helperSwitch   = "$_sw"     // (x, cases): discriminant that all lanes agree on among the case values
	helperCatch    = "$_c"      // (e): at the beginning of catch
	helperFinally  = "$_f"      // (): at the beginning of finally
	helperDefault  = "$_und"    // (x): diverges where some lanes are undefined
	helperTemplate = "$_tpl"    // (strings, ...values): untagged template
	helperMethod   = "$_sm"     // (o, name, ...args): a method that may be native, with an argument that may be a multivalue
	helperCall     = "$_ncall"  // (C, ...args): a native constructor called as a function
	helperNew      = "$_nnew"   // (C, ...args)
	helperNot      = "$_not"    // (x)
	helperNumeric  = "$_num"    // (x): ToNumeric
	helperInc      = "$_inc"    // (x): x + 1 after ToNumeric
	helperDec      = "$_dec"    // (x)
	helperNullish  = "$_nl"     // (x) -> boolean: null or undefined, agreed
	trackedMark    = "$k.T"     // the symbol of tracked objects
)

type operator struct {
	helper string // value form
	test   string // agreed boolean, for comparisons
}

var operators = map[token.Token]operator{
	token.PLUS:                 {helper: "$_add"},
	token.MINUS:                {helper: "$_sub"},
	token.MULTIPLY:             {helper: "$_mul"},
	token.SLASH:                {helper: "$_div"},
	token.REMAINDER:            {helper: "$_mod"},
	token.EXPONENT:             {helper: "$_pow"},
	token.AND:                  {helper: "$_and"},
	token.OR:                   {helper: "$_or"},
	token.EXCLUSIVE_OR:         {helper: "$_xor"},
	token.SHIFT_LEFT:           {helper: "$_shl"},
	token.SHIFT_RIGHT:          {helper: "$_sar"},
	token.UNSIGNED_SHIFT_RIGHT: {helper: "$_shr"},
	token.LESS:                 {"$_lt", "$_tlt"},
	token.GREATER:              {"$_gt", "$_tgt"},
	token.LESS_OR_EQUAL:        {"$_le", "$_tle"},
	token.GREATER_OR_EQUAL:     {"$_ge", "$_tge"},
	token.EQUAL:                {"$_eq", "$_teq"},
	token.NOT_EQUAL:            {"$_ne", "$_tne"},
	token.STRICT_EQUAL:         {"$_seq", "$_tseq"},
	token.STRICT_NOT_EQUAL:     {"$_sne", "$_tsne"},
}

var unaries = map[token.Token]string{
	token.NOT:         helperNot,
	token.MINUS:       "$_neg",
	token.PLUS:        "$_pos",
	token.BITWISE_NOT: "$_bnot",
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
