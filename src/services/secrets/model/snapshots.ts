import type { ModelParts } from '../../core/http/http-service.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { removals, writeInSlices } from '../../core/store/write-in-slices.ts';
import { uuid } from '../../core/uuid.ts';

interface SnapshotParts extends ModelParts {
  /** The current storage of each mount. */
  readonly storedMounts: () => readonly { readonly uuid: string; readonly storage: Storage }[];
}

/** Copies of the mounts' data at a point in time; tokens, policies and the mount tables are not included. */
export class Snapshots {
  readonly #parts: SnapshotParts;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** @returns its ID */
  async create(): Promise<string> {
    const { storage, random, clock, storedMounts } = this.#parts;
    const id = uuid(random);
    const mounts = storedMounts().map((mount) => ({ ...mount, rows: mount.storage.snapshot() }));
    function* changes(): Generator<Change> {
      yield { key: `info/${id}`, value: clock().toISOString() };
      for (const { uuid, rows } of mounts)
        for (const key of rows.keys(''))
          yield { key: `data/${id}/${uuid}/${key}`, value: rows.get(key) ?? null };
    }
    try {
      await writeInSlices(storage, changes());
    } finally {
      for (const { rows } of mounts) rows.release();
    }
    return id;
  }

  ids(): string[] {
    return this.#parts.storage.keys('info/').map((key) => key.slice('info/'.length));
  }

  /** Its creation time; undefined: no such snapshot. */
  createdAt(id: string): string | undefined {
    return this.#parts.storage.get(`info/${id}`) as string | undefined;
  }

  async delete(id: string): Promise<void> {
    if (this.createdAt(id) === undefined) return;
    const { storage } = this.#parts;
    await writeInSlices(storage, removals([`info/${id}`, ...storage.keys(`data/${id}/`)]));
  }

  /** A read-only view of a mount's storage in the snapshot; undefined: no such snapshot. */
  storageOf(id: string, mountUuid: string): Storage | undefined {
    if (this.createdAt(id) === undefined) return undefined;
    return readOnly(this.#parts.storage.withPrefix(`data/${id}/${mountUuid}/`));
  }
}

function readOnly(storage: Storage): Storage {
  return {
    get: (key) => storage.get(key),
    keys: (prefix) => storage.keys(prefix),
    keysAfter: (prefix, after, limit) => storage.keysAfter(prefix, after, limit),
    keysBefore: (prefix, before, limit) => storage.keysBefore(prefix, before, limit),
    entriesAfter: (prefix, after, limit) => storage.entriesAfter(prefix, after, limit),
    write: () => Promise.reject(new Error('a snapshot cannot be written to')),
    stage: () => Promise.reject(new Error('a snapshot cannot be written to')),
    snapshot: () => storage.snapshot(),
    withPrefix: (prefix) => readOnly(storage.withPrefix(prefix)),
  };
}
