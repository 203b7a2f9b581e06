// What shared state holds by content (dates), or only as long as nobody changes it
// (typed arrays that were made at load): a change is not recorded, but said.
import { T } from '../shared/tracked';
import * as log from './log';
import { defineProperty, prototypeOf, setPrototypeOf, watching } from './track';
import { standFor } from './track-objects';

const dates = new WeakSet<object>();

watching.date = (d) => dates.add(d);

// installDates makes the methods that change a Date look whether it is shared.
export function installDates(replace: (o: any, k: string, f: Function) => void): void {
  for (const k of Reflect.ownKeys(Date.prototype)) {
    if (typeof k !== 'string' || !k.startsWith('set')) continue;
    const f = (Date.prototype as any)[k];
    replace(Date.prototype, k, {
      m(this: any) {
        if (dates.has(this)) changed('a Date');
        return Reflect.apply(f, this, arguments);
      },
    }.m);
  }
}

function changed(what: string): void {
  if (log.live()) log.unloggable(`${what} in shared state is changed`);
}

const changing = /^(set|fill|copyWithin|sort|reverse|write.*|swap\d+)$/;
const watchful = new Map<object, object>();

// A typed array notices changes.
watching.bytes = (o) => {
  const proto = prototypeOf(o);
  let p = watchful.get(proto);
  if (p === undefined) watchful.set(proto, (p = noticing(proto)));
  setPrototypeOf(o, p);
};

function noticing(proto: any): object {
  const p = Object.create(proto, { [T]: { value: true } });
  for (let q = proto; q !== Object.prototype; q = prototypeOf(q)) {
    for (const k of Reflect.ownKeys(q)) {
      if (typeof k !== 'string' || !changing.test(k) || Object.hasOwn(p, k)) continue;
      const f = proto[k];
      const value = {
        [k](this: any) {
          elementsChanged();
          return Reflect.apply(f, this, arguments);
        },
      }[k];
      defineProperty(p, k, { value, writable: true, configurable: true });
    }
  }
  standFor(p, proto);
  return p;
}

export function elementsChanged(): void {
  changed('a typed array');
}
