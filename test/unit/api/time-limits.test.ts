import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { endpointOf, errorOf, json, operation, optionsOf, request, serve } from './support.ts';

describe('the time limit', () => {
  test('of an attempt includes its redirects', async () => {
    const server = await serve((_seen, response, count) => {
      const respond = () =>
        count < 5 ? response.writeHead(307, { Location: '/v1/other' }).end() : json(response, { ok: true });
      setTimeout(respond, 150);
    });
    const error = await errorOf(request(server.url, 'read', optionsOf({ timeout: 400 }), { maxRetries: 0 }));
    expect(error.message).toContain('request timed out');
    expect(server.seen.length).toBeLessThan(5);
  });

  test('of a blocking query includes its wait', async () => {
    const server = await serve((_seen, response) => {
      setTimeout(() => json(response, { ok: true }), 700);
    });
    const read = operation('read', { path: '/v1/keys', query: ['index', 'wait'] });
    const send = transport(endpointOf(server.url, { maxRetries: 0 }), optionsOf({ timeout: 300 }));
    expect((await errorOf(send(read, { name: 'n' }))).message).toContain('request timed out');
    expect((await send(read, { name: 'n', index: '1', wait: '5s' })).body).toEqual({ ok: true });
  });
});

test('the details have the milliseconds of a response that takes longer than a second', async () => {
  const server = await serve((_seen, response) => {
    setTimeout(() => json(response, { ok: true }), 1_050);
  });
  const options = optionsOf();
  await request(server.url, 'read', options);
  const [, ms] = /^< 200 in (\d+) ms/.exec(options.details[1] ?? '') ?? [];
  expect(Number(ms)).toBeGreaterThanOrEqual(1_000);
});
