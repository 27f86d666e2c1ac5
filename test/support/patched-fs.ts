import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

type Patched = 'fsyncSync' | 'linkSync' | 'readdirSync' | 'renameSync' | 'rmSync' | 'writeSync';

/**
 * Replaces a function of node:fs for the rest of a test, to see what a program asks of the file system, or to have it
 * fail as some file systems do. What replaces it may call the real one.
 */
export function patch<Name extends Patched>(name: Name, make: (real: (typeof fs)[Name]) => unknown): void {
  replace(fs, name, make(fs[name]));
}

/** As {@link patch}, for `chmod` of node:fs/promises. */
export function patchChmod(make: (real: typeof fs.promises.chmod) => unknown): void {
  replace(fs.promises, 'chmod', make(fs.promises.chmod));
}

function replace<Object, Name extends keyof Object>(object: Object, name: Name, value: unknown): void {
  const real = object[name];
  object[name] = value as Object[Name];
  syncBuiltinESMExports();
  onTestFinished(() => {
    object[name] = real;
    syncBuiltinESMExports();
  });
}
