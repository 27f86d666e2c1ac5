import type { Area } from './area.ts';

/** Files that hold tokens and keys: who may read them, and that a write replaces all of a file or nothing. */
export const privateFiles: Area = {
  mutate: [
    'src/io/files.ts',
    'src/config/private-file.ts',
    'src/config/private-directory.ts',
    'src/config/lock.ts',
  ],
  tests: [
    'test/unit/config/private-directory.test.ts',
    'test/unit/config/lock.test.ts',
    'test/unit/config/private-file.test.ts',
    'test/unit/io/files-read-edited.test.ts',
    'test/unit/io/files-written.test.ts',
    'test/unit/io/files-interrupted.test.ts',
    'test/unit/io/files.test.ts',
  ],
  pool: 'forks',
  equivalent: [
    {
      file: 'src/config/private-directory.ts',
      before: 'if (dirname(path) !== path) await createPrivateDirectory(dirname(path));',
      after: 'if (true) await createPrivateDirectory(dirname(path));',
      reason:
        'The root folder, the only one that is in itself, always exists where the tests run; a drive of Windows may not.',
    },
    {
      file: 'src/config/lock.ts',
      before: 'if (performance.now() > deadline) {',
      after: 'if (performance.now() >= deadline) {',
      reason: 'Differs only if the clock, of a resolution of microseconds, is read at exactly the deadline.',
    },
    {
      file: 'src/io/files.ts',
      before: 'if (stats?.isFile() && stats.uid === uid && mtimeMs - stats.mtimeMs > staleMs)',
      after: 'if (stats?.isFile() && stats.uid === uid && mtimeMs - stats.mtimeMs >= staleMs)',
      reason: 'Differs only for a file that is exactly ten minutes older, by the fractions of a millisecond.',
    },
  ],
};
