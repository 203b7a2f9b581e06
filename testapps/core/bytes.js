'use strict';
// Buffers at the edges: what counts as an offset, a length, an encoding or bytes, and what is said of what does not.
const buffer = require('buffer');
const util = require('util');

// each tells what every function makes of six bytes.
const each = (s, ...all) => [
  s,
  ...all.map((f) => {
    const b = Buffer.alloc(6, 1);
    try {
      const r = f(b, s);
      return [Buffer.isBuffer(r) ? r.toString('hex') : r, b.toString('hex')];
    } catch (e) {
      return [e.name, e.code, e.message];
    }
  }),
];
const odd = (n) => Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);

module.exports = {
  written: (s) =>
    each(
      s,
      ...['utf8', 'latin1', 'ascii', 'ucs2', 'hex', 'base64', 'base64url'].map((e) => (b) => b.write(s, e)),
      ...['utf8', 'latin1', 'ucs2', 'hex', 'base64'].map((e) => (b) => b.write(`a€${s}😀`, 1, 4, e)),
      (b) => b.write('ab1x22', 'hex'),
      (b) => b.write('x€€x'),
      (b) => b.write('abc', 1.5),
      (b) => b.write(s, 7),
      (b) => b.write(s, 6),
      (b) => b.write(s, 0, 7),
      (b) => b.write('abc', 4, 5),
      (b) => b.write(s, null),
      (b) => b.write('abc', 0, 2, null),
      (b) => b.write('abc', undefined, 2),
      (b) => b.write(5),
      (b) => b.utf8Write(s, 99),
      (b) => b.latin1Write(s, 5, 44),
      (b) => b.hexWrite('abcdef', 4),
    ),
  read: (s) =>
    each(
      s,
      () => ['ascii', 'binary', 'utf-16le', 'hex', 'BASE64', 'base64url'].map((e) => Buffer.from(s).toString(e, 1)),
      (b) => [b.ucs2Slice(0, 5), b.asciiSlice(), b.hexSlice(1, 3), b.base64Slice(), b.base64urlSlice()],
      (b) => b.hexSlice(1, 99),
      (b) => b.toString('hex', 1, 2.9),
      (b) => b.toString('hex', '1', '3'),
      (b) => b.toString('hex', NaN, -2),
      (b) => b.toString(null),
      (b) => b.toString(''),
      (b) => b.toString(undefined, 2),
      (b) => b.toString(s || 'x', 6),
      (b) => b.toString({ toString: () => 'hex' }),
    ),
  filled: (s) =>
    each(
      s,
      (b) => b.fill(s),
      (b) => b.fill(s, 'ucs2'),
      (b) => b.fill(`€${s}`, 'latin1'),
      (b) => b.fill(s, 'hex'),
      (b) => b.fill('a1b2', 1, 4, 'hex'),
      (b) => b.fill('YWI', 'base64'),
      (b) => b.fill(Buffer.alloc(0)),
      (b) => b.fill(Buffer.from(s + 'x')),
      (b) => b.fill(new Uint16Array([1, 2])),
      (b) => b.fill([1, 2]),
      (b) => b.fill(true),
      (b) => b.fill(null),
      (b) => b.fill(300, 2),
      (b) => b.fill(-1, -1),
      (b) => b.fill(1n),
      (b) => b.fill('a', 0, NaN),
      (b) => b.fill('a', 0, 5, 6),
      (b) => b.fill('a', 0, 5, 'none'),
      (b) => b.fill(2, 7, 3),
      () => Buffer.alloc(3, 'zz', 'hex'),
      () => Buffer.alloc(3, ''),
      () => Buffer.alloc(3, 'a', 5),
      () => Buffer.alloc(3.7, 1).length,
      () => Buffer.alloc(-1),
      () => Buffer.allocUnsafe('5'),
      () => buffer.SlowBuffer(NaN),
    ),
  found: (s) =>
    each(
      s,
      ...[0, 3, -4, 99, -99, undefined, null, NaN, '', {}, 'latin1'].flatMap((at) => [(b) => Buffer.from(`ab${s}ab`).indexOf('ab', at), (b) => Buffer.from(`ab${s}ab`).lastIndexOf('ab', at), () => Buffer.from(s).lastIndexOf('', at)]),
      () => Buffer.from('abcabc', 'ucs2').indexOf('b', 3, 'ucs2'),
      () => Buffer.from(`x${s}€`, 'ucs2').lastIndexOf(Buffer.from('€', 'ucs2'), undefined, 'utf16le'),
      () => Buffer.from(s).includes(''),
      () => Buffer.from(s).indexOf(256 + 111),
      () => Buffer.from('abc').indexOf(new Uint8Array([98])),
      (b) => b.indexOf('x', null, 'none'),
      (b) => b.includes({}),
      (b) => Buffer.prototype.indexOf.call({}, 'x'),
    ),
  compared: (s) =>
    each(
      s,
      (b) => b.compare(b, 0, 7),
      (b) => b.compare(b, -1),
      (b) => b.compare(b, 7),
      (b) => b.compare(b, '0'),
      (b) => b.compare(b, 0, 3, 0, 2),
      (b) => b.compare(b, 0, 0, 0, 0),
      (b) => b.compare(Buffer.from(s)),
      (b) => b.compare(new Uint8Array([1, 1, 2])),
      (b) => b.equals(new Uint8Array(6).fill(1)),
      (b) => Buffer.compare(b, Buffer.from(s)),
    ),
  copied: (s) =>
    each(
      s,
      (b) => b.copy(b, -1),
      (b) => Buffer.from(s).copy(b, '1'),
      (b) => b.copy(b, 0, 7),
      (b) => b.copy(b, 0, 0, -1),
      (b) => b.copy(b, 99),
      (b) => Buffer.from(odd(9)).copy(b, 1.5, 2.5),
      (b) => b.copy(b, -0.5),
      (b) => Buffer.prototype.copy.call([], b),
      (b) => Buffer.concat([b, Buffer.from(s)], 8),
      (b) => Buffer.concat([b], 3.5),
      (b) => Buffer.concat([b], -1),
      (b) => Buffer.concat([b], null),
      () => Buffer.concat([{ length: 4 }]),
      () => Buffer.concat([null]),
      (b) => b.swap16(),
      () => Buffer.from(odd(8)).swap64(),
      () => Buffer.alloc(3).swap32(),
      () => Buffer.copyBytesFrom(new Uint16Array([1, 2]), 1),
      () => Buffer.copyBytesFrom([1]),
      () => Buffer.copyBytesFrom(new Uint8Array(3), -1),
      (b) => b.subarray(-3, -1),
      (b) => b.slice('1', { valueOf: () => 3 }),
    ),
  into: (s) => {
    const b = Buffer.alloc(5);
    Buffer.from(s).copy(b, 1);
    return b;
  },
  last: (s) => {
    let last = 0;
    Buffer.from(s).forEach((c) => {
      last = c;
    });
    return String(last);
  },
  part: (s) => {
    const b = Buffer.from(s);
    b.subarray(1)[0] = 65;
    b.slice(0, 2).fill('n');
    return b.toString();
  },
  made: (s) =>
    each(
      s,
      () => Buffer.from(s, ''),
      () => Buffer.from(s, 5),
      () => Buffer.from(new String(s), 'hex'),
      () => Buffer.from({ length: 3, 0: 5 }),
      () => Buffer.from({ length: '3', 0: 5 }),
      () => Buffer.from({ length: -3 }),
      () => Buffer.from([1.5, -1, 256, '7', s, null]),
      () => Buffer.from(new Uint16Array([1, 258])),
      () => Buffer.from(new DataView(new ArrayBuffer(4))).length,
      () => Buffer.from({ type: 'Buffer', data: [1] }),
      () => Buffer.from({ [Symbol.toPrimitive]: () => s }),
      () => Buffer.from(new Number(1)),
      () => Buffer.from(Object.create(null)),
      () => Buffer.from(new Map()),
      () => Buffer.from(new ArrayBuffer(9), 4, 2).length,
      () => Buffer.from(new ArrayBuffer(9), 'x', NaN).length,
      () => Buffer.from(new ArrayBuffer(9), 10),
      () => Buffer.from(new ArrayBuffer(9), 0, 10),
      () => Buffer(5, s),
      () => new Buffer(s, 'latin1'),
      () => Buffer.of(1, 300),
      () => [s, s + '=', 5, new DataView(new ArrayBuffer(3))].map((x) => (x === 5 ? 0 : Buffer.byteLength(x, 'base64'))),
      () => Buffer.byteLength(s, 'none'),
      () => Buffer.byteLength(5),
      () => ['UTF8', 'Ucs-2', 'utf-16LE', '', 'none', 5, s].map(Buffer.isEncoding),
      () => buffer.isUtf8(s),
      () => buffer.isAscii(Buffer.from(s)),
      () => buffer.isAscii(new ArrayBuffer(3)),
      () => {
        try {
          return atob('*' + s);
        } catch (e) {
          return [e instanceof DOMException, e.name, e.code, e.message];
        }
      },
    ),
  shown: (s) => {
    const b = Object.assign(Buffer.from(s), { a: s, [Symbol('k')]: 1 });
    const before = buffer.INSPECT_MAX_BYTES;
    buffer.INSPECT_MAX_BYTES = 2;
    const short = util.inspect(b);
    buffer.INSPECT_MAX_BYTES = before;
    return each(s, () => [short, util.inspect(b), b.inspect(), util.inspect(Object.assign(Buffer.alloc(0), { x: 1 }))], () => (buffer.INSPECT_MAX_BYTES = -1), () => (buffer.INSPECT_MAX_BYTES = 'x'));
  },
  methods: (s) => [s, Buffer.prototype.readUint8 === Buffer.prototype.readUInt8, Buffer.from(s).map((x) => x + 1) instanceof Buffer, Buffer.from(s).filter((x) => x > 100).toString(), Buffer.alloc.length, Buffer.length, Buffer.from(s).write.length, Buffer.from(s)._isBuffer],
};
