// StringDecoder: text out of chunks that may cut a character. npm's makes a
// Buffer per decoder; most decoders see one chunk that cuts nothing.
import { Buffer } from './buffer';
import { host } from './internal/host';
import { coded, invalidThis, invalidType } from './internal/errors';

const { text, group } = host;

function normalize(encoding: any): string {
  if (encoding === undefined || encoding === null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  switch (String(encoding).toLowerCase()) {
    case 'utf8':
    case 'utf-8':
    case '':
      return 'utf8';
    case 'ucs2':
    case 'ucs-2':
    case 'utf16le':
    case 'utf-16le':
      return 'utf16le';
    case 'latin1':
    case 'binary':
      return 'latin1';
    case 'ascii':
    case 'hex':
    case 'base64':
    case 'base64url':
      return String(encoding).toLowerCase();
  }
  throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
}

export function StringDecoder(this: any, encoding?: any): void {
  this.encoding = normalize(encoding);
  Object.defineProperty(this, '_held', { value: null, writable: true });
}

// tail is how many bytes at the end of b begin a character that is not there yet.
function tail(b: Uint8Array, encoding: string): number {
  const n = b.length;
  switch (encoding) {
    case 'utf8':
      for (let back = 1; back <= 3 && back <= n; back++) {
        const c = b[n - back];
        if (c < 0x80) return 0;
        if (c < 0xc0) continue;
        const size = c >= 0xf5 || c < 0xc2 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
        if (size <= back) return 0;
        if (back > 1) {
          // The second byte is bounded more tightly after some first bytes.
          const d = b[n - back + 1];
          if ((c === 0xe0 && d < 0xa0) || (c === 0xed && d > 0x9f) || (c === 0xf0 && d < 0x90) || (c === 0xf4 && d > 0x8f)) return 0;
        }
        return back;
      }
      return 0;
    case 'utf16le': {
      const odd = n % 2;
      const high = n - odd >= 2 && (b[n - odd - 1] & 0xfc) === 0xd8;
      return odd + (high ? 2 : 0);
    }
    case 'base64':
    case 'base64url':
      return n % 3;
  }
  return 0;
}

// As methods they keep their names.
const methods = {
  write(this: any, b: any): any {
    if (typeof b === 'string') return b;
    const encoding = this.encoding;
    if (group.is(b)) {
      if (encoding === 'utf8' && this._held === null) return b.toString();
      host.mv.diverge('a StringDecoder over bytes that differ between lanes');
    }
    if (!(b instanceof Uint8Array)) {
      if (!ArrayBuffer.isView(b)) throw invalidType('buf', 'an instance of Buffer, TypedArray, or DataView', b);
      b = Buffer.from(b.buffer, b.byteOffset, b.byteLength);
    }
    if (this._held === undefined) throw invalidThis('StringDecoder');
    const n = b.length;
    if (n === 0) return '';
    if (encoding === 'utf8' && this._held === null && b[n - 1] < 0x80) return text.decode(b, 0, n);
    const whole = this._held === null ? b : Buffer.concat([this._held, b]);
    const cut = whole.length - tail(whole, encoding);
    this._held = cut === whole.length ? null : Buffer.from(whole.subarray(cut));
    if (cut === 0) return '';
    return encoding === 'utf8' ? text.decode(whole, 0, cut) : Buffer.prototype.toString.call(Buffer.from(whole.subarray(0, cut)), encoding);
  },
  end(this: any, b?: any): any {
    let s = b === undefined ? '' : this.write(b);
    const held = this._held;
    if (held !== null) {
      this._held = null;
      s += this.encoding === 'utf8' ? '\ufffd' : held.toString(this.encoding);
    }
    return s;
  },
  // What programs of old call.
  text(this: any, b: any, offset: any): any {
    this._held = null;
    return this.write(b.slice(offset));
  },
};
Object.assign(StringDecoder.prototype, methods);

// lacks is how many bytes the character that is held lacks.
function lacks(held: Uint8Array, encoding: string): number {
  if (encoding === 'utf8') return (held[0] >= 0xf0 ? 4 : held[0] >= 0xe0 ? 3 : 2) - held.length;
  return encoding === 'utf16le' ? 2 - (held.length % 2) : 3 - held.length;
}

const old: any = {
  get lastChar(): any {
    const last = Buffer.alloc(4);
    if (this._held !== null) last.set(this._held);
    return last;
  },
  get lastNeed(): any {
    return this._held === null ? 0 : lacks(this._held, this.encoding);
  },
  get lastTotal(): any {
    return this._held === null ? 0 : this._held.length + this.lastNeed;
  },
};
Object.defineProperties(StringDecoder.prototype, Object.getOwnPropertyDescriptors(old));
