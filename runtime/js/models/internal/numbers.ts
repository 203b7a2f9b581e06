// Numbers, those in Buffers above all, with Node's checks and words: programs that parse what others
// send show the errors.
import { inspect } from '../../shared/inspect';
import { coded, invalidType } from './errors';

function separated(s: string): string {
  return s.replace(/\B(?=(\d{3})+$)/g, '_');
}

function shown(v: any): string {
  if (Number.isInteger(v) && Math.abs(v) > 2 ** 32) return separated(String(v));
  if (typeof v === 'bigint') return (v > 2n ** 32n || v < -(2n ** 32n) ? separated(String(v)) : String(v)) + 'n';
  return inspect(v);
}

export function outOfRange(name: string, range: string, value: any): any {
  return coded(RangeError, 'ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be ${range}. Received ${shown(value)}`);
}

export function number(value: any, name: string): void {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value);
}

// notNegative checks a number that may be any but those below 0.
export function notNegative(n: any, name: string): void {
  number(n, name);
  if (!(n >= 0)) throw outOfRange(name, '>= 0', n);
}

export function atLeastOne(n: any, name: string): void {
  number(n, name);
  if (!Number.isInteger(n)) throw outOfRange(name, 'an integer', n);
  if (n < 1 || n > Number.MAX_SAFE_INTEGER) throw outOfRange(name, `>= 1 && <= ${Number.MAX_SAFE_INTEGER}`, n);
}

export function uint32(n: any, name: string): void {
  number(n, name);
  if (!Number.isInteger(n)) throw outOfRange(name, 'an integer', n);
  if (n < 0 || n > 4294967295) throw outOfRange(name, '>= 0 && <= 4294967295', n);
}

// size checks what the length of a new Buffer is given as.
export function size(n: any): void {
  number(n, 'size');
  if (!(n >= 0 && n <= 4294967296)) throw outOfRange('size', '>= 0 && <= 4294967296', n);
}

// place checks an offset or a length of write.
export function place(n: any, name: string, max: number): void {
  number(n, name);
  if (!Number.isInteger(n)) throw outOfRange(name, 'an integer', n);
  if (n < 0 || n > max) throw outOfRange(name, `>= 0 && <= ${max}`, n);
}

function outside(value: any, length: number, type?: string): never {
  if (Math.floor(value) !== value) {
    number(value, type ?? 'offset');
    throw outOfRange(type ?? 'offset', 'an integer', value);
  }
  if (length < 0) throw coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', 'Attempt to access memory outside buffer bounds');
  throw outOfRange(type ?? 'offset', `>= ${type ? 1 : 0} and <= ${length}`, value);
}

function inside(b: any, offset: any, n: number): void {
  number(offset, 'offset');
  if (b[offset] === undefined || b[offset + n - 1] === undefined) outside(offset, b.length - n);
}

const view = (b: any): any => new DataView(b.buffer, b.byteOffset, b.length);

function range(min: any, max: any, n: number): string {
  const big = typeof min === 'bigint' ? 'n' : '';
  if (n <= 4) return `>= ${min}${big} and <= ${max}${big}`;
  if (min == 0) return `>= 0${big} and < 2${big} ** ${n * 8}${big}`;
  return `>= -(2${big} ** ${n * 8 - 1}${big}) and < 2${big} ** ${n * 8 - 1}${big}`;
}

function read(b: any, offset: any, n: number, signed: boolean, little: boolean): number {
  inside(b, offset, n);
  let x = 0;
  for (let i = 0; i < n; i++) x = x * 256 + b[little ? offset + n - 1 - i : offset + i];
  return signed && x >= 2 ** (8 * n - 1) ? x - 2 ** (8 * n) : x;
}

function write(b: any, value: any, offset: any, n: number, signed: boolean, little: boolean): number {
  value = +value;
  const max = 2 ** (signed ? 8 * n - 1 : 8 * n) - 1;
  const min = signed ? -max - 1 : 0;
  if (n === 1) number(offset, 'offset');
  if (value > max || value < min) throw outOfRange('value', range(min, max, n), value);
  inside(b, offset, n);
  let x = Math.trunc(value) || 0;
  if (x < 0) x += 2 ** (8 * n);
  for (let i = 0; i < n; i++) {
    b[little ? offset + i : offset + n - 1 - i] = x % 256;
    x = Math.floor(x / 256);
  }
  return offset + n;
}

// install gives a prototype all of these methods.
export function install(proto: any): void {
  const methods: Record<string, Function> = {};
  for (const signed of [false, true]) {
    const kind = signed ? 'Int' : 'UInt';
    for (const little of [true, false]) {
      const end = little ? 'LE' : 'BE';
      for (const n of [1, 2, 4]) {
        const name = `${kind}${n * 8}${n === 1 ? '' : end}`;
        methods['read' + name] = function (this: any, offset: any = 0) {
          return read(this, offset, n, signed, little);
        };
        methods['write' + name] = function (this: any, value: any, offset: any = 0) {
          return write(this, value, offset, n, signed, little);
        };
      }
      methods[`read${kind}${end}`] = function (this: any, offset: any, n: any) {
        if (offset === undefined) throw invalidType('offset', 'of type number', offset);
        if (!(n >= 1 && n <= 6 && Number.isInteger(n))) outside(n, 6, 'byteLength');
        return read(this, offset, n, signed, little);
      };
      methods[`write${kind}${end}`] = function (this: any, value: any, offset: any, n: any) {
        if (!(n >= 1 && n <= 6 && Number.isInteger(n))) outside(n, 6, 'byteLength');
        return write(this, value, offset, n, signed, little);
      };
      const big = `Big${kind}64`;
      const accessor = signed ? 'BigInt64' : 'BigUint64';
      const max = signed ? 2n ** 63n - 1n : 2n ** 64n - 1n;
      const min = signed ? -max - 1n : 0n;
      methods[`read${big}${end}`] = function (this: any, offset: any = 0) {
        inside(this, offset, 8);
        return view(this)['get' + accessor](offset, little);
      };
      methods[`write${big}${end}`] = function (this: any, value: any, offset: any = 0) {
        if (value > max || value < min) throw outOfRange('value', range(min, max, 8), value);
        inside(this, offset, 8);
        view(this)['set' + accessor](offset, value & 0xffffffffffffffffn, little);
        return offset + 8;
      };
    }
  }
  for (const [kind, n] of [['Float', 4], ['Double', 8]] as const) {
    for (const little of [true, false]) {
      const end = little ? 'LE' : 'BE';
      methods[`read${kind}${end}`] = function (this: any, offset: any = 0) {
        inside(this, offset, n);
        return view(this)[`getFloat${n * 8}`](offset, little);
      };
      methods[`write${kind}${end}`] = function (this: any, value: any, offset: any = 0) {
        value = +value;
        inside(this, offset, n);
        view(this)[`setFloat${n * 8}`](offset, value, little);
        return offset + n;
      };
    }
  }
  for (const k of Object.keys(methods)) {
    const f = methods[k];
    Object.defineProperty(f, 'name', { value: k, configurable: true });
    proto[k] = f;
    if (k.includes('UInt')) proto[k.replace('UInt', 'Uint')] = f;
  }
  for (const bits of [16, 32, 64]) {
    const name = 'swap' + bits;
    proto[name] = {
      [name](this: any): any {
        const n = bits / 8;
        if (this.length % n !== 0) throw coded(RangeError, 'ERR_INVALID_BUFFER_SIZE', `Buffer size must be a multiple of ${bits}-bits`);
        for (let i = 0; i < this.length; i += n) this.subarray(i, i + n).reverse();
        return this;
      },
    }[name];
  }
}
