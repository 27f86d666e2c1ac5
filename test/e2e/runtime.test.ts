import { join } from 'node:path';
import { expect, test } from 'vitest';
import { librariesOf, usualLibraries } from '../support/libraries.ts';

const runtime = join(import.meta.dirname, '../../node_modules/node/bin/node');

// Official binaries of Node 25 and later need libatomic.so.1, which minimal systems and slim images do not have.
test.runIf(process.platform === 'linux')(
  'the runtime that npm ci installs needs no library that a minimal system lacks',
  () => {
    const libraries = librariesOf(runtime);
    expect(libraries).toContain('libc.so.6');
    expect(libraries.filter((name) => !usualLibraries.test(name))).toEqual([]);
  },
);
