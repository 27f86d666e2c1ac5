/**
 * The item of a variable without items of its own while it is being locked; its value is the ID of the lock. A
 * check-and-set needs an item.
 */
export const lockMarker = 'lanyard-lock';

/** Whether a variable only serves as a lock: it has no items, or only the marker. */
export const hasNoOwnItems = (items: Readonly<Record<string, string>>): boolean =>
  Object.keys(items).every((name) => name === lockMarker);
