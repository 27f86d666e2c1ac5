/** An inclusive range of certificate serial numbers, from 1 to 2^64-1. */
export interface SerialRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** The highest serial number of a certificate. */
export const maxSerial = 2n ** 64n - 1n;

/** The same serials as sorted ranges that neither overlap nor adjoin. */
export function mergeRanges(ranges: readonly SerialRange[]): readonly SerialRange[] {
  const sorted = ranges.toSorted((one, other) =>
    one.from < other.from ? -1 : one.from > other.from ? 1 : 0,
  );
  const merged: SerialRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1n) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
}

/** The serials of `ranges` that are not in `removed`. Both are sorted and merged. */
export function subtractRanges(
  ranges: readonly SerialRange[],
  removed: readonly SerialRange[],
): readonly SerialRange[] {
  const left: SerialRange[] = [];
  let at = 0;
  for (const range of ranges) {
    let { from } = range;
    while (at < removed.length && (removed[at]?.to ?? 0n) < from) at += 1;
    for (let index = at; index < removed.length && from <= range.to; index += 1) {
      const gap = removed[index];
      if (gap === undefined || gap.from > range.to) break;
      if (gap.from > from) left.push({ from, to: gap.from - 1n });
      from = gap.to + 1n;
    }
    if (from <= range.to) left.push({ from, to: range.to });
  }
  return left;
}

/** The range that has a serial, of sorted and merged ranges, in logarithmic time. */
export function rangeOf(ranges: readonly SerialRange[], serial: bigint): SerialRange | undefined {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range === undefined) return undefined;
    if (serial < range.from) high = middle - 1;
    else if (serial > range.to) low = middle + 1;
    else return range;
  }
  return undefined;
}
