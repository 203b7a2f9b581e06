// Node's coded errors, with Node's words: applications print them.
export function coded(Base: any, code: string, message: string): any {
  const e = new Base(message);
  e.code = code;
  // The first line of the stack names the code.
  const name = e.name;
  Object.defineProperty(e, 'name', { value: `${name} [${code}]`, configurable: true, writable: true });
  void e.stack;
  delete e.name;
  return e;
}

export function received(value: any): string {
  if (value == null) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    if (value.constructor?.name) return ` Received an instance of ${value.constructor.name}`;
    return ' Received [Object: null prototype] {}';
  }
  let s = typeof value === 'string' ? `'${value}'` : typeof value === 'bigint' ? `${value}n` : String(value);
  if (s.length > 28) s = s.slice(0, 25) + '...';
  return ` Received type ${typeof value} (${s})`;
}

export function invalidType(name: string, expected: string, value: any): any {
  const kind = name.includes('.') ? 'property' : 'argument';
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" ${kind} must be ${expected}.${received(value)}`);
}

// unsupported: what the verifier cannot re-execute must not look like success.
export function unsupported(what: string): never {
  throw coded(Error, 'ERR_KAROUSOS_UNSUPPORTED', `${what} is not supported under audit yet`);
}
