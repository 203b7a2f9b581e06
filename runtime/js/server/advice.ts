// The advice of one life, as the server writes it while it answers requests.
// An entry is a few bytes appended to a buffer: an operation byte, then small
// numbers relative to what was written before. Files are made of checksummed
// blocks (advice-file.ts); verifier/advice/v1/FORMAT.md has every byte.
import { AdviceFile } from './advice-file';
import { blockSize } from './advice-block';
import { Encoder } from './advice-encode';
import type { Key, Val } from './advice-values';

export { Absent, BytesV, DateV, Delta, ErrorV, FnRef, Hole, List, Ref, RegExpV } from './advice-values';
export type { DeltaOp, Key, Val } from './advice-values';

// Fields are what an object holds when it is published.
export type Fields = readonly (readonly [Key, Val])[];

// Bits 0-3 of a record's first byte. Bits 4-5 say how it names its activation
// (Context), bits 6-7 depend on the record.
const enum Kind {
  Request = 1,
  Tag = 2,
  Activation = 3,
  Location = 4,
  Write = 5,
  Read = 6,
  Object = 7,
  Fields = 8,
  Recorded = 9,
  Chunks = 10,
  Unauditable = 11,
  Env = 12,
  Incomplete = 13,
  End = 14,
  Turn = 15,
}

const enum Context {
  Same = 0x00,
  Activation = 0x10,
  Request = 0x20,
  Handler = 0x30,
}

const enum Flag {
  A = 0x40,
  B = 0x80,
}

const flushEvery = 200;

const setIntervalOriginal = setInterval;

export class AdviceWriter extends Encoder {
  private readonly file: AdviceFile;
  private closed = false;
  private readonly unloggable: [number, string][] = [];

  private requests = 1;
  private activations = 0;
  private locations = 0;
  private lastQ = 0;
  private lastA = 0;
  private lastRid = 0;
  private lastObj = -1;
  // The last 'now'; in an array, because a field that is now a small integer and
  // now a double changes the writer's hidden class.
  private readonly clock = new Float64Array(1);
  private readonly tags = new Int32Array(256);
  private readonly tagKnown = new Uint8Array(256);

  constructor(dir: string, buildIdHex: string, workerPath: string) {
    super(Buffer.from(new SharedArrayBuffer(blockSize)));
    this.file = new AdviceFile(dir, buildIdHex, workerPath, (reason) => {
      const text = Buffer.from(reason.replace(/[^ -~]/g, '?').slice(0, 63), 'latin1');
      return Buffer.concat([Buffer.from([Kind.Incomplete, 0x40 | text.length]), text]);
    });
    setIntervalOriginal(() => this.flush(), flushEvery).unref();
  }

  // incomplete: something that should be in the advice will not be.
  get incomplete(): boolean {
    return this.file.failed;
  }

  // path is the file that this life's advice goes to.
  get path(): string {
    return this.file.path;
  }

  protected replace(b: Buffer, end: number, size: number): Buffer {
    if (this.closed) {
      this.closed = false;
      this.file.resume();
    }
    const next = this.file.buffer(size);
    if (end > 0) this.file.put(b, end);
    return next;
  }

  // head begins a record about activation a of request q.
  private head(kind: number, q: number, a: number): void {
    this.start = this.p;
    if (this.p + 80 > this.b.length) this.spill(80);
    if (a === this.lastA && q === this.lastQ) {
      this.b[this.p++] = kind;
      return;
    }
    if (a !== 0) {
      this.b[this.p++] = kind | Context.Activation;
      this.varint(this.activations - a);
      this.lastQ = q;
    } else if (q === this.lastQ) {
      this.b[this.p++] = kind | Context.Handler;
    } else {
      this.b[this.p++] = kind | Context.Request;
      this.varint(this.requests - 1 - q);
      this.lastQ = q;
    }
    this.lastA = a;
  }

  // refuse is called for a value that no advice can hold, in a record about the
  // current request.
  protected refuse(reason: string): void {
    if (this.unloggable.length < 1000) this.unloggable.push([this.lastQ, reason]);
  }

  private plain(kind: number): void {
    this.start = this.p;
    if (this.p + 80 > this.b.length) this.spill(80);
    this.b[this.p++] = kind;
  }

  // request begins a request and returns its number (init is request 0).
  request(rid: number): number {
    if (rid === this.lastRid + 1) {
      this.plain(Kind.Request);
    } else {
      this.plain(Kind.Request | Flag.A);
      this.zigzag(rid - this.lastRid);
    }
    this.lastRid = rid;
    this.lastA = 0;
    return (this.lastQ = this.requests++);
  }

  // tag is the digest by which the verifier groups request q.
  tag(q: number, tag: number): void {
    const slot = Math.imul(tag, 0x9e3779b1) >>> 24;
    tag |= 0;
    if (this.tagKnown[slot] === 1 && this.tags[slot] === tag) {
      this.head(Kind.Tag | Flag.A, q, q === this.lastQ ? this.lastA : 0);
      this.b[this.p++] = slot;
      return;
    }
    this.tagKnown[slot] = 1;
    this.tags[slot] = tag;
    this.head(Kind.Tag, q, q === this.lastQ ? this.lastA : 0);
    for (let i = 0; i < 4; i++) this.b[this.p++] = (tag >>> (8 * i)) & 255;
  }

  // activation defines an activation and returns its number. Numbers are for
  // the other methods' parameter `a`; 0 is the request handler (or init's load).
  activation(q: number, parent: number, op: number, firing: number): number {
    this.head(firing === 0 ? Kind.Activation : Kind.Activation | Flag.A, q, parent);
    this.varint(op);
    if (firing !== 0) this.varint(firing);
    return (this.lastA = ++this.activations);
  }

  // location defines a location: a key of init's k-th object (obj = 2k) or of
  // the n-th object of this advice (2n+1).
  location(obj: number, key: Key): number {
    if (obj === this.lastObj) {
      this.plain(Kind.Location);
    } else if ((obj & 1) === 0) {
      this.plain(Kind.Location | Flag.A);
      this.varint(obj / 2);
    } else {
      this.plain(Kind.Location | Flag.B);
      this.varint(this.objects - 1 - (obj - 1) / 2);
    }
    this.lastObj = obj;
    this.key(key, false);
    return this.locations++;
  }

  // write logs that operation op of activation a wrote value to location l over
  // write prev of the same location (-1: over what the log does not name).
  write(q: number, a: number, op: number, l: number, prev: number, value: Val): number {
    const n = this.writes++;
    if (prev >= 0) {
      this.head(Kind.Write | Flag.A, q, a);
      this.varint(n - 1 - prev);
    } else {
      this.head(Kind.Write, q, a);
      this.varint(this.locations - 1 - l);
    }
    this.varint(op);
    this.value(value, prev, 0);
    return n;
  }

  // absence names the version in which location l, of a key, holds nothing, as of write s
  // of its object's shape. It is numbered like a write.
  absence(l: number, s: number): number {
    this.plain(Kind.Write | Flag.B);
    this.varint(this.locations - 1 - l);
    this.varint(this.writes - 1 - s);
    return this.writes++;
  }

  // latest is the number of the request that began last.
  get latest(): number {
    return this.requests - 1;
  }

  // read logs that activation a read what write w wrote.
  read(q: number, a: number, w: number): void {
    this.head(Kind.Read, q, a);
    this.varint(this.writes - 1 - w);
  }

  // object defines the i-th object that operation op of activation a published.
  // fields may be a function, called with the object's number once references
  // to it are valid: it may define other objects, and refer to this one.
  object(q: number, a: number, op: number, i: number, kind: number, classId: number, fields: Fields | ((o: number) => Fields)): number {
    const known = typeof fields === 'function' ? null : fields;
    this.head(known === null ? Kind.Object | Flag.A : Kind.Object, q, a);
    const o = this.objects++;
    this.varint(kind * 2 + (classId === 0 ? 0 : 1));
    if (classId !== 0) this.varint(classId);
    this.varint(op);
    this.varint(i);
    if (known !== null) {
      this.fields(kind, known);
      return o;
    }
    const b = this.b;
    const p = this.p;
    const held = (fields as (o: number) => Fields)(o);
    if (this.b === b && this.p === p && this.objects === o + 1) {
      // Nothing came in between: the fields can be part of the record after all.
      b[this.start] &= ~Flag.A;
      this.fields(kind, held);
      return o;
    }
    this.plain(Kind.Fields);
    this.varint(this.objects - 1 - o);
    this.fields(kind, held);
    return o;
  }

  // nd records a result that re-execution cannot compute.
  nd(q: number, a: number, type: string, value: Val): void {
    if (type === 'now' && Number.isSafeInteger(value)) {
      this.head(Kind.Recorded | Flag.A, q, a);
      this.zigzag((value as number) - this.clock[0]);
      this.clock[0] = value as number;
      return;
    }
    this.head(Kind.Recorded, q, a);
    this.name(type);
    this.value(value, -1, 0);
  }

  // chunks are the lengths in which a large request body reached the app.
  chunks(q: number, lengths: readonly number[]): void {
    this.head(Kind.Chunks, q, q === this.lastQ ? this.lastA : 0);
    this.varint(lengths.length);
    for (const n of lengths) {
      if (this.p + 10 > this.b.length) this.spill(10);
      this.varint(n);
    }
  }

  // turn says that activation a of request q is what the event loop runs next.
  turn(q: number, a: number): void {
    this.head(Kind.Turn, q, a);
  }

  // body says that the next piece of request q's body came, or its end.
  body(q: number): void {
    this.head(Kind.Turn | Flag.A, q, q === this.lastQ ? this.lastA : 0);
  }

  // unauditable says why request q cannot be audited in a group; shared: because of
  // what shared state holds, all else having been recorded.
  unauditable(q: number, reason: string, where: string, shared: boolean): void {
    this.head(shared ? Kind.Unauditable | Flag.A : Kind.Unauditable, q, q === this.lastQ ? this.lastA : 0);
    this.string(reason);
    this.string(where);
  }

  // env is an environment variable as the app saw it.
  env(name: string, value: Val): void {
    this.plain(Kind.Env);
    this.string(name);
    this.value(value, -1, 0);
  }

  // flush hands what there is to the flush worker.
  flush(): void {
    if (this.unloggable.length > 0) {
      for (const [q, reason] of this.unloggable.splice(0)) this.unauditable(q, reason, '', false);
    }
    if (this.p === 0) return;
    const b = this.b;
    const end = this.p;
    this.b = this.file.buffer(blockSize);
    this.p = 0;
    this.start = 0;
    this.file.put(b, end);
  }

  // sync returns when all entries so far are in the file.
  sync(): void {
    this.flush();
    this.file.sync();
  }

  // close ends the life cleanly, synchronously. If anything is logged later after
  // all (a server that takes its time to shut down), the life goes on and can be
  // closed again.
  close(): void {
    if (this.closed) return;
    this.flush();
    this.file.finish(new Uint8Array([Kind.End]));
    this.closed = true;
    // Without a buffer, the next entry asks for one, and resumes.
    this.b = none;
  }
}

const none = Buffer.alloc(0);
