import { expect, test } from 'vitest';
import { unrestricted } from '../../../../src/dev/registry/acl/authority.ts';
import type { Table } from '../../../../src/dev/registry/state/draft.ts';
import { transact } from '../../../../src/dev/registry/txn/transaction.ts';
import { State } from '../../../../src/dev/state/state.ts';
import type { PagedStorage } from '../../../../src/dev/storage.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';

const stateOn = (storage: PagedStorage) =>
  new State<Table>({ storage, clock: () => new Date(0), random: (length) => new Uint8Array(length) });

test('who waits stops when nobody wants to know any more', async () => {
  const state = stateOn(memoryStorage());
  const leave = new AbortController();
  const waiting = state.changeOf(['kv'], 60_000, leave.signal);
  leave.abort();
  expect(await waiting).toBe(false);
  expect(await state.changeOf(['kv'], 60_000, leave.signal)).toBe(false);
});

test('who waits is woken by its own tables only', async () => {
  const state = stateOn(memoryStorage());
  const { signal } = new AbortController();
  const kv = state.changeOf(['kv'], 60_000, signal);
  const nodes = state.changeOf(['nodes'], 20, signal);
  await state.change((draft) => draft.put('kv', 'a', {}));
  expect(await Promise.all([kv, nodes])).toEqual([true, false]);
  expect([state.last, state.indexOf('kv'), state.indexOf('nodes'), state.indexOf('nodes', 'kv')]).toEqual([
    1, 1, 1, 1,
  ]);
});

test('a change that throws or changes nothing takes no index', async () => {
  const state = stateOn(memoryStorage());
  await expect(
    state.change((draft) => {
      draft.put('kv', 'a', {});
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await state.change(() => {});
  expect([state.last, state.view.keys('kv', '')]).toEqual([0, []]);
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

test('what is seen of a change is answered when it is durable, and refused when it was lost', async () => {
  const { held, state } = slow();
  const told: string[] = [];
  const change = state.change((draft) => draft.put('kv', 'a', {})).then(() => told.push('changed'));
  const looked = state.change(() => {}).then(() => told.push('looked'));
  const read = state.settled().then(() => told.push('read'));
  await new Promise(setImmediate);
  expect([state.last, told]).toEqual([1, []]);
  held[0]?.resolve();
  await Promise.all([change, looked, read]);
  expect(told).toHaveLength(3);

  const failing = state.change((draft) => draft.put('kv', 'b', {}));
  const misled = state.settled();
  held[1]?.reject(new Error('the disk is full'));
  await expect(failing).rejects.toThrow('the disk is full');
  await expect(misled).rejects.toThrow('the disk is full');
  await state.settled();
});

test('a transaction that reads tells no index that is not durable yet', async () => {
  const { held, state } = slow();
  void state.change((draft) => draft.put('kv', 'a', {}));
  const operation = {
    kind: 'KV',
    verb: 'get-tree',
    key: 'a',
    value: '',
    flags: 0,
    index: 0,
    session: '',
  } as const;
  const reading = transact(state, unrestricted, [operation]);
  held[0]?.resolve();
  // Before the reader is told, somebody else writes.
  void state.change((draft) => draft.put('kv', 'b', {}));
  expect((await reading).index).toBe(1);
  expect(state.last).toBe(2);
});
