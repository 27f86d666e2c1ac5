import type { Area } from './area.ts';

/** Which hosts and origins the embedded services accept. */
export const hostCheck: Area = {
  mutate: ['src/dev/http/local.ts'],
  tests: ['test/unit/dev/local.test.ts', 'test/unit/dev/cross-site.test.ts'],
  equivalent: [],
};
