import { expect, test } from 'vitest';
import { registry } from './support.ts';

test('a session has defaults, is read, listed and destroyed', async () => {
  const { json, said } = await registry();
  const { ID } = await json('PUT', 'session/create');
  expect(await json('GET', `session/info/${ID}`)).toEqual([
    {
      ID,
      Name: '',
      Node: 'lanyard',
      LockDelay: 15_000_000_000,
      Behavior: 'release',
      TTL: '',
      NodeChecks: ['serfHealth'],
      ServiceChecks: null,
      CreateIndex: 2,
      ModifyIndex: 2,
    },
  ]);
  expect(await json('GET', 'session/list')).toHaveLength(1);
  expect(await json('GET', 'session/node/lanyard')).toHaveLength(1);
  expect(await json('GET', 'session/node/other')).toEqual([]);
  expect(await said('PUT', `session/destroy/${ID}`)).toEqual([200, 'true']);
  expect(await said('PUT', `session/destroy/${ID}`)).toEqual([200, 'true']);
  expect(await json('GET', `session/info/${ID}`)).toEqual([]);
  expect(await said('PUT', `session/renew/${ID}`)).toEqual([404, `Session id '${ID}' not found`]);
});

test('an invalid session is rejected', async () => {
  const { said } = await registry();
  const create = (body: unknown) => said('PUT', 'session/create', body);
  expect(await create('{')).toEqual([400, expect.stringMatching(/^Request decode failed: /)]);
  expect(await create({ TTL: '9s' })).toEqual([
    500,
    "Invalid Session TTL '9000000000', must be between [10s=24h0m0s]",
  ]);
  expect(await create({ Behavior: 'keep' })).toEqual([500, "Invalid Behavior setting 'keep'"]);
  expect(await create({ Node: 'nowhere' })).toEqual([500, 'apply failed: Missing node registration']);
  expect(await create({ NodeChecks: ['x'] })).toEqual([500, "apply failed: Missing check 'x' registration"]);
});

test('a key is locked by one session at a time', async () => {
  const { json, said } = await registry();
  const { ID: one } = await json('PUT', 'session/create', { LockDelay: 0 });
  const { ID: two } = await json('PUT', 'session/create', { LockDelay: 0 });
  expect(await said('PUT', 'kv/lock?acquire=anonymous', 'x')).toEqual([
    500,
    'raft apply failed: invalid session "anonymous"',
  ]);
  expect(await said('PUT', `kv/lock?acquire=${one}`, '1')).toEqual([200, 'true']);
  expect(await said('PUT', `kv/lock?acquire=${two}`, '2')).toEqual([200, 'false']);
  expect(await said('PUT', `kv/lock?acquire=${one}`, '3')).toEqual([200, 'true']);
  expect(await said('PUT', 'kv/lock', '4')).toEqual([200, 'true']);
  expect(await json('GET', 'kv/lock')).toMatchObject([{ LockIndex: 1, Session: one, Value: 'NA==' }]);
  expect(await said('PUT', `kv/lock?release=${two}`, '')).toEqual([200, 'false']);
  expect(await said('PUT', `kv/lock?release=${one}`, '')).toEqual([200, 'true']);
  expect((await json('GET', 'kv/lock'))[0]).not.toHaveProperty('Session');
  expect(await said('PUT', `kv/lock?acquire=${two}`, '')).toEqual([200, 'true']);
  expect(await json('GET', 'kv/lock')).toMatchObject([{ LockIndex: 2, Session: two }]);
});

test('a session that ends releases its keys, which cannot be locked for a while, or deletes them', async () => {
  const { json, said, pass } = await registry();
  const { ID: one } = await json('PUT', 'session/create', { LockDelay: 20 });
  const { ID: two } = await json('PUT', 'session/create', { Behavior: 'delete', LockDelay: '0s' });
  await said('PUT', `kv/kept?acquire=${one}`, 'x');
  await said('PUT', `kv/gone?acquire=${two}`, 'x');
  await said('PUT', `session/destroy/${one}`);
  const { ID: next } = await json('PUT', 'session/create');
  expect(await said('PUT', `kv/kept?acquire=${next}`, 'y')).toEqual([200, 'false']);
  pass(21);
  expect(await said('PUT', `kv/kept?acquire=${next}`, 'y')).toEqual([200, 'true']);
  await said('PUT', `session/destroy/${two}`);
  expect(await json('GET', 'kv/?keys')).toEqual(['kept']);
});

test('a session ends when its time to live is over, unless it is renewed', async () => {
  const { json, said, pass } = await registry();
  const { ID } = await json('PUT', 'session/create', { TTL: '30s' });
  await said('PUT', `kv/lock?acquire=${ID}`, 'x');
  pass(29);
  expect(await json('PUT', `session/renew/${ID}`)).toMatchObject([{ ID, TTL: '30s' }]);
  pass(29);
  expect((await json('GET', 'kv/lock'))[0]?.Session).toBe(ID);
  pass(2);
  expect((await json('GET', 'kv/lock'))[0]).not.toHaveProperty('Session');
  expect(await json('GET', 'session/list')).toEqual([]);
});

test('a session ends when a check of a service that it depends on is critical or removed', async () => {
  const { json, said } = await registry();
  const register = (Status: string) =>
    said('PUT', 'catalog/register', {
      Node: 'n',
      Address: '10.0.0.1',
      Service: { Service: 'web' },
      Check: { CheckID: 'c', ServiceID: 'web', Status },
    });
  await register('passing');
  const create = (...ids: string[]) =>
    said('PUT', 'session/create', {
      Node: 'n',
      NodeChecks: [],
      ServiceChecks: ids.map((ID) => ({ ID, Namespace: '' })),
    });
  expect(await create('nope')).toEqual([500, "apply failed: Missing check 'nope' registration"]);
  expect((await create('c'))[0]).toBe(200);
  expect(await json('GET', 'session/list')).toMatchObject([{ ServiceChecks: [{ ID: 'c', Namespace: '' }] }]);
  await register('critical');
  expect(await json('GET', 'session/list')).toEqual([]);
  expect(await create('c')).toEqual([500, "apply failed: Check 'c' is in critical state"]);
  await register('passing');
  await create('c');
  await said('PUT', 'catalog/deregister', { Node: 'n', ServiceID: 'web' });
  expect(await json('GET', 'session/list')).toEqual([]);
});
