// CryptoKey: a KeyObject, and what the web may do with it.
import { custom, inspect } from '../../shared/inspect';
import type { KeyObject } from './keys';
import { coded, invalidThis } from './errors';
import { kKeyObject } from './types';

const kAlgorithm = Symbol('kAlgorithm');
const kExtractable = Symbol('kExtractable');
const kUsages = Symbol('kKeyUsages');

const illegal = () => coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');

function own(key: any, k: symbol): any {
  if (!(key instanceof CryptoKey)) throw invalidThis('CryptoKey');
  return (key as any)[k];
}

export class CryptoKey {
  constructor() {
    throw illegal();
  }
  get type(): string {
    return own(this, kKeyObject).type;
  }
  get extractable(): boolean {
    return own(this, kExtractable);
  }
  get algorithm(): any {
    return own(this, kAlgorithm);
  }
  get usages(): string[] {
    return own(this, kUsages);
  }
  [custom](depth: number, options: any): any {
    if (depth < 0) return this;
    const { type, extractable, algorithm, usages } = this;
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}
for (const k of ['type', 'extractable', 'algorithm', 'usages']) Object.defineProperty(CryptoKey.prototype, k, { enumerable: true });
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });

export function newKey(object: KeyObject, algorithm: any, usages: string[], extractable: boolean): CryptoKey {
  const key = Object.create(CryptoKey.prototype);
  for (const [k, value] of [[kKeyObject, object], [kAlgorithm, algorithm], [kExtractable, extractable], [kUsages, usages]] as [symbol, any][]) Object.defineProperty(key, k, { value });
  return key;
}

export const keyObjectOf = (key: any): KeyObject => key[kKeyObject];

export class Crypto {
  constructor() {
    throw illegal();
  }
}
export class SubtleCrypto {
  constructor() {
    throw illegal();
  }
}
for (const c of [Crypto, SubtleCrypto]) Object.defineProperty(c.prototype, Symbol.toStringTag, { value: c === Crypto ? 'Crypto' : 'SubtleCrypto', configurable: true });
