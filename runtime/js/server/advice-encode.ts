// The encoder appends values to a buffer. It allocates nothing per entry: the
// buffer is replaced when it is full, and the only tables (of key names and
// tags) are bounded. The bytes are described in verifier/advice/v1/FORMAT.md.
import type { Key, Val } from './advice-values';

// Tags of values and keys. From 0x20: one of the first 32 known names, 0x40: a
// string of fewer than 64 bytes, 0x80: an integer below 128.
const enum Tag {
  Undefined = 0,
  Null = 1,
  False = 2,
  True = 3,
  Absent = 4,
  Hole = 5,
  Int = 6,
  Negative = 7,
  Double = 8,
  String = 9,
  BigInt = 10,
  Date = 11,
  RegExp = 12,
  Error = 13,
  InitRef = 14,
  Ref = 15,
  Fn = 16,
  List = 17,
  DeltaPrev = 18,
  Delta = 19,
  Bytes = 20,
  Shape = 21,
  All = 22,
  Name = 23,
  FirstName = 0x20,
  ShortString = 0x40,
  SmallInt = 0x80,
}

const enum Op {
  Splice = 0,
  Add = 1,
  Remove = 2,
  Clear = 3,
}

// Values nest (lists in lists) this deep at most; the reader's limit is higher.
const maxDepth = 100;
const maxNames = 4096;

// From this length on a call into native code is cheaper than a loop.
const nativeFrom = 16;

const utf8Write: (this: Buffer, s: string, at: number, most: number) => number =
  (Buffer.prototype as any).utf8Write ??
  function (this: Buffer, s: string, at: number, most: number) {
    return this.write(s, at, most, 'utf8');
  };

const float = new Float64Array(1);
const floatBytes = new Uint8Array(float.buffer);

export abstract class Encoder {
  protected b: Buffer;
  protected p = 0;
  // start is where the record that is being written begins.
  protected start = 0;
  protected writes = 0;
  protected objects = 0;
  private readonly names = new Map<string, number>();

  constructor(first: Buffer) {
    this.b = first;
  }

  // replace takes the finished records in b[0, end) and returns a buffer of at
  // least `size` bytes for those to come.
  protected abstract replace(b: Buffer, end: number, size: number): Buffer;

  // refuse notes that something could not be encoded; a hole stands for it.
  protected abstract refuse(reason: string): void;

  // spill makes room for n more bytes of the current record.
  protected spill(n: number): void {
    const old = this.b;
    const part = this.p - this.start;
    // A record that does not fit into a buffer of its own gets a larger one.
    const size = this.start > 0 ? part + n : Math.max(part + n, 2 * old.length);
    this.b = this.replace(old, this.start, size);
    this.b.set(old.subarray(this.start, this.p), 0);
    this.start = 0;
    this.p = part;
  }

  protected varint(n: number): void {
    if (n < 0x80) {
      this.b[this.p++] = n;
      return;
    }
    const b = this.b;
    let p = this.p;
    while (n >= 0x80000000) {
      b[p++] = (n % 128) | 128;
      n = Math.floor(n / 128);
    }
    while (n >= 0x80) {
      b[p++] = (n & 127) | 128;
      n >>>= 7;
    }
    b[p++] = n;
    this.p = p;
  }

  // zigzag writes a signed integer of at most 52 bits.
  protected zigzag(n: number): void {
    this.varint(n < 0 ? -2 * n - 1 : 2 * n);
  }

  // string returns how many bytes the text took.
  protected string(s: string): number {
    const n = s.length;
    if (this.p + n + 14 > this.b.length) this.spill(n + 14);
    const b = this.b;
    const at = this.p;
    if (n < nativeFrom) {
      let i = 0;
      for (; i < n; i++) {
        const c = s.charCodeAt(i);
        if (c >= 0x80) break;
        b[at + 1 + i] = c;
      }
      if (i === n) {
        b[at] = Tag.ShortString | n;
        this.p = at + 1 + n;
        return n;
      }
      return this.wideString(s);
    }
    if (n < 64) {
      b[this.p++] = Tag.ShortString | n;
    } else {
      b[this.p++] = Tag.String;
      this.varint(n);
    }
    // With four bytes to spare, n bytes can only be n ASCII characters.
    if (utf8Write.call(b, s, this.p, n + 4) === n) {
      this.p += n;
      return n;
    }
    this.p = at;
    return this.wideString(s);
  }

  // wideString writes a string that is not ASCII.
  private wideString(s: string): number {
    // A lone surrogate counts three bytes here, as it does in WTF-8.
    const n = Buffer.byteLength(s, 'utf8');
    if (this.p + n + 10 > this.b.length) this.spill(n + 10);
    if (n < 64) {
      this.b[this.p++] = Tag.ShortString | n;
    } else {
      this.b[this.p++] = Tag.String;
      this.varint(n);
    }
    utf8Write.call(this.b, s, this.p, n);
    if (!wellFormed(s)) writeWTF8(this.b, this.p, s);
    this.p += n;
    return n;
  }

  // name writes a string that is likely to come again.
  protected name(s: string): void {
    const known = this.names.get(s);
    if (known !== undefined) {
      if (known < 32) {
        this.b[this.p++] = Tag.FirstName | known;
      } else {
        this.b[this.p++] = Tag.Name;
        this.varint(known);
      }
      return;
    }
    const n = this.string(s);
    if (n < 64 && this.names.size < maxNames) this.names.set(s, this.names.size);
  }

  // key writes a key; only `common` ones (field names) become known names.
  protected key(k: Key, common: boolean): void {
    if (this.p + 20 > this.b.length) this.spill(20);
    if (typeof k === 'string') {
      if (common || this.names.has(k)) this.name(k);
      else this.string(k);
      return;
    }
    if (k[0] === '#') this.value(k[1], -1, 0);
    else this.b[this.p++] = k[0] === 'shape' ? Tag.Shape : Tag.All;
  }

  // value writes v. prev is the write that v overwrites, or -1: a delta from it
  // need not say its base.
  protected value(v: Val, prev: number, depth: number): void {
    if (this.p + 20 > this.b.length) this.spill(20);
    switch (typeof v) {
      case 'string':
        this.string(v);
        return;
      case 'number':
        this.number(v);
        return;
      case 'boolean':
        this.b[this.p++] = v ? Tag.True : Tag.False;
        return;
      case 'undefined':
        this.b[this.p++] = Tag.Undefined;
        return;
      case 'bigint':
        this.b[this.p++] = Tag.BigInt;
        this.string(v.toString());
        return;
      case 'object':
        if (v === null) this.b[this.p++] = Tag.Null;
        else this.tagged(v, prev, depth);
        return;
    }
    this.b[this.p++] = Tag.Hole;
    this.refuse('a value that cannot be logged: ' + typeof v);
  }

  private number(v: number): void {
    if ((v | 0) === v && (v !== 0 || 1 / v > 0)) {
      if (v >= 0) {
        if (v < 128) {
          this.b[this.p++] = Tag.SmallInt | v;
          return;
        }
        this.b[this.p++] = Tag.Int;
        this.varint(v);
      } else {
        this.b[this.p++] = Tag.Negative;
        this.varint(-1 - v);
      }
      return;
    }
    if (v !== 0 && Number.isSafeInteger(v)) {
      this.b[this.p++] = v > 0 ? Tag.Int : Tag.Negative;
      this.varint(v > 0 ? v : -1 - v);
      return;
    }
    const b = this.b;
    const p = this.p;
    b[p] = Tag.Double;
    float[0] = v;
    for (let i = 0; i < 8; i++) b[p + 1 + i] = floatBytes[i];
    if (v !== v) {
      // One NaN, whatever bits the engine happens to use.
      b.fill(0, p + 1, p + 7);
      b[p + 7] = 0xf8;
      b[p + 8] = 0x7f;
    }
    this.p = p + 9;
  }

  private tagged(v: Exclude<Val, undefined | null | boolean | number | string | bigint>, prev: number, depth: number): void {
    switch (v.k) {
      case 1:
        if ((v.n & 1) === 0) {
          this.b[this.p++] = Tag.InitRef;
          this.varint(v.n / 2);
        } else {
          this.b[this.p++] = Tag.Ref;
          this.varint(this.objects - 1 - (v.n - 1) / 2);
        }
        return;
      case 2:
        this.b[this.p++] = Tag.Absent;
        return;
      case 3:
        this.b[this.p++] = Tag.Hole;
        return;
      case 4:
        this.b[this.p++] = Tag.List;
        this.values(v.values, depth);
        return;
      case 5:
        if (v.base === prev) {
          this.b[this.p++] = Tag.DeltaPrev;
        } else {
          this.b[this.p++] = Tag.Delta;
          // The write that holds this delta is already counted.
          this.varint(this.writes - 2 - v.base);
        }
        this.varint(v.ops.length);
        for (const op of v.ops) {
          if (this.p + 30 > this.b.length) this.spill(30);
          if ('add' in op) {
            this.b[this.p++] = Op.Add;
            this.value(op.add, -1, depth + 1);
          } else if ('remove' in op) {
            this.b[this.p++] = Op.Remove;
            this.value(op.remove, -1, depth + 1);
          } else if ('clear' in op) {
            this.b[this.p++] = Op.Clear;
          } else {
            this.b[this.p++] = Op.Splice;
            this.varint(op.start);
            this.varint(op.del);
            this.values(op.items, depth);
          }
        }
        return;
      case 6:
        this.b[this.p++] = Tag.Fn;
        this.varint(v.id);
        return;
      case 7:
        this.b[this.p++] = Tag.Date;
        this.number(v.ms);
        return;
      case 8:
        this.b[this.p++] = Tag.RegExp;
        this.string(v.source);
        this.string(v.flags);
        this.value(v.lastIndex, -1, depth);
        return;
      case 9:
        this.b[this.p++] = Tag.Error;
        this.string(v.name);
        this.string(v.message);
        return;
      case 10:
        this.b[this.p++] = Tag.Bytes;
        this.string(v.type);
        if (this.p + v.bytes.length + 10 > this.b.length) this.spill(v.bytes.length + 10);
        this.varint(v.bytes.length);
        this.b.set(v.bytes, this.p);
        this.p += v.bytes.length;
        return;
    }
    this.b[this.p++] = Tag.Hole;
    this.refuse('a value that cannot be logged: an object');
  }

  private values(vs: readonly Val[], depth: number): void {
    if (this.p + 10 > this.b.length) this.spill(10);
    if (depth >= maxDepth) {
      this.varint(0);
      this.refuse('a value that cannot be logged: nested too deeply');
      return;
    }
    this.varint(vs.length);
    for (let i = 0; i < vs.length; i++) this.value(vs[i], -1, depth + 1);
  }

  // fields writes what an object holds at first. The values of an array whose
  // keys are 0, 1, 2… need no keys.
  protected fields(kind: number, fields: readonly (readonly [Key, Val])[]): void {
    if (this.p + 10 > this.b.length) this.spill(10);
    let list = kind === 1;
    for (let i = 0; list && i < fields.length; i++) {
      const k = fields[i][0];
      list = typeof k !== 'string' && k[0] === '#' && k[1] === i;
    }
    this.varint(fields.length * 2 + (list ? 1 : 0));
    const common = kind === 0 || kind === 4;
    for (let i = 0; i < fields.length; i++) {
      const f = fields[i];
      if (!list) this.key(f[0], common);
      this.value(f[1], -1, 0);
    }
  }
}

const wellFormed: (s: string) => boolean =
  typeof (String.prototype as any).isWellFormed === 'function' ? (s) => (s as any).isWellFormed() : (s) => !/\p{Surrogate}/u.test(s);

// writeWTF8 is UTF-8 that also writes lone surrogates, as three bytes each.
function writeWTF8(b: Buffer, p: number, s: string): void {
  for (let i = 0; i < s.length; i++) {
    let c = s.codePointAt(i)!;
    if (c < 0x80) {
      b[p++] = c;
    } else if (c < 0x800) {
      b[p++] = 0xc0 | (c >> 6);
      b[p++] = 0x80 | (c & 63);
    } else if (c < 0x10000) {
      b[p++] = 0xe0 | (c >> 12);
      b[p++] = 0x80 | ((c >> 6) & 63);
      b[p++] = 0x80 | (c & 63);
    } else {
      i++;
      b[p++] = 0xf0 | (c >> 18);
      b[p++] = 0x80 | ((c >> 12) & 63);
      b[p++] = 0x80 | ((c >> 6) & 63);
      b[p++] = 0x80 | (c & 63);
    }
  }
}
