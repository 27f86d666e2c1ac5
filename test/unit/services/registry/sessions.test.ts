import { expect, test } from 'vitest';
import { registry } from './support.ts';

test('a session has defaults, is read, listed and destroyed', async () => {
  const { json, send } = await registry();
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
  expect(await send('PUT', `session/destroy/${ID}`)).toBe('200 true');
  expect(await send('PUT', `session/destroy/${ID}`)).toBe('200 true');
  expect(await json('GET', `session/info/${ID}`)).toEqual([]);
});

test('a key is locked by one session at a time', async () => {
  const { json, send } = await registry();
  const { ID: one } = await json('PUT', 'session/create', { LockDelay: 0 });
  const { ID: two } = await json('PUT', 'session/create', { LockDelay: 0 });
  expect(await send('PUT', `kv/lock?acquire=${one}`, '1')).toBe('200 true');
  expect(await send('PUT', `kv/lock?acquire=${two}`, '2')).toBe('200 false');
  expect(await send('PUT', `kv/lock?acquire=${one}`, '3')).toBe('200 true');
  expect(await send('PUT', 'kv/lock', '4')).toBe('200 true');
  expect(await json('GET', 'kv/lock')).toMatchObject([{ LockIndex: 1, Session: one, Value: 'NA==' }]);
  expect(await send('PUT', `kv/lock?release=${two}`, '')).toBe('200 false');
  expect(await send('PUT', `kv/lock?release=${one}`, '')).toBe('200 true');
  expect((await json('GET', 'kv/lock'))[0]).not.toHaveProperty('Session');
  expect(await send('PUT', `kv/lock?acquire=${two}`, '')).toBe('200 true');
  expect(await json('GET', 'kv/lock')).toMatchObject([{ LockIndex: 2, Session: two }]);
});

test('a session that ends releases its keys, which cannot be locked for a while, or deletes them', async () => {
  const { json, send, pass } = await registry();
  const { ID: one } = await json('PUT', 'session/create', { LockDelay: 20 });
  const { ID: two } = await json('PUT', 'session/create', { Behavior: 'delete', LockDelay: '0s' });
  await send('PUT', `kv/kept?acquire=${one}`, 'x');
  await send('PUT', `kv/gone?acquire=${two}`, 'x');
  await send('PUT', `session/destroy/${one}`);
  const { ID: next } = await json('PUT', 'session/create');
  expect(await send('PUT', `kv/kept?acquire=${next}`, 'y')).toBe('200 false');
  pass(21);
  expect(await send('PUT', `kv/kept?acquire=${next}`, 'y')).toBe('200 true');
  await send('PUT', `session/destroy/${two}`);
  expect(await json('GET', 'kv/?keys')).toEqual(['kept']);
});

test('a session ends when its time to live is over, unless it is renewed', async () => {
  const { json, send, pass } = await registry();
  const { ID } = await json('PUT', 'session/create', { TTL: '30s' });
  await send('PUT', `kv/lock?acquire=${ID}`, 'x');
  pass(29);
  expect(await json('PUT', `session/renew/${ID}`)).toMatchObject([{ ID, TTL: '30s' }]);
  pass(29);
  expect((await json('GET', 'kv/lock'))[0]?.Session).toBe(ID);
  pass(2);
  expect((await json('GET', 'kv/lock'))[0]).not.toHaveProperty('Session');
  expect(await json('GET', 'session/list')).toEqual([]);
});

test('a session ends when a check of a service that it depends on is critical or removed', async () => {
  const { json, send } = await registry();
  const register = (Status: string) =>
    send('PUT', 'catalog/register', {
      Node: 'n',
      Address: '10.0.0.1',
      Service: { Service: 'web' },
      Check: { CheckID: 'c', ServiceID: 'web', Status },
    });
  await register('passing');
  const create = (...ids: string[]) =>
    send('PUT', 'session/create', {
      Node: 'n',
      NodeChecks: [],
      ServiceChecks: ids.map((ID) => ({ ID, Namespace: '' })),
    });
  expect(await create('nope')).toBe("500 apply failed: Missing check 'nope' registration");
  expect(await create('c')).toMatch(/^200 /);
  expect(await json('GET', 'session/list')).toMatchObject([{ ServiceChecks: [{ ID: 'c', Namespace: '' }] }]);
  await register('critical');
  expect(await json('GET', 'session/list')).toEqual([]);
  expect(await create('c')).toBe("500 apply failed: Check 'c' is in critical state");
  await register('passing');
  await create('c');
  await send('PUT', 'catalog/deregister', { Node: 'n', ServiceID: 'web' });
  expect(await json('GET', 'session/list')).toEqual([]);
});
