/**
 * The same object with its names in the order of their code units: the order of a map may differ between responses.
 */
export const sortedByName = <Value>(map: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
