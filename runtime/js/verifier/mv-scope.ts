// Scopes that the program enters while init runs, as emitted code tells of them: where
// they are, and their variables. lasting.ts says what for.
export type Variables = () => unknown[];

export const enum Written {
  No = 0,
  Now = 1,
  Sticky = 2,
}

export interface Scope {
  // Of the place in the program, which may be entered many times.
  number: number;
  // A line for each variable: its place, or what differs from the line before. The last ones are as the last line.
  where: string;
  // Separated by spaces.
  names: string;
  variables: Variables;
}

export const scopes: Scope[] = [];

export const scope = {
  on: true,
  // written, by number: a function that assigns such variables was entered; sticky, and it
  // goes on in later turns.
  written: [] as Written[],
  add(number: number, where: string, names: string, variables: Variables): void {
    scopes.push({ number, where, names, variables });
  },
};
