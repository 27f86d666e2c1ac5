import type { Change, Snapshot, Storage } from '../../src/services/core/store/storage.ts';
import type { Json } from '../../src/wire/json.ts';

/** A storage that lives as long as the test. Values are copied on the way in, as a durable one would. */
export function memoryStorage(): Storage {
  return view(new Map(), '');
}

function view(values: Map<string, Json>, prefix: string): Storage {
  const keys = (wanted: string) =>
    [...values.keys()]
      .filter((key) => key.startsWith(prefix + wanted))
      .map((key) => key.slice(prefix.length))
      .sort();
  const storage: Storage = {
    get: (key) => values.get(prefix + key),
    keys,
    keysAfter: (wanted, after, most) =>
      keys(wanted)
        .filter((key) => key > after)
        .slice(0, most),
    keysBefore: (wanted, before, most) =>
      keys(wanted)
        .filter((key) => before === '' || key < before)
        .reverse()
        .slice(0, most),
    entriesAfter: (wanted, after, most) =>
      keys(wanted)
        .filter((key) => key > after)
        .slice(0, most)
        .map((key) => [key, values.get(prefix + key) ?? null]),
    async write(changes: readonly Change[]) {
      for (const { key, value } of changes) {
        if (value === undefined) values.delete(prefix + key);
        else values.set(prefix + key, structuredClone(value));
      }
    },
    withPrefix: (more) => view(values, prefix + more),
    ...inOneWrite((changes) => storage.write(changes)),
    snapshot: () => snapshotOf(storage),
  };
  return storage;
}

/** Large writes of a storage that has none: one write. */
export function inOneWrite(write: Storage['write']): Pick<Storage, 'stage'> {
  return {
    async stage() {
      const staged: Change[] = [];
      return {
        add: (changes) => void staged.push(...changes),
        commit: () => write(staged),
        discard: () => {},
      };
    },
  };
}

function snapshotOf(storage: Storage): Snapshot {
  const rows = new Map(storage.keys('').map((key) => [key, storage.get(key)]));
  return {
    get: (key) => rows.get(key),
    keys: (prefix) => [...rows.keys()].filter((key) => key.startsWith(prefix)),
    release: () => {},
  };
}
