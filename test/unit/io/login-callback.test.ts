import { createServer, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { type LoginCallback, listenForCallback } from '../../../src/io/login-callback.ts';
import { listen } from '../api/support.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

async function listening(signal = new AbortController().signal): Promise<LoginCallback> {
  const made = await listenForCallback(0, signal);
  onTestFinished(() => made.close());
  return made;
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Visits the callback as a browser does, or in a way that none would. */
function visit(
  { redirectUri }: LoginCallback,
  query: string,
  {
    method = 'GET',
    path = '/oidc/callback',
    host,
    address = '127.0.0.1',
  }: Partial<Record<string, string>> = {},
): Promise<Reply> {
  const { port, host: own } = new URL(redirectUri);
  return new Promise((done, failed) => {
    request(
      { host: address, port, method, path: `${path}${query}`, headers: { Host: host ?? own } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      },
    )
      .on('error', failed)
      .end();
  });
}

test('returns the parameters of the provider’s redirect, and shows the result to the user', async () => {
  const back = await listening();
  expect(back.redirectUri).toMatch(/^http:\/\/localhost:\d+\/oidc\/callback$/);
  const answer = back.waitForQuery('s1', 5);
  const reply = await visit(back, '?state=s1&code=c%201');
  expect((await answer).get('code')).toBe('c 1');
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Lanyard received the response of the provider.');
  expect(reply.text).not.toContain('c 1');
  expect(reply.text).not.toContain('<script');
  expect(reply.headers).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
});

test.skipIf(!hasIpv6)('listens on both forms of loopback', async () => {
  const back = await listening();
  const answer = back.waitForQuery('s', 5);
  expect((await visit(back, '?state=s&code=c', { address: '::1' })).status).toBe(200);
  expect((await answer).get('code')).toBe('c');
});

test.each<readonly [string, Partial<Record<string, string>>, number]>([
  ['another state', { query: '?state=other&code=evil' }, 400],
  ['no state', { query: '?code=evil' }, 400],
  ['another path', { path: '/favicon.ico' }, 404],
  ['another method', { method: 'POST' }, 405],
  ['another host', { host: 'rebound.example.com:8550' }, 421],
  ['another port in the host', { host: 'localhost:1' }, 421],
])('waits past a visit with %s', async (_what, { query = '?state=s&code=evil', ...odd }, status) => {
  const back = await listening();
  const answer = back.waitForQuery('s', 5);
  expect((await visit(back, query, odd)).status).toBe(status);
  await visit(back, '?state=s&code=good');
  expect((await answer).get('code')).toBe('good');
});

test('returns one visit only', async () => {
  const back = await listening();
  const answer = back.waitForQuery('s', 5);
  await visit(back, '?state=s&code=first');
  expect((await visit(back, '?state=s&code=second')).status).toBe(409);
  expect((await answer).get('code')).toBe('first');
});

test('shows the words of a provider that rejects, and none of its markup', async () => {
  const back = await listening();
  const answer = back.waitForQuery('s', 5);
  const words = encodeURIComponent('<script>alert("1")</script> & \'2\'');
  const { text } = await visit(back, `?state=s&error=access_denied&error_description=${words}`);
  expect(text).toContain(
    'rejected the login: access_denied (&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;2&#39;)',
  );
  expect((await answer).get('error')).toBe('access_denied');
});

test('ends with an error if no request arrives in time', async () => {
  const back = await listening();
  await expect(back.waitForQuery('s', 0.05)).rejects.toMatchObject({ kind: 'unavailable', retryable: true });
});

test('ends with the signal', async () => {
  const stop = new AbortController();
  const back = await listening(stop.signal);
  const answer = back.waitForQuery('s', 60);
  stop.abort();
  await expect(answer).rejects.toMatchObject({ kind: 'interrupted' });
});

test('listens no more once it is closed', async () => {
  const back = await listening();
  await back.close();
  await expect(visit(back, '?state=s&code=c')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('rejects a port that is taken, and names the way out', async () => {
  const port = await listen(createServer());
  await expect(listenForCallback(port, new AbortController().signal)).rejects.toMatchObject({
    kind: 'usage',
    message: `cannot listen on port ${port}: already in use`,
    hint: expect.stringContaining('--callback-port'),
  });
});
