// Values as the log holds them, and those of re-execution compared with them.
import { isArrayKind, isKeyed, type Kind, type Splice } from '../shared/tracked';
import { type Json, primitive } from './feed';
import { ABSENT, group, isThing, type List, number, problem, things } from './group';
import { diverge } from './mv';
import { watched } from './mv-touch';
import { RawMap } from './raw';

// Later is an object of another request's that nobody has asked for yet.
export class Later {
  constructor(private readonly obj: number) {}
  get(lane: number): any {
    return materialise(['r', this.obj], lane);
  }
}

// materialiseLater is materialise, but for such objects.
export function materialiseLater(v: Json, lane: number): any {
  return Array.isArray(v) && v[0] === 'r' && v[1] >= 0 && group.objects[lane]?.get(v[1]) === undefined ? new Later(v[1]) : materialise(v, lane);
}

let makeView: (obj: number, lane: number) => any;
export function setMakeView(f: (obj: number, lane: number) => any): void {
  makeView = f;
}

export function materialise(v: Json, lane: number): any {
  if (!Array.isArray(v)) return v;
  switch (v[0]) {
    case 'N':
      return new Counted(v[1], v, lane);
    case 'z':
    case 'h':
      return ABSENT;
    case 'r': {
      const obj: number = v[1];
      if (obj < 0) {
        const o = things.at(-obj - 1);
        if (o === undefined) problem(lane, 'R-object', 'the log names something that init never made');
        return o;
      }
      const known = group.objects[lane]?.get(obj);
      return known === undefined ? makeView(obj, lane) : known;
    }
    case 'd': {
      const d = new Date(time(v[1]));
      watched.shared(d);
      return d;
    }
    case 'x': {
      const re = new RegExp(v[1], v[2]);
      re.lastIndex = v[3] ?? 0;
      watched.shared(re);
      return re;
    }
    case 'A':
      return v[1].map((x: Json) => materialise(x, lane));
    case 'D':
      if (v.length > 3) return new Counted(v[3], v, lane);
      return (absolute(v, lane) ?? []).map((x: Json) => materialise(x, lane));
  }
  if (v[0] === 'e' || v[0] === 'f' || v[0] === 'y') {
    problem(lane, 'R-value', 'the log holds a value of a kind that shared state never does');
    return undefined;
  }
  return primitive(v);
}

// written is what a lane finds of a logged write: the same object each time that it looks.
export function written(w: number, lane: number): any {
  const v = group.feed!.writes[w][2];
  if (!Array.isArray(v) || (v[0] !== 'd' && v[0] !== 'x')) return materialise(v, lane);
  const known = (group.values[lane] ??= new RawMap());
  let value = known.get(w);
  if (value === undefined) known.set(w, (value = materialise(v, lane)));
  return value;
}

// wrote notes what the lane itself wrote there.
export function wrote(w: number, lane: number, value: any): void {
  if (value instanceof Date || value instanceof RegExp) (group.values[lane] ??= new RawMap()).set(w, value);
}

// time is that of a logged Date; an invalid one has none.
function time(v: Json): number {
  return v === null ? NaN : primitive(v);
}

// equalElements is equals for elements of lists, which may be holes.
export function equalElements(v: Json, value: any, lane: number): boolean {
  return Array.isArray(v) && v[0] === 'h' ? value === ABSENT : equals(v, value, lane);
}

// equals: the canonical encoding of value is v.
export function equals(v: Json, value: any, lane: number): boolean {
  if (!Array.isArray(v)) return Object.is(v, value);
  switch (v[0]) {
    case 'z':
      return value === ABSENT;
    case 'r':
      return isThing(value) && number(value, lane) === v[1];
    case 'd':
      return value instanceof Date && Object.is(value.getTime(), time(v[1]));
    case 'x':
      return value instanceof RegExp && value.source === v[1] && value.flags === v[2] && value.lastIndex === (v[3] ?? 0);
    // Lists are what arrays and shapes hold (matches), and nothing else is a list.
    case 'A':
    case 'D':
    case 'e':
    case 'f':
    case 'h':
    case 'y':
      return false;
  }
  return Object.is(primitive(v), value);
}

// A job leaves out lists and objects that are only built upon, or far away from what its
// requests read. wantMore asks for the job with all of them (see verifier/reexec/job.go).
export function wantMore(): never {
  diverge('the job leaves out what is needed');
}

const untold = (v: Json): boolean => Array.isArray(v) && v[0] === 'N';

// presence: of an overwritten value only matters whether there was one.
export function presence(v: Json): any {
  return Array.isArray(v) && v[0] === 'z' ? ABSENT : undefined;
}

// ---- lists: what arrays and shapes hold, kept as changes until someone looks

export type Delta = Splice | { add: any } | { remove: any } | { list: List };

// Counted is a list of which the job tells the length. What else it tells takes time to work out.
class Counted {
  constructor(
    readonly length: number,
    private readonly v: Json,
    private readonly lane: number,
  ) {}
  get(): List {
    return (absolute(this.v, this.lane) ?? []).map((x: Json) => materialise(x, this.lane));
  }
}

export class LoggedList {
  private list: List | null = null;
  constructor(
    readonly write: number,
    private readonly lane: number,
  ) {}
  get(): List {
    return (this.list ??= listOf(materialise(group.feed!.writes[this.write][2], this.lane)));
  }
  length(): number {
    return this.list === null ? lengthOf(materialise(group.feed!.writes[this.write][2], this.lane)) : this.list.length;
  }
}

export class ChangedList {
  private list: List | null = null;
  // How many of the changes are in list.
  private done = 0;
  readonly deltas: Delta[];
  // write: the logged write that it is, or -1.
  write = -1;
  constructor(
    readonly before: any,
    delta: Delta,
  ) {
    this.deltas = [delta];
  }
  // and takes one more change.
  and(d: Delta): this {
    this.deltas.push(d);
    return this;
  }
  get(): List {
    // Without recursion: a request may have changed it in very many turns.
    const chain: ChangedList[] = [];
    let x: any = this;
    for (; x instanceof ChangedList && x.list === null; x = x.before) chain.push(x);
    let l: List = x instanceof ChangedList ? x.current() : listOf(x);
    while (chain.length > 0) {
      const y = chain.pop()!;
      y.list = l;
      l = y.current();
    }
    return l;
  }
  length(): number {
    const chain: ChangedList[] = [];
    let x: any = this;
    for (; x instanceof ChangedList && x.list === null; x = x.before) chain.push(x);
    let n = x instanceof ChangedList ? x.current().length : lengthOf(x);
    while (chain.length > 0) for (const d of chain.pop()!.deltas) n = lengthAfter(n, d);
    return n;
  }
  private current(): List {
    if (this.done < this.deltas.length) this.list = apply(this.list!, this.deltas, this.done);
    this.done = this.deltas.length;
    return this.list!;
  }
}

// lengthAfter: keys are added where they were absent, and removed where they were there.
function lengthAfter(n: number, d: Delta): number {
  if ('list' in d) return d.list.length;
  if ('add' in d) return n + 1;
  if ('remove' in d) return n - 1;
  const start = Math.min(d.start, n);
  return n - Math.min(d.del, n - start) + d.items.length;
}

// lengthOf is the length of a list, which may be untold.
export function lengthOf(v: any): number {
  return v instanceof ChangedList || v instanceof LoggedList ? v.length() : v.length;
}

export function listOf(v: any): any {
  if (v instanceof Counted) return v.get();
  if (v instanceof ChangedList) return v.get();
  if (v instanceof LoggedList) return v.get();
  return v;
}

// apply makes a new list by the changes from number `from` on.
function apply(l: List, deltas: Delta[], from: number): List {
  const keys = new RawMap<any, boolean>();
  if (deltas.slice(from).every((d) => 'add' in d || 'remove' in d)) {
    for (const k of l) keys.set(k, true);
    for (let i = from; i < deltas.length; i++) {
      const d = deltas[i] as any;
      if ('add' in d) keys.set(d.add, true);
      else keys.delete(d.remove);
    }
    return [...keys.keys()];
  }
  for (let i = from; i < deltas.length; i++) l = applyOne(l, deltas[i]);
  return l;
}

function applyOne(l: List, d: Delta): List {
  if ('list' in d) return d.list;
  if ('add' in d) return [...l, d.add];
  if ('remove' in d) return l.filter((x) => !Object.is(x, d.remove));
  return [...l.slice(0, d.start), ...d.items, ...l.slice(d.start + d.del)];
}

const hasProperties = (kind: Kind): boolean => !isKeyed(kind) && !isArrayKind(kind);

// enumerated puts the names of properties in the order in which the language lists them:
// what reads like an array's index comes first.
export function enumerated<X extends List | Json[]>(names: X): X {
  const isIndex = (k: any): boolean => typeof k === 'string' && String((k as any) >>> 0) === k && k !== '4294967295';
  if (!names.some(isIndex)) return names;
  return [...names.filter(isIndex).sort((a: any, b: any) => a - b), ...names.filter((k: any) => !isIndex(k))] as any;
}

export function matches(logged: readonly [number, number, Json, number?], after: any, delta: Delta | null, prev: number, lane: number, kind: Kind): boolean {
  const v = logged[2];
  if (delta === null) return equals(v, after, lane);
  if (!Array.isArray(v)) return false;
  if (v[0] === 'D' && v[1] === prev && v[2].length === 1 && sameDelta(v[2][0], delta, lane)) return true;
  if (v[0] === 'D' && changedBy(after, v[1], v[2], lane)) return true;
  let list = absolute(v, lane);
  let mine = listOf(after);
  if (list !== null && hasProperties(kind)) [list, mine] = [enumerated(list), enumerated(mine)];
  return list !== null && list.length === mine.length && list.every((x: Json, i: number) => equalElements(x, mine[i], lane));
}

// changedBy tells whether list is what the write numbered base left and ops then changed.
function changedBy(list: any, base: number, ops: Json[], lane: number): boolean {
  let n = ops.length;
  for (let x = list; ; x = x.before) {
    if ((x instanceof ChangedList || x instanceof LoggedList) && x.write === base) return n === 0;
    if (!(x instanceof ChangedList)) return false;
    for (let i = x.deltas.length - 1; i >= 0; i--) if (n === 0 || !sameDelta(ops[--n], x.deltas[i], lane)) return false;
  }
}

function sameDelta(j: Json, d: Delta, lane: number): boolean {
  if ('add' in d) return j[0] === 'add' && equals(j[1], d.add, lane);
  if ('remove' in d) return j[0] === 'remove' && equals(j[1], d.remove, lane);
  if ('list' in d) return j[0] === 'clear' && d.list.length === 0;
  return j[0] === 'splice' && j[1] === d.start && j[2] === d.del && j[3].length === d.items.length && j[3].every((x: Json, i: number) => equalElements(x, d.items[i], lane));
}

// absolute expands a logged list, whose values stay coded.
function absolute(v: Json, lane: number): Json[] | null {
  if (untold(v)) wantMore();
  if (v[0] === 'A') return v[1];
  if (v[0] !== 'D') return null;
  const base = absolute(group.feed!.writes[v[1]][2], lane);
  if (base === null) return null;
  const keyed = v[2].length > 1 && v[2].every((d: Json) => d[0] === 'add' || d[0] === 'remove');
  if (keyed) {
    const keys = new RawMap<any, Json>();
    for (const x of base) keys.set(JSON.stringify(x), x);
    for (const [kind, x] of v[2]) {
      if (kind === 'add') keys.set(JSON.stringify(x), x);
      else keys.delete(JSON.stringify(x));
    }
    return [...keys.values()];
  }
  let l: Json[] = base;
  for (const d of v[2]) {
    if (d[0] === 'clear') l = [];
    else if (d[0] === 'add') l = [...l, d[1]];
    else if (d[0] === 'remove') l = l.filter((x) => JSON.stringify(x) !== JSON.stringify(d[1]));
    else l = [...l.slice(0, d[1]), ...d[3], ...l.slice(d[1] + d[2])];
  }
  return l;
}
