package engine

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// walk lists everything that a program can reach from the standard globals.
const walk = `(function () {
	const std = new Set('Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry SharedArrayBuffer decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN Iterator SuppressedError DisposableStack AsyncDisposableStack Float16Array'.split(' '));
	const seen = new Set();
	const out = [];
	function walk(o, path) {
		if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) return;
		seen.add(o);
		for (const k of Reflect.ownKeys(o)) {
			const name = typeof k === 'symbol' ? '[' + k.description + ']' : k;
			if (path === '' && !std.has(name)) continue;
			const p = path === '' ? name : path + '.' + name;
			out.push(p);
			const d = Object.getOwnPropertyDescriptor(o, k);
			if ('value' in d) walk(d.value, p);
		}
		const proto = Object.getPrototypeOf(o);
		if (proto !== null) walk(proto, path + '.<proto>');
	}
	walk(globalThis, '');
	walk(Object.getPrototypeOf(function* () {}), 'GeneratorFunction');
	walk(Object.getPrototypeOf(async function () {}), 'AsyncFunction');
	walk(Object.getPrototypeOf(async function* () {}), 'AsyncGeneratorFunction');
	walk(Object.getPrototypeOf([][Symbol.iterator]()), 'ArrayIterator');
	walk(Object.getPrototypeOf(new Map().entries()), 'MapIterator');
	walk(Object.getPrototypeOf(new Set().entries()), 'SetIterator');
	walk(Object.getPrototypeOf(''[Symbol.iterator]()), 'StringIterator');
	walk(Object.getPrototypeOf('a'.matchAll(/a/g)), 'RegExpStringIterator');
	return out.join('\n');
})()`

// What Node 20 does not have must not be there, and the reverse: applications
// test for features and branch on the answer.
func TestBuiltinsAreThoseOfNode20(t *testing.T) {
	version, err := exec.Command("node", "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "v20.") {
		t.Skipf("needs Node 20, has %q", version)
	}
	node, err := exec.Command("node", "-p", walk).Output()
	if err != nil {
		t.Fatal(err)
	}
	w := start(t, Config{NodeMajor: 20}, `function __start() {} function __step() { return 0; } function __result() { return `+walk+`; }`)
	clean := func(s string) []string {
		return slices.DeleteFunc(strings.Fields(s), func(p string) bool {
			// The global object's own class, and a hook of Node's.
			return strings.HasPrefix(p, ".<proto>") || strings.HasPrefix(p, "Error.prepareStackTrace")
		})
	}
	theirs, ours := clean(string(node)), clean(run(t, w, ""))
	for _, x := range ours {
		if !slices.Contains(theirs, x) {
			t.Errorf("Node 20 has no %s", x)
		}
	}
	for _, x := range theirs {
		if !slices.Contains(ours, x) {
			t.Errorf("the engine has no %s", x)
		}
	}
}
