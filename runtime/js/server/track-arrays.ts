// Arrays: one location, whose value is the list of elements.
import { arrayChange, changesArray, ELEMENTS, Kind, type Splice, T } from '../shared/tracked';
import * as log from './log';
import { allKey, type Key, List, ListLoc, Rec, type Val } from './log';
import { publishing, ref, setPrototypeOf, share, stamp, stamped } from './track';

class All extends ListLoc {
  get key(): Key {
    return allKey;
  }
  list(): Val {
    return new List(elements(this.rec.target));
  }
  size(): number {
    return this.rec.target.length;
  }
}

export class ArrayRec extends Rec {
  all: All | null = null;

  location(): All {
    return (this.all ??= new All(this));
  }

  keys(): Val {
    return this.location().list();
  }

  initial(): [Key, Val][] {
    if (this.all !== null) return [[allKey, log.hole]];
    return elements(this.target).map((v, i) => [['#', i], v]);
  }
}

const { map } = Array.prototype;
// As it is before installNatives.
const { apply } = Reflect;

// elements are those of an array as the log holds them.
function elements(a: any[]): Val[] {
  const out: Val[] = new Array(a.length);
  for (let i = 0; i < a.length; i++) out[i] = i in a ? ref(a[i]) : log.hole;
  return out;
}

publishing((o, proto, p) => {
  if (!Array.isArray(o) || proto !== Array.prototype) return false;
  const frozen = !Object.isExtensible(o);
  stamp(new ArrayRec(o, frozen ? Kind.FrozenArray : Kind.Array, 0, p.op, p.index, p.declared));
  if (frozen && !Object.isFrozen(o)) p.complain('a sealed array with elements that can be written');
  // Beside its elements and its length.
  if (Reflect.ownKeys(o).length > o.length + 1) p.complain('an array with other properties than elements');
  for (let i = 0; i < o.length; i++) p.reach(o[i]);
  if (!frozen) setPrototypeOf(o, TrackedArray.prototype);
  return true;
});

export function readArray(a: any): void {
  const r = stamped(a) as ArrayRec | undefined;
  if (r !== undefined && log.live() && r.all !== null) log.read(r.all);
}

// mutate runs f, which changes a, as one write. splice says what it does, or is
// null where the whole list has to be logged.
export function mutate(a: any, added: ArrayLike<any>, splice: Splice | null, f: () => any): any {
  const r = stamped(a) as ArrayRec;
  const op = log.nextOp();
  for (let i = 0; i < added.length; i++) share(added[i], op, r.declared);
  if (!log.live()) return f();
  if (splice === null) return log.replace(r.location(), op, f);
  log.change(r.location(), op, { start: splice.start, del: splice.del, items: map.call(splice.items, ref) as Val[] });
  return f();
}

export class TrackedArray extends Array<any> {}

for (const k of Reflect.ownKeys(Array.prototype)) {
  const f = (Array.prototype as any)[k];
  if (typeof f !== 'function' || k === 'constructor') continue;
  let g: Function;
  if (!changesArray.has(k)) {
    g = {
      m(this: any): any {
        readArray(this);
        // What concat is given may be arrays, too.
        if (k === 'concat') for (let i = 0; i < arguments.length; i++) if (Array.isArray(arguments[i])) readArray(arguments[i]);
        return apply(f, this, arguments);
      },
    }.m;
  } else {
    g = {
      m(this: any, ...args: any[]): any {
        if (stamped(this) === undefined) return apply(f, this, args);
        // A mutation is a read as well: its result, or what it does, depends on the elements.
        readArray(this);
        const { put, splice } = arrayChange(k, this.length, args);
        return mutate(this, put, splice, () => apply(f, this, args));
      },
    }.m;
  }
  Object.defineProperty(g, 'name', { value: f.name });
  Object.defineProperty(g, 'length', { value: f.length });
  Object.defineProperty(TrackedArray.prototype, k, { value: g, writable: true, configurable: true });
}
Object.defineProperty(TrackedArray.prototype, 'constructor', { value: Array, writable: true, configurable: true });
Object.defineProperty(TrackedArray.prototype, T, { value: true });
// JSON.stringify looks for toJSON before it walks the elements natively.
for (const k of ['toJSON', ELEMENTS]) {
  Object.defineProperty(TrackedArray.prototype, k, {
    get(this: any) {
      readArray(this);
      return undefined;
    },
    configurable: true,
  });
}
