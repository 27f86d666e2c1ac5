import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../../src/services/core/store/storage.ts';
import type { EngineParts } from '../../../../src/services/secrets/engine.ts';
import { eventually } from '../../../support/eventually.ts';
import { folder, rootToken, shelf } from '../support.ts';
import { data, errors, secrets } from './support.ts';

const t0 = Date.parse('2026-03-01T00:00:00Z');

/** A service with a fixed clock, and functions to issue leases. */
async function lending(options: Parameters<typeof secrets>[0] = {}) {
  let now = t0;
  const service = await secrets({ clock: () => new Date(now), ...options });
  const { ask } = service;
  return {
    ...service,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    lend: async (name: string, more: { token?: string; for?: number } = {}) => {
      const { token, for: seconds = 60 } = more;
      const reply = await ask('PUT', `shelf/lent/${name}`, {
        body: { for: seconds },
        ...(token && { token }),
      });
      return { ...reply, id: String(reply.json?.lease_id) };
    },
    has: async (name: string) => (await ask('GET', `shelf/things/${name}`)).status === 200,
    lookup: (id: string) => ask('PUT', 'sys/leases/lookup', { body: { lease_id: id } }),
  };
}

describe('a lease', () => {
  test('is part of the response, and can be looked up', async () => {
    const { lend, lookup, pass, ask } = await lending();
    const lent = await lend('a');
    expect(lent.json).toMatchObject({
      lease_id: expect.stringMatching(/^shelf\/lent\/a\/[0-9A-Za-z]{24}$/),
      lease_duration: 60,
      renewable: false,
      data: { key: 'things/a' },
    });
    pass(10);
    expect(data(await lookup(lent.id))).toEqual({
      id: lent.id,
      path: 'shelf/lent/a',
      issue_time: '2026-03-01T00:00:00.000Z',
      expire_time: '2026-03-01T00:01:00.000Z',
      last_renewal: null,
      renewable: false,
      ttl: 50,
    });
    expect(errors(await lookup('shelf/lent/none'))).toEqual([400, ['invalid lease']]);
    expect(errors(await lookup(''))).toEqual([400, ['lease_id must be specified']]);
    const renewed = await ask('PUT', 'sys/leases/renew', { body: { lease_id: lent.id, increment: 60 } });
    expect(errors(renewed)).toEqual([400, ['lease is not renewable']]);
  });

  test('expires by the clock, and its credentials are revoked', async () => {
    const { lend, lookup, pass, has } = await lending();
    const [short, long] = [await lend('short', { for: 60 }), await lend('long', { for: 120 })];
    pass(60);
    expect(await has('short')).toBe(false);
    expect(errors(await lookup(short.id))).toEqual([400, ['invalid lease']]);
    expect(await has('long')).toBe(true);
    expect((await lookup(long.id)).status).toBe(200);
  });

  test('expires without requests', async () => {
    const kept: Storage[] = [];
    const watched = (parts: EngineParts) => {
      kept.push(parts.storage);
      return shelf(parts);
    };
    const { ask } = await secrets({ engines: { shelf: watched } });
    const things = () => kept.flatMap((storage) => storage.keys(''));
    await ask('PUT', 'shelf/lent/a', { body: { for: 3 } });
    expect(things()).toEqual(['things/a']);
    await eventually(() => expect(things()).toEqual([]));
  });

  test('is revoked by its ID, in the body or in the path, and again without harm', async () => {
    const { lend, has, ask } = await lending();
    const [a, b] = [await lend('a'), await lend('b')];
    expect((await ask('PUT', 'sys/leases/revoke', { body: { lease_id: a.id } })).status).toBe(204);
    expect((await ask('POST', `sys/leases/revoke/${b.id}`, { body: {} })).status).toBe(204);
    expect([await has('a'), await has('b')]).toEqual([false, false]);
    expect((await ask('PUT', 'sys/leases/revoke', { body: { lease_id: a.id } })).status).toBe(204);
  });

  test('is listed and revoked by prefix, which requires sudo', async () => {
    const { lend, has, ask, createToken, policy } = await lending();
    await lend('a');
    await lend('b');
    const keys = async (path: string) => data(await ask('LIST', path))?.keys;
    expect(await keys('sys/leases/lookup')).toEqual(['shelf/']);
    expect(await keys('sys/leases/lookup/shelf/lent')).toEqual(['a/', 'b/']);
    expect(await keys('sys/leases/lookup/shelf/lent/a')).toEqual([expect.stringMatching(/^\w{24}$/)]);
    await policy('some', 'path "sys/leases/*" { capabilities = ["update", "list"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    expect((await ask('LIST', 'sys/leases/lookup/shelf', { token })).status).toBe(403);
    expect((await ask('PUT', 'sys/leases/revoke-prefix/shelf', { token, body: {} })).status).toBe(403);
    expect((await ask('PUT', 'sys/leases/revoke-prefix/shelf/lent/a', { body: {} })).status).toBe(204);
    expect([await has('a'), await has('b')]).toEqual([false, true]);
    expect((await ask('PUT', 'sys/leases/revoke-force/shelf', { token, body: {} })).status).toBe(403);
    expect((await ask('GET', 'sys/leases/revoke-force/shelf')).status).toBe(405);
    expect((await ask('PUT', 'sys/leases/revoke-force/none')).status).toBe(204);
    expect(await has('b')).toBe(true);
    expect((await ask('PUT', 'sys/leases/revoke-force/shelf')).status).toBe(204);
    expect(await has('b')).toBe(false);
  });

  test('ends with its token, and with the parent of that token', async () => {
    const { lend, has, ask, createToken } = await lending();
    const parent = (await createToken({})).client_token;
    const child = (await createToken({}, { token: parent })).client_token;
    await lend('by-parent', { token: parent });
    await lend('by-child', { token: child });
    await lend('by-root');
    await ask('PUT', 'auth/token/revoke', { body: { token: parent } });
    expect([await has('by-parent'), await has('by-child'), await has('by-root')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('ends when its token expires', async () => {
    const { lend, has, pass, createToken } = await lending();
    const { client_token: token } = await createToken({ ttl: '30s' });
    await lend('a', { token, for: 600 });
    pass(29);
    expect(await has('a')).toBe(true);
    pass(1);
    expect(await has('a')).toBe(false);
  });

  test('is not issued to a token with one use left, and leaves no data', async () => {
    const { lend, has, createToken } = await lending();
    const { client_token: token } = await createToken({ num_uses: 1 });
    expect(errors(await lend('a', { token }))).toEqual([
      400,
      [expect.stringContaining('token had one use left')],
    ]);
    expect(await has('a')).toBe(false);
  });

  test('ends when its mount is removed, and does not pass to the next mount at the path', async () => {
    const { lend, lookup, ask } = await lending();
    const { id } = await lend('a');
    await ask('DELETE', 'sys/mounts/shelf');
    expect((await lookup(id)).status).toBe(400);
  });

  test('survives a restart, bound to the next root token', async () => {
    const directory = await folder();
    const first = await lending({ dataDirectory: directory, rootToken: 'hvs.first-token' });
    const reply = await first.ask('PUT', 'shelf/lent/a', { token: 'hvs.first-token', body: { for: 60 } });
    await first.close();
    for (const token of ['hvs.second-token', rootToken]) {
      const next = await lending({ dataDirectory: directory, rootToken: token });
      expect(
        (await next.ask('PUT', 'sys/leases/lookup', { token, body: { lease_id: reply.json?.lease_id } }))
          .status,
      ).toBe(200);
      next.pass(61);
      if (token === rootToken) expect(await next.has('a')).toBe(false);
      await next.close();
    }
  });
});
