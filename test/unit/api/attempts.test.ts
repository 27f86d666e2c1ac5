import { describe, expect, test } from 'vitest';
import { transport } from '../../../src/api/http/client.ts';
import { freePort } from '../../support/ports.ts';
import { endpointOf, errorOf, type Handler, json, operation, optionsOf, request, serve } from './support.ts';

const good: Handler = (_seen, response) => json(response, { ok: true });
const sealed: Handler = (_seen, response) => json(response, { errors: ['Vault is sealed'] }, 503);
const busy: Handler = (_seen, response) => json(response, { errors: ['busy'] }, 503);
const requests = (details: readonly string[]) => details.filter((line) => line.startsWith('> '));

describe('a request that failed', () => {
  test('is retried, and each retry is reported with its reason and pause', async () => {
    const server = await serve((...[seen, response, count]) =>
      count < 3 ? busy(seen, response, count) : good(seen, response, count),
    );
    const options = optionsOf({ random: () => 0.1 });
    const response = await request(server.url, 'read', options);
    expect(response).toMatchObject({ body: { ok: true }, address: server.url });
    expect(options.notes).toEqual([
      'secrets service: status 503; retrying in 0.1 s (attempt 2 of 3)',
      'secrets service: status 503; retrying in 0.1 s (attempt 3 of 3)',
    ]);
  });

  test.each([0, 1, 4])('is retried as often as the settings specify (%i)', async (maxRetries) => {
    const server = await serve(busy);
    const options = optionsOf();
    const endpoint = endpointOf(server.url, { maxRetries });
    await errorOf(transport(endpoint, options)(operation('read'), { name: 'n' }));
    expect(server.seen).toHaveLength(maxRetries + 1);
    expect(options.notes).toHaveLength(maxRetries);
  });

  test('is not retried after a status that the operation accepts', async () => {
    const server = await serve(busy);
    const accepting = operation('read', { accepts: [200, 503] });
    const response = await transport(endpointOf(server.url), optionsOf())(accepting, { name: 'n' });
    expect(response).toMatchObject({ status: 503, body: { errors: ['busy'] } });
    expect(server.seen).toHaveLength(1);
  });

  test('is not retried after a success that the operation does not accept', async () => {
    const server = await serve((_seen, response) => response.writeHead(202).end());
    await errorOf(request(server.url));
    expect(server.seen).toHaveLength(1);
  });

  test('is not retried if the pause is interrupted', async () => {
    const stop = new AbortController();
    const options = optionsOf({ random: () => 0.99, signal: stop.signal });
    const send = transport(endpointOf(`http://127.0.0.1:${await freePort()}`), {
      ...options,
      note: () => stop.abort(),
    });
    const error = await errorOf(send(operation('write'), { name: 'n' }));
    expect(error).toMatchObject({ kind: 'interrupted', message: 'do the thing: interrupted', details: [] });
    expect(requests(options.details)).toHaveLength(1);
  });

  test('does not wait for the pause if interrupted', { timeout: 15_000 }, async () => {
    const stop = new AbortController();
    const server = await serve((_seen, response) => response.writeHead(503, { 'Retry-After': '20' }).end());
    const options = optionsOf({ signal: stop.signal });
    const note = () => setTimeout(() => stop.abort(), 20);
    const send = transport(endpointOf(server.url), { ...options, note });
    const error = await errorOf(send(operation('read'), { name: 'n' }));
    expect(error).toMatchObject({ kind: 'interrupted', details: [] });
    // Only after the pause would the next request begin.
    expect(requests(options.details)).toHaveLength(1);
  });
});

describe('several servers', () => {
  const to = (addresses: readonly string[], options = optionsOf()) =>
    transport(endpointOf(addresses[0] ?? '', { addresses }), options);

  test('the next attempt starts with the server after the one that failed last', async () => {
    const [first, second] = await Promise.all([serve(busy), serve(busy)]);
    const options = optionsOf();
    await errorOf(to([first.url, second.url], options)(operation('read'), { name: 'n' }));
    expect([first.seen.length, second.seen.length]).toEqual([2, 1]);
    const [down, alsoDown] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
    const rejected = optionsOf();
    await errorOf(to([down ?? '', alsoDown ?? ''], rejected)(operation('read'), { name: 'n' }));
    expect(rejected.notes.map((note) => note.replace(/^secrets service: /, ''))).toEqual([
      `${down}: connection refused; trying ${alsoDown}`,
      'connection refused; retrying for some seconds',
    ]);
  });

  test('a status that the operation accepts is no reason to ask another server', async () => {
    const [first, second] = await Promise.all([serve(sealed), serve(good)]);
    const accepting = operation('read', { accepts: [200, 503] });
    expect(await to([first.url, second.url])(accepting, { name: 'n' })).toMatchObject({
      status: 503,
      address: first.url,
    });
    expect(second.seen).toEqual([]);
  });

  test('the server that a standby redirects to gets one request in an attempt', async () => {
    const [active, third] = await Promise.all([serve(sealed), serve(sealed)]);
    const standby = await serve((seen, response) =>
      response.writeHead(307, { Location: active.url + seen.url }).end(),
    );
    const error = await errorOf(to([standby.url, third.url, active.url])(operation('write'), { name: 'n' }));
    expect(error.kind).toBe('unavailable');
    expect([standby, active, third].map(({ seen }) => seen.length)).toEqual([1, 1, 1]);
  });

  test('the response of a server that was redirected to has its address', async () => {
    const active = await serve(good);
    const standby = await serve((seen, response) =>
      response.writeHead(307, { Location: active.url + seen.url }).end(),
    );
    const response = await to([standby.url, active.url])(operation('write'), { name: 'n' });
    expect(response.address).toBe(active.url);
  });

  test.each([
    ['a conflict', 400, ['check-and-set parameter did not match the current version']],
    ['another error', 500, ['internal error']],
  ])('the outcome of a write is unknown after a standby redirected it: %s', async (_what, status, errors) => {
    const active = await serve((_seen, response) => json(response, { errors }, status));
    const standby = await serve((seen, response) =>
      response.writeHead(307, { Location: active.url + seen.url }).end(),
    );
    const sending = to([standby.url, active.url]);
    const error = await errorOf(sending(operation('write'), { name: 'n' }));
    expect(error).toMatchObject({ kind: 'unknown', status, cause: { status } });
    expect(error.details.at(-1)).toMatch(/^A standby may have forwarded/);
    expect((await errorOf(sending(operation('read'), { name: 'n' }))).kind).not.toBe('unknown');
  });

  test('a redirect within the origin does not change the server, although another has the same origin', async () => {
    const server = await serve((seen, response, count) => {
      if (seen.url.startsWith('/a/')) sealed(seen, response, count);
      else if (seen.url === '/b/v1/thing/n') response.writeHead(307, { Location: '/b/v1/other' }).end();
      else good(seen, response, count);
    });
    const [first, second] = [`${server.url}/a`, `${server.url}/b`];
    const response = await to([first, second])(operation('read'), { name: 'n' });
    expect(response.address).toBe(second);
    expect(server.seen.map(({ url }) => url)).toEqual(['/a/v1/thing/n', '/b/v1/thing/n', '/b/v1/other']);
  });
});
