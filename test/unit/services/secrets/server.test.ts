import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { folder } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

describe('sys/tools', () => {
  test('random returns as many bytes as asked for', async () => {
    const { ask } = await secrets();
    const bytes = async (path: string, body: Record<string, string | number> = {}) => {
      const reply = await ask('POST', `sys/tools/random${path}`, { body });
      const encoding = body.format === 'hex' ? 'hex' : 'base64';
      return Buffer.from(String(data(reply)?.random_bytes), encoding).length;
    };
    expect(await bytes('')).toBe(32);
    expect(await bytes('', { bytes: 5, format: 'hex' })).toBe(5);
    expect(await bytes('/7')).toBe(7);
    expect(await bytes('/platform/9')).toBe(9);
    expect(await bytes('', { bytes: 131_072 })).toBe(131_072);
    const sealed = await ask('POST', 'sys/tools/random/seal', { body: {} });
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
    const { ask } = await secrets();
    expect(errors(await ask('POST', `sys/tools/random${path}`, { body: body as never }))).toEqual([
      400,
      [message],
    ]);
  });

  test('hash returns the hash of the decoded input, also with the policy default', async () => {
    const { ask, createToken } = await secrets();
    const { client_token: token } = await createToken({ policies: ['default'] });
    const input = Buffer.from('hello').toString('base64');
    const sum = async (path: string, body: Record<string, string> = {}) =>
      data(await ask('POST', `sys/tools/hash${path}`, { token, body: { input, ...body } }))?.sum;
    expect(await sum('')).toBe(createHash('sha256').update('hello').digest('hex'));
    expect(await sum('/sha2-512', { format: 'base64' })).toBe(
      createHash('sha512').update('hello').digest('base64'),
    );
    expect(await sum('', { algorithm: 'sha3-256' })).toBe(
      createHash('sha3-256').update('hello').digest('hex'),
    );
    for (const [body, message] of [
      [{ input: 'hello' }, 'unable to decode input as base64: illegal base64 data'],
      [{ algorithm: 'md5' }, 'unsupported algorithm md5'],
      [{ format: 'x' }, 'unsupported encoding format "x"; must be "hex" or "base64"'],
    ] as const) {
      expect(errors(await ask('POST', 'sys/tools/hash', { body: { input, ...body } }))).toEqual([
        400,
        [message],
      ]);
    }
    expect((await ask('POST', 'sys/tools/random', { token, body: {} })).status).toBe(403);
  });
});

describe('sys/', () => {
  test('version-history and key-status have the time of the first start, which a restart keeps', async () => {
    const directory = await folder();
    const first = await secrets({ dataDirectory: directory, clock: () => new Date('2026-01-01T00:00:00Z') });
    await first.close();
    const { ask } = await secrets({ dataDirectory: directory, version: '9.9.9' });
    expect(data(await ask('LIST', 'sys/version-history'))).toEqual({
      keys: ['9.8.7', '9.9.9'],
      key_info: {
        '9.8.7': { timestamp_installed: '2026-01-01T00:00:00.000Z', previous_version: null, commit_date: '' },
        '9.9.9': { timestamp_installed: expect.any(String), previous_version: '9.8.7', commit_date: '' },
      },
    });
    expect(data(await ask('GET', 'sys/key-status'))).toEqual({
      term: 1,
      install_time: '2026-01-01T00:00:00.000Z',
    });
    expect((await ask('GET', 'sys/version-history')).status).toBe(405);
  });

  test('rotate and rekey are rejected', async () => {
    const { ask } = await secrets();
    for (const path of ['rotate', 'rotate/keyring', 'rekey/init'])
      expect(errors(await ask('POST', `sys/${path}`, { body: {} }))).toEqual([
        400,
        ['key rotation is not supported'],
      ]);
  });

  test('ha-status has this node', async () => {
    const { ask } = await secrets();
    expect(data(await ask('GET', 'sys/ha-status'))?.nodes).toMatchObject([
      { active_node: true, version: '9.8.7' },
    ]);
  });

  test('plugins/catalog lists the engines and auth methods, which are built in', async () => {
    const { ask, policy, createToken } = await secrets({ engines });
    const builtin = { builtin: true, deprecation_status: 'supported', version: 'v9.8.7+builtin.lanyard' };
    expect(data(await ask('GET', 'sys/plugins/catalog'))).toMatchObject({
      auth: ['approle', 'jwt', 'userpass'],
      secret: ['kv', 'ssh'],
      detailed: expect.arrayContaining([{ name: 'kv', type: 'secret', ...builtin }]),
    });
    expect(data(await ask('LIST', 'sys/plugins/catalog/auth'))?.keys).toEqual(['approle', 'jwt', 'userpass']);
    expect(data(await ask('GET', 'sys/plugins/catalog/secret/kv'))).toMatchObject({ name: 'kv', ...builtin });
    expect((await ask('GET', 'sys/plugins/catalog/secret/none')).status).toBe(404);
    expect(errors(await ask('POST', 'sys/plugins/catalog/secret/x', { body: { command: 'x' } }))).toEqual([
      400,
      ['plugins are not supported'],
    ]);
    await policy('some', 'path "sys/plugins/*" { capabilities = ["read", "list"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    expect((await ask('GET', 'sys/plugins/catalog', { token })).status).toBe(200);
    expect((await ask('GET', 'sys/plugins/catalog/secret/kv', { token })).status).toBe(403);
  });
});

describe('auth/token/revoke-orphan', () => {
  test('revokes a token and keeps its child tokens', async () => {
    const { ask, createToken } = await secrets();
    const parent = await createToken({ policies: ['root'], ttl: '1h' });
    const child = await createToken({ policies: ['default'] }, { token: parent.client_token });
    const revoke = () => ask('POST', 'auth/token/revoke-orphan', { body: { token: parent.client_token } });
    expect((await revoke()).status).toBe(204);
    const lookup = (token: string) => ask('GET', 'auth/token/lookup-self', { token });
    expect((await lookup(parent.client_token)).status).toBe(403);
    expect(data(await lookup(child.client_token))).toMatchObject({ orphan: true });
    expect(errors(await revoke())).toEqual([400, ['token to revoke not found']]);
    expect(errors(await ask('POST', 'auth/token/revoke-orphan', { body: {} }))).toEqual([
      400,
      ['missing token ID'],
    ]);
  });

  test('requires sudo, and revokes the leases of the token', async () => {
    const { ask, policy, createToken } = await secrets();
    await policy('some', 'path "auth/token/revoke-orphan" { capabilities = ["update"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    const body = { token };
    expect(errors(await ask('POST', 'auth/token/revoke-orphan', { token, body }))).toEqual([
      400,
      ['root or sudo privileges required to revoke and orphan'],
    ]);
    const owner = await createToken({ policies: ['root'] });
    const lent = await ask('PUT', 'shelf/lent/a', { token: owner.client_token, body: {} });
    await ask('POST', 'auth/token/revoke-orphan', { body: { token: owner.client_token } });
    const lookup = await ask('PUT', 'sys/leases/lookup', { body: { lease_id: lent.json?.lease_id ?? '' } });
    expect(errors(lookup)).toEqual([400, ['invalid lease']]);
  });
});

describe('detailed-metadata of a key-value mount', () => {
  test('lists names with the metadata of keys', async () => {
    const { ask, policy, createToken } = await secrets({ engines });
    await ask('POST', 'sys/mounts/kv2', { body: { type: 'kv-v2' } });
    await ask('POST', 'kv2/data/a/b', { body: { data: { x: 1 } } });
    await ask('POST', 'kv2/data/a/c/d', { body: { data: { x: 1 } } });
    expect(data(await ask('LIST', 'kv2/detailed-metadata/a'))).toEqual({
      keys: ['b', 'c/'],
      key_info: { b: data(await ask('GET', 'kv2/metadata/a/b')), 'c/': {} },
    });
    expect(data(await ask('LIST', 'kv2/detailed-metadata'))?.keys).toEqual(['a/']);
    expect((await ask('LIST', 'kv2/detailed-metadata/none')).status).toBe(404);
    await policy('some', 'path "kv2/metadata/*" { capabilities = ["list"] }');
    const { client_token: token } = await createToken({ policies: ['some'] });
    expect(errors(await ask('LIST', 'kv2/detailed-metadata/a', { token }))).toEqual([
      403,
      [decorated('permission denied')],
    ]);
  });
});

describe('SCAN', () => {
  async function keys() {
    const service = await secrets({ engines });
    const { ask } = service;
    await ask('POST', 'sys/mounts/kv1', { body: { type: 'kv-v1' } });
    await ask('POST', 'sys/mounts/kv2', { body: { type: 'kv-v2' } });
    for (const key of ['a/b', 'a/c/d', 'e']) {
      await ask('POST', `kv1/${key}`, { body: { x: 1 } });
      await ask('POST', `kv2/data/${key}`, { body: { data: { x: 1 } } });
    }
    return service;
  }

  test('lists all keys below a path', async () => {
    const { ask } = await keys();
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
    expect((await ask('GET', 'kv1?scan=maybe')).status).toBe(400);
  });

  test('requires the capability scan', async () => {
    const { ask, policy, createToken } = await keys();
    const { client_token: token } = await createToken({ policies: ['some'] });
    await policy('some', 'path "kv1/*" { capabilities = ["list"] }');
    expect((await ask('SCAN', 'kv1', { token })).status).toBe(403);
    expect((await ask('GET', 'kv1?scan=true', { token })).status).toBe(403);
    await policy('some', 'path "kv1/*" { capabilities = ["scan"] }');
    expect(data(await ask('SCAN', 'kv1', { token }))?.keys).toHaveLength(3);
    expect((await ask('LIST', 'kv1', { token })).status).toBe(403);
    const body = { paths: ['kv1/'] };
    expect(data(await ask('POST', 'sys/capabilities-self', { token, body }))?.capabilities).toEqual(['scan']);
  });

  test('lists all namespaces', async () => {
    const { ask } = await secrets();
    for (const path of ['sys/namespaces/a', 'a/sys/namespaces/b', 'sys/namespaces/c'])
      expect((await ask('POST', path, { body: {} })).status).toBe(200);
    expect(data(await ask('SCAN', 'sys/namespaces'))?.keys).toEqual(['a/', 'a/b/', 'c/']);
    expect(data(await ask('SCAN', 'a/sys/namespaces'))?.keys).toEqual(['b/']);
  });
});

test('sys/step-down changes nothing, because there is one node, and requires sudo', async () => {
  const { ask, policy, createToken } = await secrets();
  expect((await ask('PUT', 'sys/step-down')).status).toBe(204);
  expect((await ask('GET', 'sys/health')).status).toBe(200);
  await policy('some', 'path "sys/step-down" { capabilities = ["update"] }');
  const { client_token: token } = await createToken({ policies: ['some'] });
  expect((await ask('PUT', 'sys/step-down', { token })).status).toBe(403);
});
