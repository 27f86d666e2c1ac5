import type { Area } from './area.ts';

/** How the client makes, repeats and redirects a request, and what it hides of it. */
export const clientRequests: Area = {
  mutate: [
    'src/api/operation.ts',
    'src/api/http/client.ts',
    'src/api/http/decisions.ts',
    'src/api/http/exchange.ts',
    'src/api/http/retry.ts',
    'src/api/http/senders.ts',
    'src/api/redaction.ts',
  ],
  tests: [
    'test/unit/api/attempts.test.ts',
    'test/unit/api/broken-http.test.ts',
    'test/unit/api/ending.test.ts',
    'test/unit/api/exchange.test.ts',
    'test/unit/api/handed-out.test.ts',
    'test/unit/api/network-errors.test.ts',
    'test/unit/api/operation-targets.test.ts',
    'test/unit/api/light-requests.test.ts',
    'test/unit/api/redaction-forms.test.ts',
    'test/unit/api/redaction.test.ts',
    'test/unit/api/redirect-limits.test.ts',
    'test/unit/api/retry.test.ts',
    'test/unit/api/server-list.test.ts',
    'test/unit/api/servers.test.ts',
    'test/unit/api/transport.test.ts',
  ],
  equivalent: [
    {
      file: 'src/api/operation.ts',
      before: 'for (const name of names ?? []) {',
      after: 'for (const name of names ?? ["Stryker was here"]) {',
      reason: 'A query parameter is only sent if the input has a field of its name.',
    },
    {
      file: 'src/api/http/retry.ts',
      before: "if (retryReason.kind !== 'response' || !isTransient(retryReason)) return undefined;",
      after: 'if (false || !isTransient(retryReason)) return undefined;',
      reason: 'Only a response has a status, and isTransient accepts no undefined status.',
    },
    {
      file: 'src/api/http/retry.ts',
      before: "const value = headers['retry-after'] ?? '';",
      after: 'const value = headers[\'retry-after\'] ?? "Stryker was here!";',
      reason: 'It is neither a number nor a time, like the empty text.',
    },
    {
      file: 'src/api/http/retry.ts',
      before: "const date = Date.parse(headers.date ?? '');",
      after: 'const date = Date.parse(headers.date ?? "Stryker was here!");',
      reason: 'Date.parse returns NaN for it, as for the empty text.',
    },
    {
      file: 'src/api/redaction.ts',
      before: 'const forms = secrets .filter(isText)',
      after: 'const forms = secrets',
      reason: 'A pattern has no length, so the next filter removes it.',
    },
    {
      file: 'src/api/redaction.ts',
      before: 'const body = content === undefined ? undefined : parsed(content);',
      after: 'const body = false ? undefined : parsed(content);',
      reason: 'TextDecoder decodes undefined as the empty text, which is not JSON.',
    },
    {
      file: 'src/api/redaction.ts',
      before: '} catch { return undefined; }',
      after: '} catch {}',
      reason: 'A function that ends without a return statement returns undefined.',
    },
  ],
};
