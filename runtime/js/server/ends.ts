// How the process ends, or would end without handlers of the program's: errors that
// nobody catches, rejections that nobody handles, exits and signals. What a request was
// doing then is cut off, or goes on, in the middle; only joint re-execution can follow that.
import { callback, current } from '../shared/activation';
import { hear } from '../shared/emitter';
import { interrupted } from './http';
import * as log from './log';

const signals = ['SIGTERM', 'SIGINT'] as const;

export function install(): void {
  process.on('uncaughtExceptionMonitor', (error: any, origin: string) => {
    // A program's handler may ask for the stack trace, which is then recorded.
    const dies = process.listenerCount('uncaughtException') === 0;
    log.unloggable(origin === 'unhandledRejection' ? 'nobody handled a rejected promise' : 'nobody caught an error', dies && error instanceof Error ? String(error.stack) : '');
  });
  process.on('exit', () => {
    interrupted();
    close();
    log.end();
  });
  for (const signal of signals) {
    const heard = () => {
      // The application's own handlers run after this one; without any, the
      // signal does what it would have done.
      const dies = process.listenerCount(signal) <= 1;
      if (dies) interrupted();
      close();
      if (!dies) return;
      process.removeListener(signal, heard);
      process.kill(process.pid, signal);
    };
    process.on(signal, heard);
  }
}

function close(): void {
  log.writer.close();
}

// listen is process.on and its kin for the program.
export function listen(method: string, event: any, listener: any): void {
  if (current === null || typeof listener !== 'function') {
    (process as any)[method](event, listener);
    return;
  }
  const heard = function (this: any): any {
    if (event === 'unhandledRejection') log.unloggable('nobody handled a rejected promise', '');
    // A signal comes to the event loop from outside.
    else if (typeof event === 'string' && event.startsWith('SIG') && current !== null) log.turn();
    return Reflect.apply(listener, this, arguments);
  };
  hear(process, method, event, listener, callback(heard, process));
}

// exit is process.exit for the program.
export function exit(code?: any): never {
  if (current !== null && !log.initOpen) {
    if (current.run.isInit) log.background('the program ends the process');
    else log.unloggable('the program ends the process');
  }
  process.exit(code);
}
