// What crypto takes for bytes.
import { Buffer } from '../buffer';
import { invalidType, invalidValue } from './errors';
import { host } from './host';

export function bytes(x: any, encoding: any, name: string): any {
  if (typeof x === 'string') return Buffer.from(x, encoding === 'buffer' || encoding === undefined || encoding === null ? 'utf8' : encoding);
  if (host.group.is(x) || x instanceof Uint8Array) return x;
  if (ArrayBuffer.isView(x)) return Buffer.from((x as any).buffer, (x as any).byteOffset, (x as any).byteLength);
  if (x instanceof ArrayBuffer) return Buffer.from(x);
  throw invalidType(name, 'of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView', x);
}

// evenHex: half a byte is none.
export function evenHex(data: string, encoding: any): void {
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'hex' && data.length % 2 !== 0) throw invalidValue('encoding', encoding, `is invalid for data of length ${data.length}`);
}

// given is bytes as the program asked for them.
export function given(b: any, encoding: any): any {
  const out = Buffer.from(b);
  return encoding === undefined || encoding === null || encoding === 'buffer' ? out : out.toString(encoding);
}

// openssl is an error as OpenSSL words it.
export function openssl(code: string, library: string, reason: string): any {
  const e: any = new Error(`error:${code}:${library}::${reason}`);
  e.library = library;
  e.reason = reason;
  e.code = 'ERR_OSSL_' + reason.toUpperCase().replace(/ /g, '_');
  return e;
}
