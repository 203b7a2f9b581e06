// What Node's emitters show the program, and call of it in turns of their own.
import { EventEmitter } from 'events';
import { callback } from '../shared/activation';
import { heardFor } from '../shared/emitter';

export function install(): void {
  const { rawListeners } = EventEmitter.prototype;
  const { addAbortListener } = EventEmitter as any;
  EventEmitter.prototype.rawListeners = {
    rawListeners(this: any, event: any): any[] {
      return rawListeners.call(this, event).map(heardFor);
    },
  }.rawListeners;
  // A signal that is aborted already is heard in a microtask.
  (EventEmitter as any).addAbortListener = {
    addAbortListener: (signal: any, listener: any): any => addAbortListener(signal, signal?.aborted === true ? callback(listener) : listener),
  }.addAbortListener;
}
