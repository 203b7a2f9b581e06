package verifierbuild

import (
	"fmt"
	"strings"

	"github.com/grafana/sobek/token"

	"karousosc/transpile/program"
)

// prefix begins the names of the runtime's helpers on the global object, and otherPrefix those that they have as well,
// for programs that have names like the first: what a program declares hides what is global.
const (
	prefix      = "$_"
	otherPrefix = "$_0_"
)

// The helpers that emitted code calls.
const (
	hIs         = "is"     // (x): is it a multivalue
	hTruth      = "T"      // (x) -> boolean that all lanes agree on
	hNullish    = "nl"     // (x): x, or null, or it diverges where only some lanes are missing
	hTypeof     = "typeof" // (x)
	hIn         = "in"     // (key, o)
	hInstance   = "inst"   // (x, C)
	hDelete     = "del"    // (o, key, strict)
	hGet        = "geti"   // (o, key): computed read
	hSet        = "seti"   // (o, key, v): computed write
	hSetStrict  = "setis"  // the same in strict code
	hKey        = "key"    // (key): a key to call by, which lanes must agree on
	hLength     = "len"    // (o): length of a tracked object
	hElements   = "el"     // what a pattern takes first from what may be a tracked array
	hPlace      = "at"     // (o, key): a place as an object whose v is read and written
	hPlaceS     = "ats"    // the same in strict code
	hForIn      = "fi"     // (o): what for-in goes over
	hIterate    = "it"     // (x, text): something that iterates like x
	hSpreadLast = "sp"     // (x, text): the same for a last argument
	hSwitch     = "sw"     // (x, labels, clauses, none)
	hCase       = "case"   // (x, label)
	hCatch      = "c"      // (e): begins a catch clause
	hFinally    = "f"      // (): begins a finally block
	hDefault    = "und"    // (x): diverges where only some lanes are undefined
	hTemplate   = "tpl"    // (texts, ...values)
	hString     = "str"    // (x)
	hMethod     = "sm"     // (o, name, ...args): a well-known method with a multivalue argument
	hCall       = "ncall"  // (C, ...args): a native constructor called as a function
	hNew        = "nnew"   // (C, ...args)
	hNewArg     = "na"     // (C, x): the only argument of new C
	hMade       = "nc"     // (o): what new made
	hTag        = "tag"    // (x): an answer for Symbol.toStringTag
	hArray      = "Array"  // the engine's Array
	hConstr     = "co"     // (x): what .constructor is
	hProto      = "proto"  // (p): a prototype in an object literal
	hSpread     = "os"     // (x): what an object literal spreads
	hDone       = "done"   // (x): what an iterator says
	hFunction   = "fn"     // (f): a method that is not called
	hNotFunc    = "nf"     // (text): throws
	hMCall      = "mc"     // (f, o, ...args): a method that was looked up before
	hNoFunction = "mno"    // (o, name, text, x, ...args): a method that takes a function, with an x that may be none
	hNot        = "not"
	hNumeric    = "num" // (x): ToNumeric
	hIncrement  = "inc"
	hDecrement  = "dec"
	hAny        = "any"   // (arguments): does a pure function meet multivalues
	hPure       = "pure"  // (id, arguments, body)
	hFresh      = "fr"    // (x): x was made in the pure function that returns it
	hGuest      = "guest" // (names): the program begins; names are accessors
	hAccessors  = "accs"  // (names)
	hAccessor   = "acc"   // (key): a computed accessor's name
	hScope      = "sc"    // .on: does init run; .add(number, where, names, () => variables); .written[number]
	hTouch      = "touch" // (o): o, which is about to change
)

var helpers = func() []string {
	list := []string{
		hIs, hTruth, hNullish, hTypeof, hIn, hInstance, hDelete, hGet, hSet, hSetStrict, hKey, hLength, hElements, hPlace, hPlaceS, hForIn, hIterate, hSpreadLast,
		hSwitch, hCase, hCatch, hFinally, hDefault, hTemplate, hString, hMethod, hCall, hNew, hNewArg, hMade, hTag, hArray, hConstr, hProto, hSpread, hDone, hFunction,
		hNotFunc, hMCall, hNoFunction, hNot, hNumeric, hIncrement, hDecrement, hAny, hPure, hFresh, hGuest, hAccessors, hAccessor, hScope, hTouch, "neg", "pos", "bnot",
	}
	for op := token.Token(0); op < 256; op++ {
		if o, ok := operators[op]; ok {
			list = append(list, o)
			if comparisons[op] {
				list = append(list, "t"+o)
			}
		}
	}
	return list
}()

var operators = map[token.Token]string{
	token.PLUS: "add", token.MINUS: "sub", token.MULTIPLY: "mul", token.SLASH: "div", token.REMAINDER: "mod", token.EXPONENT: "pow",
	token.AND: "and", token.OR: "or", token.EXCLUSIVE_OR: "xor", token.SHIFT_LEFT: "shl", token.SHIFT_RIGHT: "sar", token.UNSIGNED_SHIFT_RIGHT: "shr",
	token.LESS: "lt", token.GREATER: "gt", token.LESS_OR_EQUAL: "le", token.GREATER_OR_EQUAL: "ge",
	token.EQUAL: "eq", token.NOT_EQUAL: "ne", token.STRICT_EQUAL: "seq", token.STRICT_NOT_EQUAL: "sne",
}

// comparisons also have a form with t, a boolean that all lanes agree on.
var comparisons = map[token.Token]bool{
	token.LESS: true, token.GREATER: true, token.LESS_OR_EQUAL: true, token.GREATER_OR_EQUAL: true,
	token.EQUAL: true, token.NOT_EQUAL: true, token.STRICT_EQUAL: true, token.STRICT_NOT_EQUAL: true,
}

var unaries = map[token.Token]string{token.NOT: hNot, token.MINUS: "neg", token.PLUS: "pos", token.BITWISE_NOT: "bnot"}

// names are what the emitted text calls the runtime and its own temporaries; none
// clashes with the program's.
type names struct {
	prefix, k, temp, caught string
}

func namesOf(prog *program.Program) names {
	n := names{prefix: prefix, k: prog.Fresh("$k"), temp: prog.Fresh("$t"), caught: prog.Fresh("$e")}
	for i := 0; strings.Contains(prog.Text, n.prefix); i++ {
		n.prefix = fmt.Sprintf("%s%d_", prefix, i)
	}
	for i := 0; strings.Contains(prog.Text, n.temp); i++ {
		n.temp = fmt.Sprintf("$t%d_", i)
	}
	return n
}

// h is a helper's name.
func (n *names) h(name string) string { return n.prefix + name }

// wellKnown are methods of strings, arrays, numbers, regular expressions and objects
// that convert or compare what they are given.
var wellKnown = set("apply at call charAt charCodeAt codePointAt concat endsWith exec includes indexOf lastIndexOf localeCompare match matchAll normalize " +
	"padEnd padStart repeat replace replaceAll search slice splice split startsWith substr substring test toString toFixed")

// callbackMethods convert what a function among their arguments returns.
var callbackMethods = set("replace replaceAll")

// takesFunction are natives that the engine has kept, whose error says something else in Node.js.
var takesFunction = set("forEach map reduce reduceRight")

// stringLooking natives take a string or an object, and look which it is; a
// multivalue of strings must not be taken for an object.
var lookingConstructors = set("Array Date RegExp String Number WeakRef FinalizationRegistry Uint8Array Uint8ClampedArray Int8Array Uint16Array Int16Array " +
	"Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array")

// lookingFunctions are constructors that are also called as functions.
var lookingFunctions = set("Array RegExp String Number")

// variants are methods that a multivalue answers with a function of the runtime's,
// which must not be seen when the method is not called.
var variantMethods = set("anchor at big blink bold charAt charCodeAt codePointAt concat copyWithin endsWith entries exec fill fixed fontcolor fontsize forEach includes indexOf isWellFormed " +
	"italics keys lastIndexOf link localeCompare map match matchAll normalize padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse search shift slice " +
	"small splice split startsWith strike sub substr substring sup test toLocaleLowerCase toLocaleUpperCase toLowerCase toReversed toSpliced toString toUpperCase " +
	"toWellFormed trim trimEnd trimLeft trimRight trimStart unshift valueOf values with")

// platformNames are free names that never are multivalues.
var platformNames = set("undefined NaN Infinity globalThis Math JSON Reflect Promise Proxy Function Intl Atomics Object Array String Number Boolean Symbol Map Set WeakMap " +
	"WeakSet WeakRef RegExp Date Error TypeError RangeError SyntaxError URIError EvalError ReferenceError AggregateError BigInt ArrayBuffer DataView Uint8Array " +
	"Uint8ClampedArray Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array SharedArrayBuffer " +
	"FinalizationRegistry parseInt parseFloat isNaN isFinite decodeURIComponent encodeURIComponent decodeURI encodeURI escape unescape console process Buffer require module exports global")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}
