import { SortedMap } from '../../../../../src/services/core/store/sorted-map.ts';
import type { Change, Storage } from '../../../../../src/services/core/store/storage.ts';
import { prefixedStorage } from '../../../../../src/services/core/store/store.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { inOneWrite } from '../../../../support/memory-storage.ts';

/** A storage that counts reads, and can lose writes like a full disk. */
export function countingStorage() {
  const rows = new SortedMap<Json>();
  const state = { reads: 0, full: false };
  const storage: Storage = {
    get(key) {
      state.reads++;
      return rows.get(key);
    },
    keys(prefix) {
      const keys = rows.keys(prefix);
      state.reads += keys.length;
      return keys;
    },
    keysAfter: (prefix, after, limit) => rows.keys(prefix, after, limit),
    keysBefore: (prefix, before, limit) => rows.keysBefore(prefix, before || undefined, limit),
    entriesAfter: (prefix, after, limit) => rows.entries(prefix, after, limit),
    async write(changes: readonly Change[]) {
      const before = changes.map(({ key }) => ({ key, value: rows.get(key) }));
      for (const { key, value } of changes) rows.put(key, value);
      if (!state.full) return;
      await Promise.resolve();
      for (const { key, value } of before.toReversed()) rows.put(key, value);
      throw new Error('the disk is full');
    },
    withPrefix: (prefix) => prefixedStorage(storage, prefix),
    ...inOneWrite((changes) => storage.write(changes)),
    snapshot: () => ({ get: (key) => rows.get(key), keys: (prefix) => rows.keys(prefix), release: () => {} }),
  };
  return { storage, state };
}
