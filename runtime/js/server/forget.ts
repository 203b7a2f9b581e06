// Locations of keys that requests wrote and deleted again. There is no end of session ids
// and clients, so they are not kept: of a key without a location the log says that it is
// absent, and as of which write of its object's shape. What deleted the key last, the
// verifier finds in the shape's history (verifier/order/absence.go).
import { Activation, current, Run } from '../shared/activation';
import { type Key, logLate, type Loc, locNumber, logged, objectRef, type Rec, runOf, writer } from './log';

// Keeper is an object that has locations for its keys. Those that it had when it was
// published are kept, because it is their first version that is present.
export interface Keeper extends Rec {
  // held is the number of locations.
  held(): number;
  // drop forgets those of keys that requests made and deleted.
  drop(): void;
}

// spare is how many of them are kept beyond as many as are in use.
const spare = 32;

const soon = queueMicrotask;

// unknown stands for whoever deleted what was forgotten.
const unknown = new Activation(new Run(false), null, 0, 0);

export class Forgotten {
  private dead = 0;
  private due = false;
  // until: the last request that may have written a key whose location was dropped.
  private until = -1;
  // The absent keys that the present turn has looked for.
  private turn: Activation | null = null;
  private readonly keys = new Set<any>();

  constructor(private readonly rec: Keeper) {}

  // went and came: a key was deleted, or written again, and has its location still.
  went(): void {
    if (++this.dead <= this.rec.held() - this.dead + spare || this.due) return;
    this.due = true;
    // Between two turns: what one of them reads twice, it must find in the same way.
    soon(() => {
      this.due = false;
      this.dead = 0;
      this.until = writer.latest;
      this.rec.drop();
    });
  }
  came(): void {
    this.dead--;
  }

  // read is to be called where k, which has no location, is looked for and not there.
  read(k: any, key: Key): void {
    if (this.until < 0) return;
    const c = current!;
    if (this.turn !== c) {
      this.turn = c;
      this.keys.clear();
    }
    if (this.keys.has(k)) return;
    this.keys.add(k);
    const w = this.absence(writer.location(objectRef(this.rec), key));
    writer.read(runOf(c).q, logged(c), w);
  }

  // born is to be called before l, the new location of a key that is not there, is written.
  // Only a request that may have written it before has to be told that it is gone.
  born(l: Loc): void {
    if (this.until < 0 || runOf(current!).q > this.until) return;
    l.write = this.absence(locNumber(l));
    l.writtenBy = unknown;
  }

  private absence(location: number): number {
    return writer.absence(location, logLate(this.rec.shape!));
  }
}
