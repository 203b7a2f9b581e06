// dns under record: what is looked up is recorded.
import * as dns from 'dns';
import { failed, rebuilt } from '../shared/failures';
import { lookups, promisified } from '../shared/dns';
import { promisify } from 'util';
import * as log from './log';
import { atOnce, Port, quietly, record } from './outside';

// settled notes what came, and gives what the program gets.
const settled = (error: any, values: any[]): any => {
  const r = error ? { e: failed(error) } : { v: values };
  record('dns', JSON.stringify(r));
  return r;
};

function resolver(real: any, promised: any): [any, any] {
  const m: any = {};
  const promises: any = {};
  for (const name of lookups) {
    m[name] = (...args: any[]) => {
      const callback = args.pop();
      let port: Port;
      const came = (error: any, ...values: any[]) =>
        port.arrive(() => {
          const r = settled(error, values);
          if (r.e !== undefined) callback(rebuilt(r.e));
          else callback(null, ...values);
        });
      return atOnce(() => {
        port = new Port();
        return quietly(() => real[name](...args, typeof callback === 'function' ? came : callback));
      });
    };
    promises[name] = (...args: any[]) => {
      let port: Port;
      const looked = atOnce(() => {
        port = new Port();
        return quietly(() => promised[name](...args));
      });
      return new Promise((resolve, reject) => {
        const came = (error: any, value?: any) =>
          port.arrive(() => {
            const r = settled(error, [value]);
            if (r.e !== undefined) reject(rebuilt(r.e));
            else resolve(value);
          });
        quietly(() => void looked.then((v: any) => came(null, v), came));
      });
    };
  }
  return [m, promises];
}

export function guestModule(): any {
  const { default: _, ...real } = dns as any;
  const [m, promises] = resolver(real, real.promises);
  promisified(m, promisify.custom);
  for (const o of [m, promises]) {
    o.getServers = () => settled(null, [real.getServers()]).v[0];
    o.getDefaultResultOrder = () => settled(null, [real.getDefaultResultOrder()]).v[0];
    o.Resolver = class {
      constructor() {
        log.unauditable('dns.Resolver is not supported yet');
      }
    };
  }
  return { ...real, ...m, promises: { ...real.promises, ...promises } };
}
