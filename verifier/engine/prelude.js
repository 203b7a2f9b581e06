// The first script of every worker, and the only one that may use V8's runtime
// functions: it takes what it needs and removes the traces.
(function (g) {
  'use strict';
  const hashTexts = g.__hostHashTexts;
  const hashBytes = g.__hostHashBytes;
  const hostCall = g.__hostCall;
  delete g.__hostCall;
  delete g.__hostHashTexts;
  delete g.__hostHashBytes;

  // Compiled here and now, because the syntax is only allowed now.
  const microtasks = (function () { %PerformMicrotaskCheckpoint(); });
  microtasks();

  let shared = new SharedArrayBuffer(65536);
  const SharedBuffer = SharedArrayBuffer;
  const Bytes = Uint8Array;

  Object.defineProperty(g, '$host', {
    value: {
      // microtasks drains V8's microtask queue, from inside a running script.
      microtasks,
      // hashTexts and hashBytes answer digests in base64; see host.go.
      hashTexts,
      hashBytes(algorithm, bytes) {
        if (shared.byteLength < bytes.length) shared = new SharedBuffer(bytes.length * 2);
        new Bytes(shared).set(bytes);
        return hashBytes(algorithm, shared, bytes.length);
      },
      // call runs one of hostcall.go's functions on byte arrays.
      call(name, args) {
        let n = 0;
        for (let i = 0; i < args.length; i++) n += 4 + args[i].length;
        if (shared.byteLength < n) shared = new SharedBuffer(n * 2);
        let view = new Bytes(shared);
        for (let i = 0, at = 0; i < args.length; i++) {
          const l = args[i].length;
          view[at++] = l;
          view[at++] = l >>> 8;
          view[at++] = l >>> 16;
          view[at++] = l >>> 24;
          view.set(args[i], at);
          at += l;
        }
        const most = shared.byteLength;
        n = hostCall(name, shared, n);
        if (n > most) {
          shared = new SharedBuffer(n);
          view = new Bytes(shared);
          hostCall('', shared, 0);
        }
        // A copy, in memory of its own.
        return new Bytes(view.subarray(0, n));
      },
    },
    configurable: true,
  });

  g.__engine = function (nodeMajor) {
    delete g.__engine;
    if (nodeMajor === 20) hideNewerThanNode20();
    return function run(job) {
      g.__start(job);
      for (;;) {
        microtasks();
        if (g.__step() !== 1) break;
      }
      return g.__result();
    };
  };

  // Node 20 has V8 11.3. What came later is listed here; a test walks both.
  function hideNewerThanNode20() {
    const iterator = g.Iterator.prototype;
    for (const [o, names] of [
      [Object, 'groupBy'],
      [Array, 'fromAsync'],
      [Promise, 'withResolvers try'],
      [RegExp, 'escape'],
      [Error, 'isError'],
      [JSON, 'rawJSON isRawJSON'],
      [ArrayBuffer.prototype, 'transfer transferToFixedLength detached'],
      [Atomics, 'pause'],
      [Map, 'groupBy'],
      [Set.prototype, 'difference intersection isSubsetOf isSupersetOf isDisjointFrom symmetricDifference union'],
      [iterator, 'constructor reduce toArray forEach some every find map filter take drop flatMap'],
      [g, 'Iterator'],
      [Intl, 'v8BreakIterator DurationFormat'],
      [Intl.Locale.prototype, 'firstDayOfWeek getCalendars getCollations getHourCycles getNumberingSystems getTimeZones getTextInfo getWeekInfo'],
    ]) {
      for (const name of names.split(' ')) delete o[name];
    }
    delete iterator[Symbol.toStringTag];

    // Messages of JSON.parse gained the line and the column. Applications echo
    // them: body-parser, for one. (The stack is written when it is first read.)
    const parse = JSON.parse;
    const place = / \(line \d+ column \d+\)$/;
    const { test, replace } = { test: RegExp.prototype.test, replace: String.prototype.replace };
    const { apply } = Reflect;
    const Syntax = SyntaxError;
    Object.defineProperty(JSON, 'parse', {
      value: {
        parse(text, reviver) {
          try {
            return parse(text, reviver);
          } catch (e) {
            if (e instanceof Syntax && apply(test, place, [e.message])) {
              const message = apply(replace, e.message, [place, '']);
              Object.defineProperty(e, 'message', { value: message, writable: true, configurable: true, enumerable: false });
            }
            throw e;
          }
        },
      }.parse,
      writable: true,
      configurable: true,
    });
  }
})(globalThis);
