import { describe, expect, test } from 'vitest';
import { folder, start } from '../support.ts';
import { boxes, owners, startUpToken } from './support.ts';

describe('a token', () => {
  test('comes as a bearer token, as the query parameter, or in a header of either prefix', async () => {
    const { fetched } = await boxes();
    const path = '/api/v1/authenticate';
    const sent = [
      fetched('GET', path),
      fetched('GET', path, { token: null, headers: { authorization: `bearer ${startUpToken}` } }),
      fetched('GET', `${path}?access_token=${startUpToken}`, { token: null }),
      fetched('GET', path, { token: null, headers: { 'X-Box-Token': startUpToken } }),
      fetched('GET', path, { token: null, headers: { 'X-Atlas-Token': startUpToken } }),
    ];
    for (const { status, json } of await Promise.all(sent))
      expect([status, json]).toEqual([200, { user: { username: 'ada' } }]);
  });

  test('that is unknown is rejected even where none is needed; a login ignores it', async () => {
    const { fetched, rejected, ask } = await boxes();
    const rejection = await fetched('GET', '/api/v1/search', { token: 'stale' });
    expect([rejection.status, rejection.json]).toEqual([
      401,
      { errors: ['The token is not valid'], success: false },
    ]);
    expect(rejection.headers['www-authenticate']).toBe('Bearer');
    expect(await rejected('GET', 'authenticate', undefined, null)).toBe('401 A token is required');
    const body = { user: { login: 'ada', password: 'correct horse' } };
    expect((await ask('POST', 'authenticate', body, 'stale')).status).toBe(200);
  });
});

test('a missing path, an unsupported method, and a body that is not JSON are rejected with errors in an array', async () => {
  const { rejected, fetched } = await boxes();
  expect(await rejected('GET', 'nowhere')).toBe('404 Resource not found!');
  expect(await rejected('PATCH', 'boxes')).toBe('405 method PATCH not allowed');
  expect((await fetched('PATCH', '/api/v1/authenticate')).headers.allow).toBe('POST, GET, DELETE');
  expect(await rejected('POST', 'boxes', '{')).toMatch(/^400 /);
  expect(await rejected('POST', 'boxes', '[]')).toBe('403 the body must be an object');
  expect(await rejected('POST', 'boxes')).toBe('422 box parameter is required!');
  expect(await rejected('PUT', 'box/ada/x', { box: null })).toBe('422 box parameter is required!');
  expect(await rejected('POST', 'boxes', { box: 1 })).toBe('403 box must be an object');
});

test('HEAD gets the response of GET, without the body', async () => {
  const { fetched } = await boxes();
  const head = await fetched('HEAD', '/api/v1/search');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '12']);
});

test('with a rate limit, each response has the remaining number, and one too many is 429 until the minute is over', async () => {
  const { fetched, pass } = await boxes({ rateLimits: { box: 2 } });
  pass(20);
  const limits = async () => {
    const { status, headers } = await fetched('GET', '/api/v1/authenticate');
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = headers;
    return [status, limit, left, reset, headers['retry-after']];
  };
  const end = String(Date.parse('2026-01-02T12:01:00Z') / 1000);
  expect(await limits()).toEqual([200, '2', '1', end, undefined]);
  expect(await limits()).toEqual([200, '2', '0', end, undefined]);
  expect(await limits()).toEqual([429, '2', '0', end, '40']);
  pass(40);
  expect((await limits())[0]).toBe(200);
});

test('without one nothing is limited, and no headers are sent', async () => {
  const { fetched } = await boxes();
  expect((await fetched('GET', '/api/v1/search')).headers).not.toHaveProperty('x-ratelimit-limit');
});

test('under maintenance every request is 503', async () => {
  const { rejected } = await boxes({ box: { owners, token: startUpToken, maintenance: true } });
  for (const path of ['search', 'authenticate', 'nowhere'])
    expect(await rejected('GET', path)).toBe('503 The registry is under maintenance; try again later');
});

test('by default has a user dev with a generated token', async () => {
  const { addresses, boxToken } = await start();
  const answer = await fetch(`${addresses.box}/api/v1/authenticate`, {
    headers: { Authorization: `Bearer ${boxToken}` },
  });
  expect(await answer.json()).toEqual({ user: { username: 'dev' } });
});

test('after a restart tokens and passwords are valid, and the start-up token is that of the last start', async () => {
  const data = await folder();
  const first = await boxes({ dataDirectory: data });
  const own = await first.login('ada', 'correct horse');
  await first.close();
  const second = await boxes({
    dataDirectory: data,
    box: { owners: { users: [{ name: 'ada' }] }, token: 'another' },
  });
  const check = async (token: string) => (await second.ask('GET', 'authenticate', undefined, token)).status;
  expect([await check(own), await check('another'), await check(startUpToken)]).toEqual([200, 200, 401]);
  expect(await second.login('ada', 'correct horse')).not.toBe(own);
});
