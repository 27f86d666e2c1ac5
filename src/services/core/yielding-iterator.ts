import { yieldToEventLoop } from './yield-to-event-loop.ts';

const sliceMs = 5;

/** Iterates over items, yielding to the event loop every few milliseconds. */
export async function* yieldingIterator<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let sliceEnd = performance.now() + sliceMs;
  for (const item of items) {
    if (performance.now() > sliceEnd) {
      await yieldToEventLoop();
      sliceEnd = performance.now() + sliceMs;
    }
    yield item;
  }
}
