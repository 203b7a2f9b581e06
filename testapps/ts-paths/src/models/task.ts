export enum Level {
  Low = 1,
  High,
}

export class Task {
  done = false;
  constructor(
    readonly title: string,
    readonly level: Level,
  ) {}

  shout(): string {
    return `${this.title.toUpperCase()}${'!'.repeat(this.level)}`;
  }
}
