import type { Area } from './area.ts';

/** What counts as a change of an object, which values are secrets, and whose an object is. */
export const stateComparison: Area = {
  mutate: ['src/state/compare.ts', 'src/state/normalize.ts', 'src/state/marks.ts'],
  tests: [
    'test/unit/state/compare.test.ts',
    'test/unit/state/normalize.test.ts',
    'test/unit/state/marks.test.ts',
  ],
  equivalent: [],
};
