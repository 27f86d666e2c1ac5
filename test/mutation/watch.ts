import type { Area } from './area.ts';

/** When a watch reads again, what counts as a change, and when a wait ends. */
export const watch: Area = {
  mutate: ['src/watch/watch.ts', 'src/watch/wait-until.ts', 'src/watch/blocking-source.ts'],
  tests: [
    'test/unit/watch/watch.test.ts',
    'test/unit/watch/wait-until.test.ts',
    'test/unit/watch/blocking-source.test.ts',
  ],
  equivalent: [],
};
