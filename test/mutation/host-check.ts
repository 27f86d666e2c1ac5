import type { Area } from './area.ts';

/** Which hosts and origins the embedded services accept. */
export const hostCheck: Area = {
  mutate: ['src/dev/http/local.ts'],
  tests: ['test/unit/dev/http/request-guard.test.ts'],
  equivalent: [],
};
