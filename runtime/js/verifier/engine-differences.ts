// The verifier's V8 is newer than that of the recorded server's Node 20. Where
// the two can be told apart by a program, the older one's behaviour is restored
// here, before anything else looks at the natives.
const parse = JSON.parse;
const { apply, defineProperty } = Reflect;
const position = / \(line \d+ column \d+\)$/;

const replaced = {
  parse(_text: string, _reviver?: any): any {
    try {
      return apply(parse, this, arguments as any);
    } catch (e) {
      const text = (e as any)?.message;
      if (typeof text === 'string' && position.test(text)) defineProperty(e as object, 'message', { value: text.replace(position, ''), writable: true, configurable: true });
      throw e;
    }
  },
};
Object.defineProperty(JSON, 'parse', { value: replaced.parse, writable: true, configurable: true });

// Built-ins that Node 20 does not have: feature tests must come out alike.
const newer: [any, string[]][] = [
  [Promise, ['withResolvers', 'try']],
  [Object, ['groupBy']],
  [Map, ['groupBy']],
  [Array, ['fromAsync']],
  [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
  [ArrayBuffer.prototype, ['transfer', 'transferToFixedLength']],
  [Atomics, ['pause']],
  [RegExp, ['escape']],
  [Math, ['f16round', 'sumPrecise']],
  [DataView.prototype, ['getFloat16', 'setFloat16']],
  [Error, ['isError']],
  [JSON, ['rawJSON', 'isRawJSON']],
  [globalThis, ['Iterator', 'Float16Array', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack']],
];
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
for (const k of Reflect.ownKeys(iterators)) if (k !== Symbol.iterator) delete iterators[k];
for (const [o, names] of newer) for (const k of names) delete o[k];
