import { expect, test } from 'vitest';
import { State } from '../../../../src/services/core/state/state.ts';
import type { Storage } from '../../../../src/services/core/store/storage.ts';
import { unrestricted } from '../../../../src/services/registry/acl/permissions.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { applyTransaction } from '../../../../src/services/registry/txn/transaction.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';

const stateOn = (storage: Storage) =>
  new State<TableName>({ storage, clock: () => new Date(0), random: (length) => new Uint8Array(length) });

test('waiting stops when the caller aborts it', async () => {
  const state = stateOn(memoryStorage());
  const leave = new AbortController();
  const waiting = state.waitForChange(['kv'], 60_000, leave.signal);
  leave.abort();
  expect(await waiting).toBe(false);
  expect(await state.waitForChange(['kv'], 60_000, leave.signal)).toBe(false);
});

test('a waiting caller is woken by its own tables only', async () => {
  const state = stateOn(memoryStorage());
  const { signal } = new AbortController();
  const kv = state.waitForChange(['kv'], 60_000, signal);
  const nodes = state.waitForChange(['nodes'], 20, signal);
  await state.update((draft) => draft.write({ key: 'kv/a', value: {} }));
  expect(await Promise.all([kv, nodes])).toEqual([true, false]);
  expect([
    state.lastIndex,
    state.indexOf('kv'),
    state.indexOf('nodes'),
    state.indexOf('nodes', 'kv'),
  ]).toEqual([1, 1, 1, 1]);
});

test('a change that throws or changes nothing takes no index', async () => {
  const state = stateOn(memoryStorage());
  await expect(
    state.update((draft) => {
      draft.write({ key: 'kv/a', value: {} });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await state.update(() => {});
  expect([state.lastIndex, state.view.keys('kv/')]).toEqual([0, []]);
});

/** A storage whose writes are durable when the test says so, and a state on it. */
function slow() {
  const held: PromiseWithResolvers<void>[] = [];
  const memory = memoryStorage();
  const state = stateOn({
    ...memory,
    write(changes) {
      const write = Promise.withResolvers<void>();
      held.push(write);
      void memory.write(changes);
      return write.promise;
    },
  });
  return { held, state };
}

test('a response that shows a change is sent when the change is durable, and is an error when it was lost', async () => {
  const { held, state } = slow();
  const settled: string[] = [];
  const change = state
    .update((draft) => draft.write({ key: 'kv/a', value: {} }))
    .then(() => settled.push('changed'));
  const looked = state.update(() => {}).then(() => settled.push('looked'));
  const read = state.whenDurable().then(() => settled.push('read'));
  await new Promise(setImmediate);
  expect([state.lastIndex, settled]).toEqual([1, []]);
  held[0]?.resolve();
  await Promise.all([change, looked, read]);
  expect(settled).toHaveLength(3);

  const failing = state.update((draft) => draft.write({ key: 'kv/b', value: {} }));
  const misled = state.whenDurable();
  held[1]?.reject(new Error('the disk is full'));
  await expect(failing).rejects.toThrow('the disk is full');
  await expect(misled).rejects.toThrow('the disk is full');
  await state.whenDurable();
});

test('a transaction that reads returns no index that is not durable yet', async () => {
  const { held, state } = slow();
  void state.update((draft) => draft.write({ key: 'kv/a', value: {} }));
  const operation = {
    kind: 'KV',
    verb: 'get-tree',
    key: 'a',
    value: '',
    flags: 0,
    index: 0,
    session: '',
  } as const;
  const reading = applyTransaction(state, unrestricted, [operation]);
  held[0]?.resolve();
  // Before the read ends, another write begins.
  void state.update((draft) => draft.write({ key: 'kv/b', value: {} }));
  expect((await reading).index).toBe(1);
  expect(state.lastIndex).toBe(2);
});
