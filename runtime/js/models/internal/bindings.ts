// What packages that speak HTTP/2 by themselves (spdy, and so restify) ask process.binding for when they are
// loaded. What of it does anything they only use when somebody speaks that.
import { unsupported } from './errors';

const lacks = (what: string): any =>
  class {
    constructor() {
      unsupported(`process.binding(${what})`);
    }
  };

const methods =
  'DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK UNLINK SOURCE QUERY';
const parser = { REQUEST: 1, RESPONSE: 2, kOnMessageBegin: 0, kOnHeaders: 1, kOnHeadersComplete: 2, kOnBody: 3, kOnMessageComplete: 4, kOnExecute: 5, kOnTimeout: 6, kLenientNone: 0, kLenientAll: 1023 };
const beyond = { EOF: -4095, UNKNOWN: -4094, ECHARSET: -4080, ENONET: -64, ESHUTDOWN: -108, EHOSTDOWN: -112, EREMOTEIO: -121 };

const bindings: Record<string, () => any> = {
  __proto__: null as any,
  http_parser: () => ({ methods: methods.split(' '), HTTPParser: Object.assign(lacks('http_parser'), parser), ConnectionsList: lacks('http_parser') }),
  stream_wrap: () => ({ ShutdownWrap: lacks('stream_wrap'), WriteWrap: lacks('stream_wrap'), kReadBytesOrError: 0, kArrayBufferOffset: 1, kBytesWritten: 2, kLastWriteWasAsync: 3 }),
  uv() {
    const { errno } = (globalThis as any).$models.require('os').constants;
    const numbers = Object.entries<number>(errno).map(([k, n]) => ['UV_' + k, -n]);
    return Object.fromEntries([...numbers, ...Object.entries(beyond).map(([k, n]) => ['UV_' + k, n])]);
  },
};

export function platform(name: any): any {
  const make = bindings[name];
  return make === undefined ? unsupported('process.binding') : make();
}
