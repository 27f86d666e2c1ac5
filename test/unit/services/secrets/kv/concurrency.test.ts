import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change, Storage } from '../../../../../src/services/core/store/storage.ts';
import { openStore } from '../../../../../src/services/core/store/store.ts';
import { SecretsError } from '../../../../../src/services/secrets/errors.ts';
import { inOneWrite, memoryStorage } from '../../../../support/memory-storage.ts';
import { folder } from '../../support.ts';
import { type Data, errorOf } from '../engine-calls.ts';
import { type Mount, mount } from './harness.ts';

/** A storage whose writes are visible immediately, and durable when `settle` is called. */
function heldStorage() {
  const memory = memoryStorage();
  const held = Promise.withResolvers<void>();
  const write = async (changes: readonly Change[]) => {
    await Promise.all([memory.write(changes), held.promise]);
  };
  return { storage: { ...memory, write, ...inOneWrite(write) }, settle: held.resolve };
}

async function isPending(act: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([act, pause(5, 'pending')])) === 'pending';
}

/** Increments the number in `data/counter`, retrying until check-and-set succeeds. */
async function addOne(kv: Mount): Promise<void> {
  for (;;) {
    const { data, metadata } = await kv.read('data/counter');
    await setImmediate();
    try {
      await kv.write('data/counter', {
        data: { n: Number((data as Data).n) + 1 },
        options: { cas: (metadata as Data).version ?? null },
      });
      return;
    } catch (error) {
      if (!(error instanceof SecretsError) || !error.message.includes('did not match')) throw error;
    }
  }
}

describe('concurrent writers', () => {
  test('with the same check-and-set: exactly one succeeds', async () => {
    const kv = mount(2);
    await kv.write('data/a', { data: { by: 'missing' } });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, by) =>
        errorOf(kv.write('data/a', { data: { by }, options: { cas: 1 } })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.startsWith('not rejected'))).toHaveLength(1);
    expect(await kv.read('data/a')).toMatchObject({ metadata: { version: 2 } });
  });

  test('50 that read, add and write back with check-and-set lose nothing, in memory and on disk', async () => {
    const path = await folder();
    const store = await openStore(path);
    const kv = mount(2, store);
    await kv.write('data/counter', { data: { n: 0 } });
    await Promise.all(Array.from({ length: 50 }, () => addOne(kv)));
    await store.close();

    const reopened = await openStore(path);
    onTestFinished(() => reopened.close());
    expect(await mount(2, reopened).read('data/counter')).toMatchObject({
      data: { n: 50 },
      metadata: { version: 51 },
    });
  });

  test('without check-and-set each create a version', async () => {
    const { storage, settle } = heldStorage();
    const kv = mount(2, storage);
    const writes = Array.from({ length: 8 }, (_, n) => kv.write('data/a', { data: { n } }));
    settle();
    const versions = (await Promise.all(writes)).map((answer) => answer?.data?.version);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const version of [1, 8]) {
      expect((await kv.read('data/a', { version })).data).toEqual({ n: version - 1 });
    }
  });

  test("that patch and write metadata concurrently do not undo each other's changes", async () => {
    const kv = mount(2, heldStorage().storage);
    void kv.write('data/a', { data: { base: 1 } });
    for (let n = 0; n < 5; n++) {
      void kv.call('patch', 'data/a', { data: { [`p${n}`]: n } });
      void kv.call('patch', 'metadata/a', { custom_metadata: { [`m${n}`]: n } });
    }
    expect((await kv.read('data/a')).data).toEqual({ base: 1, p0: 0, p1: 1, p2: 2, p3: 3, p4: 4 });
    expect(await kv.read('metadata/a')).toMatchObject({
      current_version: 6,
      custom_metadata: { m0: '0', m1: '1', m2: '2', m3: '3', m4: '4' },
    });
  });
});

describe('a response to a write', () => {
  test.each<[string, (kv: Mount) => Promise<unknown>]>([
    ['data', (kv) => kv.write('data/a', { data: {} })],
    ['config', (kv) => kv.write('config', { max_versions: 3 })],
    ['metadata', (kv) => kv.write('metadata/a', { max_versions: 3 })],
    ['the removal of a key', (kv) => kv.call('delete', 'metadata/a')],
    ['a deletion that finds nothing to delete', (kv) => kv.call('delete', 'data/a')],
    ['the deletion of versions that are not there', (kv) => kv.write('delete/a', { versions: [1] })],
  ])('of %s is sent when the write is durable', async (_what, act) => {
    const { storage, settle } = heldStorage();
    const answer = act(mount(2, storage));
    expect(await isPending(answer)).toBe(true);
    settle();
    await answer;
  });

  test('is an error if the disk is full', async () => {
    const storage: Storage = { ...memoryStorage(), write: () => Promise.reject(new Error('no room')) };
    await expect(mount(2, storage).write('data/a', { data: {} })).rejects.toThrow('no room');
    await expect(mount(2, storage).call('delete', 'metadata/a')).rejects.toThrow('no room');
  });
});
