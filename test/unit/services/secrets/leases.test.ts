import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../../src/services/core/store/storage.ts';
import type { EngineParts } from '../../../../src/services/secrets/engine.ts';
import { eventually } from '../../../support/eventually.ts';
import { folder, rootToken, shelf } from '../support.ts';
import { data, outcome, secrets } from './support.ts';

/** A service with a fixed clock, and functions to issue leases. */
async function lending(options: Parameters<typeof secrets>[0] = {}) {
  const service = await secrets(options);
  const { put, get } = service;
  return {
    ...service,
    lend: async (name: string, more: { token?: string; for?: number } = {}) => {
      const reply = await put(`shelf/lent/${name}`, { for: more.for ?? 60 }, more.token);
      return { ...reply, id: String(reply.json?.lease_id) };
    },
    has: async (name: string) => (await get(`shelf/things/${name}`)).status === 200,
    lookup: (id: string) => put('sys/leases/lookup', { lease_id: id }),
  };
}

describe('a lease', () => {
  test('is part of the response, and can be looked up', async () => {
    const { lend, lookup, pass, put } = await lending();
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
    expect(outcome(await lookup('shelf/lent/none'))).toBe('400 invalid lease');
    expect(outcome(await lookup(''))).toBe('400 lease_id must be specified');
    const renewed = await put('sys/leases/renew', { lease_id: lent.id, increment: 60 });
    expect(outcome(renewed)).toBe('400 lease is not renewable');
  });

  test('expires by the clock, and its credentials are revoked', async () => {
    const { lend, lookup, pass, has } = await lending();
    const [short, long] = [await lend('short', { for: 60 }), await lend('long', { for: 120 })];
    pass(60);
    expect(await has('short')).toBe(false);
    expect(outcome(await lookup(short.id))).toBe('400 invalid lease');
    expect(await has('long')).toBe(true);
    expect((await lookup(long.id)).status).toBe(200);
  });

  test('expires without requests', async () => {
    const kept: Storage[] = [];
    const watched = (parts: EngineParts) => {
      kept.push(parts.storage);
      return shelf(parts);
    };
    const { put } = await secrets({ engines: { shelf: watched }, clock: () => new Date() });
    const things = () => kept.flatMap((storage) => storage.keys(''));
    await put('shelf/lent/a', { for: 3 });
    expect(things()).toEqual(['things/a']);
    await eventually(() => expect(things()).toEqual([]));
  });

  test('is revoked by its ID, in the body or in the path, and again without harm', async () => {
    const { lend, has, post, put } = await lending();
    const [a, b] = [await lend('a'), await lend('b')];
    expect((await put('sys/leases/revoke', { lease_id: a.id })).status).toBe(204);
    expect((await post(`sys/leases/revoke/${b.id}`)).status).toBe(204);
    expect([await has('a'), await has('b')]).toEqual([false, false]);
    expect((await put('sys/leases/revoke', { lease_id: a.id })).status).toBe(204);
  });

  test('is listed and revoked by prefix, which requires sudo', async () => {
    const { lend, has, ask, put, get, list, tokenWith } = await lending();
    await lend('a');
    await lend('b');
    const keys = async (path: string) => data(await list(path))?.keys;
    expect(await keys('sys/leases/lookup')).toEqual(['shelf/']);
    expect(await keys('sys/leases/lookup/shelf/lent')).toEqual(['a/', 'b/']);
    expect(await keys('sys/leases/lookup/shelf/lent/a')).toEqual([expect.stringMatching(/^\w{24}$/)]);
    const token = await tokenWith('path "sys/leases/*" { capabilities = ["update", "list"] }');
    expect((await list('sys/leases/lookup/shelf', token)).status).toBe(403);
    expect((await put('sys/leases/revoke-prefix/shelf', {}, token)).status).toBe(403);
    expect((await put('sys/leases/revoke-prefix/shelf/lent/a')).status).toBe(204);
    expect([await has('a'), await has('b')]).toEqual([false, true]);
    expect((await put('sys/leases/revoke-force/shelf', {}, token)).status).toBe(403);
    expect((await get('sys/leases/revoke-force/shelf')).status).toBe(405);
    for (const [mount, isKept] of [
      ['none', true],
      ['shelf', false],
    ] as const) {
      expect((await ask('PUT', `sys/leases/revoke-force/${mount}`)).status).toBe(204);
      expect(await has('b')).toBe(isKept);
    }
  });

  test('ends with its token, and with the parent of that token', async () => {
    const { lend, has, createToken, put } = await lending();
    const parent = (await createToken({})).client_token;
    const child = (await createToken({}, { token: parent })).client_token;
    await lend('by-parent', { token: parent });
    await lend('by-child', { token: child });
    await lend('by-root');
    await put('auth/token/revoke', { token: parent });
    for (const name of ['by-parent', 'by-child', 'by-root']) expect(await has(name)).toBe(name === 'by-root');
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
    expect(outcome(await lend('a', { token }))).toBe(
      '400 Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.',
    );
    expect(await has('a')).toBe(false);
  });

  test('ends when its mount is removed, and does not pass to the next mount at the path', async () => {
    const { lend, lookup, remove } = await lending();
    const { id } = await lend('a');
    await remove('sys/mounts/shelf');
    expect((await lookup(id)).status).toBe(400);
  });

  test('survives a restart, bound to the next root token', async () => {
    const directory = await folder();
    const first = await lending({ dataDirectory: directory, rootToken: 'hvs.first-token' });
    const { id: lease_id } = await first.lend('a', { token: 'hvs.first-token' });
    await first.close();
    for (const token of ['hvs.second-token', rootToken]) {
      const next = await lending({ dataDirectory: directory, rootToken: token });
      expect((await next.put('sys/leases/lookup', { lease_id }, token)).status).toBe(200);
      next.pass(61);
      if (token === rootToken) expect(await next.has('a')).toBe(false);
      await next.close();
    }
  });
});
