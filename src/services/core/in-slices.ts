import { setMember } from '../../wire/json.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Items that are handled without yielding to the event loop. */
export const sliceSize = 96;

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
export async function mapInSlices<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result) {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => results.push(map(item)));
  return results;
}

/** The same, of a filter. */
export async function filterInSlices<Item, Result extends Item = Item>(
  items: Iterable<Item>,
  test: ((item: Item) => item is Result) | ((item: Item) => boolean),
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => {
    if (test(item)) results.push(item as Result);
  });
  return results;
}

/** An object with a property for each item, made in slices. */
export async function objectInSlices<Item, Value>(
  items: Iterable<Item>,
  entryOf: (item: Item) => readonly [name: string, value: Value],
): Promise<{ [name: string]: Value }> {
  const object: { [name: string]: Value } = {};
  await forEachInSlices(items, (item) => {
    setMember(object, ...entryOf(item));
  });
  return object;
}

/** Bytes that are copied without yielding to the event loop. */
const sliceBytes = 1024 * 1024;

/** The bytes of all parts, copied in slices: a long body takes as long as many rows. */
export async function concatInSlices(parts: readonly Uint8Array[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let copied = 0;
  for (const part of parts) {
    if (copied > sliceBytes) {
      await yieldToEventLoop();
      copied = 0;
    }
    whole.set(part, at);
    at += part.length;
    copied += part.length;
  }
  return whole;
}

/** Passes all items to asynchronous work, a few of them at the same time, and yields to the event loop in between. */
export async function allInSlices<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const size = 32;
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await yieldToEventLoop();
    await Promise.all(items.slice(at, at + size).map(work));
  }
}
