import { expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { folder } from '../support.ts';
import { decorated } from './engine-calls.ts';
import { data, errors, secrets } from './support.ts';

test('a cubbyhole has secrets of one token', async () => {
  const { ask, createToken } = await secrets();
  const { client_token: token } = await createToken({ policies: ['default'] });
  const body = { x: 1, y: { z: [1] } };
  expect((await ask('POST', 'cubbyhole/dir/a', { token, body })).status).toBe(204);
  expect((await ask('PUT', 'cubbyhole/b', { token, body: { b: true } })).status).toBe(204);
  expect(data(await ask('GET', 'cubbyhole/dir/a', { token }))).toEqual(body);
  expect(data(await ask('LIST', 'cubbyhole', { token }))).toEqual({ keys: ['b', 'dir/'] });
  expect(data(await ask('LIST', 'cubbyhole/dir', { token }))).toEqual({ keys: ['a'] });
  expect(data(await ask('GET', 'cubbyhole?list=true', { token }))).toEqual({ keys: ['b', 'dir/'] });
  expect(errors(await ask('GET', 'cubbyhole/b'))).toEqual([404, []]);
  expect(errors(await ask('LIST', 'cubbyhole'))).toEqual([404, []]);
  expect((await ask('DELETE', 'cubbyhole/dir/a', { token })).status).toBe(204);
  expect((await ask('DELETE', 'cubbyhole/dir/a', { token })).status).toBe(204);
  expect(errors(await ask('GET', 'cubbyhole/dir/a', { token }))).toEqual([404, []]);
});

test('a write to a cubbyhole creates or updates, by what the token has', async () => {
  const { ask, createToken, policy } = await secrets();
  await policy('create', 'path "cubbyhole/*" { capabilities = ["create", "read"] }');
  await policy('update', 'path "cubbyhole/*" { capabilities = ["update", "read"] }');
  const write = async (name: string) => {
    const { client_token: token } = await createToken({ policies: [name], no_default_policy: true });
    const put = async () => (await ask('PUT', 'cubbyhole/a', { token, body: { x: 1 } })).status;
    return [await put(), await put()];
  };
  await ask('PUT', 'cubbyhole/a', { body: { x: 1 } });
  expect(await write('create')).toEqual([204, 403]);
  expect(await write('update')).toEqual([403, 403]);
});

test('a cubbyhole rejects what is not a secret', async () => {
  const { ask, createToken } = await secrets();
  expect(errors(await ask('POST', 'cubbyhole/a', { body: {} }))).toEqual([400, ['missing data fields']]);
  expect(errors(await ask('POST', 'cubbyhole', { body: { a: 1 } }))).toEqual([400, ['missing path']]);
  expect(errors(await ask('GET', 'cubbyhole'))).toEqual([400, ['missing path']]);
  expect(errors(await ask('GET', 'cubbyhole/a', { token: null }))).toEqual([403, ['permission denied']]);
  const { client_token: token } = await createToken({ policies: ['none'], no_default_policy: true });
  expect(errors(await ask('GET', 'cubbyhole/a', { token }))).toEqual([403, [decorated('permission denied')]]);
  const patch = { body: { a: 1 }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  expect((await ask('PATCH', 'cubbyhole/a', patch)).status).toBe(405);
});

test('cubbyholes are mounted in each namespace, and fixed', async () => {
  const { ask } = await secrets({ engines });
  await ask('POST', 'sys/namespaces/ns1', { body: {} });
  await ask('POST', 'cubbyhole/a', { body: { x: 1 } });
  expect(errors(await ask('GET', 'ns1/cubbyhole/a'))).toEqual([404, []]);
  await ask('POST', 'ns1/cubbyhole/a', { body: { x: 2 } });
  expect(data(await ask('GET', 'cubbyhole/a'))).toEqual({ x: 1 });
  for (const prefix of ['', 'ns1/'])
    expect(data(await ask('GET', `${prefix}sys/mounts`))).toMatchObject({
      'cubbyhole/': { type: 'cubbyhole', local: true },
    });
  expect(errors(await ask('DELETE', 'sys/mounts/cubbyhole'))).toEqual([
    400,
    [expect.stringMatching(/^cannot unmount "cubbyhole/)],
  ]);
  const tuned = { body: { max_lease_ttl: '1h' } };
  expect((await ask('POST', 'sys/mounts/cubbyhole/tune', tuned)).status).toBe(400);
  for (const body of [{ type: 'kv' }, { type: 'cubbyhole' }])
    expect((await ask('POST', 'sys/mounts/cubbyhole', { body })).status).toBe(400);
  expect((await ask('POST', 'sys/mounts/other', { body: { type: 'cubbyhole' } })).status).toBe(400);
  await ask('DELETE', 'sys/namespaces/ns1');
  await ask('POST', 'sys/namespaces/ns1', { body: {} });
  expect(errors(await ask('GET', 'ns1/cubbyhole/a'))).toEqual([404, []]);
});

test('a cubbyhole is durable, and removed with its token', async () => {
  const dataDirectory = await folder();
  const first = await secrets({ dataDirectory });
  const id = 'custom-token-1';
  await first.createToken({ id, policies: ['default'] });
  await first.ask('POST', 'cubbyhole/a', { token: id, body: { x: 1 } });
  await first.close();
  const second = await secrets({ dataDirectory });
  expect(data(await second.ask('GET', 'cubbyhole/a', { token: id }))).toEqual({ x: 1 });
  await second.ask('POST', 'auth/token/revoke', { body: { token: id } });
  await second.createToken({ id, policies: ['default'] });
  expect(errors(await second.ask('GET', 'cubbyhole/a', { token: id }))).toEqual([404, []]);
});
