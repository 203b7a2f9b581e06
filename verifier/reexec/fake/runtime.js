'use strict';
let job;
let result;
const column = (c, i) => (typeof c === 'object' && c !== null ? c.c[i] : c);

function __start(text) {
  job = JSON.parse(text);
  result = { id: job.id, ok: true, diverged: null, acts: [[]], respAct: job.init ? -1 : 0, ops: [], keys: [], problems: [], stacks: [] };
}

function __step() {
  if (job.init || job.look) return 0;
  const classes = Array.from({ length: job.n }, (_, i) => (column(job.req.method, i) === 'POST' ? 1 : 0));
  if (new Set(classes).size > 1) {
    result.ok = false;
    result.diverged = { why: 'methods differ', parts: classes };
    return 0;
  }
  for (let i = 0; i < job.n; i++) lane(i);
  for (let k = 0; k < job.r.length; k += 3) if (job.r[k + 1] >= 0) problem(job.r[k + 1], 'R-leftover', 'a read is left over');
  for (let k = 0; k < job.w.length; k += 4) if (job.w[k + 1] >= 0) problem(job.w[k + 1], 'R-leftover', 'a write is left over');
  result.ok = result.problems.length === 0;
  return 0;
}

function problem(lane, rule, msg, expected, found) {
  result.problems.push({ lane, rule, msg, expected, found, stack: job.explain ? 'Error\n    at handler (program.js:1:3)' : undefined });
}

function lane(i) {
  const key = column(job.req.url, i).slice(1);
  if (key === 'forever') for (;;);
  if (key === 'memory') for (const all = []; ; ) all.push(new Array(1e5).fill(all.length));
  if (key === 'throw') throw new Error('thrown by the program');
  const at = result.keys.push(key) - 1;
  const is = (w) => job.locs[job.writes[w][0]][1] === key;
  const take = (l, size) => {
    for (let k = 0; k < l.length; k += size) {
      if (l[k + 1] !== i || !is(l[k + size - 1])) continue;
      l[k + 1] = -1;
      return l[k + size - 1];
    }
    return -1;
  };
  let answer = 'ok';
  if (column(job.req.method, i) === 'POST') {
    const w = take(job.w, 4);
    const prev = w < 0 ? -1 : job.writes[w][1];
    if (w >= 0 && job.writes[w][2] !== column(job.req.body, i)) problem(i, 'R-value', 'the value written is not the logged one', column(job.req.body, i), job.writes[w][2]);
    result.ops.push(i, 0, 1, -1, at, 1, prev >= 0 ? 1 : 0, Math.max(prev, 0), 0, w);
    if (job.explain) result.stacks.push([i, 0, 1, 1, 'Error\n    at handler (program.js:1:3)']);
  } else {
    const w = take(job.r, 3);
    answer = w >= 0 ? job.writes[w][2] : 'none';
    result.ops.push(i, 0, 0, -1, at, 0, w >= 0 ? 1 : 0, Math.max(w, 0), 0, -1);
    if (job.explain) result.stacks.push([i, 0, 0, 0, 'Error\n    at handler (program.js:1:3)']);
  }
  const want = column(job.expect.body, i);
  if (want !== answer) problem(i, 'R-response', "the response's body is not what the program answers", answer, want);
}

function __result() {
  return JSON.stringify(result);
}
