// Node's coded errors, with Node's words: applications print them.
import { inspect } from '../../shared/inspect';

const classes = new Map<any, any>();
// showsCode marks errors whose stack traces show their codes.
export const showsCode = Symbol.for('karousos.showsCode');

export function coded(Base: any, code: string, message: string): any {
  let C = classes.get(Base);
  if (C === undefined) {
    C = class NodeError extends Base {
      toString(this: any): string {
        return `${this.name} [${this.code}]: ${this.message}`;
      }
    };
    Object.defineProperty(C.prototype, 'constructor', { value: Base });
    Object.defineProperty(C.prototype, showsCode, { value: true });
    classes.set(Base, C);
  }
  const e = new C(message);
  e.code = code;
  return e;
}

// native is a coded error that Node makes outside of JavaScript, whose name shows no code.
export function native(Base: any, code: string, message: string): any {
  return Object.assign(new Base(message), { code });
}

// system is an error of a system call, whose name shows no code.
export function system(code: string, errno: number, syscall: string, what: string, path: any): any {
  const e: any = new Error(`${code}: ${what}, ${syscall} '${path}'`);
  e.errno = errno;
  e.code = code;
  e.syscall = syscall;
  e.path = `${path}`;
  return e;
}

export function received(value: any): string {
  if (value == null) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    if (value.constructor && 'name' in value.constructor) return ` Received an instance of ${value.constructor.name}`;
    return ` Received ${inspect(value, { depth: -1 })}`;
  }
  let s = typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') {
    if (s.length > 28) s = s.slice(0, 25) + '...';
    s = s.includes("'") ? JSON.stringify(s) : `'${s}'`;
  }
  return ` Received type ${typeof value} (${s})`;
}

export function invalidType(name: string, expected: string, value: any): any {
  const kind = name.includes('.') ? 'property' : 'argument';
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" ${kind} must be ${expected}.${received(value)}`);
}

export function invalidValue(name: string, value: any, reason = 'is invalid'): any {
  const shown = inspect(value);
  return coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${shown.length > 128 ? shown.slice(0, 128) + '...' : shown}`);
}

export const invalidThis = (name: string): any => coded(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`);

export function missing(...names: string[]): any {
  const quoted = names.map((n) => `"${n}"`);
  return coded(TypeError, 'ERR_MISSING_ARGS', `The ${quoted.join(' and ')} argument${names.length > 1 ? 's' : ''} must be specified`);
}

// unsupported: what the verifier cannot re-execute must not look like success, nor
// like a lie: whatever the program makes of the error, the audit comes to no verdict.
export function unsupported(what: string): never {
  (globalThis as any).$unsupported?.(`${what} is not supported under audit yet`);
  throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', `${what} is not supported under audit yet`);
}
