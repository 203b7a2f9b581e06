// console. What the application prints on its own streams is not part of what is audited; what a Console
// writes on a stream of the program's is.
import { coded, unsupported } from './internal/errors';
import process from './process';
import { formatWithOptions, inspect } from '../shared/inspect';

const names = 'log warn dir time timeEnd timeLog trace assert clear count countReset group groupEnd table debug info dirxml error groupCollapsed'.split(' ');

// quiet is what the application prints by itself.
const quiet = (stream: any): boolean => stream === process.stdout || stream === process.stderr;

const ours = Symbol('kIsConsole');
const noop = (): void => {};

export function Console(this: any, options?: any, ...positional: any[]): any {
  if (!new.target) return Reflect.construct(Console as any, [options, ...positional]);
  const o = !options || typeof options.write === 'function' ? { stdout: options, stderr: positional[0], ignoreErrors: positional[1] } : options;
  const { stdout, stderr = stdout, ignoreErrors = true, groupIndentation = 2, inspectOptions } = o;
  for (const [name, stream] of Object.entries({ stdout, stderr })) if (!stream || typeof (stream as any).write !== 'function') throw coded(TypeError, 'ERR_CONSOLE_WRITABLE_STREAM', `Console expects a writable stream instance for ${name}`);
  Object.defineProperty(this, ours, { value: true });
  let indent = '';
  const counts = new Map<any, number>();
  const text = (args: any[]): string => formatWithOptions(inspectOptions ?? {}, ...args);
  const write = (stream: any, say: () => string): void => {
    if (quiet(stream)) return;
    const line = `${indent}${indent === '' ? say() : say().replaceAll('\n', '\n' + indent)}\n`;
    if (ignoreErrors === false) return stream.write(line);
    try {
      if (stream.listenerCount('error') === 0) stream.once('error', noop);
      stream.write(line, (err: any) => {
        if (err && !stream._writableState?.errorEmitted && stream.listenerCount('error') === 0) stream.once('error', noop);
      });
    } catch {
      // Nobody is told.
    } finally {
      stream.removeListener('error', noop);
    }
  };
  const log = (...args: any[]): void => write(stdout, () => text(args));
  const warn = (...args: any[]): void => write(stderr, () => text(args));
  const lacking = (name: string) => (): void => void (quiet(stdout) || unsupported(`${name} of a Console`));
  const group = (...data: any[]): void => {
    if (data.length > 0) log(...data);
    indent += ' '.repeat(groupIndentation);
  };
  const methods: any = {
    log,
    warn,
    error: warn,
    debug: log,
    info: log,
    dirxml: log,
    dir: (x: any, more: any) => write(stdout, () => inspect(x, { customInspect: false, ...inspectOptions, ...more })),
    assert(ok: any, ...args: any[]) {
      if (ok) return;
      args[0] = `Assertion failed${args.length === 0 ? '' : `: ${args[0]}`}`;
      warn(...args);
    },
    clear: noop,
    count(label: any = 'default') {
      const name = `${label}`;
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      log(`${name}: ${n}`);
    },
    countReset: (label: any = 'default') => void counts.delete(`${label}`),
    group,
    groupCollapsed: group,
    groupEnd: () => void (indent = indent.slice(0, Math.max(0, indent.length - groupIndentation))),
  };
  for (const name of names) this[name] = methods[name] ?? lacking(name);
}

export const console: any = {};
for (const name of [...names, 'profile', 'profileEnd', 'timeStamp']) console[name] = noop;
console.Console = Console;
Object.defineProperty(Console, Symbol.hasInstance, { value: (x: any) => x === console || x?.[ours] === true });
