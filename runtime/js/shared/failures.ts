// Errors of the world outside: what the server says of one, and the error that both
// builds make of it for the program.
import { coded } from '../models/internal/errors';

// Failed is an error as the advice has it.
export interface Failed {
  name: string;
  message: string;
  // Its own fields, in their order.
  fields: [string, string | number | boolean][];
  // Those that it stands for.
  errors?: Failed[];
}

const most = 20;

export function failed(e: any): Failed {
  if (!(e instanceof Error)) return { name: 'Error', message: String(e), fields: [] };
  const fields: [string, string | number | boolean][] = [];
  for (const k of Object.keys(e)) {
    const v = (e as any)[k];
    if (fields.length < most && k !== 'stack' && (typeof v === 'string' || typeof v === 'number' || typeof v === 'boolean')) fields.push([k, v]);
  }
  const f: Failed = { name: String(e.name), message: String(e.message), fields };
  if (e instanceof AggregateError) f.errors = e.errors.slice(0, most).map(failed);
  return f;
}

export function rebuilt(f: Failed): any {
  const code = f.fields.find((x) => x[0] === 'code')?.[1];
  const Base = f.name === 'TypeError' ? TypeError : f.name === 'RangeError' ? RangeError : Error;
  let e: any;
  if (f.errors !== undefined) e = new AggregateError(f.errors.map(rebuilt), f.message);
  else if (typeof code === 'string' && /^ERR_/.test(code)) e = coded(Base, code, f.message);
  else e = new Base(f.message);
  for (const [k, value] of f.fields) Object.defineProperty(e, k, { value, writable: true, enumerable: true, configurable: true });
  if (e.name !== f.name) Object.defineProperty(e, 'name', { value: f.name, writable: true, enumerable: false, configurable: true });
  return e;
}

// reset is the error of a connection that ended too early.
export function reset(message: string): any {
  const e: any = new Error(message);
  e.code = 'ECONNRESET';
  return e;
}
