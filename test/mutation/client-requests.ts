import type { Area, Equivalent } from './area.ts';

const isSuccess = "if ('status' in ended && ended.status >= 200 && ended.status < 300) {";

/** Of the condition by which a success ends a call without `Decisions`, which would return it too. */
const ofSuccess = (after: string, before = isSuccess): Equivalent => ({
  file: 'src/api/http/exchange.ts',
  before,
  after,
  reason:
    'Decisions report and return a success unchanged, and a status of 300 too; the condition only saves loading them. No response has a status below 200, and an error has none.',
});

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
    'test/unit/api/after-requests.test.ts',
    'test/unit/api/attempts.test.ts',
    'test/unit/api/broken-http.test.ts',
    'test/unit/api/call-trace.test.ts',
    'test/unit/api/decisions.test.ts',
    'test/unit/api/ending.test.ts',
    'test/unit/api/exchange.test.ts',
    'test/unit/api/handed-out.test.ts',
    'test/unit/api/network-errors.test.ts',
    'test/unit/api/operation-targets.test.ts',
    'test/unit/api/light-requests.test.ts',
    'test/unit/api/redaction-forms.test.ts',
    'test/unit/api/redaction.test.ts',
    'test/unit/api/redirect-limits.test.ts',
    'test/unit/api/retries.test.ts',
    'test/unit/api/retry.test.ts',
    'test/unit/api/server-list.test.ts',
    'test/unit/api/servers.test.ts',
    'test/unit/api/time-limits.test.ts',
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
      file: 'src/api/operation.ts',
      before: "if (fixedQuery === undefined && names === undefined && search === undefined) return '';",
      after: "if (false) return '';",
      reason: 'Without parameters the query is empty. The condition only saves its construction.',
    },
    {
      file: 'src/api/operation.ts',
      before: 'const text = search === undefined ? undefined : take(search);',
      after: 'const text = false ? undefined : take(search);',
      reason: 'The names of input fields are text, so no field has the name undefined.',
    },
    {
      file: 'src/api/operation.ts',
      before: 'if (search !== undefined && text !== undefined)',
      after: 'if (true && text !== undefined)',
      reason: 'The text is undefined if `search` is.',
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
      file: 'src/api/http/retry.ts',
      before: '} catch { return false; }',
      after: '} catch {}',
      reason: 'The result is only used as a condition, in which undefined is false.',
    },
    {
      file: 'src/api/http/retry.ts',
      before: "if (!noteRateLimit || 'networkError' in outcome || server.maxRetries === 0) return undefined;",
      after: 'if (!noteRateLimit || "" in outcome || server.maxRetries === 0) return undefined;',
      reason: 'A network error has no status, so the next line does not take it for a rate limit.',
    },
    {
      file: 'src/api/http/retry.ts',
      before: "const { after = 0 } = reason.kind === 'response' ? reason : {};",
      after: 'const { after = 0 } = true ? reason : {};',
      reason: 'No other reason has an `after`.',
    },
    ofSuccess('if (false) {'),
    ofSuccess('if (true && ended.status < 300) {'),
    ofSuccess("if ('status' in ended || ended.status >= 200 && ended.status < 300) {"),
    ofSuccess('if ("" in ended && ended.status >= 200 && ended.status < 300) {'),
    ofSuccess("if ('status' in ended && true && ended.status < 300) {"),
    ofSuccess("if ('status' in ended && ended.status > 200 && ended.status < 300) {"),
    ofSuccess("if ('status' in ended && ended.status < 200 && ended.status < 300) {"),
    ofSuccess("if ('status' in ended && ended.status >= 200 && ended.status <= 300) {"),
    ofSuccess(
      "if ('status' in ended && ended.status >= 200 && ended.status < 300) {}",
      `${isSuccess} this.#report.received(ended, false); return { result: ended }; }`,
    ),
    {
      file: 'src/api/http/exchange.ts',
      before: 'progress.sent?.destroy();',
      after: 'progress.sent.destroy();',
      reason: 'Only a request that was opened receives data.',
    },
    {
      file: 'src/api/http/exchange.ts',
      before: 'const size = isRedirect ? undefined : bytes?.length;',
      after: 'const size = isRedirect ? undefined : bytes.length;',
      reason: 'A response is only reported if it is complete, with its bytes.',
    },
    {
      file: 'src/api/http/client.ts',
      before: 'if (!(thrown instanceof LanyardError)) throw thrown;',
      after: 'if (false) throw thrown;',
      reason:
        'Only what may be sent twice ends with another error: no standby has forwarded it, and an error without a status does not name the request.',
    },
    {
      file: 'src/api/http/decisions.ts',
      before: "if (!('networkError' in outcome)) this.#noteForwarding(outcome);",
      after: 'if (true) this.#noteForwarding(outcome);',
      reason:
        'A network error has no status, so it is not taken for the response of a standby or a sealed server.',
    },
    {
      file: 'src/api/http/decisions.ts',
      before: "if (!('networkError' in outcome)) this.#noteForwarding(outcome);",
      after: 'if (!("" in outcome)) this.#noteForwarding(outcome);',
      reason:
        'A network error has no status, so it is not taken for the response of a standby or a sealed server.',
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
