import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

type Patched = 'fsyncSync' | 'linkSync' | 'renameSync' | 'writeSync';

/**
 * Replaces a function of node:fs for the rest of a test, to see what a program asks of the file system, or to have it
 * fail as some file systems do. What replaces it may call the real one.
 */
export function patch<Name extends Patched>(name: Name, make: (real: (typeof fs)[Name]) => unknown): void {
  const real = fs[name];
  Object.assign(fs, { [name]: make(real) });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { [name]: real });
    syncBuiltinESMExports();
  });
}
