type Random = (length: number) => Uint8Array;

/** Random bytes per choice. */
const wordBytes = 4;

/**
 * Items in random order, near ones first; at most `limit` of them, 0: all.
 *
 * @param random strong bytes: drawn in one call, as few as needed
 */
export function randomOrder<Item>(
  items: readonly Item[],
  isNear: (item: Item) => boolean,
  limit: number,
  random: Random,
): Item[] {
  const count = limit === 0 ? items.length : Math.min(limit, items.length);
  const near = randomSample(items.filter(isNear), count, random);
  if (near.length === 0) return randomSample(items, count, random);
  const others = items.filter((item) => !isNear(item));
  return [...near, ...randomSample(others, count - near.length, random)];
}

function randomSample<Item>(items: readonly Item[], maxItems: number, random: Random): Item[] {
  const rest = [...items];
  const count = Math.min(maxItems, rest.length);
  const words = Buffer.from(random(count * wordBytes));
  for (let index = 0; index < count; index++) {
    const fraction = words.readUInt32LE(index * wordBytes) / 2 ** 32;
    const other = index + Math.floor(fraction * (rest.length - index));
    [rest[index], rest[other]] = [rest[other] as Item, rest[index] as Item];
  }
  return rest.slice(0, count);
}
