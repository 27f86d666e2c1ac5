import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EncryptedStorage } from '../../../../../src/services/core/store/encrypted-storage.ts';
import { encryptionWithKey } from '../../../../../src/services/core/store/encryption.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { countingStorage } from './counting-storage.ts';

const random = (length: number) => randomBytes(length);
const parts = {
  encryption: encryptionWithKey(randomBytes(32), random),
  prefixes: ['secret/'],
  nameOf: (key: string) => `dc1/${key}`,
  format: 'object',
} as const;

describe('an encrypted storage', () => {
  test('encrypts the values below its prefixes, and no others', async () => {
    const base = memoryStore();
    const storage = await EncryptedStorage.open(base, parts);
    await storage.write([
      { key: 'secret/a', value: { token: 'x' } },
      { key: 'public/a', value: { name: 'y' } },
    ]);
    expect(base.get('secret/a')).toEqual({ sealed: expect.any(String) });
    expect(base.get('public/a')).toEqual({ name: 'y' });
    const again = await EncryptedStorage.open(base, parts);
    expect([again.get('secret/a'), again.get('public/a')]).toEqual([{ token: 'x' }, { name: 'y' }]);
    expect([again.keys(''), again.keys('secret/')]).toEqual([['public/a', 'secret/a'], ['secret/a']]);
    expect(again.withPrefix('secret/').keysAfter('', '', 5)).toEqual(['a']);
    await again.write([{ key: 'secret/a' }]);
    expect([again.get('secret/a'), again.keys('secret/'), base.keys('secret/')]).toEqual([undefined, [], []]);
  });

  test('encrypts all of many values in clear when it is opened', async () => {
    const base = memoryStore();
    const keys = Array.from({ length: 1_200 }, (_, at) => `secret/${at}`);
    await base.write(keys.map((key) => ({ key, value: { key } })));
    const storage = await EncryptedStorage.open(base, parts);
    for (const key of keys) {
      expect(base.get(key)).toEqual({ sealed: expect.any(String) });
      expect(storage.get(key)).toEqual({ key });
    }
  });

  test('rejects a value in clear where there were none in earlier releases', async () => {
    const base = memoryStore();
    await base.write([{ key: 'secret/a', value: { token: 'x' } }]);
    expect(() => EncryptedStorage.openSync(base, { ...parts, format: 'text' })).toThrow(
      'the stored value dc1/secret/a is damaged; restore it from a backup',
    );
  });

  test('rejects a damaged value, and one that was moved to another key', async () => {
    const base = memoryStore();
    const storage = await EncryptedStorage.open(base, parts);
    await storage.write([{ key: 'secret/a', value: { token: 'x' } }]);
    await base.write([{ key: 'secret/b', value: base.get('secret/a') }]);
    await expect(EncryptedStorage.open(base, parts)).rejects.toThrow(
      'the stored value dc1/secret/b is damaged',
    );
    await base.write([{ key: 'secret/b', value: { sealed: 'AAAA' } }]);
    await expect(EncryptedStorage.open(base, parts)).rejects.toThrow(
      'the stored value dc1/secret/b is damaged',
    );
  });

  test('returns the previous values after a failed write', async () => {
    const { storage: base, state } = countingStorage();
    const storage = await EncryptedStorage.open(base, parts);
    await storage.write([{ key: 'secret/a', value: 1 }]);
    state.full = true;
    const changes = [{ key: 'secret/a' }, { key: 'secret/b', value: 2 }, { key: 'public/a', value: 3 }];
    await expect(storage.write(changes)).rejects.toThrow('the disk is full');
    expect([storage.get('secret/a'), storage.get('secret/b'), storage.get('public/a')]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    expect(storage.keys('secret/')).toEqual(['secret/a']);
  });
});
