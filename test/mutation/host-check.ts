import type { Area } from './area.ts';

/** Which hosts and origins the embedded services accept. */
export const hostCheck: Area = {
  mutate: ['src/services/core/http/host-check.ts'],
  tests: ['test/unit/services/core/http/request-guard.test.ts'],
  equivalent: [],
};
