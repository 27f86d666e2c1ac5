import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Milliseconds. */
const stretch = 5;

/** Iterates over items, yielding to the event loop every few milliseconds. */
export async function* unhurried<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  let until = performance.now() + stretch;
  for (const item of items) {
    if (performance.now() > until) {
      await yieldToEventLoop();
      until = performance.now() + stretch;
    }
    yield item;
  }
}
