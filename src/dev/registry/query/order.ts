type Random = (length: number) => Uint8Array;

/** Bytes that one choice takes. */
const wordBytes = 4;

/**
 * Items in random order, those that are near before all others; at most `limit` of them, 0: all.
 *
 * @param random strong bytes: they are drawn at once, as few as the limit needs
 */
export function ordered<Item>(
  items: readonly Item[],
  isNear: (item: Item) => boolean,
  limit: number,
  random: Random,
): Item[] {
  const count = limit === 0 ? items.length : Math.min(limit, items.length);
  const near = shuffled(items.filter(isNear), count, random);
  if (near.length === 0) return shuffled(items, count, random);
  const others = items.filter((item) => !isNear(item));
  return [...near, ...shuffled(others, count - near.length, random)];
}

/** So many of the items, in random order. */
function shuffled<Item>(items: readonly Item[], wanted: number, random: Random): Item[] {
  const rest = [...items];
  const count = Math.min(wanted, rest.length);
  const words = Buffer.from(random(count * wordBytes));
  for (let at = 0; at < count; at++) {
    const fraction = words.readUInt32LE(at * wordBytes) / 2 ** 32;
    const other = at + Math.floor(fraction * (rest.length - at));
    [rest[at], rest[other]] = [rest[other] as Item, rest[at] as Item];
  }
  return rest.slice(0, count);
}
