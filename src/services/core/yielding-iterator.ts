import { yieldToEventLoop } from './yield-to-event-loop.ts';

const sliceMs = 5;
const sliceItems = 64;

/** Iterates over items, yielding to the event loop after each slice: some items, or a few milliseconds. */
export async function* yieldingIterator<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let sliceEnd = performance.now() + sliceMs;
  let left = sliceItems;
  for (const item of items) {
    if (left-- === 0 || performance.now() > sliceEnd) {
      await yieldToEventLoop();
      left = sliceItems;
      sliceEnd = performance.now() + sliceMs;
    }
    yield item;
  }
}
