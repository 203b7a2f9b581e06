// Joint re-execution: all requests of one life in one engine, one lane each, in the
// order in which the server says that its event loop ran their turns. Any such order
// in which every turn was due is a legal execution, whatever the requests share and
// wherever they hide it, so nothing is tracked and the logs of shared state are not
// asked. It costs what plain re-execution costs, so it is what is left where groups
// cannot tell: closures, promises or sockets that requests share, unannotated state.
import { Activation, Run } from '../shared/activation';
import { endLoad } from './inferred';
import { Feed, type FeedNode, type Json } from './feed';
import { RawMap, RawWeakMap } from './raw';
import { group, nodeAt, problem } from './group';

// Turn kinds, as in verifier/reexec/together.go.
const fired = 0;
const arrived = 1;

// Guest is one request, or init.
export interface Guest {
  q: number;
  run: Run;
  feed: Feed;
  nodes: RawWeakMap<Activation, FeedNode>;
  want: Json;
  answered: boolean;
  // turns that the server recorded of it and that are still to come.
  turns: number;
}

const guests = new RawWeakMap<Run, Guest>();
const byNumber = new RawMap<number, Guest>();
// answers are [request, turn] pairs, turns counted from the job's first.
export let answers: number[] = [];
let turns: Json[] = [];
let at = 0;
let before = 0;

// turnNumber counts the turns of all jobs.
export function turnNumber(): number {
  return before + at;
}

export function begin(job: Json): void {
  group.together = true;
  before += turns.length;
  turns = job.turns;
  at = 0;
  answers = [];
}

export function guestOf(run: Run): Guest | undefined {
  return guests.get(run);
}

// entered makes the rest of the runtime see the request that a belongs to.
export function entered(a: Activation, g: Guest): void {
  group.feed = g.feed;
  group.nodes = g.nodes;
  group.owner = g.q;
  const above = a.registrant === null ? undefined : g.nodes.get(a.registrant);
  const node = a.registrant === null ? g.feed.nodes[0] : above?.child(a.op, a.firing);
  group.node = node ?? null;
  if (node == null) return;
  node.entered = true;
  g.nodes.set(a, node);
}

// Origin is the activation that something fires as.
export interface Origin {
  by: Activation;
  op: number;
  firing: number;
}

// turned notes, in a group, that the event loop now runs the activation at origin.
export function turned(o: Origin): void {
  const node = nodeAt(o.by, o.op, o.firing);
  if (node !== null) node.turned = true;
}

// follows tells whether turns run in the order that the server recorded: in joint
// re-execution all, before groups those of init.
export function follows(): boolean {
  return group.together || (group.feed !== null && group.feed.script !== null);
}

// orderDecides tells whether who wins a competition follows from the order of turns alone, whatever the
// record says of it. In groups that have turns in the server's order, both must agree.
export function orderDecides(): boolean {
  return group.together || group.init;
}

// pend holds f back until the server's record lets the activation at origin run.
export function pend(origin: Origin | null, f: () => void): object {
  const task = { dead: false };
  const g = origin === null ? undefined : guests.get(origin.by.run);
  const nodes = group.together ? g?.nodes : group.nodes;
  const node = origin === null ? undefined : nodes?.get(origin.by)?.child(origin.op, origin.firing);
  if (node) node.pending = () => (task.dead ? missing() : f());
  return task;
}

// release runs what is pending at a node.
export function release(node: FeedNode): void {
  const f = node.pending;
  node.pending = null;
  node.turned = true;
  if (f === null) missing();
  else f();
}

export function missing(): void {
  problem(0, 'R-turn', 'the server says that a timer fired, or that something came from outside, when nothing of the kind was pending');
}

// next runs the next turn, with run for what arrives; false when there is none left.
export function next(run: (g: Guest, t: Json) => void): boolean {
  if (at === turns.length) return false;
  const [kind, q, x] = turns[at++];
  if (kind === arrived) {
    const feed = new Feed(1, x);
    feed.body = missing; // until the request is the program's: init has no body
    const g: Guest = { q, run: new Run(q === 0), feed, nodes: new RawWeakMap(), want: x.expect ?? null, answered: false, turns: x.turns };
    guests.set(g.run, g);
    byNumber.set(q, g);
    if (q !== 0) endLoad();
    group.owner = q;
    run(g, x);
    return true;
  }
  // It has arrived, or the advice would be malformed; and it is forgotten after its last turn only.
  const g = byNumber.get(q)!;
  g.turns--;
  group.owner = q;
  if (kind === fired) release(g.feed.nodes[x]);
  else g.feed.body();
  return true;
}

// over tells whether the server recorded no turn after this one.
export function over(job: Json): boolean {
  return at === turns.length && job.last === true;
}

export function answer(g: Guest): void {
  if (g.answered) {
    problem(0, 'R-response', 'a second response was sent');
    return;
  }
  g.answered = true;
  answers.push(g.q, at - 1);
}

// finish forgets the requests that are over, and, at the end, says what is missing.
export function finish(last: boolean, leftovers: (f: Feed) => void): void {
  byNumber.forEach((g, q) => {
    if (g.turns === 0 && g.answered && g.feed.left === 0 && q !== 0) {
      byNumber.delete(q);
      return;
    }
    if (!last) return;
    group.owner = q;
    if (q !== 0 && g.want !== null && !g.answered) problem(0, 'R-response', 'the program never answers this request');
    if (g.feed.left > 0) leftovers(g.feed);
  });
}
