import { describe, expect, test } from 'vitest';
import { Policies } from '../../../../../src/services/secrets/model/policies.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { folder } from '../../support.ts';
import { data, outcome, secrets } from '../support.ts';

const reads = (path: string) => `path "${path}" { capabilities = ["read"] }`;

describe('policies in a data directory', () => {
  test('apply after a restart', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory });
    await first.policy('reader', reads('shelf/echo/*'));
    await first.policy('denied', 'path "shelf/echo/x" { capabilities = ["deny"] }');
    const { client_token: token } = await first.createToken({ policies: ['reader', 'denied'] });
    await first.close();
    const { get } = await secrets({ dataDirectory: directory });
    const status = async (path: string) => (await get(`shelf/echo/${path}`, token)).status;
    expect([await status('a'), await status('x')]).toEqual([200, 403]);
    expect(data(await get('sys/policies/acl/reader'))?.policy).toBe(reads('shelf/echo/*'));
  });

  test('include a default policy that was overwritten', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory });
    await first.policy('default', reads('shelf/echo/mine'));
    const { client_token: token } = await first.createToken({ policies: ['default'] });
    await first.close();
    const { get } = await secrets({ dataDirectory: directory });
    expect(data(await get('sys/policies/acl/default'))?.policy).toBe(reads('shelf/echo/mine'));
    expect((await get('shelf/echo/mine', token)).status).toBe(200);
    expect((await get('auth/token/lookup-self', token)).status).toBe(403);
  });

  test('do not include deleted ones after a restart', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory });
    await first.policy('reader', reads('shelf/echo/*'));
    const { client_token: token } = await first.createToken({ policies: ['reader'] });
    await first.remove('sys/policies/acl/reader');
    expect((await first.get('shelf/echo/a', token)).status).toBe(403);
    await first.close();
    const { get, list } = await secrets({ dataDirectory: directory });
    expect((await get('shelf/echo/a', token)).status).toBe(403);
    expect(data(await list('sys/policies/acl'))).toEqual({ keys: ['default', 'root'] });
  });
});

describe('policies', () => {
  test('are listed in order, including root', async () => {
    const { policy, list } = await secrets();
    for (const name of ['zeta', 'alpha']) await policy(name, '# nothing');
    expect(data(await list('sys/policies/acl'))?.keys).toEqual(['alpha', 'default', 'root', 'zeta']);
  });

  test('include root, which is empty and cannot be deleted', async () => {
    const { get, remove } = await secrets();
    expect(data(await get('sys/policies/acl/root'))).toEqual({ name: 'root', policy: '' });
    expect(outcome(await remove('sys/policies/acl/root'))).toBe('400 cannot delete "root" policy');
  });

  test('have at most 65536 characters', async () => {
    const { put } = await secrets();
    const write = async (length: number) =>
      outcome(await put('sys/policies/acl/p', { policy: '#'.repeat(length) }));
    expect(await write(65_536)).toBe('204');
    expect(await write(65_537)).toBe('400 policy longer than 65536 characters');
  });

  test('are distinguished where their joined names are equal', async () => {
    const { createToken, policy, get } = await secrets();
    await policy('ab', reads('shelf/echo/secret'));
    await policy('a', '# nothing');
    const token = async (...policies: string[]) =>
      (await createToken({ policies, no_default_policy: true })).client_token;
    const read = async (as: string) => (await get('shelf/echo/secret', as)).status;
    expect(await read(await token('ab', 'c'))).toBe(200);
    expect(await read(await token('a', 'bc'))).toBe(403);
    expect(await read(await token('a,b'))).toBe(403);
    expect(await read(await token('abc'))).toBe(403);
  });

  test('are combined once for each set of names, and at most 1000 sets are cached', async () => {
    const policies = new Policies(memoryStorage(), () => new Date());
    await policies.put('a', reads('x'));
    const first = policies.acl(['a']);
    expect(policies.acl(['b'])).not.toBe(first);
    expect(policies.acl(['a'])).toBe(first);
    for (let count = 2; count < 1000; count++) policies.acl([`other-${count}`]);
    expect(policies.acl(['a'])).toBe(first);
    policies.acl(['one-too-many']);
    expect(policies.acl(['a'])).not.toBe(first);
    expect(policies.acl(['a']).allows('x', 'read')).toBe(true);
    const second = policies.acl(['a']);
    await policies.put('b', reads('y'));
    expect(policies.acl(['a'])).not.toBe(second);
  });
});

describe('the default policy', () => {
  const permitted = [
    ['GET', 'auth/token/lookup-self', undefined, 200],
    ['POST', 'auth/token/renew-self', {}, 200],
    ['POST', 'sys/capabilities-self', { paths: ['x'] }, 200],
    ['GET', 'sys/internal/ui/mounts/shelf/x', undefined, 200],
    ['POST', 'sys/leases/lookup', { lease_id: 'none' }, 400],
    ['POST', 'sys/leases/renew', { lease_id: 'none' }, 400],
    ['POST', 'auth/token/revoke-self', {}, 204],
  ] as const;

  test('permits a token to look up, renew and revoke itself', async () => {
    const { ask, createToken, policy, get } = await secrets();
    await policy('reader', reads('shelf/x'));
    const { client_token: token } = await createToken({ policies: ['reader'] });
    const bare = (await createToken({ policies: ['reader'], no_default_policy: true })).client_token;
    for (const [method, path, body, status] of permitted) {
      const more = body === undefined ? {} : { body };
      expect((await ask(method, path, { token: bare, ...more })).status, path).toBe(403);
      expect((await ask(method, path, { token, ...more })).status, path).toBe(status);
    }
    expect((await get('shelf/x', token)).status).toBe(403);
    expect((await get('shelf/x', bare)).status).toBe(200);
  });

  test('permits nothing else', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'] });
    for (const [method, path] of [
      ['POST', 'auth/token/create'],
      ['POST', 'auth/token/lookup'],
      ['POST', 'auth/token/revoke'],
      ['GET', 'sys/mounts'],
      ['LIST', 'sys/policies/acl'],
      ['GET', 'sys/policies/acl/default'],
      ['POST', 'sys/leases/revoke'],
      ['GET', 'sys/internal/ui/mounts/shelf'],
    ] as const)
      expect((await ask(method, path, { token })).status, path).toBe(403);
  });
});
