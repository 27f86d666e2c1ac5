import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { Change, Storage } from './storage.ts';

/** Changes from which on a write is prepared in parts, and changes of a part. */
export const largeWrite = 256;
const partSize = 32;

/**
 * Prepares a write of any number of changes in slices. The result, which must be called, applies all or none. What is
 * written meanwhile is overwritten.
 */
export async function prepareWrite(storage: Pick<Storage, 'write' | 'stage'>, changes: Iterable<Change>) {
  const iterator = changes[Symbol.iterator]();
  const first: Change[] = [];
  while (first.length < largeWrite) {
    const part = nextSlice(iterator, partSize);
    first.push(...part);
    if (part.length < partSize) return () => storage.write(first);
    await yieldToEventLoop();
  }
  const staged = await storage.stage();
  try {
    for (let at = 0; at < first.length; at += partSize) {
      staged.add(first.slice(at, at + partSize));
      await yieldToEventLoop();
    }
    for (let part = nextSlice(iterator, partSize); part.length > 0; part = nextSlice(iterator, partSize)) {
      staged.add(part);
      await yieldToEventLoop();
    }
  } catch (error) {
    staged.discard();
    throw error;
  }
  return () => staged.commit();
}

/** Writes any number of changes, all or none; see `prepareWrite`. */
export async function writeInSlices(storage: Pick<Storage, 'write' | 'stage'>, changes: Iterable<Change>) {
  const commit = await prepareWrite(storage, changes);
  await commit();
}

/** The changes that remove keys. */
export function* removals(keys: Iterable<string>): Generator<Change> {
  for (const key of keys) yield { key };
}

function nextSlice(changes: Iterator<Change>, size: number): Change[] {
  const slice: Change[] = [];
  for (let next = changes.next(); !next.done; next = changes.next()) {
    slice.push(next.value);
    if (slice.length === size) break;
  }
  return slice;
}
