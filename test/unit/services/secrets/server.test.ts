import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { folder } from '../support.ts';
import { data, denied, outcome, secrets } from './support.ts';

describe('sys/tools', () => {
  test('random returns the requested number of bytes', async () => {
    const { post } = await secrets();
    for (const [path, body, length] of [
      ['', {}, 32],
      ['', { bytes: 5, format: 'hex' }, 5],
      ['/7', {}, 7],
      ['/platform/9', {}, 9],
      ['', { bytes: 131_072 }, 131_072],
    ] as const) {
      const { random_bytes } = data(await post(`sys/tools/random${path}`, body)) ?? {};
      const encoding = 'format' in body ? body.format : 'base64';
      expect(Buffer.from(String(random_bytes), encoding)).toHaveLength(length);
    }
    const sealed = await post('sys/tools/random/seal');
    expect(sealed.json?.warnings).toEqual([
      'no seal/entropy augmentation available, using platform entropy source',
    ]);
  });

  test.each([
    ['', { bytes: 0 }, "'bytes' cannot be less than 1"],
    ['', { bytes: 131_073 }, "'bytes' should be less than 131072"],
    ['/0', {}, "'bytes' cannot be less than 1"],
    ['/x', {}, 'error parsing url-set byte count: "x"'],
    ['', { format: 'x' }, 'unsupported encoding format "x"; must be "hex" or "base64"'],
  ])('random%s with %j is rejected', async (path, body, message) => {
    const { post } = await secrets();
    expect(outcome(await post(`sys/tools/random${path}`, body as never))).toBe(`400 ${message}`);
  });

  test('hash returns the hash of the decoded input, also with the policy default', async () => {
    const { createToken, post } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'] });
    const input = Buffer.from('hello').toString('base64');
    for (const [path, body, algorithm, format] of [
      ['', {}, 'sha256', 'hex'],
      ['/sha2-512', { format: 'base64' }, 'sha512', 'base64'],
      ['', { algorithm: 'sha3-256' }, 'sha3-256', 'hex'],
    ] as const)
      expect(data(await post(`sys/tools/hash${path}`, { input, ...body }, token))).toEqual({
        sum: createHash(algorithm).update('hello').digest(format),
      });
    for (const [body, message] of [
      [{ input: 'hello' }, 'unable to decode input as base64: illegal base64 data'],
      [{ algorithm: 'md5' }, 'unsupported algorithm md5'],
      [{ format: 'x' }, 'unsupported encoding format "x"; must be "hex" or "base64"'],
    ] as const) {
      expect(outcome(await post('sys/tools/hash', { input, ...body }))).toBe(`400 ${message}`);
    }
    expect((await post('sys/tools/random', {}, token)).status).toBe(403);
  });
});

describe('sys/', () => {
  test('version-history and key-status have the time of the first start, which a restart keeps', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory, clock: () => new Date('2026-01-01T00:00:00Z') });
    await first.close();
    const { get, list } = await secrets({ dataDirectory: directory, version: '9.9.9' });
    expect(data(await list('sys/version-history'))).toEqual({
      keys: ['9.8.7', '9.9.9'],
      key_info: {
        '9.8.7': { timestamp_installed: '2026-01-01T00:00:00.000Z', previous_version: null, commit_date: '' },
        '9.9.9': { timestamp_installed: expect.any(String), previous_version: '9.8.7', commit_date: '' },
      },
    });
    const status = { term: 1, install_time: '2026-01-01T00:00:00.000Z' };
    expect(data(await get('sys/key-status'))).toEqual(status);
    expect((await get('sys/version-history')).status).toBe(405);
  });

  test('rotate and rekey are rejected', async () => {
    const { post } = await secrets();
    for (const path of ['rotate', 'rotate/keyring', 'rekey/init'])
      expect(outcome(await post(`sys/${path}`))).toBe('400 key rotation is not supported');
  });

  test('ha-status has this node', async () => {
    const { get } = await secrets();
    expect(data(await get('sys/ha-status'))?.nodes).toMatchObject([{ active_node: true, version: '9.8.7' }]);
  });

  test('plugins/catalog lists the engines and auth methods, which are built in', async () => {
    const { post, get, list, tokenWith } = await secrets({ engines });
    const builtin = { builtin: true, deprecation_status: 'supported', version: 'v9.8.7+builtin.lanyard' };
    expect(data(await get('sys/plugins/catalog'))).toMatchObject({
      auth: ['approle', 'jwt', 'userpass'],
      secret: ['kv', 'ssh'],
      detailed: expect.arrayContaining([{ name: 'kv', type: 'secret', ...builtin }]),
    });
    expect(data(await list('sys/plugins/catalog/auth'))?.keys).toEqual(['approle', 'jwt', 'userpass']);
    expect(data(await get('sys/plugins/catalog/secret/kv'))).toMatchObject({ name: 'kv', ...builtin });
    expect((await get('sys/plugins/catalog/secret/none')).status).toBe(404);
    expect(outcome(await post('sys/plugins/catalog/secret/x', { command: 'x' }))).toBe(
      '400 plugins are not supported',
    );
    const token = await tokenWith('path "sys/plugins/*" { capabilities = ["read", "list"] }');
    expect((await get('sys/plugins/catalog', token)).status).toBe(200);
    expect((await get('sys/plugins/catalog/secret/kv', token)).status).toBe(403);
  });
});

describe('auth/token/revoke-orphan', () => {
  test('revokes a token and keeps its child tokens', async () => {
    const { createToken, post, get } = await secrets();
    const parent = await createToken({ policies: ['root'], ttl: '1h' });
    const child = await createToken({ policies: ['default'] }, { token: parent.client_token });
    const revoke = () => post('auth/token/revoke-orphan', { token: parent.client_token });
    expect((await revoke()).status).toBe(204);
    const lookup = (token: string) => get('auth/token/lookup-self', token);
    expect((await lookup(parent.client_token)).status).toBe(403);
    expect(data(await lookup(child.client_token))).toMatchObject({ orphan: true });
    expect(outcome(await revoke())).toBe('400 token to revoke not found');
    expect(outcome(await post('auth/token/revoke-orphan'))).toBe('400 missing token ID');
  });

  test('requires sudo, and revokes the leases of the token', async () => {
    const { createToken, post, put, tokenWith } = await secrets();
    const token = await tokenWith('path "auth/token/revoke-orphan" { capabilities = ["update"] }');
    const body = { token };
    expect(outcome(await post('auth/token/revoke-orphan', body, token))).toBe(
      '400 root or sudo privileges required to revoke and orphan',
    );
    const owner = await createToken({ policies: ['root'] });
    const lent = await put('shelf/lent/a', {}, owner.client_token);
    await post('auth/token/revoke-orphan', { token: owner.client_token });
    const lookup = await put('sys/leases/lookup', { lease_id: lent.json?.lease_id ?? '' });
    expect(outcome(lookup)).toBe('400 invalid lease');
  });
});

describe('detailed-metadata of a key-value mount', () => {
  test('lists names with the metadata of keys', async () => {
    const { post, get, list, tokenWith } = await secrets({ engines });
    await post('sys/mounts/kv2', { type: 'kv-v2' });
    await post('kv2/data/a/b', { data: { x: 1 } });
    await post('kv2/data/a/c/d', { data: { x: 1 } });
    expect(data(await list('kv2/detailed-metadata/a'))).toEqual({
      keys: ['b', 'c/'],
      key_info: { b: data(await get('kv2/metadata/a/b')), 'c/': {} },
    });
    expect(data(await list('kv2/detailed-metadata'))?.keys).toEqual(['a/']);
    expect((await list('kv2/detailed-metadata/none')).status).toBe(404);
    const token = await tokenWith('path "kv2/metadata/*" { capabilities = ["list"] }');
    expect(outcome(await list('kv2/detailed-metadata/a', token))).toBe(denied);
  });
});

describe('SCAN', () => {
  async function keys() {
    const service = await secrets({ engines });
    const { post } = service;
    await post('sys/mounts/kv1', { type: 'kv-v1' });
    await post('sys/mounts/kv2', { type: 'kv-v2' });
    for (const key of ['a/b', 'a/c/d', 'e']) {
      await post(`kv1/${key}`, { x: 1 });
      await post(`kv2/data/${key}`, { data: { x: 1 } });
    }
    return service;
  }

  test('lists all keys below a path', async () => {
    const { ask, get } = await keys();
    const scan = async (path: string, method = 'SCAN') => data(await ask(method, path))?.keys;
    for (const mount of ['kv1', 'kv2/metadata', 'kv2/detailed-metadata']) {
      expect(await scan(mount), mount).toEqual(['a/b', 'a/c/d', 'e']);
      expect(await scan(`${mount}/a/`), mount).toEqual(['b', 'c/d']);
      expect(await scan(`${mount}/a?scan=true`, 'GET'), mount).toEqual(['b', 'c/d']);
    }
    const detailed = data(await ask('SCAN', 'kv2/detailed-metadata'));
    expect(Object.keys(detailed?.key_info as object)).toEqual(['a/b', 'a/c/d', 'e']);
    for (const path of ['kv1/none', 'kv2/metadata/none', 'kv2/detailed-metadata/none'])
      expect((await ask('SCAN', path)).json).toMatchObject({ data: {} });
    expect((await ask('SCAN', 'sys/policies/acl')).status).toBe(405);
    expect((await get('kv1?scan=maybe')).status).toBe(400);
  });

  test('requires the capability scan', async () => {
    const { ask, policy, createToken, post, get, list } = await keys();
    const { client_token: token } = await createToken({ policies: ['some'] });
    await policy('some', 'path "kv1/*" { capabilities = ["list"] }');
    expect((await ask('SCAN', 'kv1', { token })).status).toBe(403);
    expect((await get('kv1?scan=true', token)).status).toBe(403);
    await policy('some', 'path "kv1/*" { capabilities = ["scan"] }');
    expect(data(await ask('SCAN', 'kv1', { token }))?.keys).toHaveLength(3);
    expect((await list('kv1', token)).status).toBe(403);
    const body = { paths: ['kv1/'] };
    expect(data(await post('sys/capabilities-self', body, token))?.capabilities).toEqual(['scan']);
  });

  test('lists all namespaces', async () => {
    const { ask, post } = await secrets();
    for (const path of ['sys/namespaces/a', 'a/sys/namespaces/b', 'sys/namespaces/c'])
      expect((await post(path)).status).toBe(200);
    expect(data(await ask('SCAN', 'sys/namespaces'))?.keys).toEqual(['a/', 'a/b/', 'c/']);
    expect(data(await ask('SCAN', 'a/sys/namespaces'))?.keys).toEqual(['b/']);
  });
});

test('sys/step-down changes nothing, because there is one node, and requires sudo', async () => {
  const { ask, policy, createToken, get } = await secrets();
  expect((await ask('PUT', 'sys/step-down')).status).toBe(204);
  expect((await get('sys/health')).status).toBe(200);
  await policy('some', 'path "sys/step-down" { capabilities = ["update"] }');
  const { client_token: token } = await createToken({ policies: ['some'] });
  expect((await ask('PUT', 'sys/step-down', { token })).status).toBe(403);
});
