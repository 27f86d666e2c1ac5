import type { Area } from './area.ts';

/** How the client makes, repeats and redirects a request, and what it hides of it. */
export const clientRequests: Area = {
  mutate: [
    'src/api/operation.ts',
    'src/api/redirect.ts',
    'src/api/retry.ts',
    'src/api/redaction.ts',
    'src/api/attempts.ts',
  ],
  tests: [
    'test/unit/api/attempts.test.ts',
    'test/unit/api/handed-out.test.ts',
    'test/unit/api/operation-targets.test.ts',
    'test/unit/api/redaction.test.ts',
    'test/unit/api/redaction-forms.test.ts',
    'test/unit/api/redirect-limits.test.ts',
    'test/unit/api/redirects.test.ts',
    'test/unit/api/retry.test.ts',
    'test/unit/api/retry-after.test.ts',
    'test/unit/api/servers.test.ts',
    'test/unit/api/transport.test.ts',
  ],
  equivalent: [],
};
