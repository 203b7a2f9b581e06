// fetch under record: what another server answered is recorded whole, and the
// program gets it when all of it has come.
import { Blob, failed, File, Form, Headers, other, Request, Response, type Failure } from '../shared/fetch';
import * as log from './log';
import { Port, quietly, record, then as nativeThen } from './outside';

// Most bytes of one answer that are recorded.
const mostBytes = 16 << 20;

export function install(): void {
  const g = globalThis as any;
  const real = g.fetch;
  const then = (p: any, f: (v: any) => any, bad: (e: any) => any) => Reflect.apply(nativeThen, p, [f, bad]);
  // Programs ask what they got with instanceof.
  for (const [theirs, ours] of [[g.Response, Response], [g.Headers, Headers], [g.FormData, Form], [g.Request, Request]]) {
    Object.defineProperty(theirs, Symbol.hasInstance, { value: (x: any) => x instanceof ours || Function.prototype[Symbol.hasInstance].call(theirs, x), configurable: true });
  }
  const Theirs = g.Response;
  const Asking = g.Request;
  Response[other] = (body, init) => {
    log.unauditable('the body of a Response of its own');
    return new Theirs(body, init);
  };
  for (const [k, value] of Object.entries({ Blob, File, FormData: Form })) Object.defineProperty(g, k, { value, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(g, 'Request', { value: Request, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(g, 'Response', { value: Response, writable: true, enumerable: false, configurable: true });
  g.fetch = (input: any, init?: any): Promise<any> => {
    const port = new Port();
    return new Promise((resolve, reject) => {
      const bad = (e: any) =>
        port.arrive(() => {
          const aborted = init?.signal?.aborted === true;
          const f: Failure | { aborted: true } = aborted ? { aborted: true } : { name: String(e?.name), message: String(e?.message), cause: causeOf(e?.cause) };
          record('fetch', JSON.stringify({ failed: f }));
          const error = aborted ? init.signal.reason : failed(f as Failure);
          if (!aborted && error instanceof Error) record('stack', String(error.stack));
          reject(error);
        });
      const good = (r: any) => {
        if (/^text\/event-stream/i.test(r.headers.get('content-type') ?? '')) log.unauditable('a fetched stream of events is not supported yet');
        then(
          r.arrayBuffer(),
          (body: ArrayBuffer) =>
            port.arrive(() => {
              if (body.byteLength > mostBytes) log.unauditable('a fetched answer of more than 16 MB');
              const a = { status: r.status, statusText: r.statusText, url: r.url, redirected: r.redirected, headers: [...r.headers] as [string, string][], body: Buffer.from(body).toString('base64') };
              record('fetch', JSON.stringify(a));
              resolve(Response.arrived(a));
            }),
          bad,
        );
      };
      then(quietly(() => real(...sent(input, init, Asking))), good, bad);
    });
  };
}

// sent is what the platform's own fetch understands of what the program gives it.
function sent(input: any, init: any, Asking: any): [any, any?] {
  const { body } = init ?? {};
  if (!(input instanceof Request) && !(body instanceof Blob) && !(body instanceof Form) && typeof body?.getReader !== 'function') return [input, init];
  let r: any;
  try {
    r = new Request(input, init);
  } catch {
    return [`${input}`, init]; // which says what is wrong
  }
  const { method, redirect, signal, headers } = r;
  const bytes = Request.taken(r);
  if (bytes !== undefined && !Buffer.isBuffer(bytes)) log.unauditable('a stream that is sent as the body of a request');
  return [new Asking(r.url, { method, redirect, signal, headers: [...headers], body: bytes })];
}

function causeOf(c: any): any {
  if (c === undefined || c === null) return undefined;
  const out: any = { message: String(c.message) };
  for (const k of ['errno', 'code', 'syscall', 'hostname', 'address', 'port']) if (typeof c[k] === 'string' || typeof c[k] === 'number') out[k] = c[k];
  return out;
}
