import { expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { folder } from '../support.ts';
import { data, denied, outcome, secrets } from './support.ts';

test('a cubbyhole has secrets of one token', async () => {
  const { ask, createToken, post, get, list, remove } = await secrets();
  const { client_token: token } = await createToken({ policies: ['default'] });
  const body = { x: 1, y: { z: [1] } };
  expect((await post('cubbyhole/dir/a', body, token)).status).toBe(204);
  expect((await ask('PUT', 'cubbyhole/b', { token, body: { b: true } })).status).toBe(204);
  expect(data(await get('cubbyhole/dir/a', token))).toEqual(body);
  expect(data(await list('cubbyhole', token))).toEqual({ keys: ['b', 'dir/'] });
  expect(data(await list('cubbyhole/dir', token))).toEqual({ keys: ['a'] });
  expect(data(await get('cubbyhole?list=true', token))).toEqual({ keys: ['b', 'dir/'] });
  expect(outcome(await get('cubbyhole/b'))).toBe('404');
  expect(outcome(await list('cubbyhole'))).toBe('404');
  expect((await remove('cubbyhole/dir/a', token)).status).toBe(204);
  expect((await remove('cubbyhole/dir/a', token)).status).toBe(204);
  expect(outcome(await get('cubbyhole/dir/a', token))).toBe('404');
});

test('a write to a cubbyhole creates or updates, depending on whether the token has the secret', async () => {
  const { put, createToken, policy } = await secrets();
  await put('cubbyhole/a', { x: 1 });
  for (const [capability, statuses] of [
    ['create', [204, 403]],
    ['update', [403, 403]],
  ] as const) {
    await policy(capability, `path "cubbyhole/*" { capabilities = ["${capability}", "read"] }`);
    const { client_token: token } = await createToken({ policies: [capability], no_default_policy: true });
    for (const status of statuses) expect((await put('cubbyhole/a', { x: 1 }, token)).status).toBe(status);
  }
});

test('a cubbyhole rejects requests without a path, fields, token or permission', async () => {
  const { ask, createToken, post, get } = await secrets();
  expect(outcome(await post('cubbyhole/a'))).toBe('400 missing data fields');
  expect(outcome(await post('cubbyhole', { a: 1 }))).toBe('400 missing path');
  expect(outcome(await get('cubbyhole'))).toBe('400 missing path');
  expect(outcome(await get('cubbyhole/a', null))).toBe('403 permission denied');
  const { client_token: token } = await createToken({ policies: ['none'], no_default_policy: true });
  expect(outcome(await get('cubbyhole/a', token))).toBe(denied);
  const patch = { body: { a: 1 }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  expect((await ask('PATCH', 'cubbyhole/a', patch)).status).toBe(405);
});

test('cubbyholes are mounted in each namespace, and fixed', async () => {
  const { post, get, remove } = await secrets({ engines });
  await post('sys/namespaces/ns1');
  await post('cubbyhole/a', { x: 1 });
  expect(outcome(await get('ns1/cubbyhole/a'))).toBe('404');
  await post('ns1/cubbyhole/a', { x: 2 });
  expect(data(await get('cubbyhole/a'))).toEqual({ x: 1 });
  for (const prefix of ['', 'ns1/'])
    expect(data(await get(`${prefix}sys/mounts`))).toMatchObject({
      'cubbyhole/': { type: 'cubbyhole', local: true },
    });
  expect(outcome(await remove('sys/mounts/cubbyhole'))).toMatch(/^400 cannot unmount "cubbyhole/);
  expect((await post('sys/mounts/cubbyhole/tune', { max_lease_ttl: '1h' })).status).toBe(400);
  for (const body of [{ type: 'kv' }, { type: 'cubbyhole' }])
    expect((await post('sys/mounts/cubbyhole', body)).status).toBe(400);
  expect((await post('sys/mounts/other', { type: 'cubbyhole' })).status).toBe(400);
  await remove('sys/namespaces/ns1');
  await post('sys/namespaces/ns1');
  expect(outcome(await get('ns1/cubbyhole/a'))).toBe('404');
});

test('a cubbyhole is durable, and removed with its token', async () => {
  const dataDirectory = await folder();
  const first = await secrets({ dataDirectory });
  const id = 'custom-token-1';
  await first.createToken({ id, policies: ['default'] });
  await first.post('cubbyhole/a', { x: 1 }, id);
  await first.close();
  const second = await secrets({ dataDirectory });
  expect(data(await second.get('cubbyhole/a', id))).toEqual({ x: 1 });
  await second.post('auth/token/revoke', { token: id });
  await second.createToken({ id, policies: ['default'] });
  expect(outcome(await second.get('cubbyhole/a', id))).toBe('404');
});
