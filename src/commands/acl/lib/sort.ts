/** Compares by name, in code units. */
export const byName = (one: { readonly Name: string }, other: { readonly Name: string }): number =>
  one.Name < other.Name ? -1 : Number(one.Name > other.Name);
