// fetch: what another server answered is what the server says it answered.
import { failed, Response } from '../shared/fetch';
import { nondeterministic, port } from './internal/host';
import { ofFetch } from './internal/results';

export { Blob, File, Form, Headers, Request, Response } from '../shared/fetch';

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
