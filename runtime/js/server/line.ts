// A line is a conversation with the world outside (a request to another server, a
// socket, a child process), of which come events. Those of one turn of the event loop
// run in one activation, and each that the program could notice is recorded.
import * as log from './log';
import { Port, record } from './outside';

const { nextTick } = process;

// Most events of one line that are recorded between two turns of the event loop.
const most = 100_000;

export class Line<E> {
  private readonly port = new Port();
  private waiting: E[] = [];
  private due = false;

  constructor(
    private readonly type: string,
    private readonly wants: (e: E) => boolean,
    private readonly came: (e: E) => void,
  ) {}

  // note tells of an event.
  note(e: E): void {
    if (this.waiting.length === most) log.unauditable(`more than ${most} events at a time from outside (${this.type})`);
    this.waiting.push(e);
    if (this.due) return;
    this.due = true;
    nextTick(() => this.deliver());
  }

  private deliver(): void {
    const wanted = () => {
      while (this.waiting.length > 0 && !this.wants(this.waiting[0])) this.waiting.shift();
      return this.waiting.length > 0;
    };
    if (!wanted()) {
      this.due = false;
      return;
    }
    this.port.arrive(() => {
      this.due = false;
      try {
        while (wanted()) {
          const e = this.waiting.shift()!;
          record(this.type, JSON.stringify(e), this.type !== 'net');
          this.came(e);
        }
      } finally {
        // The program failed at one of them.
        if (this.waiting.length > 0 && !this.due) {
          this.due = true;
          nextTick(() => this.deliver());
        }
      }
    });
  }
}
