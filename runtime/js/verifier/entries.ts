// The log's entries, each of which is taken by one operation of re-execution.
import { current } from '../shared/activation';
import { group, locationOf, problem, unsupported } from './group';
import { type Json, primitive } from './feed';
import { diverged, divergeBy, lane as laneOf, norm } from './mv';

export function takeRead(lane: number, num: number, key: any): number {
  const list = group.node === null || group.node.reads === null ? undefined : group.node.reads[lane];
  if (list === undefined) return -1;
  const feed = group.feed!;
  const loc = locationOf(num, key, lane);
  if (loc < 0) return -1;
  for (let i = 0; i < list.length; i++) {
    const w = list[i];
    if (w < 0 || feed.writes[w][0] !== loc) continue;
    list[i] = -1 - w;
    feed.left--;
    return w;
  }
  return -1;
}

export function takeWrite(lane: number, num: number, key: any, op: number): number {
  const list = group.node === null || group.node.writes === null ? undefined : group.node.writes[lane];
  if (list === undefined) return -1;
  const feed = group.feed!;
  const loc = locationOf(num, key, lane);
  if (loc < 0) return -1;
  for (let i = 0; i < list.length; i += 2) {
    const w = list[i + 1];
    if (w < 0 || list[i] !== op || feed.writes[w][0] !== loc) continue;
    list[i + 1] = -1 - w;
    feed.left--;
    return w;
  }
  return -1;
}

export function takeObject(lane: number, op: number, index: number): number {
  const list = group.node === null || group.node.objects === null ? undefined : group.node.objects[lane];
  if (list === undefined) return -1;
  for (let i = 0; i < list.length; i += 3) {
    if (list[i] !== op || list[i + 1] !== index) continue;
    const o = list[i + 2];
    if (o < 0) continue;
    list[i + 2] = -1 - o;
    group.feed!.left--;
    return o;
  }
  return -1;
}

// isPlain: results are numbers, text and the like, and no objects of any kind. What else
// the advice holds must not even be made: that could throw, where the program may catch it.
function isPlain(v: Json): boolean {
  return !Array.isArray(v) || v[0] === 'u' || v[0] === 'n' || v[0] === 'b';
}

// verdictOf is what a check says, also if it fails itself: the program could catch that.
function verdictOf(check: (v: any) => string | null, v: any): string | null {
  try {
    return check(v);
  } catch (e) {
    if (diverged() !== null) throw e;
    return 'it cannot even be looked at';
  }
}

// takeResult feeds a recorded result to every lane.
export function takeResult(type: string, check: (v: any) => string | null): any {
  // The server has no activation either to record it in: nobody is to blame.
  if (current === null) unsupported(`${type}, in a callback whose origin the verifier does not know`);
  const n = group.node;
  const out = new Array(group.lanes);
  for (let lane = 0; lane < group.lanes; lane++) {
    const list = n?.results?.[lane] ?? [];
    const at = n === null || n.resultAt === null ? 0 : n.resultAt[lane]++;
    if (at >= list.length) {
      problem(lane, 'R-nondet', `no recorded result for ${type}`);
      out[lane] = undefined;
      continue;
    }
    group.feed!.left--;
    const [t, v] = list[at];
    const plain = isPlain(v);
    const value = t === type && plain ? primitive(v) : undefined;
    const wrong = t !== type ? `the record is of type ${t}` : plain ? verdictOf(check, value) : 'the server records nothing of the kind';
    if (wrong !== null) problem(lane, 'R-nondet', `the recorded result for ${type} is impossible: ${wrong}`, undefined, v);
    out[lane] = value;
  }
  return norm(out);
}

// nextIs tells whether the next recorded result is of this type, and this value if one is given, in all lanes.
export function nextIs(type: string, value?: any): boolean {
  const n = group.node;
  const is = Array.from({ length: group.lanes }, (_, lane) => {
    const [t, v] = n?.results?.[lane]?.[n.resultAt![lane]] ?? [];
    return t === type && (value === undefined || (isPlain(v) && primitive(v) === laneOf(value, lane)));
  });
  if (is.includes(!is[0])) divergeBy('a recorded result in some lanes only', is);
  return is[0];
}

// frame is a line of a stack trace below its header. Where the frames lie depends on the
// build, so that they are the server's word, but they are frames.
const frame = /^    at [^\n]*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;

// takeStack yields the recorded text of a stack trace that begins with header, or with one of the same error that shows no code.
export function takeStack(header: string, codeless: string, lane: number): string {
  const list = group.feed!.stacks[lane];
  const begins = (h: string) => list?.findIndex((s) => s === h || s.startsWith(h + '\n')) ?? -1;
  let i = begins(header);
  if (i < 0 && codeless !== header) i = begins((header = codeless));
  if (i < 0) {
    problem(lane, 'R-nondet', 'no recorded stack trace begins as the error does', header);
    return header;
  }
  const text = list!.splice(i, 1)[0];
  // A function's name may hold anything, line breaks too: nobody is accused of an odd one.
  if (text !== header && !text.slice(header.length + 1).split('\n').every((l) => frame.test(l))) unsupported('a recorded stack trace that has lines which are no frames');
  return text;
}
