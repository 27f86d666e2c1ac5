import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: ((options: { readonly type: 'minor' }) => void) | undefined;

/** Collects young objects, the chunks: for their large buffers alone, V8 would collect the complete heap. */
export function collectYoungGeneration(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') ?? (() => undefined);
  }
  collect?.({ type: 'minor' });
}
