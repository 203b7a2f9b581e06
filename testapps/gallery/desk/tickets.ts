export enum State {
  Open,
  Closed,
}

export interface Ticket {
  id: number;
  title: string;
  state: State;
  history: number[];
}

// The last few of something, by key.
export class Recent<K, V> {
  private readonly map = new Map<K, V>();
  constructor(private readonly limit: number) {}
  put(key: K, value: V): void {
    this.map.delete(key);
    this.map.set(key, value);
    if (this.map.size > this.limit) {
      const [first] = this.map.keys();
      this.map.delete(first);
    }
  }
  has(key: K): boolean {
    return this.map.has(key);
  }
}

export class TicketStore {
  private next = 1;
  private tickets: Record<number, Ticket> = {};
  readonly recent: Recent<number, Ticket>;

  constructor(limit: number) {
    this.recent = new Recent(limit);
  }

  open(title: string): Ticket {
    const ticket: Ticket = { id: this.next++, title, state: State.Open, history: [] };
    this.tickets[ticket.id] = ticket;
    this.recent.put(ticket.id, ticket);
    return ticket;
  }

  get(id: number): Ticket | undefined {
    return this.tickets[id];
  }

  titles(): string[] {
    return Object.values(this.tickets)
      .filter((t) => t.state === State.Open)
      .map((t) => t.title);
  }
}
