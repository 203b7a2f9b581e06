// A line is a conversation with the world outside (a request to another server, a
// socket, a child process), of which come events. Those of one turn of the event loop
// run in one activation, and each that the program could notice is recorded.
import * as log from './log';
import { Port, record } from './outside';

const { nextTick } = process;
// What comes from outside runs after all that its turn of the event loop led to: an
// event may be the platform's answer to what the program does in that very turn.
const { setImmediate } = globalThis;

// Most events of one line that are recorded between two turns of the event loop.
const most = 100_000;

export class Line<E> {
  private readonly port = new Port();
  // Events of turns of the platform's that the program has not been told of, and
  // those of its present turn, the last of them, if there are any.
  private readonly turns: E[][] = [];
  private present: E[] | null = null;
  private waiting = 0;

  constructor(
    private readonly type: string,
    private readonly wants: (e: E) => boolean,
    private readonly came: (e: E) => void,
  ) {}

  // note tells of an event.
  note(e: E): void {
    if (this.waiting++ === most) log.unauditable(`more than ${most} events at a time from outside (${this.type})`);
    if (this.present === null) {
      this.turns.push((this.present = []));
      nextTick(() => (this.present = null));
      setImmediate(() => this.deliver());
    }
    this.present.push(e);
  }

  private deliver(): void {
    const events = this.turns[0];
    const wanted = () => {
      while (events.length > 0 && !this.wants(events[0])) this.take(events);
      return events.length > 0;
    };
    if (!wanted()) {
      this.turns.shift();
      return;
    }
    this.port.arrive(() => {
      try {
        while (wanted()) {
          const e = this.take(events);
          record(this.type, JSON.stringify(e), this.type !== 'net');
          this.came(e);
        }
        this.turns.shift();
      } catch (e) {
        // The rest comes before all that came later.
        setImmediate(() => this.deliver());
        throw e;
      }
    });
  }

  private take(events: E[]): E {
    this.waiting--;
    return events.shift()!;
  }
}
