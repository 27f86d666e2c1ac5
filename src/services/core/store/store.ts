import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { databaseName, ensurePrivateFile, prepareDirectory } from '../../data-directory.ts';
import { EmbeddedError } from '../errors.ts';
import { Layer, LayeredMap } from './layered-map.ts';
import type { MemoryLimit } from './memory-limit.ts';
import { SortedMap } from './sorted-map.ts';
import { type Change, eachKey, type Snapshot, type StagedWrite, type Storage } from './storage.ts';
import { damagedError, StoreThread } from './store-thread.ts';

export interface Store extends Storage {
  /** Rewrites the file without overwritten or removed values. @throws EmbeddedError write: not enough disk space */
  compact(): Promise<void>;
  /** Waits for pending writes and closes the file; later writes are rejected. */
  close(): Promise<void>;
}

/** A write that is visible but not yet durable. */
interface PendingWrite {
  /** Keys and values (null: removed) in turn. */
  readonly changes: readonly (string | null)[];
  /** Further changes of a staged write, which is committed alone. */
  readonly parts?: readonly (string | null)[][];
  readonly previous: readonly (readonly [string, Json | undefined])[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A store in memory, which is lost when the process ends. */
export const memoryStore = (memory?: MemoryLimit): Store =>
  new MapStore(new SortedMap(), { thread: undefined, memory });

/**
 * Opens the store in a data directory, creating it if necessary: `lanyard.db`, a SQLite database used only
 * by its own thread, so that disk waits do not block the event loop. Waiting writes are committed together.
 *
 * A write that fails (disk full) rejects, and so does every later write that was not yet durable; the state
 * returns to what is on disk, and the store stays usable. Over the memory limit, only writes that remove
 * more than they add are accepted.
 * @throws EmbeddedError locked (in use), foreign (not Lanyard's directory), data (damaged, database of
 * another program, permission denied, not enough memory)
 */
export async function openStore(directory: string, memory?: MemoryLimit): Promise<Store> {
  await prepareDirectory(directory);
  const path = join(directory, databaseName);
  await ensurePrivateFile(path);
  const thread = new StoreThread(path);
  try {
    const entries = storedEntries(thread, () => memory?.checkOpening(directory));
    return new MapStore(await SortedMap.fromBatches(entries), { thread, memory });
  } catch (error) {
    memory?.stop();
    await thread.stop();
    throw error instanceof SyntaxError ? damagedError(path, 'a value is not JSON') : error;
  }
}

/** The entries of the file, in batches; the thread reads the next one while this one is parsed. */
async function* storedEntries(thread: StoreThread, checkMemory: () => void) {
  for (let response = thread.nextResponse(); ; ) {
    const { rows = [], hasMore } = await response;
    checkMemory();
    if (hasMore) {
      response = thread.request('more');
      // It is not awaited if this batch cannot be parsed.
      response.catch(() => {});
    }
    yield entries(rows);
    if (!hasMore) return;
  }
}

function* entries(rows: readonly string[]): Generator<[string, Json]> {
  for (let at = 0; at < rows.length; at += 2) yield [rows[at] ?? '', parseJson(rows[at + 1] ?? '')];
}

class MapStore implements Store {
  readonly #map: LayeredMap<Json>;
  readonly #thread: StoreThread | undefined;
  readonly #memory: MemoryLimit | undefined;
  #pending: PendingWrite[] = [];
  #committing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** The last staged write; the next one waits until it is merged. */
  #staged: Promise<void> = Promise.resolve();

  constructor(
    map: SortedMap<Json>,
    {
      thread,
      memory,
    }: { readonly thread: StoreThread | undefined; readonly memory: MemoryLimit | undefined },
  ) {
    this.#map = new LayeredMap(map);
    this.#thread = thread;
    this.#memory = memory;
  }

  get(key: string): Json | undefined {
    return this.#map.get(key);
  }

  keys(prefix: string): string[] {
    return this.#map.keys(prefix);
  }

  keysAfter(prefix: string, after: string, limit: number): string[] {
    return this.#map.keys(prefix, after === '' ? undefined : after, limit);
  }

  keysBefore(prefix: string, before: string, limit: number): string[] {
    return this.#map.keysBefore(prefix, before === '' ? undefined : before, limit);
  }

  entriesAfter(prefix: string, after: string, limit: number): (readonly [key: string, value: Json])[] {
    return this.#map.entries(prefix, after === '' ? undefined : after, limit);
  }

  withPrefix(prefix: string): Storage {
    return prefixedStorage(this, prefix);
  }

  async write(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0 && !this.#committing) return;
    if (this.#closed) throw new EmbeddedError('write', 'the store is closed');
    this.#memory?.check(changes, this.#map);
    // Serialized before anything changes: a value that is not JSON leaves no trace.
    const serialized: (string | null)[] = [];
    if (this.#thread) {
      for (const { key, value } of changes)
        serialized.push(key, value === undefined ? null : formatJson(value));
    }
    const previous: [string, Json | undefined][] = [];
    for (const { key } of changes) previous.push([key, this.#map.get(key)]);
    for (const { key, value } of changes) this.#map.put(key, value);
    if (!this.#thread) return;
    const durable = new Promise<void>((resolve, reject) => {
      this.#pending.push({ changes: serialized, previous, resolve, reject });
    });
    this.#committing ??= this.#commit(this.#thread);
    return durable;
  }

  snapshot(): Snapshot {
    return this.#map.snapshot();
  }

  async stage(): Promise<StagedWrite> {
    const previous = this.#staged;
    const ended = Promise.withResolvers<void>();
    this.#staged = ended.promise;
    await previous;
    const layer = new Layer<Json>();
    const parts: (string | null)[][] = [];
    return {
      add: (changes) => {
        this.#memory?.check(changes, this.#map);
        const part: (string | null)[] = [];
        for (const { key, value } of changes) {
          if (this.#thread) part.push(key, value === undefined ? null : formatJson(value));
          layer.put(key, value);
        }
        parts.push(part);
      },
      commit: async () => {
        try {
          await this.#commitStaged(layer, parts);
        } finally {
          void this.#map.merge().then(ended.resolve);
        }
      },
      discard: ended.resolve,
    };
  }

  #commitStaged(layer: Layer<Json>, parts: readonly (string | null)[][]): Promise<void> {
    if (this.#closed) throw new EmbeddedError('write', 'the store is closed');
    this.#map.publish(layer);
    const thread = this.#thread;
    if (!thread) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      this.#pending.push({ changes: [], parts, previous: [], resolve, reject });
      this.#committing ??= this.#commit(thread);
    });
  }

  close(): Promise<void> {
    this.#memory?.stop();
    this.#closed ??= (this.#committing ?? Promise.resolve()).then(() => this.#thread?.close());
    return this.#closed;
  }

  async compact(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    while (this.#committing) await this.#committing;
    if (this.#closed) throw new EmbeddedError('write', 'the store is closed');
    const compacted = thread.request('compact');
    const commitWaiting = () => this.#commit(thread);
    this.#committing = compacted.then(commitWaiting, commitWaiting);
    await compacted;
  }

  /** Commits all waiting writes as one, and repeats until none wait. */
  async #commit(thread: StoreThread): Promise<void> {
    while (this.#pending.length > 0) {
      // After the requests that have arrived already: their writes are committed together.
      await nextTurn();
      const group = this.#nextGroup();
      try {
        for (const part of group[0]?.parts ?? []) await thread.request({ part });
        await thread.request(lastChanges(group));
        for (const write of group) write.resolve();
      } catch (error) {
        this.#undo(group, error);
      }
    }
    this.#committing = undefined;
  }

  /** The writes that are committed together; a staged one is alone. */
  #nextGroup(): PendingWrite[] {
    const at = this.#pending.findIndex(({ parts }) => parts !== undefined);
    return this.#pending.splice(0, at < 0 ? this.#pending.length : Math.max(at, 1));
  }

  /** Later writes were based on the failed ones and are rolled back with them. */
  #undo(group: readonly PendingWrite[], error: unknown): void {
    const failed = [...group, ...this.#pending];
    this.#pending = [];
    for (const { parts, previous } of failed.toReversed()) {
      if (parts) this.#map.drop();
      for (const [key, value] of previous.toReversed()) this.#map.put(key, value);
    }
    for (const write of failed) write.reject(error);
  }
}

/** The changes of writes, in turn keys and values; of several of one key only the last, which is what remains. */
function lastChanges(group: readonly PendingWrite[]): (string | null)[] {
  const last = new Map<string, string | null>();
  for (const { changes } of group) {
    for (let at = 0; at < changes.length; at += 2) last.set(changes[at] ?? '', changes[at + 1] ?? null);
  }
  const result: (string | null)[] = [];
  for (const [key, value] of last) result.push(key, value);
  return result;
}

export function prefixedStorage(storage: Storage, prefix: string): Storage {
  const relative = (keys: readonly string[]) => keys.map((key) => key.slice(prefix.length));
  const prefixed: Storage = {
    get: (key) => storage.get(prefix + key),
    keys: (start) => relative(storage.keys(prefix + start)),
    keysAfter: (start, after, limit) =>
      relative(storage.keysAfter(prefix + start, after === '' ? '' : prefix + after, limit)),
    keysBefore: (start, before, limit) =>
      relative(storage.keysBefore(prefix + start, before === '' ? '' : prefix + before, limit)),
    entriesAfter: (start, after, limit) =>
      storage
        .entriesAfter(prefix + start, after === '' ? '' : prefix + after, limit)
        .map(([key, value]) => [key.slice(prefix.length), value]),
    write: (changes) => storage.write(prefixedChanges(prefix, changes)),
    async stage() {
      const staged = await storage.stage();
      return { ...staged, add: (changes) => staged.add(prefixedChanges(prefix, changes)) };
    },
    snapshot: () => prefixedSnapshot(storage.snapshot(), prefix),
    withPrefix: (subPrefix) => (subPrefix === '' ? prefixed : prefixedStorage(storage, prefix + subPrefix)),
  };
  return prefixed;
}

function prefixedChanges(prefix: string, changes: readonly Change[]): Change[] {
  return changes.map(({ key, value }) => ({ key: prefix + key, value }));
}

function prefixedSnapshot(snapshot: Snapshot, prefix: string): Snapshot {
  return {
    get: (key) => snapshot.get(prefix + key),
    keys: (start) => snapshot.keys(prefix + start).map((key) => key.slice(prefix.length)),
    *eachKey(start) {
      for (const key of eachKey(snapshot, prefix + start)) yield key.slice(prefix.length);
    },
    release: () => snapshot.release(),
  };
}
