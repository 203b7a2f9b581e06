// The timers that are promises, made of those that take callbacks, so that both
// builds count what they register alike.
import { newPromise } from './promises';

function aborted(signal: any): any {
  const e: any = new Error('The operation was aborted');
  Object.defineProperty(e, 'cause', { value: signal.reason, writable: true, configurable: true });
  e.name = 'AbortError';
  e.code = 'ABORT_ERR';
  return e;
}

function waiting(start: (done: () => void) => any, clear: (handle: any) => void, value: any, options: any): Promise<any> {
  return newPromise((resolve: any, reject: any) => {
    const signal = options?.signal;
    if (signal?.aborted) return reject(aborted(signal));
    let stop: any;
    const handle = start(() => {
      if (signal) signal.removeEventListener('abort', stop);
      resolve(value);
    });
    if (options?.ref === false) handle.unref();
    if (!signal) return;
    stop = () => {
      clear(handle);
      reject(aborted(signal));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

export function setTimeout(ms?: any, value?: any, options?: any): Promise<any> {
  const g = globalThis as any;
  return waiting((done) => g.setTimeout(done, ms), g.clearTimeout, value, options);
}

export function setImmediate(value?: any, options?: any): Promise<any> {
  const g = globalThis as any;
  return waiting((done) => g.setImmediate(done), g.clearImmediate, value, options);
}

export const scheduler = { wait: (ms?: any, options?: any) => setTimeout(ms, undefined, options) };

// install puts them behind util.promisify, too.
export function install(): void {
  const promisified = Symbol.for('nodejs.util.promisify.custom');
  const g = globalThis as any;
  for (const [f, p] of [[g.setTimeout, setTimeout], [g.setImmediate, setImmediate]]) Object.defineProperty(f, promisified, { value: p, configurable: true });
}
