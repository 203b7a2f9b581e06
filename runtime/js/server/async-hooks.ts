// Modules async_hooks and diagnostics_channel for the program: the numbers of resources are recorded, and promises
// that are traced are the program's.
import { AsyncResource } from 'async_hooks';
import { tracing } from '../shared/tracing';
import { isolateContexts } from './http';
import { record } from './outside';

// Emitters that are resources, of module events, ask theirs.
const { prototype } = AsyncResource;
for (const name of ['asyncId', 'triggerAsyncId'] as const) {
  const f = prototype[name];
  prototype[name] = { [name](this: any): number { return record('number', f.call(this)); } }[name];
}

export function asyncHooksModule(real: any): any {
  isolateContexts();
  return { ...real, executionAsyncId: () => record('number', real.executionAsyncId()), triggerAsyncId: () => record('number', real.triggerAsyncId()) };
}

export function diagnosticsModule(real: any): any {
  return { ...real, tracingChannel: tracing(real.Channel, real.channel) };
}
