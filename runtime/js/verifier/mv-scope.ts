// Scopes that the program enters while init runs, as emitted code tells of them: where
// they are, and their variables. lasting.ts says what for.
export type Variables = () => unknown[];

export interface Scope {
  where: string;
  // Separated by spaces.
  names: string;
  variables: Variables;
}

export const scopes: Scope[] = [];

export const scope = {
  on: true,
  add(where: string, names: string, variables: Variables): void {
    scopes.push({ where, names, variables });
  },
};
