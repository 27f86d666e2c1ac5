import type { Change, Storage } from './storage.ts';
import { prefixedStorage } from './store.ts';

/**
 * A storage whose writes are observed.
 * @param base not an instance of a class
 * @param observe receives the changes of a write when they are visible, and when they are durable; the write ends with it
 */
export function observedStorage(
  base: Storage,
  observe: (changes: readonly Change[], durable: Promise<void>) => Promise<void>,
): Storage {
  const observed: Storage = {
    ...base,
    write: (changes) => observe(changes, base.write(changes)),
    async stage() {
      const staged = await base.stage();
      const parts: (readonly Change[])[] = [];
      return {
        ...staged,
        add(changes) {
          staged.add(changes);
          parts.push(changes);
        },
        commit: () => observe(parts.flat(), staged.commit()),
      };
    },
    withPrefix: (prefix) => prefixedStorage(observed, prefix),
  };
  return observed;
}
