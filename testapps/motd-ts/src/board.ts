// The messages and the rule of who may read them when.

export interface Entry {
  message: string;
  readable: boolean; // every day, not only on its own date
}

//karousos:loggable
const motd: Map<string, Entry> = new Map();

export class Board {
  readonly #clock: () => Date;

  constructor(clock: () => Date = () => new Date()) {
    this.#clock = clock;
  }

  async set(date: string, entry: Entry): Promise<void> {
    motd.set(date, entry);
  }

  async get(date: string): Promise<string | undefined> {
    const entry = motd.get(date);
    if (entry?.readable || date === this.#today()) return entry?.message;
    return undefined;
  }

  #today(): string {
    return this.#clock().toISOString().slice(0, 10);
  }
}
