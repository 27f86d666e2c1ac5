import { describe, expect, test } from 'vitest';
import { errorOf, expectFailure, homeForAll } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { type Handler, json, serve, type TestServer } from '../unit/api/support.ts';
import { runAt, shelf } from './scheduler-shelf.ts';

const at = homeForAll();
at.env.LANYARD_SECRETS_TOKEN = 'hvs.the-token-of-this-test';
const scheduler = runAt(at);

const run = (server: Pick<TestServer, 'url'>, line: string): Promise<Ran> =>
  at.run(line.split(' '), { env: { LANYARD_SECRETS_ADDR: server.url }, stdin: 'a-password' });

type Lost = (response: Parameters<Handler>[1]) => void;

const lost: readonly (readonly [string, Lost])[] = [
  ['a 504 of the service', (response) => json(response, { errors: ['timeout'] }, 504)],
  ['a 502 page', (response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>')],
  ['a 503 of a gateway', (response) => response.writeHead(503).end('upstream connect error')],
  ['a 200 without a body', (response) => response.writeHead(200).end()],
  ['a 200 with null', (response) => json(response, null)],
  ['a 200 with []', (response) => json(response, [])],
  ['a 404 page', (response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>')],
];

describe.each(lost)('after %s', (_name, lose) => {
  test('var put that was applied is read back', async () => {
    const server = await shelf({
      change: ({ method, body }, response) => {
        if (method !== 'PUT') return;
        server.put('app/db', JSON.parse(body).Items);
        lose(response);
      },
    });
    expect(await scheduler(server, 'var put app/db a=1')).toMatchObject({ code: 0 });
    expect(server.writes()).toHaveLength(1);
  });

  test('var put that was not applied ends with 9', async () => {
    const server = await shelf({
      change: ({ method }, response) => {
        if (method === 'PUT') lose(response);
      },
    });
    const ran = await scheduler(server, 'var put app/db a=1 -o json');
    expect(errorOf(ran, 9)).toMatchObject({ retryable: false });
    expect(server.writes()).toHaveLength(1);
  });

  test('secrets write that was applied is read back', async () => {
    const server = await serve(({ method }, response) =>
      method === 'POST' ? lose(response) : json(response, { data: { key_type: 'ca' } }),
    );
    expect(await run(server, 'secrets write ssh/roles/a key_type=ca')).toMatchObject({ code: 0 });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test.each([
    'ssh verify -',
    'ssh creds otp --ip 192.0.2.7',
    'kv destroy --mount secret app --versions 1 --yes',
  ])('%s, which cannot be verified, ends with 9 and is sent once', async (line) => {
    const server = await serve(({ method }, response) =>
      method === 'GET'
        ? json(response, { data: { path: 'secret/', type: 'kv', options: { version: '2' } } })
        : lose(response),
    );
    expect(errorOf(await run(server, `${line} -o json`), 9)).toMatchObject({ retryable: false });
    expect(server.seen.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});

test('a sealed service is unavailable, and a write to it may be repeated', async () => {
  const server = await serve((_seen, response) => json(response, { errors: ['Vault is sealed'] }, 503));
  const ran = await run(server, 'secrets write ssh/roles/a key_type=ca -o json');
  expect(errorOf(ran, 8)).toMatchObject({ retryable: true });
});

describe('ssh verify', () => {
  test.each([
    {},
    { ip: '192.0.2.7' },
    { ip: '192.0.2.7', username: '' },
    { message: 'hello', ip: '192.0.2.7' },
  ])('with a response without a user (%j) reports that the password may be used', async (data) => {
    const server = await serve((_seen, response) => json(response, { data }));
    const ran = await run(server, 'ssh verify -');
    expectFailure(ran, 9, 'The one-time password may be used already.');
    expect(ran.stderr).not.toContain('a-password');
  });
});
