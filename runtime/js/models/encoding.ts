// TextEncoder and TextDecoder, which the bare engine lacks.
import { Buffer } from './buffer';
import { host } from './internal/host';
import { coded, unsupported } from './internal/errors';
import { StringDecoder } from './string_decoder';

// Each lane has bytes of its own.
const encoded = host.lift((s: string): Uint8Array => {
  const b = new Uint8Array(host.text.byteLength(s));
  host.text.write(b, s, 0);
  return b;
});

export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }
  encode(s: any = ''): Uint8Array {
    return encoded(typeof s === 'string' ? s : `${s}`);
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

const labels: Record<string, string> = { __proto__: null as any };
for (const [name, all] of [
  ['utf-8', 'utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8'],
  ['utf-16le', 'utf-16le utf-16 ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff'],
  ['utf-16be', 'utf-16be unicodefffe'],
  ['windows-1252', 'latin1 ascii us-ascii windows-1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 l1 cp1252 x-cp1252 ansi_x3.4-1968 cp819 csisolatin1 ibm819 iso-ir-100 iso_8859-1:1987'],
]) for (const label of all.split(' ')) labels[label] = name;

// Labels of encodings that Node knows and these models do not.
const others = /^(ibm866|866|cp866|iso[-_]?8859|latin[2-9]|l[2-9]$|koi8|macintosh|mac$|windows-|cp125|x-cp125|x-mac|gbk|gb|chinese|x-gbk|big5|cn-big5|x-x-big5|euc-|x-euc|iso-2022|shift|sjis|ms_kanji|ms932|x-sjis|windows-31j|csshiftjis|ks_c|korean|x-user-defined|hebrew|greek|cyrillic|arabic|dos-874|tis-620)/;

// Node 20 takes windows-1252 for Latin 1.
function windows1252(): any {
  return { write: (b: any) => b.toString('latin1'), end: () => '' };
}

function decoderOf(encoding: string): any {
  if (encoding === 'windows-1252') return windows1252();
  if (encoding === 'utf-16be') return unsupported('decoding of utf-16be');
  return new (StringDecoder as any)(encoding === 'utf-8' ? 'utf8' : 'utf16le');
}

export class TextDecoder {
  encoding: string;
  fatal: boolean;
  ignoreBOM: boolean;
  _decoder: any = null;
  _fresh = true;

  constructor(label: any = 'utf-8', options: any = {}) {
    const name = String(label).trim().toLowerCase();
    const encoding = labels[name];
    if (encoding === undefined && others.test(name)) unsupported(`the encoding ${label}`);
    if (encoding === undefined) throw coded(RangeError, 'ERR_ENCODING_NOT_SUPPORTED', `The "${label}" encoding is not supported`);
    this.encoding = encoding;
    this.fatal = !!options?.fatal;
    this.ignoreBOM = !!options?.ignoreBOM;
  }
  decode(input?: any, options?: any): string {
    const b = input === undefined ? Buffer.alloc(0) : ArrayBuffer.isView(input) ? Buffer.from(input.buffer, input.byteOffset, input.byteLength) : Buffer.from(input);
    if (this.fatal && this.encoding === 'utf-8' && host.text.decode(b, 0, b.length, true) === null) throw coded(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', `The encoded data was not valid for encoding ${this.encoding}`);
    this._decoder ??= decoderOf(this.encoding);
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
