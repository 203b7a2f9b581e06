// What crypto reads of keys and algorithms that the program describes by objects. Both builds
// read it alike and hand on copies: the platform's own code would read in nobody's name.

const parameters = ['additionalData', 'context', 'counter', 'hash', 'info', 'iterations', 'iv', 'label', 'length', 'modulusLength', 'name', 'namedCurve', 'public', 'publicExponent', 'salt', 'saltLength', 'tagLength'];
const members = ['alg', 'crv', 'd', 'dp', 'dq', 'e', 'ext', 'k', 'key_ops', 'kty', 'n', 'oth', 'p', 'q', 'qi', 'use', 'x', 'y'];

function copied(o: any, keys: string[]): any {
  if (typeof o !== 'object' || o === null) return o;
  const to: any = {};
  for (const k of keys) {
    const v = o[k];
    if (v !== undefined) to[k] = v;
  }
  return to;
}

function listed(l: any): any {
  if (!Array.isArray(l)) return l;
  const to: any[] = [];
  for (let i = 0; i < l.length; i++) to.push(l[i]);
  return to;
}

function algorithm(a: any): any {
  const to = copied(a, parameters);
  if (typeof to === 'object' && to !== null) to.hash = copied(to.hash, ['name']);
  return to;
}

export function jwk(key: any): any {
  const to = copied(key, members);
  if (typeof to === 'object' && to !== null) to.key_ops = listed(to.key_ops);
  return to;
}

// Of the arguments of crypto.subtle's methods: algorithms, usages, and keys that are JWK if the format is.
const shapes: Record<string, string> = {
  digest: 'a', encrypt: 'a', decrypt: 'a', sign: 'a', verify: 'a', deriveBits: 'a', generateKey: 'a-u', deriveKey: 'a-a-u',
  importKey: '-ka-u', exportKey: '', wrapKey: '---a', unwrapKey: '---aa-u',
};

export function taken(method: string, args: any[]): any[] {
  const shape = shapes[method];
  return args.map((x, i) => (shape[i] === 'a' ? algorithm(x) : shape[i] === 'u' ? listed(x) : shape[i] === 'k' && args[0] === 'jwk' ? jwk(x) : x));
}

// input is a key as functions of crypto take it, where it is a JWK.
export function input(key: any): any {
  return typeof key === 'object' && key !== null && key.format === 'jwk' ? { ...key, key: jwk(key.key) } : key;
}

// paired puts behind util.promisify that a new pair is one object.
export function paired(m: any, custom: symbol): void {
  const value = (type: any, options: any) => new Promise((resolve, reject) => m.generateKeyPair(type, options, (error: any, publicKey: any, privateKey: any) => (error ? reject(error) : resolve({ publicKey, privateKey }))));
  for (const f of [value, m.generateKeyPair]) Object.defineProperty(f, custom, { value, configurable: true }); // as promisify leaves it
}
