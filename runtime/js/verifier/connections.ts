// Events of connections that come by themselves: the verifier's half of
// server/connections.ts. A listener hears of them in an activation of its own, when the advice says so.
import { current } from '../shared/activation';
import type { Outside } from '../shared/emitter';
import { takeResult } from './entries';
import { awaits, takeTurn } from './outside';
import { follows, missing, pend } from './together';

interface Models {
  Server: Function;
  Connection: Function;
  // told makes the connection of a number, or finds it.
  told(server: any, number: number): any;
}

// arriving: what is called now hears of such an event.
let arriving = false;

// hears runs f, a listener, unless that is none any more.
function hears(o: any, event: any, f: any, ...args: any[]): void {
  if (![o._events?.[event]].flat().includes(f)) return missing();
  arriving = true;
  Reflect.apply(f, o, args);
  arriving = false;
}

export function connections(models: () => Models): Outside {
  const comes = (o: any, event: any) => event === 'connection' && o instanceof models().Server;
  const closes = (o: any, event: any) => event === 'close' && o instanceof models().Connection;
  return {
    noted(o, event, listener) {
      const coming = comes(o, event);
      if (!coming && !closes(o, event)) return listener;
      return function (this: any, ...args: any[]): any {
        if (arriving) {
          arriving = false;
          if (coming) args = [models().told(o, takeResult('connection', isNumber))];
          else takeTurn();
        }
        return Reflect.apply(listener, this, args);
      };
    },
    awaits(o, event, f) {
      const by = current!;
      const op = by.ops;
      if (closes(o, event)) {
        const run = () => {
          o.destroyed = true;
          o.readable = o.writable = false;
          hears(o, event, f, false);
        };
        awaits({ by, op, firing: 0, run });
      } else if (comes(o, event) && follows()) {
        let firing = 0;
        const next = () =>
          pend({ by, op, firing: firing++ }, () => {
            next();
            hears(o, event, f);
          });
        next();
      }
    },
  };
}

const isNumber = (v: any): string | null => (Number.isSafeInteger(v) && v > 0 ? null : 'not a number of a connection');
