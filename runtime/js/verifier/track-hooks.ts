// What the multivalue runtime asks of tracked objects (those with o[T] set).
// The tracking half of the runtime fills the hooks in; until then a tracked
// object is an ordinary one.
export const hooks = {
  get: (o: any, k: any): any => o[k],
  set: (o: any, k: any, v: any): any => (o[k] = v),
  // storing hears that v is about to be stored in several lanes' objects.
  storing: (_v: any): void => {},
  length: (o: any): any => o.length,
  setLength: (o: any, n: any): any => (o.length = n),
  has: (k: any, o: any): any => k in o,
  hasOwn: (o: any, k: any): any => Object.hasOwn(o, k),
  // describe is the descriptor of a property whose native one is d.
  describe: (_o: any, _k: any, d: any): any => d,
  // define tells whether it has defined a property.
  define: (_o: any, _k: any, _d: any): boolean => false,
  // manner hears that how an object may change is about to change, or its prototype.
  manner: (_o: any): void => {},
  // freeze hears that an object is about to be frozen.
  freeze: (_o: any): void => {},
  del: (o: any, k: any): any => Reflect.deleteProperty(o, k),
  // Own enumerable string keys: an array, or a multivalue of arrays.
  keys: (o: any): any => Object.keys(o),
  iterate: (o: any): any => o[Symbol.iterator](),
  // list hears that a native is about to read the elements of what may be an array, nested
  // that it reads arrays in it, too.
  list: (_a: any): void => {},
  nested: (_a: any, _depth: number): void => {},
  // inPlaceOf is what stands for a native that is borrowed for o.
  inPlaceOf: (f: any, _o: any): any => f,
  // proxied hears that the program makes a Proxy for o.
  proxied: (_o: object): void => {},
};

// hint tells tracked accessors that they are called on behalf of one lane only
// (a multivalue of objects is being walked), and which operation that belongs to.
export const hint = { lane: -1, op: 0 };
