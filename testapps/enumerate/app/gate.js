'use strict';

// Preloaded into the server (node --require), this makes the schedule of each
// program the one that its requests' URLs ask for: a timer of N ms is slot N % 64 of
// program N / 64 (rounded down), or slot 63 - N % 64 if that is odd, and fires when the slots before
// it have.

// The server's runtime comes later and has timers of its own.
const real = globalThis.setTimeout;
const immediate = globalThis.setImmediate;
const programs = new Map();

globalThis.setTimeout = (f, ms, ...args) => {
  if (!process.env.ENUMERATE_SLOTS || !Number.isInteger(ms)) return real(f, ms, ...args);
  const id = Math.floor(ms / 64);
  let p = programs.get(id);
  if (!p) programs.set(id, (p = { next: 0, waiting: new Map() }));
  p.waiting.set(id % 2 === 0 ? ms % 64 : 63 - (ms % 64), () => f(...args));
  advance(p);
  return real(() => {}, 0);
};

function advance(p) {
  const f = p.waiting.get(p.next);
  if (!f) return;
  p.waiting.delete(p.next);
  immediate(() => {
    p.next++;
    f();
    // What the turn leads to at once comes before the next slot.
    immediate(() => advance(p));
  });
}
