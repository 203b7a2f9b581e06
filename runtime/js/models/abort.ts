// AbortController and AbortSignal.
import { coded, invalidThis, invalidType } from './internal/errors';
import { uint32 } from './internal/numbers';
import { validateAbortSignal } from './internal/validators';
import { DOMException } from './domexception';
import { enumerable, EventTarget, happened, handler, tagged } from './eventtarget';
import { custom, inspect } from '../shared/inspect';

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kComposite = Symbol('kComposite');
const kSources = Symbol('kSourceSignals');
const kDependants = Symbol('kDependantSignals');

const stopped = (): any => new DOMException('This operation was aborted', 'AbortError');

// real is a signal, or refused.
function real(s: any): any {
  if (s?.[kAborted] === undefined) throw invalidThis('AbortSignal');
  return s;
}

function shown(self: any, fields: any, depth: any, options: any): any {
  return depth < 0 ? self : `${self.constructor.name} ${inspect(fields, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
}

export class AbortSignal extends EventTarget {
  constructor() {
    super();
    throw coded(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }
  get aborted(): boolean {
    return real(this)[kAborted];
  }
  get reason(): any {
    return real(this)[kReason];
  }
  throwIfAborted(): void {
    if (real(this)[kAborted]) throw (this as any)[kReason];
  }
  [custom](depth: any, options: any): any {
    return shown(this, { aborted: this.aborted }, depth, options);
  }
  static abort(reason: any = stopped()): AbortSignal {
    return make(true, reason);
  }
  static timeout(delay: any): AbortSignal {
    uint32(delay, 'delay');
    const s = make();
    (globalThis as any).setTimeout(() => abort(s, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delay).unref();
    return s;
  }
  static any(signals: any): AbortSignal {
    if (!Array.isArray(signals)) throw invalidType('signals', 'an instance of Array', signals);
    signals.forEach((s, i) => {
      const name = `signals[${i}]`;
      if (s === null || s === undefined) throw invalidType(name, 'an instance of AbortSignal', s);
      validateAbortSignal(s, name);
    });
    const all: any = make(false, undefined, true);
    if (signals.length === 0) return all;
    all[kSources] = new Set();
    for (const s of signals) {
      if (s.aborted) {
        abort(all, s.reason);
        return all;
      }
      // Those that one is made of are asked themselves.
      s[kDependants] ??= new Set();
      for (const source of s[kComposite] ? (s[kSources] ?? []) : [s]) {
        if (all[kSources].has(source)) continue;
        all[kSources].add(source);
        source[kDependants].add(all);
      }
    }
    return all;
  }
}
enumerable(AbortSignal, 'aborted');
tagged(AbortSignal, 'AbortSignal');
handler(AbortSignal, 'abort');

function make(aborted = false, reason: any = undefined, composite = false): any {
  const s: any = Object.setPrototypeOf(new EventTarget(), AbortSignal.prototype);
  s[kAborted] = aborted;
  s[kReason] = reason;
  s[kComposite] = composite;
  return s;
}

function abort(s: any, reason: any): void {
  if (s[kAborted]) return;
  s[kAborted] = true;
  s[kReason] = reason;
  s.dispatchEvent(happened('abort'));
  s[kDependants]?.forEach((dependant: any) => abort(dependant, reason));
}

export class AbortController {
  #signal: any;
  get signal(): AbortSignal {
    return (this.#signal ??= make());
  }
  abort(reason: any = stopped()): void {
    abort(this.signal, reason);
  }
  [custom](depth: any, options: any): any {
    return shown(this, { signal: this.signal }, depth, options);
  }
}
enumerable(AbortController, 'signal', 'abort');
tagged(AbortController, 'AbortController');
