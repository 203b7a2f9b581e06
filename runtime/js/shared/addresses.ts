// Where a server listens and where a request's connection comes from, as both builds expect
// it: the server records only what is otherwise.

export interface Address {
  address: string;
  family: string;
  port: number;
}

// listening reads the arguments of listen([port[, host[, backlog]]]) and its form with options.
export function listening(args: ArrayLike<any>): Address {
  const first = args[0];
  const options = first !== null && typeof first === 'object' ? first : { port: first, host: typeof args[1] === 'string' ? args[1] : undefined };
  const given = Number(typeof options.port === 'function' ? 0 : options.port ?? 0);
  const port = given === given ? given : 0;
  const { host } = options;
  return { address: host ?? '::', family: /^[\d.]+$/.test(host ?? '') ? 'IPv4' : 'IPv6', port };
}

// peer is the address of a collector on the server's machine, and the one that it reaches the server at.
export const peer = (l: Address): string => (l.family === 'IPv4' ? '127.0.0.1' : '::ffff:127.0.0.1');

// loopback: it is that machine, by whatever name.
export const loopback = (address: any): boolean => address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';
