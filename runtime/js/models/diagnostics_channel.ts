// diagnostics_channel: what parts of the program tell each other. The platform itself publishes nothing here.
import { tracing } from '../shared/tracing';
import { invalidType } from './internal/errors';
import { loop } from './internal/host';

// apart: what a subscriber throws is nobody's who publishes.
function apart(e: any): void {
  loop.tick(() => {
    throw e;
  });
}

export class Channel {
  _subscribers: any[] | undefined = undefined;
  _stores: Map<any, any> | undefined = undefined;
  constructor(public name: any) {
    channels.set(name, this);
  }
  static [Symbol.hasInstance](x: any): boolean {
    return Object.getPrototypeOf(x) === Channel.prototype;
  }
  get hasSubscribers(): boolean {
    return this._subscribers !== undefined;
  }
  subscribe(subscription: any): void {
    // Who subscribes with nothing to call makes the channel an active one all the same.
    activate(this);
    if (typeof subscription !== 'function') throw invalidType('subscription', 'of type function', subscription);
    this._subscribers = [...this._subscribers!, subscription];
  }
  unsubscribe(subscription: any): boolean {
    const at = this._subscribers?.indexOf(subscription) ?? -1;
    if (at < 0) return false;
    this._subscribers = this._subscribers!.filter((_f, i) => i !== at);
    rest(this);
    return true;
  }
  bindStore(store: any, transform?: any): void {
    activate(this);
    this._stores!.set(store, transform);
  }
  unbindStore(store: any): boolean {
    if (!this._stores?.delete(store)) return false;
    rest(this);
    return true;
  }
  publish(data: any): void {
    const subscribers = this._subscribers;
    for (let i = 0; i < (subscribers?.length ?? 0); i++) {
      try {
        subscribers![i](data, this.name);
      } catch (e) {
        apart(e);
      }
    }
  }
  runStores(data: any, fn: any, self?: any, ...args: any[]): any {
    let run = (): any => {
      this.publish(data);
      return Reflect.apply(fn, self, args);
    };
    for (const [store, transform] of this._stores ?? []) run = stored(store, data, run, transform);
    return run();
  }
}

function stored(store: any, data: any, next: () => any, transform: any = (x: any) => x): () => any {
  return () => {
    let context: any;
    try {
      context = transform(data);
    } catch (e) {
      apart(e);
      return next();
    }
    return store.run(context, next);
  };
}

function activate(c: Channel): void {
  c._subscribers ??= [];
  c._stores ??= new Map();
}

function rest(c: Channel): void {
  if (c._subscribers!.length === 0 && c._stores!.size === 0) c._subscribers = c._stores = undefined;
}

// channels is for who looks for what requests share.
export const channels = new Map<any, Channel>();

function channel(name: any): Channel {
  const c = channels.get(name);
  if (c !== undefined) return c;
  if (typeof name !== 'string' && typeof name !== 'symbol') throw invalidType('channel', 'one of type string or symbol', name);
  return new Channel(name);
}

export const diagnostics_channel = {
  channel,
  hasSubscribers: (name: any) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: any, f: any) => channel(name).subscribe(f),
  unsubscribe: (name: any, f: any) => channel(name).unsubscribe(f),
  tracingChannel: tracing(Channel, channel),
  Channel,
};
