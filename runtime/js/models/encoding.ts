// TextEncoder and TextDecoder, which the bare engine lacks.
import { Buffer } from './buffer';
import { host } from './internal/host';
import { coded, invalidThis, invalidType, unsupported } from './internal/errors';

const inspected = Symbol.for('nodejs.util.inspect.custom');

// Each lane has bytes of its own.
const encoded = host.lift((s: string): Uint8Array => {
  const b = new Uint8Array(host.text.byteLength(s));
  host.text.write(b, s, 0);
  return b;
});

export class TextEncoder {
  #ours = true;
  get encoding(): string {
    if (!(#ours in this)) throw invalidThis('TextEncoder');
    return 'utf-8';
  }
  encode(s: any = ''): Uint8Array {
    if (!(#ours in this)) throw invalidThis('TextEncoder');
    return encoded(`${s}`);
  }
  encodeInto(s: string, to: Uint8Array): { read: number; written: number } {
    if (!(#ours in this)) throw invalidThis('TextEncoder');
    if (typeof s !== 'string') throw invalidType('src', 'of type string', s);
    if (!(to instanceof Uint8Array) && !host.group.is(to)) throw invalidType('dest', 'an instance of Uint8Array', to);
    let read = 0;
    let written = 0;
    for (const c of s) {
      const n = host.text.byteLength(c);
      if (written + n > to.length) break;
      written = host.text.write(to, c, written);
      read += c.length;
    }
    return { read, written };
  }
  [inspected](depth: any, options: any, inspect: any): any {
    return typeof depth === 'number' && depth < 0 ? '[TextEncoder]' : inspect({ encoding: this.encoding }, options);
  }
}

const { nameOf, ofBytes, held, text } = host.decoding;

function notBytes(name: string, list: string): Error {
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance of ${list}.`);
}

function bytesOf(input: any): any {
  if (input === undefined) return Buffer.alloc(0);
  if (host.group.is(input) || ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return input instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && input instanceof SharedArrayBuffer) ? Buffer.from(input as ArrayBuffer) : null;
}

export class TextDecoder {
  #encoding: string;
  #fatal: boolean;
  #ignoreBOM: boolean;
  // What came of a character whose rest is still to come.
  #held: any = null;
  #begun = false;
  // Node.js decodes without a converter until it needs one to go on, and takes windows-1252 for Latin 1 until then.
  #converts = false;

  constructor(label: any = 'utf-8', options: any = {}) {
    label = `${label}`;
    if (options !== null && (typeof options !== 'object' || Array.isArray(options))) throw invalidType('options', 'of type object', options);
    const encoding = nameOf(label.toLowerCase().replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, ''));
    if (encoding === null) throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    this.#encoding = encoding;
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }
  decode(input?: any, options?: any): string {
    if (!(#encoding in this)) throw invalidThis('TextDecoder');
    const stream = !!options?.stream;
    if (stream) this.#converts = true;
    const encoding = this.#encoding;
    let b = bytesOf(input);
    if (b === null) {
      if (this.#converts || (encoding !== 'utf-8' && encoding !== 'windows-1252')) throw notBytes('input', 'SharedArrayBuffer, ArrayBuffer or ArrayBufferView');
      throw encoding === 'utf-8' ? notBytes('list', 'SharedArrayBuffer, ArrayBuffer or ArrayBufferView') : notBytes('input', 'ArrayBuffer, SharedArrayBuffer, or ArrayBufferView');
    }
    if (!encoding.startsWith('utf-') && !ofBytes(encoding)) unsupported(`decoding of ${encoding}`);
    if (this.#held !== null) b = Buffer.concat([this.#held, b]);
    this.#held = null;
    const whole = stream ? b.length - held(encoding, b) : b.length;
    // A copy, which nobody changes meanwhile.
    const rest = whole === b.length ? null : Buffer.from(b.subarray(whole));
    if (rest !== null) b = b.subarray(0, whole);
    const s = text(encoding === 'windows-1252' && !this.#converts ? 'latin1' : encoding, b, this.#fatal);
    if (s === null) throw coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${encoding}`);
    this.#held = rest;
    const begins = !this.#begun && !this.#ignoreBOM && s.charCodeAt(0) === 0xfeff;
    this.#begun = stream && (this.#begun || s.length > 0);
    return begins ? s.slice(1) : s;
  }
  get encoding(): string {
    if (!(#encoding in this)) throw invalidThis('TextDecoder');
    return this.#encoding;
  }
  get fatal(): boolean {
    if (!(#encoding in this)) throw invalidThis('TextDecoder');
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    if (!(#encoding in this)) throw invalidThis('TextDecoder');
    return this.#ignoreBOM;
  }
  [inspected](depth: any, options: any, inspect: any): any {
    if (typeof depth === 'number' && depth < 0) return '[TextDecoder]';
    const shown = Object.create(Object.getPrototypeOf(this));
    for (const k of ['encoding', 'fatal', 'ignoreBOM'] as const) Object.defineProperty(shown, k, { value: this[k], enumerable: true });
    return inspect(shown, { ...options, customInspect: false });
  }
}

for (const [of, tag, names] of [[TextEncoder, 'TextEncoder', ['encoding', 'encode', 'encodeInto']], [TextDecoder, 'TextDecoder', ['decode', 'encoding', 'fatal', 'ignoreBOM']]] as const) {
  Object.defineProperty(of.prototype, Symbol.toStringTag, { value: tag, configurable: true });
  for (const name of names) Object.defineProperty(of.prototype, name, { enumerable: true });
  Object.defineProperty(of.prototype, inspected, { enumerable: false });
}
