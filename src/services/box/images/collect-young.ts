import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: ((options: { readonly type: 'minor' }) => void) | undefined;

/**
 * Collects the young generation of the heap, which takes less than a millisecond. Received chunks are small objects
 * with large buffers outside of the heap. Without this, V8 reacts to the buffers only, and collects the complete heap
 * after each few of them.
 */
export function collectYoungGeneration(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') ?? (() => undefined);
  }
  collect?.({ type: 'minor' });
}
