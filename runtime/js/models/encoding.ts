// TextEncoder and TextDecoder, which the bare engine lacks.
import { Buffer } from './buffer';
import { host } from './internal/host';
import { coded } from './internal/errors';
import { StringDecoder } from './string_decoder';

export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }
  encode(s: any = ''): Uint8Array {
    s = typeof s === 'string' ? s : `${s}`;
    const b = new Uint8Array(host.text.byteLength(s));
    host.text.write(b, s, 0);
    return b;
  }
  encodeInto(s: string, to: Uint8Array): { read: number; written: number } {
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
}

const labels: Record<string, string> = {
  __proto__: null as any,
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  latin1: 'windows-1252',
  'utf-16le': 'utf-16le',
  'utf-16': 'utf-16le',
  'ucs-2': 'utf-16le',
};

export class TextDecoder {
  encoding: string;
  fatal: boolean;
  ignoreBOM: boolean;
  _decoder: any = null;
  _fresh = true;

  constructor(label: any = 'utf-8', options: any = {}) {
    const encoding = labels[String(label).trim().toLowerCase()];
    if (encoding === undefined || encoding === 'windows-1252') throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    this.encoding = encoding;
    this.fatal = !!options?.fatal;
    this.ignoreBOM = !!options?.ignoreBOM;
  }
  decode(input?: any, options?: any): string {
    const b = input === undefined ? Buffer.alloc(0) : ArrayBuffer.isView(input) ? Buffer.from(input.buffer, input.byteOffset, input.byteLength) : Buffer.from(input);
    if (this.fatal && host.text.decode(b, 0, b.length, true) === null) throw coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${this.encoding}`);
    this._decoder ??= new (StringDecoder as any)(this.encoding === 'utf-8' ? 'utf8' : 'utf16le');
    let s = this._decoder.write(b);
    if (!options?.stream) {
      s += this._decoder.end();
      this._decoder = null;
    }
    if (this._fresh && !this.ignoreBOM && s.charCodeAt(0) === 0xfeff) s = s.slice(1);
    this._fresh = !options?.stream;
    return s;
  }
}
