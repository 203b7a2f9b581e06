// The first script of every worker, and the only one that may use V8's runtime
// functions: it takes what it needs and removes the traces.
(function (g) {
  'use strict';
  const hashTexts = g.__hostHashTexts;
  const hashBytes = g.__hostHashBytes;
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

  function hideNewerThanNode20() {}
})(globalThis);
