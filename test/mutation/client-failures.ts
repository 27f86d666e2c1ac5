import type { Area } from './area.ts';

/** What the client makes of a failed request or an error response. */
export const clientFailures: Area = {
  mutate: [
    'src/api/failures.ts',
    'src/api/conditions.ts',
    'src/api/response-conditions.ts',
    'src/api/token-conditions.ts',
    'src/api/loss.ts',
    'src/api/gateway.ts',
    'src/api/misdirected.ts',
  ],
  tests: [
    'test/unit/api/broken-http.test.ts',
    'test/unit/api/conditions.test.ts',
    'test/unit/api/conditions-texts.test.ts',
    'test/unit/api/conditions-tokens.test.ts',
    'test/unit/api/failure-messages.test.ts',
    'test/unit/api/failures.test.ts',
    'test/unit/api/loss.test.ts',
    'test/unit/api/misdirected.test.ts',
    'test/unit/api/response-conditions.test.ts',
  ],
  equivalent: [],
};
