// The sequential re-executor's own few lines: one request after another, on the
// same models, without advice. It is what the audit's cost is compared with,
// so it does nothing that it need not do.
type Task = () => void;

let ticks: Task[] = [];
let afters: Task[] = [];
let immediates: Task[] = [];
let timers: { due: number; seq: number; fn: Task; live: boolean }[] = [];
let clock = 0;
let seq = 0;
const g = globalThis as any;
const microtasks: () => void = g.$host.microtasks;

g.$loop = {
  tick(fn: Task): void {
    ticks.push(fn);
  },
  after(fn: Task): void {
    afters.push(fn);
  },
  immediate(fn: Task): object {
    const handle = { fn };
    immediates.push(() => handle.fn());
    return handle;
  },
  timer(ms: number, fn: Task): object {
    const t = { due: clock + (ms >= 1 ? Math.trunc(ms) : 1), seq: seq++, fn, live: true };
    timers.push(t);
    return t;
  },
  clear(handle: any): void {
    if (handle === null || typeof handle !== 'object') return;
    handle.fn = () => {};
    timers = timers.filter((t) => t !== handle);
  },
  now: () => clock,
};

// drain runs ticks and microtasks until there are none, as Node does after
// each callback.
function drain(): void {
  do {
    for (let i = 0; i < ticks.length; i++) ticks[i]();
    ticks.length = 0;
    microtasks();
    if (ticks.length === 0) ticks.push(...afters.splice(0));
  } while (ticks.length > 0);
}

function settle(): void {
  for (;;) {
    drain();
    if (immediates.length > 0) {
      const now = immediates;
      immediates = [];
      for (const f of now) {
        f();
        drain();
      }
      continue;
    }
    if (timers.length === 0) return;
    let first = timers[0];
    for (const t of timers) if (t.due < first.due || (t.due === first.due && t.seq < first.seq)) first = t;
    timers = timers.filter((t) => t !== first);
    clock = Math.max(clock, first.due);
    first.fn();
  }
}

// Results that the trace does not hold are made up.
g.$nd = (type: string, _check: any, args: any[]): any => {
  switch (type) {
    case 'uuid':
      return '00000000-0000-4000-8000-000000000000';
    case 'bytes':
      return g.$models.Buffer.alloc(args[0]).toString('base64');
    case 'hrtime':
      return '0 0';
    case 'hrbig':
      return 0n;
    case 'json':
      return '{}';
    case 'int':
      return args[0];
  }
  return 0;
};

const bind = (f: any, args: any[]) => (args.length === 0 ? f : () => f(...args));
g.setTimeout = (f: any, ms?: any, ...args: any[]) => handle(g.$loop.timer(Number(ms), bind(f, args)));
g.setInterval = () => handle({});
g.setImmediate = (f: any, ...args: any[]) => handle(g.$loop.immediate(bind(f, args)));
g.clearTimeout = g.clearInterval = g.clearImmediate = (h: any) => g.$loop.clear(h);
g.queueMicrotask ??= (f: any) => void Promise.resolve().then(f);

function handle(h: any): any {
  h.ref = h.unref = h.refresh = () => h;
  h.hasRef = () => true;
  return h;
}

let program: Function | null = null;
g.$plain = {
  // program is given the application's bundle, wrapped as a CommonJS module.
  program(f: Function): void {
    program = f;
  },
};

interface Expected {
  status: number;
  headers: [string, string][];
  body: string;
  b64?: boolean;
}

interface Item {
  req: any;
  // Absent: the response is answered instead of compared.
  expect?: Expected;
}

let items: Item[] = [];
let answers: any[] = [];
let compared = 0;
let wrong: any[] = [];

function same(res: any, want: Expected): string | null {
  if (res.status !== want.status) return `status ${res.status}`;
  if (res.body !== want.body || res.b64 !== (want.b64 === true)) return 'body';
  const h = res.headers;
  if (h.length !== want.headers.length) return 'number of headers';
  for (let i = 0; i < h.length; i++) {
    const name = h[i][0].toLowerCase();
    let found = false;
    for (let j = 0; j < h.length && !found; j++) found = want.headers[j][0] === name && want.headers[j][1] === h[i][1];
    if (!found) return `header ${h[i][0]}`;
  }
  return null;
}

g.__start = (text: string): void => {
  const job = JSON.parse(text);
  answers = [];
  wrong = [];
  compared = 0;
  items = job.items ?? [];
  if (job.init) {
    const p = g.$models.process;
    Object.assign(p.env, job.env);
    p.nextTick = (f: any, ...args: any[]) => g.$loop.tick(bind(f, args));
    program!.call({}, {}, g.$models.require, { exports: {} }, '/app/index.js', '/app', p, globalThis);
    settle();
  }
  for (let i = 0; i < items.length; i++) {
    const { req, expect } = items[i];
    let answered = false;
    g.$models.dispatch(req, (res: any) => {
      answered = true;
      if (expect === undefined) {
        answers.push(res);
        return;
      }
      compared++;
      const why = same(res, expect);
      if (why !== null) wrong.push({ item: i, why, found: res, expected: expect });
    });
    settle();
    if (!answered) wrong.push({ item: i, why: 'no answer' });
  }
};
g.__step = (): number => 0;
g.__result = (): string => JSON.stringify({ compared, wrong, answers });
