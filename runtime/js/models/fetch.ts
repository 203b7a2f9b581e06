// fetch: what another server answered is what the server says it answered.
import { failed, Headers, Response } from '../shared/fetch';
import { unsupported } from './internal/errors';
import { nondeterministic, port } from './internal/host';
import { ofFetch } from './internal/results';

export { Form, Headers, Response } from '../shared/fetch';

export function fetch(_input: any, init?: any): Promise<any> {
  const p = port();
  return new Promise((resolve, reject) => {
    p.expect(() => {
      const r = JSON.parse(nondeterministic('fetch', ofFetch(init?.signal)));
      if (r.failed === undefined) resolve(Response.arrived(r));
      else reject(r.failed.aborted === true ? init.signal.reason : failed(r.failed));
    });
  });
}

// ReadableStream and Request can be made, as tests of features do, but not used.
export class ReadableStream {
  locked = false;
  constructor(source?: any) {
    if (source !== undefined && source !== null) unsupported('a ReadableStream of its own');
  }
  get [Symbol.toStringTag](): string {
    return 'ReadableStream';
  }
}
for (const k of ['getReader', 'pipeTo', 'pipeThrough', 'tee', 'cancel', 'values', Symbol.asyncIterator]) {
  Object.defineProperty(ReadableStream.prototype, k, { value: () => unsupported('a ReadableStream'), writable: true, configurable: true });
}

export class Request {
  url: string;
  method: string;
  headers: any;
  duplex: any;
  constructor(input: any, init: any = {}) {
    const from = input instanceof Request ? input : undefined;
    this.url = from !== undefined ? from.url : new URL(`${input}`).href;
    const method = `${init.method ?? from?.method ?? 'GET'}`;
    this.method = /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method;
    this.headers = new Headers(init.headers ?? from?.headers);
    const { body } = init;
    if (body !== undefined && body !== null) {
      this.duplex = init.duplex;
      if (typeof body === 'string' && !this.headers.has('content-type')) this.headers.append('content-type', 'text/plain;charset=UTF-8');
    }
  }
}
for (const k of ['text', 'json', 'arrayBuffer', 'blob', 'formData', 'clone']) {
  Object.defineProperty(Request.prototype, k, { value: () => unsupported(`Request.${k}`), writable: true, configurable: true });
}
