// child_process: what processes do is what the server says they did.
import { childModule } from '../shared/child';
import { Buffer } from './buffer';
import EventEmitter from './events';
import { unsupported } from './internal/errors';
import { foretold, loop, nondeterministic } from './internal/host';
import { Line } from './internal/line';
import { ofChild, ofKill, ofSpawn, ofWait } from './internal/results';
import Stream from './stream';
import util from './util';

const type = 'child_process';

function wire(child: any, _file: any, _args: any[], options: any): any {
  const { stdio } = options;
  if (Array.isArray(stdio) && (stdio.length > 3 || stdio.some((s: any) => typeof s === 'object' && s !== null))) unsupported('a process with streams of its own');
  if (stdio === 'ipc' || (Array.isArray(stdio) && stdio.includes('ipc'))) unsupported('a process that is sent messages');
  new Line(type, ofChild((e) => child._wants(e)), (e) => child._came(e), () => child._gone);
  const { pid, streams } = JSON.parse(nondeterministic(type, ofSpawn));
  return {
    pid,
    streams,
    write: (_chunk: any, _encoding: any, number: number) => !foretold('slow', number),
    end() {},
    drop() {},
    kill: () => JSON.parse(nondeterministic(type, ofKill)).killed,
    set() {},
    after() {},
  };
}

export const child_process: any = childModule({
  EventEmitter,
  Readable: (Stream as any).Readable,
  Writable: (Stream as any).Writable,
  Buffer,
  tick: (f) => loop.tick(f),
  wire,
  wait: () => JSON.parse(nondeterministic(type, ofWait)),
  print() {},
  custom: util.promisify.custom,
});
