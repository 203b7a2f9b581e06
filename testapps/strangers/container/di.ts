export class Container {
  private factories = new Map<string, () => unknown>();
  private made = new Map<string, unknown>();
  single<T>(name: string, make: () => T): void {
    this.factories.set(name, make);
  }
  get<T>(name: string): T {
    if (!this.made.has(name)) this.made.set(name, this.factories.get(name)!());
    return this.made.get(name) as T;
  }
}
