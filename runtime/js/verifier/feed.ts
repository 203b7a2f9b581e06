// What the advice says about the lanes of a group, indexed for lookup while
// they re-execute. The logged activations of all lanes form one trie of names;
// every entry hangs at its activation and must be consumed exactly once.
import { RawMap } from './raw';

export type Json = any;

export const SHAPE = Symbol('shape');
export const ALL = Symbol('all');

export class KeyRef {
  constructor(readonly obj: number) {}
}

export class FeedNode {
  children: Map<number | string, FeedNode> | null = null;
  // Per lane, or absent: write indexes of reads; [op, write] pairs of writes;
  // [op, index, obj] triples of published objects; recorded results.
  reads: (number[] | undefined)[] | null = null;
  writes: (number[] | undefined)[] | null = null;
  objects: (number[] | undefined)[] | null = null;
  results: (any[] | undefined)[] | null = null;
  resultAt: Int32Array | null = null;
  // fired: the lanes in which the event loop ran it, as a timer or an arrival.
  fired: Uint8Array | null = null;
  // turned: it ran as such.
  turned = false;
  entered = false;
  // pending lets the activation run, where turns run in the server's order.
  pending: (() => void) | null = null;

  child(op: number, firing: number): FeedNode | null {
    return this.children === null ? null : (this.children.get(named(op, firing)) ?? null);
  }
}

// named tells the firings of all operations apart. An interval of a few milliseconds has millions in a day.
const few = 2 ** 16;
const named = (op: number, firing: number): number | string => (firing < few ? op * few + firing : `${op},${firing}`);

// leaving is the registration, in the request's first activation, of what comes of its connection before the
// answer is complete: the client leaves (firing 0), something goes wrong (1), nothing is heard for a while (from 2 on).
export const leaving = 0;

// aBody stands for the next piece of a request's body among its turns.
export const aBody = -1;

export interface ObjectDef {
  kind: number;
  classId: number;
  fields: [any, Json][];
}

export class Feed {
  nodes: FeedNode[] = [];
  // The numbers of the logged locations by object and key; and by object and number of
  // the key, where that is an object.
  private readonly byKey = new RawMap<number, RawMap<any, number>>();
  private readonly byRef = new RawMap<number, RawMap<number, number>>();
  // [loc, prev, value], and 1 for what is no write, but an absence
  writes: [number, number, Json, number?][];
  objects: ObjectDef[];
  left = 0;
  // untold: nothing is said about what fired, so everything does (in tests, which have no advice).
  untold: boolean;
  // script: the activations that the event loop ran, in the server's order, and aBody for each piece
  // of the request's body. That of init is always known, others where the job tells it.
  script: number[] | null = null;
  // body delivers the next piece of the request's body, in the server's order.
  body: () => void = () => {};
  // turns: something came, or a timer fired, in a recorded turn.
  turns = false;
  // Texts of stack traces, per lane. They are matched by their first line and may
  // be left over: what reads a stack may be the platform (console.error).
  stacks: (string[] | undefined)[] = [];

  constructor(
    readonly lanes: number,
    job: Json,
  ) {
    for (const [parent, op, firing] of job.acts ?? [[-1, 0, 0]]) {
      const n = new FeedNode();
      this.nodes.push(n);
      if (parent >= 0) {
        const p = this.nodes[parent];
        (p.children ??= new RawMap()).set(named(op, firing), n);
      }
    }
    (job.locs ?? []).forEach(([obj, text]: Json, n: number) => {
      const key = parseKey(text);
      if (key instanceof KeyRef) enter(this.byRef, obj, key.obj, n);
      else enter(this.byKey, obj, key, n);
    });
    this.writes = job.writes ?? [];
    this.objects = (job.objs ?? []).map(([kind, classId, fields]: Json) => ({ kind, classId, fields }));
    const r: number[] = job.r ?? [];
    for (let i = 0; i < r.length; i += 3) push((this.nodes[r[i]].reads ??= new Array(lanes)), r[i + 1], r[i + 2]);
    const w: number[] = job.w ?? [];
    for (let i = 0; i < w.length; i += 4) {
      const per = (this.nodes[w[i]].writes ??= new Array(lanes));
      push(per, w[i + 1], w[i + 2]);
      push(per, w[i + 1], w[i + 3]);
    }
    const o: number[] = job.o ?? [];
    for (let i = 0; i < o.length; i += 5) {
      const per = (this.nodes[o[i]].objects ??= new Array(lanes));
      push(per, o[i + 1], o[i + 2]);
      push(per, o[i + 1], o[i + 3]);
      push(per, o[i + 1], o[i + 4]);
    }
    this.untold = job.f === undefined;
    const f: number[] = job.f ?? [];
    this.script = job.course ?? null;
    if (job.init === true && !this.untold) this.script = f.filter((_, i) => i % 2 === 0);
    for (let i = 0; i < f.length; i += 2) (this.nodes[f[i]].fired ??= new Uint8Array(lanes))[f[i + 1]] = 1;
    this.left = r.length / 3 + w.length / 4 + o.length / 5;
    for (const [act, lane, all] of job.nd ?? []) {
      const n = this.nodes[act];
      const list = all.filter((x: Json) => x[0] !== 'stack');
      this.turns ||= list.some((x: Json) => x[0] === 'turn');
      for (const [type, v] of all) if (type === 'stack' && typeof v === 'string') (this.stacks[lane] ??= []).push(v);
      (n.results ??= new Array(lanes))[lane] = list;
      n.resultAt ??= new Int32Array(lanes);
      this.left += list.length;
    }
  }

  // location is the number of a location in the log, or -1. ref is that of its key,
  // if it is an object.
  location(obj: number, key: any, ref: number | null): number {
    const n = ref === null ? this.byKey.get(obj)?.get(key) : this.byRef.get(obj)?.get(ref);
    return n ?? -1;
  }
}

function enter<K>(index: RawMap<number, RawMap<K, number>>, obj: number, key: K, n: number): void {
  let keys = index.get(obj);
  if (keys === undefined) index.set(obj, (keys = new RawMap()));
  keys.set(key, n);
}

function push(per: (number[] | undefined)[], lane: number, x: number): void {
  const l = per[lane];
  if (l === undefined) per[lane] = [x];
  else l.push(x);
}

export function parseKey(k: Json): any {
  if (typeof k === 'string') return k;
  switch (k[0]) {
    case 'shape':
      return SHAPE;
    case 'all':
      return ALL;
  }
  // ["#", value]: a key that is no string, as a value
  const v = k[1];
  if (Array.isArray(v) && v[0] === 'r') return new KeyRef(v[1]);
  return primitive(v);
}

// primitive decodes a JSON-coded value that is no object.
export function primitive(v: Json): any {
  if (!Array.isArray(v)) return v;
  switch (v[0]) {
    case 'u':
      return undefined;
    case 'n':
      return v[1] === '-0' ? -0 : Number(v[1]);
    case 'b':
      return BigInt(v[1]);
  }
  throw new Error('not a primitive: ' + v[0]);
}
