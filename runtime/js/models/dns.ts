// dns: what is looked up is what the server says it found.
import { lookups, promisified } from '../shared/dns';
import { rebuilt } from '../shared/failures';
import { nondeterministic, port } from './internal/host';
import { invalidType, invalidValue } from './internal/errors';
import { ofDNS, ofOrder, orders } from './internal/results';
import { thrown } from './internal/thrown';
import util from './util';

const told = (): any => JSON.parse(nondeterministic('dns', ofDNS));

export const dns: any = { promises: {} };
for (const name of lookups) {
  dns[name] = (...args: any[]): any => {
    const callback = args.pop();
    thrown();
    if (typeof callback !== 'function') throw invalidType('callback', 'of type function', callback);
    port().expect(() => {
      const r = told();
      if (r.e !== undefined) callback(rebuilt(r.e));
      else callback(null, ...r.v);
    });
    return {};
  };
  dns.promises[name] = (): any => {
    thrown();
    return new Promise((resolve, reject) => {
      port().expect(() => {
        const r = told();
        if (r.e !== undefined) reject(rebuilt(r.e));
        else resolve(r.v[0]);
      });
    });
  };
}
promisified(dns, util.promisify.custom);
for (const o of [dns, dns.promises]) {
  o.getServers = () => told().v[0];
  o.setServers = () => {};
  o.getDefaultResultOrder = () => JSON.parse(nondeterministic('dns', ofOrder)).v[0];
  // What is looked up afterwards is what the server says.
  o.setDefaultResultOrder = (order: any) => {
    if (!orders.includes(order)) throw invalidValue('dnsOrder', order, `must be one of: ${orders.map((s) => `'${s}'`).join(', ')}`);
  };
  Object.assign(o, { NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED', BADQUERY: 'EBADQUERY', BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED', TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE', NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR', BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS', NOTINITIALIZED: 'ENOTINITIALIZED', LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED' });
}
Object.assign(dns, { ADDRCONFIG: 32, ALL: 16, V4MAPPED: 8 });
