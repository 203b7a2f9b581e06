// GroupBuffer is a Buffer whose bytes differ between the lanes of a group. It
// keeps the text that the bytes are the UTF-8 of, because a body that arrives
// as text and leaves as text need never become bytes: length, toString, concat
// and hashes work on the text. Whatever else a program does with it happens on
// real Buffers, one for each lane, made when first needed.
//
// Programs see a proxy, so that nothing they might look at (an index, a
// property, a prototype) answers wrongly.
import { forLanes, inLanes, mv } from './mv';
import { byteLength } from './text';

let Buffer: any;

const insideOf = new mv.RawWeakMap<object, GroupBuffer>();
const unknown = Symbol();

class GroupBuffer {
  bytes: any = unknown;
  lengths: any = unknown;
  // text is a string or a multivalue of strings, all well formed; null once
  // the real Buffers may have been written to.
  constructor(public text: any) {}

  // buffers: one real Buffer for each lane, as a multivalue.
  buffers(): any {
    if (this.bytes === unknown) this.bytes = everyLane(() => inLanes((i) => Buffer.from(mv.lane(this.text, i), 'utf8'), true));
    return this.bytes;
  }

  length(): any {
    if (this.text === null) return forLanes((i) => mv.lane(this.bytes, i).length);
    if (this.lengths === unknown) this.lengths = everyLane(() => forLanes((i) => byteLength(mv.lane(this.text, i))));
    return here(this.lengths);
  }
}

// everyLane works for all lanes, even if only one of them runs.
function everyLane(f: () => any): any {
  const { state } = mv;
  const lane = state.L;
  state.L = -1;
  try {
    return f();
  } finally {
    state.L = lane;
  }
}

// here is what x means to the lanes that run.
function here(x: any): any {
  return mv.state.L < 0 ? x : mv.lane(x, mv.state.L);
}

function isText(encoding: any): boolean {
  return encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';
}

function toString(this: any, ...args: any[]): any {
  const g = insideOf.get(this);
  if (g !== undefined && g.text !== null && args.length <= 1 && isText(args[0])) return here(g.text);
  return Reflect.apply(Buffer.prototype.toString, this, args);
}

const no = (what: string) => () => mv.diverge(`${what} of a Buffer whose bytes differ between lanes`);

const handler: ProxyHandler<any> = {
  get(_target, key, receiver) {
    const g = insideOf.get(receiver);
    if (g === undefined) return mv.diverge('a Buffer as a prototype');
    switch (key) {
      case 'length':
      case 'byteLength':
        return g.length();
      case 'constructor':
        return Buffer;
      case 'toString':
        return toString;
      case 'valueOf':
        return () => receiver;
      case Symbol.toStringTag:
        return 'Uint8Array';
    }
    if (!isIndex(key)) {
      // Properties of its own it has none: setting one diverges.
      if (!(key in Buffer.prototype)) return undefined;
      // Methods are lifted: they find their lane's Buffer in the proxy. (Others
      // must not be looked up on the prototype, which is no Buffer.)
      const d = descriptor(key);
      if (d !== undefined && 'value' in d) return d.value;
    }
    // An index, or what an accessor tells, like the ArrayBuffer behind it.
    if (key === 'buffer' || key === 'parent') written(receiver);
    return forLanes((i) => mv.lane(g.buffers(), i)[key]);
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

function descriptor(key: PropertyKey): PropertyDescriptor | undefined {
  for (let o = Buffer.prototype; o !== null; o = Object.getPrototypeOf(o)) {
    const d = Object.getOwnPropertyDescriptor(o, key);
    if (d !== undefined) return d;
  }
  return undefined;
}

function make(text: any): any {
  const proxy = new Proxy({}, handler);
  insideOf.set(proxy, new GroupBuffer(text));
  return proxy;
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
  return here(insideOf.get(x)!.buffers());
}

// written: from now on only the real Buffers tell what x's bytes are.
export function written(x: any): void {
  const g = insideOf.get(x)!;
  g.buffers();
  g.text = null;
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
