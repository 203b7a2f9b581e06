// What module dns looks up.
export const lookups = 'lookup lookupService resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTxt reverse'.split(' ');

// Callbacks of two values, which util.promisify makes one of.
const pairs: Record<string, [string, string]> = { lookup: ['address', 'family'], lookupService: ['hostname', 'service'] };

export function promisified(dns: any, custom: symbol): void {
  for (const [name, [first, second]] of Object.entries(pairs)) {
    const value = (...args: any[]) => new Promise((resolve, reject) => dns[name](...args, (error: any, a: any, b: any) => (error ? reject(error) : resolve({ [first]: a, [second]: b }))));
    Object.defineProperty(dns[name], custom, { value });
  }
}
