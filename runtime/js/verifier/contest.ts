// Competitions in re-execution: which of several activations that nothing orders came
// first is what the server recorded. The winner then precedes the losers in G.
import { type Activation, precedes } from '../shared/activation';
import { competition } from '../shared/promises';
import { divergeBy } from './mv';
import { takeResult } from './entries';
import type { FeedNode } from './feed';
import { group, problem } from './group';
import { orderDecides } from './together';

type Edge = (from: Activation, to: Activation) => void;

let edge: Edge;
let pending = false;

// undecided: some competition had no winner, so something may wait for ever.
export function undecided(): boolean {
  return pending;
}

export function begin(): void {
  pending = false;
}

// foretold: is the activation's next recorded result of this type, with this value?
// Then it is consumed. Lanes must agree.
export function foretold(type: string, value: any): boolean {
  return heralds(group.node, type, value) && (takeResult(type, () => null), true);
}

// foretoldAt is foretold for an activation that is still to come.
export function foretoldAt(node: FeedNode, type: string, value: any): boolean {
  const own = group.node;
  group.node = node;
  const is = foretold(type, value);
  group.node = own;
  return is;
}

// heralds: is the next result recorded for an activation such a one?
export function heralds(node: any, type: string, value: any): boolean {
  const results = node?.results;
  if (!results) return false;
  const there = new Array(group.lanes);
  for (let i = 0; i < there.length; i++) {
    const next = results[i]?.[node.resultAt[i]];
    there[i] = next !== undefined && next[0] === type && next[1] === value;
  }
  for (let i = 1; i < there.length; i++) if (there[i] !== there[0]) divergeBy('who won a competition: ' + type, there);
  return there[0];
}

// before notes that a came before b although neither descends from the other.
export function before(a: Activation, b: Activation): void {
  if (group.together || a.run !== b.run || precedes(a, b)) return;
  if (b.index === 0) problem(0, 'R-nondet', 'something is said to come before the request');
  else edge(a, b);
}

export function install(noteEdge: Edge): void {
  edge = noteEdge;
  competition.won = (open) => {
    if (orderDecides()) return inFact(open);
    const wins = foretold('won', true);
    if (wins && !open) problem(0, 'R-nondet', 'a competition has two winners');
    return wins && open;
  };
  competition.undecided = () => {
    pending = true;
  };
  competition.loses = (a) => !orderDecides() && foretold('lost', a.settles);
  competition.beaten = (a, settles, winner) => {
    if (settles >= 0) foretold('lost', settles);
    before(winner, a);
  };
}

// inFact: where turns run in the server's own order, who comes first wins, and the record
// has to say the same.
function inFact(open: boolean): boolean {
  if (foretold('won', true) && !open) problem(0, 'R-nondet', 'a competition has two winners');
  return open;
}
