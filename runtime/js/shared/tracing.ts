// Tracing channels of diagnostics_channel, over the channels that each build has. Node's own would tell of
// promises where no activation runs.
import { invalidType } from '../models/internal/errors';

const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

// tracing makes diagnostics_channel.tracingChannel.
export function tracing(Channel: any, channel: (name: any) => any): (nameOrChannels: any) => any {
  const of = (x: any, event: string): any => {
    if (typeof x === 'string') return channel(`tracing:${x}:${event}`);
    if (typeof x !== 'object' || x === null) throw invalidType('nameOrChannels', 'of type string or an instance of TracingChannel or Object', x);
    if (!(x[event] instanceof Channel)) throw invalidType(`nameOrChannels.${event}`, 'an instance of Channel', x[event]);
    return x[event];
  };

  class TracingChannel {
    constructor(nameOrChannels: any) {
      for (const event of events) Object.defineProperty(this, event, { value: of(nameOrChannels, event) });
    }
    get hasSubscribers(): boolean {
      return events.some((event) => (this as any)[event].hasSubscribers);
    }
    subscribe(handlers: any): void {
      for (const event of events) if (handlers[event]) (this as any)[event].subscribe(handlers[event]);
    }
    unsubscribe(handlers: any): boolean {
      let all = true;
      for (const event of events) if (handlers[event] && !(this as any)[event].unsubscribe(handlers[event])) all = false;
      return all;
    }
    traceSync(fn: any, context: any = {}, self?: any, ...args: any[]): any {
      if (!this.hasSubscribers) return Reflect.apply(fn, self, args);
      return during(this, context, () => (context.result = Reflect.apply(fn, self, args)));
    }
    tracePromise(fn: any, context: any = {}, self?: any, ...args: any[]): any {
      if (!this.hasSubscribers) return Reflect.apply(fn, self, args);
      const { asyncStart, asyncEnd, error } = this as any;
      const settled = () => {
        asyncStart.publish(context);
        asyncEnd.publish(context);
      };
      return during(this, context, () => {
        const made = Reflect.apply(fn, self, args);
        const promise = made instanceof Promise ? made : Promise.resolve(made);
        return Reflect.apply(Promise.prototype.then, promise, [
          (result: any) => {
            context.result = result;
            settled();
            return result;
          },
          (e: any) => {
            context.error = e;
            error.publish(context);
            settled();
            return Promise.reject(e);
          },
        ]);
      });
    }
    traceCallback(fn: any, position: any = -1, context: any = {}, self?: any, ...args: any[]): any {
      if (!this.hasSubscribers) return Reflect.apply(fn, self, args);
      const { asyncStart, asyncEnd, error } = this as any;
      const callback = args.at(position);
      if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
      const traced = function (this: any, ...results: any[]): void {
        const [e, result] = results;
        if (e) {
          context.error = e;
          error.publish(context);
        } else context.result = result;
        asyncStart.runStores(context, () => {
          try {
            return Reflect.apply(callback, this, results);
          } finally {
            asyncEnd.publish(context);
          }
        });
      };
      args.splice(position, 1, traced);
      return during(this, context, () => Reflect.apply(fn, self, args));
    }
  }

  // during runs f between the events of its start and its end.
  function during(t: any, context: any, f: () => any): any {
    const { start, end, error } = t;
    return start.runStores(context, () => {
      try {
        return f();
      } catch (e) {
        context.error = e;
        error.publish(context);
        throw e;
      } finally {
        end.publish(context);
      }
    });
  }

  return function tracingChannel(nameOrChannels: any): any {
    return new TracingChannel(nameOrChannels);
  };
}
