// GroupBuffer is a Buffer whose bytes differ between the lanes of a group. It
// keeps the text that the bytes are the UTF-8 of, because a body that arrives
// as text and leaves as text need never become bytes: length, toString, concat
// and hashes work on the text. Whatever else a program does with it happens on
// real Buffers, one for each lane, made when first needed.
//
// Programs see a proxy, so that nothing they might look at (an index, a
// property, a prototype) answers wrongly.
import { forLanes, mv } from './mv';
import { byteLength } from './text';

let Buffer: any;

const insideOf = new WeakMap<object, GroupBuffer>();
const hasNone = Symbol();

class GroupBuffer {
  bytes: any = hasNone;
  lengths: any = hasNone;
  proxy: any;
  // text is a string or a multivalue of strings, all well formed; null once
  // the real Buffers may have been written to.
  constructor(public text: any) {}

  // buffers: one real Buffer for each lane, as a multivalue.
  buffers(): any {
    if (this.bytes === hasNone) {
      const { N } = mv.state;
      const r = new Array(N);
      for (let i = 0; i < N; i++) r[i] = Buffer.from(mv.lane(this.text, i), 'utf8');
      this.bytes = mv.norm(r, true);
    }
    return this.bytes;
  }

  length(): any {
    if (this.text === null) return here(this.bytes).length;
    if (this.lengths === hasNone) {
      const { N } = mv.state;
      const r = new Array(N);
      for (let i = 0; i < N; i++) r[i] = byteLength(mv.lane(this.text, i));
      this.lengths = mv.norm(r);
    }
    return here(this.lengths);
  }
}

// here is what x means to the lanes that run.
function here(x: any): any {
  return mv.state.L < 0 ? x : mv.lane(x, mv.state.L);
}

function isText(encoding: any): boolean {
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || encoding === null;
}

const methods: Record<PropertyKey, (g: GroupBuffer, args: any[]) => any> = {
  __proto__: null as any,
  toString(g: GroupBuffer, args: any[]) {
    if (g.text !== null && args.length <= 1 && isText(args[0])) return here(g.text);
    return Reflect.apply(real(g).toString, real(g), args);
  },
};

// real: what a program that looks closer sees; in a lane of its own, its Buffer.
function real(g: GroupBuffer): any {
  return here(g.buffers());
}

// Methods of Buffer that only read; after any other the text may be stale.
const readers = new Set<PropertyKey>(
  'toString toJSON equals compare includes indexOf lastIndexOf at entries keys values forEach every some find findIndex findLast findLastIndex join map filter reduce reduceRight toLocaleString inspect hasOwnProperty'.split(' '),
);
for (const t of ['readInt8', 'readUInt8', 'readUint8', 'readInt16LE', 'readInt16BE', 'readUInt16LE', 'readUInt16BE', 'readUint16LE', 'readUint16BE', 'readInt32LE', 'readInt32BE', 'readUInt32LE', 'readUInt32BE', 'readUint32LE', 'readUint32BE', 'readFloatLE', 'readFloatBE', 'readDoubleLE', 'readDoubleBE', 'readIntLE', 'readIntBE', 'readUIntLE', 'readUIntBE', 'readUintLE', 'readUintBE', 'readBigInt64LE', 'readBigInt64BE', 'readBigUInt64LE', 'readBigUInt64BE', 'readBigUint64LE', 'readBigUint64BE', 'base64Slice', 'utf8Slice', 'latin1Slice', 'hexSlice', 'asciiSlice', 'ucs2Slice'])
  readers.add(t);

const no = (what: string) => () => mv.diverge(`${what} of a Buffer whose bytes differ between lanes`);

const handler: ProxyHandler<any> = {
  get(target, key, receiver) {
    const g = insideOf.get(receiver);
    if (g === undefined) return mv.diverge('a Buffer as a prototype');
    switch (key) {
      case 'length':
      case 'byteLength':
        return g.length();
      case '_isBuffer':
        return true;
      case 'constructor':
        return Buffer;
      case Symbol.toStringTag:
        return 'Uint8Array';
    }
    const own = methods[key];
    if (own !== undefined) return (...args: any[]) => own(g, args);
    if (typeof Buffer.prototype[key] === 'function') {
      const reads = readers.has(key);
      return (...args: any[]) => {
        const b = real(g);
        if (!reads) g.text = null;
        return Reflect.apply(b[key], b, args);
      };
    }
    // Properties of its own it has none: setting one diverges.
    if (!isIndex(key) && !(key in Buffer.prototype)) return undefined;
    // An index, the ArrayBuffer behind it.
    if (key === 'buffer' || key === 'parent') g.text = null;
    return real(g)[key];
  },
  set: no('a property'),
  has: (_t, key) => (isIndex(key) ? mv.diverge('an index of a Buffer whose bytes differ between lanes') : key === 'length' || key in Buffer.prototype),
  ownKeys: no('the keys'),
  deleteProperty: no('a property'),
  defineProperty: no('a property'),
  getOwnPropertyDescriptor: no('a property'),
  getPrototypeOf: () => Buffer.prototype,
  setPrototypeOf: no('the prototype'),
  preventExtensions: no('freezing'),
};

function isIndex(key: PropertyKey): boolean {
  return typeof key === 'string' && /^-?\d/.test(key);
}

function make(text: any): any {
  const g = new GroupBuffer(text);
  g.proxy = new Proxy({}, handler);
  insideOf.set(g.proxy, g);
  return g.proxy;
}

export function setBuffer(b: any): void {
  Buffer = b;
}

// from makes the Buffer of a text that differs between lanes.
export function from(text: any): any {
  const { N } = mv.state;
  const r = new Array(N);
  for (let i = 0; i < N; i++) {
    const s = mv.lane(text, i);
    if (typeof s !== 'string') return null;
    r[i] = s.isWellFormed() ? s : s.toWellFormed();
  }
  return make(mv.norm(r));
}

export function is(x: any): boolean {
  return mv.state.N > 1 && typeof x === 'object' && x !== null && insideOf.has(x);
}

// textOf is the text that x's bytes are, or null.
export function textOf(x: any): any {
  return here(insideOf.get(x)?.text ?? null);
}

// buffersOf is a real Buffer for each lane.
export function buffersOf(x: any): any {
  const g = insideOf.get(x);
  return g === undefined ? x : real(g);
}

// concat answers null if it takes more than text.
export function concat(list: any[]): any {
  if (mv.state.L >= 0) return null;
  const texts = new Array(list.length);
  for (let j = 0; j < list.length; j++) {
    const t = textOf(list[j]);
    if (t === null) return null;
    texts[j] = t;
  }
  return make(
    forLanes((i) => {
      let s = '';
      for (let j = 0; j < texts.length; j++) s += mv.lane(texts[j], i);
      return s;
    }),
  );
}
