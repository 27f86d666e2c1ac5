import { expect, test } from 'vitest';
import { State } from '../../../../src/services/core/state/state.ts';
import { unrestricted } from '../../../../src/services/registry/acl/permissions.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { readOperations } from '../../../../src/services/registry/txn/operation.ts';
import { applyTransaction } from '../../../../src/services/registry/txn/transaction.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { guarded, registry, type Transacted } from './support.ts';

const kv = (Verb: string, Key: string, more: object = {}) => ({ KV: { Verb, Key, ...more } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Sends one operation after the other, each in its own transaction: the result, or what failed. */
function each({ ask }: Pick<Awaited<ReturnType<typeof registry>>, 'ask'>) {
  return async (...operations: object[]) => {
    const { json } = await ask('PUT', 'txn', { body: operations });
    const { Results, Errors } = json as unknown as Transacted;
    return Errors?.map(({ What }) => What).join() ?? Results?.map(({ KV }) => KV);
  };
}

test('set, cas and delete-cas write a key only if its index matches', async () => {
  const all = await registry();
  const run = each(all);
  expect(await run(kv('set', 'a', { Value: base64('1'), Flags: 7 }))).toEqual([
    { LockIndex: 0, Key: 'a', Flags: 7, Value: null, CreateIndex: 2, ModifyIndex: 2 },
  ]);
  expect(await run(kv('cas', 'a', { Value: base64('2'), Index: 2 }))).toEqual([
    { LockIndex: 0, Key: 'a', Flags: 0, Value: null, CreateIndex: 2, ModifyIndex: 3 },
  ]);
  expect(await run(kv('cas', 'a', { Index: 2 }))).toBe('failed to set key "a", index is stale');
  expect(await run(kv('delete-cas', 'a', { Index: 2 }))).toBe('failed to delete key "a", index is stale');
  expect(await run(kv('get', 'a'))).toMatchObject([{ Value: base64('2') }]);
  expect(await run(kv('delete-cas', 'a', { Index: 3 }))).toEqual([]);
  expect(await run(kv('get', 'a'))).toBe('key "a" doesn\'t exist');
});

test('delete removes one key and delete-tree all keys with the prefix', async () => {
  const all = await registry();
  const run = each(all);
  for (const key of ['a', 'a/b', 'a/c', 'd']) await run(kv('set', key));
  expect(await run(kv('delete', 'a'))).toEqual([]);
  expect(await all.json('GET', 'kv/?keys')).toEqual(['a/b', 'a/c', 'd']);
  expect(await run(kv('delete-tree', 'a/'))).toEqual([]);
  expect(await all.json('GET', 'kv/?keys')).toEqual(['d']);
  expect(await run(kv('delete-tree', ''))).toEqual([]);
  expect(await all.send.status('GET', 'kv/?keys')).toBe(404);
});

test('lock and unlock hold a key for one session', async () => {
  const all = await registry();
  const run = each(all);
  const { ID: one } = await all.json('PUT', 'session/create');
  const { ID: two } = await all.json('PUT', 'session/create');
  const locking = (Verb: string, Session: string) => run(kv(Verb, 'a', { Session, Value: base64(Verb) }));
  expect(await locking('lock', 'missing')).toBe('invalid session "missing"');
  expect(await locking('lock', '')).toBe('missing session');
  expect(await locking('lock', one)).toMatchObject([{ Key: 'a', LockIndex: 1, Session: one }]);
  expect(await locking('lock', two)).toBe('failed to lock key "a", lock is already held');
  const notHeld = `failed to unlock key "a", lock isn't held, or is held by another session`;
  expect(await locking('unlock', two)).toBe(notHeld);
  expect(await locking('unlock', '')).toBe('missing session');
  const [unlocked] = (await locking('unlock', one)) ?? [];
  expect(unlocked).toMatchObject({ Key: 'a', LockIndex: 1, Value: null });
  expect(unlocked).not.toHaveProperty('Session');
  expect(await run(kv('get', 'a'))).toMatchObject([{ Value: base64('unlock') }]);
  expect(await locking('unlock', one)).toBe(notHeld);
});

test('get-or-empty returns an empty entry for a missing key, and get-tree all keys with the prefix', async () => {
  const run = each(await registry());
  await run(kv('set', 'a/b', { Value: base64('1'), Flags: 3 }));
  await run(kv('set', 'a/c', { Value: base64('2') }));
  await run(kv('set', 'd', { Value: base64('3') }));
  expect(await run(kv('get-or-empty', 'missing'))).toEqual([
    { LockIndex: 0, Key: 'missing', Flags: 0, Value: null, CreateIndex: 0, ModifyIndex: 0 },
  ]);
  const b = { Key: 'a/b', Value: base64('1'), Flags: 3, CreateIndex: 2, ModifyIndex: 2 };
  expect(await run(kv('get-or-empty', 'a/b'))).toEqual([{ LockIndex: 0, ...b }]);
  expect(await run(kv('get-tree', 'a/'))).toEqual([
    { LockIndex: 0, ...b },
    { LockIndex: 0, Key: 'a/c', Value: base64('2'), Flags: 0, CreateIndex: 3, ModifyIndex: 3 },
  ]);
  expect(await run(kv('get-tree', ''))).toBe('Must provide key');
  expect(await run(kv('get-tree', 'd'))).toHaveLength(1);
  expect(await run(kv('get-tree', 'missing'))).toEqual([]);
});

test('check-index, check-session and check-not-exists fail unless the key is as expected', async () => {
  const all = await registry();
  const run = each(all);
  const { ID: Session } = await all.json('PUT', 'session/create');
  await run(kv('set', 'a', { Value: base64('1') }));
  const a = { Key: 'a', Value: null, ModifyIndex: 3 };
  expect(await run(kv('check-index', 'a', { Index: 3 }))).toMatchObject([a]);
  expect(await run(kv('check-index', 'a', { Index: 2 }))).toBe(
    'failed index check for key "a", current modify index 3 != 2',
  );
  expect(await run(kv('check-index', 'b', { Index: 0 }))).toBe(
    'failed to check index, key "b" doesn\'t exist',
  );
  expect(await run(kv('check-session', 'a', { Session: '' }))).toMatchObject([a]);
  expect(await run(kv('check-session', 'a', { Session: 's' }))).toBe(
    'failed session check for key "a", current session "" != "s"',
  );
  expect(await run(kv('check-session', 'b'))).toBe('failed to check session, key "b" doesn\'t exist');
  await run(kv('lock', 'a', { Session }));
  expect(await run(kv('check-session', 'a', { Session }))).toMatchObject([{ Key: 'a', Session }]);
  expect(await run(kv('check-session', 'a', { Session: '' }))).toBe(
    `failed session check for key "a", current session "${Session}" != ""`,
  );
  expect(await run(kv('check-not-exists', 'a'))).toBe('key "a" exists');
  expect(await run(kv('check-not-exists', 'b'))).toEqual([]);
});

test('a verb named like a property of every object is unknown', async () => {
  const run = each(await registry());
  expect(await run(kv('constructor', 'a'))).toBe('unknown KV operation: constructor');
});

test('get-tree leaves out the keys that the token cannot read, and reports it', async () => {
  const { ask, holder, manage } = await guarded();
  for (const key of ['mine/a', 'other/a']) await manage('PUT', `kv/${key}`, 'value');
  const { secret } = await holder('key_prefix "mine/" { policy = "read" }');
  const tree = async (prefix: string) => {
    const reply = await ask('PUT', 'txn', {
      body: [kv('get-tree', prefix)],
      headers: { 'X-Registry-Token': secret },
    });
    const { Results, ResultsFilteredByACLs } = reply.json as unknown as Transacted;
    return [Results?.map(({ KV }) => KV.Key), ResultsFilteredByACLs];
  };
  expect(await tree('m')).toEqual([['mine/a'], false]);
  expect(await tree('other/')).toEqual([[], true]);
  expect(await tree('mine/')).toEqual([['mine/a'], false]);
});

test('keys that the token cannot read are omitted; checks of them fail', async () => {
  const { ask, holder, manage } = await guarded();
  for (const key of ['mine/a', 'other/a']) await manage('PUT', `kv/${key}`, 'value');
  const { secret } = await holder('key_prefix "mine/" { policy = "read" } key "mine/w" { policy = "write" }');
  const transact = async (...body: object[]) => {
    const reply = await ask('PUT', 'txn', { body, headers: { 'X-Registry-Token': secret } });
    return { status: reply.status, ...(reply.json as unknown as Transacted) };
  };
  for (const verb of ['get', 'get-or-empty']) {
    const { status, Results, ResultsFilteredByACLs } = await transact(
      kv(verb, 'mine/a'),
      kv(verb, 'other/a'),
    );
    expect([status, Results?.map(({ KV }) => KV.Key), ResultsFilteredByACLs]).toEqual([
      200,
      ['mine/a'],
      true,
    ]);
  }
  const written = await transact(kv('set', 'mine/w', { Value: '' }), kv('get', 'other/a'));
  expect([written.status, written.Results?.length]).toEqual([200, 1]);
  // The existence of a key is not secret: only its content is.
  expect((await transact(kv('get', 'other/b'))).Errors).toEqual([
    { OpIndex: 0, What: 'key "other/b" doesn\'t exist' },
  ]);
  const writes = ['check-not-exists', 'set', 'cas', 'lock', 'unlock', 'delete', 'delete-cas', 'delete-tree'];
  for (const [verb, key, right] of [
    ...['check-index', 'check-session'].map((verb) => [verb, 'other/a', 'read'] as const),
    ...writes.map((verb) => [verb, 'mine/a', 'write'] as const),
  ]) {
    const { status, Errors } = await transact(kv(verb, key), kv('get', 'other/b'));
    expect([status, Errors?.length, Errors?.[0]?.What]).toEqual([
      409,
      1,
      expect.stringContaining(`lacks permission 'key:${right}' on "${key}"`),
    ]);
  }
});

test('delete-tree needs write permission for every key with the prefix', async () => {
  const { holder, manage } = await guarded();
  const { send } = await holder(
    'key_prefix "mine/" { policy = "write" } key "mine/kept" { policy = "read" }',
  );
  for (const key of ['mine/kept', 'mine/x/a', 'other']) await manage('PUT', `kv/${key}`, 'value');
  expect(await send.status('PUT', 'txn', [kv('delete-tree', '')])).toBe(409);
  expect(await send.status('PUT', 'txn', [kv('delete-tree', 'mine/')])).toBe(409);
  expect(await send.status('PUT', 'txn', [kv('delete-tree', 'mine/x/')])).toBe(200);
  expect(await manage('GET', 'kv/?keys')).toEqual(['mine/kept', 'other']);
});

test('a failed transaction has no results, and an unexpected error is not reported as a failed operation', async () => {
  const state = new State<TableName>({
    storage: memoryStorage(),
    clock: () => new Date(0),
    random: (length) => new Uint8Array(length),
  });
  const operations = readOperations([kv('get-or-empty', 'a'), kv('get', 'a')]);
  expect(await applyTransaction(state, unrestricted, operations)).toMatchObject({
    results: [],
    failures: [{ OpIndex: 1 }],
  });
  const broken = {
    ...unrestricted,
    allows: () => {
      throw new TypeError('broken rules');
    },
  };
  await expect(applyTransaction(state, broken, operations)).rejects.toThrow(new TypeError('broken rules'));
});
