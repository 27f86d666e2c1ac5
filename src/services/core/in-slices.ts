import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Items that are handled without yielding to the event loop. */
export const sliceSize = 256;

/** Iterates over items, yielding to the event loop after each slice. @param size items of a slice */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  size = sliceSize,
): Promise<void> {
  let left = size;
  for (const item of items) {
    if (left === 0) {
      await yieldToEventLoop();
      left = size;
    }
    left--;
    work(item);
  }
}

/** Maps the items of a list, yielding to the event loop after each slice. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => results.push(map(item)));
  return results;
}

/** The same, of a filter. */
export async function filterInSlices<Item>(
  items: Iterable<Item>,
  test: (item: Item) => boolean,
): Promise<Item[]> {
  const results: Item[] = [];
  await forEachInSlices(items, (item) => {
    if (test(item)) results.push(item);
  });
  return results;
}
