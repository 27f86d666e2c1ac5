import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { openBarrier } from '../../../../../src/services/secrets/seal/barrier.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';

const random = (length: number) => randomBytes(length);
const key = randomBytes(32);

describe('the barrier', () => {
  test('encrypts values and returns them unchanged', async () => {
    const base = memoryStore();
    await openBarrier(base, key, random).write([{ key: 'a/b', value: { secret: 2n ** 64n } }]);
    expect(String(base.get('a/b'))).not.toContain('secret');
    const again = openBarrier(base, key, random);
    expect(again.withPrefix('a/').get('b')).toEqual({ secret: 2n ** 64n });
    expect(again.keys('a/')).toEqual(['a/b']);
  });

  test('decrypts only with its own key, and rejects values that were moved or changed', async () => {
    const base = memoryStore();
    await openBarrier(base, key, random).write([{ key: 'mine', value: 'x' }]);
    expect(() => openBarrier(base, randomBytes(32), random)).toThrow('the stored value mine is damaged');
    const sealed = base.get('mine');
    await base.write([{ key: 'mine' }, { key: 'yours', ...(sealed !== undefined && { value: sealed }) }]);
    expect(() => openBarrier(base, key, random)).toThrow('the stored value yours is damaged');
  });

  test('rolls back with the underlying storage after a failed write', async () => {
    const base = memoryStorage();
    let full = false;
    const filling: Storage = {
      ...base,
      write: async (changes) => {
        if (full) throw new Error('no room');
        await base.write(changes);
      },
    };
    const barrier = openBarrier(filling, key, random);
    await barrier.write([{ key: 'a', value: 1 }]);
    full = true;
    await expect(
      barrier.write([
        { key: 'a', value: 2 },
        { key: 'b', value: 3 },
      ]),
    ).rejects.toThrow('no room');
    expect([barrier.get('a'), barrier.keys('')]).toEqual([1, ['a']]);
  });
});
