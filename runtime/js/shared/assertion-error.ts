// AssertionError as Node 20 has it. Its message shows what was compared, which may be
// shared state, and which the verifier must show alike: both builds have this.
import { invalidType } from '../models/internal/errors';
import { custom, inspect } from './inspect';

const said: Record<string, string> = {
  __proto__: null as any,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

const isObject = (x: any): boolean => typeof x === 'object' && x !== null;

function copied(e: any): any {
  const to = Object.assign(Object.create(Object.getPrototypeOf(e)), e);
  Object.defineProperty(to, 'message', { value: e.message });
  return to;
}

function shown(x: any): string {
  return inspect(x, { compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, showHidden: false, showProxy: false, sorted: true, getters: true });
}

const dots = '...';

// A diff is printed line by line; what is equal for long is left out.
class Diff {
  text = '';
  other = '';
  printed = 0;
  identical = 0;
  skipped = false;

  // resume prints the end of what was equal, before line i of lines.
  resume(lines: string[], i: number): void {
    if (this.identical > 2) {
      if (this.identical > 3) {
        if (this.identical === 5) this.same(lines[i - 3]);
        else if (this.identical > 5) {
          this.text += `\n${dots}`;
          this.skipped = true;
        }
        this.same(lines[i - 2]);
      }
      this.same(lines[i - 1]);
    }
    this.identical = 0;
  }

  same(line: string): void {
    this.text += `\n  ${line}`;
    this.printed++;
  }
}

function difference(actual: any, expected: any, operator: string, message = ''): string {
  const shownActual = shown(actual);
  const ours = shownActual.split('\n');
  const theirs = shown(expected).split('\n');
  let indicator = '';
  let i = 0;
  if (operator === 'strictEqual' && ((isObject(actual) && isObject(expected)) || (typeof actual === 'function' && typeof expected === 'function'))) operator = 'strictEqualObject';
  const head = message || said[operator];

  if (ours.length === 1 && theirs.length === 1 && ours[0] !== theirs[0]) {
    const length = ours[0].length + theirs[0].length;
    if (length <= 12) {
      if (!isObject(actual) && !isObject(expected) && (actual !== 0 || expected !== 0)) return `${head}\n\n${ours[0]} !== ${theirs[0]}\n`;
    } else if (operator !== 'strictEqualObject' && length < 80) {
      while (ours[0][i] === theirs[0][i]) i++;
      if (i > 2) {
        indicator = `\n  ${' '.repeat(i)}^`;
        i = 0;
      }
    }
  }

  // What is equal at the end.
  let end = '';
  let before = '';
  while (ours.length > 0 && theirs.length > 0 && ours[ours.length - 1] === theirs[theirs.length - 1]) {
    const line = ours.pop();
    theirs.pop();
    if (i++ < 3) end = `\n  ${line}${end}`;
    else before = line!;
  }
  const most = Math.max(ours.length, theirs.length);
  if (most === 0) {
    const lines = shownActual.split('\n');
    return `${said.notIdentical}\n\n${(lines.length > 50 ? [...lines.slice(0, 46), dots] : lines).join('\n')}\n`;
  }
  const d = new Diff();
  if (i >= 5) {
    end = `\n${dots}${end}`;
    d.skipped = true;
  }
  if (before !== '') end = `\n  ${before}${end}`;

  const title = `${head}\n+ actual - expected`;
  const longer = ours.length < most ? theirs : ours;
  const shorter = longer === ours ? theirs.length : ours.length;
  for (i = 0; i < most; i++) {
    if (shorter < i + 1) {
      d.resume(longer, i);
      if (longer === ours) d.text += `\n+ ${longer[i]}`;
      else d.other += `\n- ${longer[i]}`;
      d.printed++;
    } else {
      const theirsHere = theirs[i];
      let oursHere = ours[i];
      let differs = oursHere !== theirsHere && (!oursHere.endsWith(',') || oursHere.slice(0, -1) !== theirsHere);
      if (differs && theirsHere.endsWith(',') && theirsHere.slice(0, -1) === oursHere) {
        differs = false;
        oursHere += ',';
      }
      if (differs) {
        d.resume(ours, i);
        d.text += `\n+ ${oursHere}`;
        d.other += `\n- ${theirsHere}`;
        d.printed += 2;
      } else {
        d.text += d.other;
        d.other = '';
        d.identical++;
        if (d.identical <= 2) d.same(oursHere);
      }
    }
    if (d.printed > 50 && i < most - 2) return `${title} ${dots} Lines skipped\n${d.text}\n${dots}${d.other}\n${dots}`;
  }
  return `${title}${d.skipped ? ` ${dots} Lines skipped` : ''}\n${d.text}${d.other}${end}${indicator}`;
}

const limited = (s: string, n: number): string => (s.length > n ? `${s.slice(0, n - 3)}...` : s);

function generated(actual: any, expected: any, operator: string): string {
  // The stacks would be shown otherwise.
  if (isObject(actual) && isObject(expected) && 'stack' in actual && actual instanceof Error && 'stack' in expected && expected instanceof Error) {
    actual = copied(actual);
    expected = copied(expected);
  }
  if (operator === 'deepStrictEqual' || operator === 'strictEqual') return difference(actual, expected, operator);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
    const lines = shown(actual).split('\n');
    const head = said[operator === 'notStrictEqual' && (isObject(actual) || typeof actual === 'function') ? 'notStrictEqualObject' : operator];
    if (lines.length === 1) return `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
    return `${head}\n\n${(lines.length > 50 ? [...lines.slice(0, 46), dots] : lines).join('\n')}\n`;
  }
  const a = shown(actual);
  const b = shown(expected);
  if (operator === 'notDeepEqual' && a === b) return limited(`${said[operator]}\n\n${a}`, 1024);
  if (operator === 'deepEqual') return `${said[operator]}\n\n${limited(a, 512)}\n\nshould loosely deep-equal\n\n${limited(b, 512)}`;
  const unequal = said[`${operator}Unequal`];
  if (unequal) return `${unequal}\n\n${limited(a, 512)}\n\nshould not loosely deep-equal\n\n${limited(b, 512)}`;
  return `${limited(a, 512)} ${operator} ${limited(b, 512)}`;
}

function short(s: any): any {
  if (typeof s !== 'string') return s;
  const lines = s.split('\n', 11);
  if (lines.length > 10) return `${lines.slice(0, 10).join('\n')}\n...`;
  return s.length > 512 ? `${s.slice(512)}...` : s;
}

export class AssertionError extends Error {
  declare generatedMessage: boolean;
  declare code: string;
  declare actual: any;
  declare expected: any;
  declare operator: any;

  constructor(options: any) {
    if (options === null || typeof options !== 'object' || Array.isArray(options)) throw invalidType('options', 'of type object', options);
    const { message, operator, stackStartFn, details, stackStartFunction } = options;
    const { actual, expected } = options;
    const diffs = operator === 'deepStrictEqual' || operator === 'strictEqual';
    super(message == null ? generated(actual, expected, operator) : diffs ? difference(actual, expected, operator, message) : String(message));
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', { value: 'AssertionError [ERR_ASSERTION]', enumerable: false, writable: true, configurable: true });
    this.code = 'ERR_ASSERTION';
    if (details) {
      this.actual = this.expected = this.operator = undefined;
      details.forEach((d: any, i: number) => {
        for (const k of ['message', 'actual', 'expected', 'operator']) (this as any)[`${k} ${i}`] = d[k];
        (this as any)[`stack trace ${i}`] = d.stack;
      });
    } else {
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
    }
    (Error as any).captureStackTrace(this, stackStartFn || stackStartFunction);
    // It is written with the code in the name.
    this.stack;
    this.name = 'AssertionError';
  }

  toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [custom](_depth: any, options: any): string {
    const { actual, expected } = this;
    this.actual = short(actual);
    this.expected = short(expected);
    const text = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}
