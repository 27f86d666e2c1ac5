import type { Area } from './area.ts';

/** What the client makes of a failed request or an error response. */
export const clientFailures: Area = {
  mutate: [
    'src/api/failures.ts',
    'src/api/error-messages.ts',
    'src/api/conditions/accounts.ts',
    'src/api/conditions/any.ts',
    'src/api/conditions/box.ts',
    'src/api/conditions/registry.ts',
    'src/api/conditions/scheduler.ts',
    'src/api/conditions/secrets.ts',
    'src/api/network-errors.ts',
  ],
  tests: [
    'test/unit/api/broken-http.test.ts',
    'test/unit/api/conditions.test.ts',
    'test/unit/api/failure-messages.test.ts',
    'test/unit/api/failures.test.ts',
    'test/unit/api/network-errors.test.ts',
    'test/unit/api/misdirected.test.ts',
    'test/unit/api/response-conditions.test.ts',
  ],
  equivalent: [
    {
      file: 'src/api/error-messages.ts',
      before: 'secrets: readonly Secret[] = [],',
      after: 'secrets: readonly Secret[] = ["Stryker was here"],',
      reason: 'It would only redact these words, which no service sends.',
    },
    {
      file: 'src/api/conditions/any.ts',
      before: "error instanceof LanyardError ? error.details.join('\\n') : '';",
      after: 'error instanceof LanyardError ? error.details.join(\'\\n\') : "Stryker was here!";',
      reason:
        'Every pattern and text that it is compared with differs from it, or the status was checked before.',
    },
    {
      file: 'src/api/conditions/secrets.ts',
      before:
        '/ignored these unrecognized parameters: \\[([^\\]]*)\\]/i.exec(warning)?.[1]?.split(/[\\s,]+/) ?? [],',
      after:
        '/ignored these unrecognized parameters: \\[([^\\]]*)\\]/i.exec(warning)?.[1].split(/[\\s,]+/) ?? [],',
      reason: 'The group is in every match.',
    },
    {
      file: 'src/api/conditions/scheduler.ts',
      before: "? /error finding value in datum: \\/(\\S+) at part \\d/.exec(textOf(error))?.[1]?.split('/')",
      after: "? /error finding value in datum: \\/(\\S+) at part \\d/.exec(textOf(error))?.[1].split('/')",
      reason: 'The group is in every match.',
    },
    {
      file: 'src/api/failures.ts',
      before: "function boxIn(path = ''): string {",
      after: 'function boxIn(path = "Stryker was here!"): string {',
      reason: 'It names no box either.',
    },
    {
      file: 'src/api/failures.ts',
      before: "const after = headers['retry-after'] ?? '';",
      after: 'const after = headers[\'retry-after\'] ?? "Stryker was here!";',
      reason: 'It is no time either.',
    },
  ],
};
