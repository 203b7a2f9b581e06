// Connections as the program knows them. Which requests come by one connection, and when
// a connection comes or closes, follows from nothing that re-execution could know. As long as
// the program keeps nothing with a connection, that is all the same, and the verifier
// gives each request one of its own. Else it is recorded, and requests are re-executed jointly,
// where they can share it.
import { Server } from 'http';
import { Socket } from 'net';
import { current } from '../shared/activation';
import type { Outside } from '../shared/emitter';
import * as log from './log';
import { record } from './outside';

interface Connection {
  // heard is the number of a connection that listeners of the program's heard of, or 0.
  heard: number;
  // keeper is the request in which the program kept something with it, or 0.
  keeper: number;
  // last is the request that it carried last.
  last: number;
  // keys: so many properties it has by itself.
  keys: number;
}

const connections = new WeakMap<Socket, Connection>();
let count = 0;
// telling is the number of the connection that listeners are being told of, or 0.
let telling = 0;
// closing is a connection that carries no request and is closing.
let closing: Socket | null = null;

// tell has listeners of the program's told of a connection.
export function tell(socket: Socket, emit: () => boolean): boolean {
  connections.set(socket, { heard: ++count, keeper: 0, last: 0, keys: 0 });
  telling = count;
  try {
    return emit();
  } finally {
    telling = 0;
  }
}

// carries notes that the running activation, a request's first, came by a connection.
export function carries(socket: Socket): void {
  const { q } = log.runOf(current!);
  const keys = properties(socket);
  const c = connections.get(socket);
  if (c === undefined) {
    connections.set(socket, { heard: 0, keeper: 0, last: q, keys });
    return;
  }
  if (c.heard > 0) record('connection', c.heard);
  else {
    if (c.keeper === 0 && keys > c.keys) {
      c.keeper = c.last;
      log.unloggable('a connection is given properties');
    }
    if (c.keeper > 0) record('kept', c.keeper);
  }
  c.last = q;
}

// What Node.js gives a connection when it needs it.
const late = ['timeout', '_peername', '_sockname'];

// properties counts those that an assignment to a name makes; to look for others takes too long.
function properties(socket: Socket): number {
  let n = Object.keys(socket).length;
  for (let i = 0; i < late.length; i++) if (Object.hasOwn(socket, late[i])) n--;
  return n;
}

// keeps notes that the running activation puts x where requests share it.
export function keeps(x: unknown): boolean {
  const c = x instanceof Socket ? connections.get(x) : undefined;
  if (c === undefined || current === null) return false;
  if (c.heard === 0 && c.keeper === 0) c.keeper = log.runOf(current).q;
  return true;
}

// closes notes that a connection closes, in the midst of an exchange or not.
export function closes(socket: Socket, idle: boolean): void {
  closing = idle ? socket : null;
}

export const outside: Outside = {
  noted(o, event, listener) {
    if (event === 'connection' && o instanceof Server) return hearing(listener);
    if (event === 'close' && o instanceof Socket && connections.has(o)) return awaiting(o, listener);
    return listener;
  },
  awaits() {},
};

function hearing(listener: any): any {
  return function (this: any): any {
    const number = telling;
    telling = 0; // what the program emits itself is no turn
    if (number > 0) {
      log.unloggable('the program hears of connections');
      log.turn();
      record('connection', number);
    }
    try {
      return Reflect.apply(listener, this, arguments);
    } finally {
      telling = number;
    }
  };
}

function awaiting(socket: Socket, listener: any): any {
  return function (this: any): any {
    if (closing === socket) {
      log.turn();
      record('turn', ++current!.run.turns);
    }
    return Reflect.apply(listener, this, arguments);
  };
}
