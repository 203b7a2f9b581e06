// What the program makes text of: util.inspect and util.format, and the console. Node's
// own would show how shared state is watched, and read it unseen.
import { inspect as nativeInspect } from 'util';
import { isDeepStrictEqual } from '../shared/comparisons';
import { formatWithOptions, inspect, use } from '../shared/inspect';
import { values } from '../shared/promises';
import * as log from './log';
import { record } from './outside';

const { apply, defineProperty } = Reflect;
const printing = ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const;

const isObject = (v: any): boolean => (typeof v === 'object' && v !== null) || typeof v === 'function';

// utilModule is module util for the program.
export function utilModule(real: any): any {
  return { ...real, inspect: Object.assign(inspect, { colors: real.inspect.colors, styles: real.inspect.styles }), styleText: styled(real), format, formatWithOptions, isDeepStrictEqual };
}

// styled is util.styleText. Whether there are colours hangs on the terminal and the environment.
function styled(real: any): any {
  const styleText = (format: any, text: any, ...options: any[]): string => {
    const r = real.styleText(format, text, ...options);
    if (!Array.isArray(format) && (options[0]?.validateStream ?? true)) record('json', JSON.stringify(r !== text));
    return r;
  };
  return styleText;
}

function format(...args: any[]): string {
  return formatWithOptions(undefined, ...args);
}

// install does so for the console. What is printed nobody audits, so what is read for it
// is not told.
export function install(types: any): void {
  use(types, nativeInspect, (v) => values.proxy(v));
  for (const k of printing) {
    const print = console[k];
    const value = function (this: any, ...args: any[]): void {
      apply(print, this, args.some(isObject) ? ['%s', log.unseen(() => format(...args))] : args);
    };
    defineProperty(value, 'name', { value: k });
    (console as any)[k] = value;
  }
  const { dir } = console;
  console.dir = function (this: any, o: any, options?: any): void {
    if (isObject(o)) apply(console.log, this, [log.unseen(() => inspect(o, { customInspect: false, ...options }))]);
    else apply(dir, this, [o, options]);
  };
}
