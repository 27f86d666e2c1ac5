import { describe, expect, test } from 'vitest';
import { outcome, secrets } from './support.ts';

describe('the seal', () => {
  test('health, initialization and unsealing are unavailable in namespaces, in every state', async () => {
    const unavailable = '400 operation unavailable in namespaces';
    const open = await secrets({ uninitialized: true });
    const ready = await secrets();
    expect((await ready.ask('POST', 'sys/namespaces/ns1')).status).toBe(200);
    for (const { ask } of [open, ready]) {
      for (const name of ['ns1', 'nowhere', 'root', '/']) {
        const more = { token: null, headers: { 'X-Vault-Namespace': name } };
        expect(outcome(await ask('GET', 'sys/health', more))).toBe(unavailable);
        expect(outcome(await ask('GET', 'sys/init', more))).toBe(unavailable);
        expect(outcome(await ask('PUT', 'sys/unseal', { ...more, body: { key: 'aa' } }))).toEqual(
          unavailable,
        );
      }
    }
    expect(outcome(await ready.get('ns1/sys/health', null))).toBe(unavailable);
    for (const path of ['sys/seal-status', 'sys/leader']) {
      const more = { token: null, headers: { 'X-Vault-Namespace': 'ns1' } };
      expect((await ready.ask('GET', path, more)).status).toBe(200);
    }
  });

  test('goes from uninitialized to initialized with shares, unsealed by enough of them, and sealed again', async () => {
    const { ask, rootToken: none, put, get } = await secrets({ uninitialized: true });
    const open = { token: null };
    expect(none).toBeUndefined();
    expect((await ask('GET', 'sys/health', open)).status).toBe(501);
    expect((await ask('GET', 'sys/init', open)).json).toEqual({ initialized: false });
    expect(outcome(await ask('GET', 'shelf/public', open))).toBe('501 secrets service is not initialized');
    expect((await ask('PUT', 'sys/unseal', { ...open, body: { key: 'aa' } })).status).toBe(501);
    for (const body of [
      { secret_shares: 1, secret_threshold: 2 },
      { secret_shares: 0 },
      { secret_shares: 3, secret_threshold: 1 },
    ]) {
      expect((await ask('PUT', 'sys/init', { ...open, body })).status).toBe(400);
    }
    const body = { secret_shares: 5, secret_threshold: 3 };
    const [init, second] = await Promise.all([
      ask('PUT', 'sys/init', { ...open, body }),
      ask('PUT', 'sys/init', { ...open, body }),
    ]);
    expect(outcome(second)).toBe('400 secrets service is already initialized');
    const { keys = [], keys_base64: base64 = [] } = init.json as Record<string, string[]>;
    const token = String(init.json?.root_token);
    expect(new Set(keys).size).toBe(5);

    expect((await ask('GET', 'sys/health', open)).status).toBe(503);
    expect((await ask('GET', 'sys/health?sealedcode=299', open)).status).toBe(299);
    expect(outcome(await ask('GET', 'shelf/public', open))).toBe('503 secrets service is sealed');
    const give = async (key: string | undefined) =>
      (await ask('PUT', 'sys/unseal', { ...open, body: { key: key ?? '' } })).json;
    expect(await give(keys[4])).toMatchObject({ sealed: true, progress: 1, t: 3, n: 5 });
    expect(await give(keys[4])).toMatchObject({ sealed: true, progress: 1 });
    expect(await give(base64[0])).toMatchObject({ sealed: true, progress: 2 });
    expect((await ask('PUT', 'sys/unseal', { ...open, body: { reset: true } })).json).toMatchObject({
      progress: 0,
    });
    await give(keys[0]);
    await give(keys[1]);
    expect(await give(`${'00'.repeat(32)}07`)).toMatchObject({ errors: ['unseal failed: invalid key'] });
    expect(await give('short')).toMatchObject({ errors: ['key must be 33 bytes, in hex or base64'] });
    await give(keys[3]);
    await give(keys[2]);
    expect(await give(keys[1])).toMatchObject({ sealed: false, progress: 0, type: 'shamir' });

    expect((await put('shelf/things/a', { a: 1 }, token)).status).toBe(204);
    expect((await ask('PUT', 'sys/seal', { token })).status).toBe(204);
    expect((await get('shelf/things/a', token)).status).toBe(503);
    for (const key of keys.slice(2)) await give(key);
    expect((await get('shelf/things/a', token)).status).toBe(200);
  });

  test('is opened again with the single key that a start returns', async () => {
    const { ask, unsealKey, put, get } = await secrets();
    await ask('PUT', 'sys/seal');
    expect((await get('sys/seal-status', null)).json).toMatchObject({
      sealed: true,
      t: 1,
      n: 1,
    });
    await put('sys/unseal', { key: unsealKey }, null);
    expect((await get('shelf/echo/x')).status).toBe(200);
  });

  test('cannot be closed without permission', async () => {
    const { ask, createToken, policy } = await secrets();
    await policy('update', 'path "sys/seal" { capabilities = ["update"] }');
    await policy('sudo', 'path "sys/seal" { capabilities = ["update", "sudo"] }');
    const token = async (name: string) => (await createToken({ policies: [name] })).client_token;
    expect((await ask('PUT', 'sys/seal', { token: await token('update') })).status).toBe(403);
    expect((await ask('PUT', 'sys/seal', { token: await token('sudo') })).status).toBe(204);
  });
});
