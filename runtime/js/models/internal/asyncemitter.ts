// EventEmitterAsyncResource: an emitter whose listeners run in the context in which it was made.
import { AsyncResource } from '../async_hooks';
import { invalidThis } from './errors';
import { validateString } from './validators';

const resource = Symbol('kAsyncResource') as any;
const emitter = Symbol('kEventEmitter');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  constructor(ee: any, type: any, options: any) {
    super(type, options);
    (this as any)[emitter] = ee;
  }
  get eventEmitter(): any {
    const ee = (this as any)[emitter];
    if (ee === undefined) throw invalidThis('EventEmitterReferencingAsyncResource');
    return ee;
  }
}

export function asyncEmitter(EventEmitter: any): any {
  class EventEmitterAsyncResource extends EventEmitter {
    constructor(options: any = undefined) {
      const named = typeof options === 'string';
      if (!named && new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
      const more = named ? undefined : options;
      super(more);
      this[resource] = new EventEmitterReferencingAsyncResource(this, named ? options : options?.name || new.target.name, more);
    }
    emit(event: any, ...args: any[]): any {
      return this.asyncResource.runInAsyncScope(super.emit, this, event, ...args);
    }
    emitDestroy(): void {
      this.asyncResource.emitDestroy();
    }
    get asyncId(): number {
      return this.asyncResource.asyncId();
    }
    get triggerAsyncId(): number {
      return this.asyncResource.triggerAsyncId();
    }
    get asyncResource(): any {
      if (this[resource] === undefined) throw invalidThis('EventEmitterAsyncResource');
      return this[resource];
    }
  }
  return EventEmitterAsyncResource;
}
