import type { Area } from './area.ts';

/** Files that hold tokens and keys: who may read them, and that a write replaces all of a file or nothing. */
export const privateFiles: Area = {
  mutate: ['src/io/files.ts', 'src/config/private-file.ts', 'src/config/folder.ts', 'src/config/lock.ts'],
  tests: [
    'test/unit/config/folder.test.ts',
    'test/unit/config/lock.test.ts',
    'test/unit/config/private-file.test.ts',
    'test/unit/io/files-read-edited.test.ts',
    'test/unit/io/files-written.test.ts',
    'test/unit/io/files.test.ts',
  ],
  pool: 'forks',
  equivalent: [],
};
