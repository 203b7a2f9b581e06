'use strict';
// Strings, templates, regular expressions.
const tag = (t, ...v) => [t.raw.join('|'), t.join('|'), v];
const same = (t) => t;
const html = (t, ...v) => t.reduce((a, x, i) => a + x + (i < v.length ? String(v[i]).replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`) : ''), '');

module.exports = {
  templates: (s) => [`${s}`, `a${1}b${s}c`, `${`nested ${s}`}`, `line
two`, `\${x} \` \u0041`, `${{ toString: () => s }}`, `${[1, s]}`, `${s ? `yes ${s}` : 'no'}`, ``, `${null} ${undefined}`],
  tagged: (s) => [tag`a${1}\n${s}z`, tag``, tag`${s}`, html`<b>${'<' + s + '>'}</b>`, String.raw`\n${s}\u00`, tag`\unicode`],
  tagIdentity: () => { const f = () => same`x${1}`; return [f() === f(), f() === same`x${1}`, Object.isFrozen(f()), Array.isArray(f().raw)]; },
  tagMember: (s) => { const o = { s, t(x, v) { return [this.s, x[0], v]; } }; return [o.t`a${1}`, o['t']`b${s}`, (() => (x) => x[0])()`c`, new (class { constructor(x) { this.x = x; } })(s).x]; },
  regexps: (s) => [/(?<y>\d{4})-(?<m>\d\d)/.exec('2020-05 ' + s).groups, 'a1b2'.replace(/(?<d>\d)/g, '[$<d>]'), s.replace(/./u, (m, o, w) => m + o + w), [...'a1b22'.matchAll(/\d+/g)].map((m) => [m[0], m.index]), 'x'.replace('x', '$&$&$$'), /a.c/s.test('a\nc'), /^b/m.test('a\nb'), /(?<=\$)\d+/.exec('$42')[0], /(?<!a)b/.test('ab'), /\p{L}+/u.exec('äöü1')[0], s.split(/(b)/), 'aBc'.replace(/b/i, (x) => x + x), /[\]/]/.test('/'), 'abc'.search(/c/), /(a)|(b)/.exec('b'), 'aaa'.lastIndexOf('a')],
  sticky: (s) => { const r = /a/y, g = /a/g, out = []; out.push(r.test('ba'), r.lastIndex); r.lastIndex = 1; out.push(r.test('ba'), r.lastIndex); while (g.exec('aXa')) out.push(g.lastIndex); const d = /a(b)?/d.exec('xab'); out.push(d.indices[0], 'abab'.replaceAll('ab', s), new RegExp(/x/g, 'i').flags, new RegExp('a/b').source, String(/a\/b/g), r.global, /a/[Symbol.replace]('bab', 'Z')); return out; },
  regexpNamed: (s) => 'John Smith'.replace(/(?<f>\w+)\s(?<l>\w+)/, (...a) => { const g = a.pop(); return g.l + ' ' + g.f + s + a.length; }),
  strings: (s) => [s.at(-1), s.codePointAt(0), [...'a😀'].length, '😀'.length, 'abc'.substring(2, 0), 'abc'.substr(-2, 1), 'abc'.slice(-2), s.padEnd(6, 'xy'), ' a '.trim(), 'a-b-c'.split('-', 2), 'a'.concat(s, 1), 'abc'.startsWith('b', 1), s.localeCompare('b'), 'ß'.toUpperCase(), String.fromCodePoint(0x1f600), 'x'.codePointAt(5), s > 'a', [...s].reverse().join(''), s.charAt(99), s[99], 'a\0b'.length, escape('ü'), unescape('%FC'), encodeURIComponent(s + '&ü'), encodeURI('a b?' + s), 'ab'.isWellFormed?.(), s.anchor?.('n'), 'abc'.indexOf(''), s.replace('', '_')],
  numbers: (s) => [(1.005).toFixed(2), (1234.5678).toExponential(2), (0.1).toPrecision(21), 1_000_000, 0xff, 0b11, 0o17, .5, 5., 1e-7, Number.MAX_SAFE_INTEGER, Number.EPSILON > 0, (255).toString(2), Number.parseFloat('3.14abc'), parseInt('12px'), Math.round(-0.5), Math.round(2.5), Math.sign(-3), Math.trunc(-4.7), Math.hypot(3, 4), Math.clz32(1), Math.fround(5.5), Math.imul(3, 4), Math.cbrt(27), Math.log2(8), 5..toString(), 1.0.toFixed(1), Number.isSafeInteger(2 ** 53), 10n ** 20n, -(2n ** 3n), BigInt.asUintN(8, 257n), 7n / 2n, 5n > 4, 2n == 2, typeof 1n, +s === +s],
};
