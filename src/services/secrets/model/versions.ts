import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';

const versions = table('version/', { installed: s.string(), previous: s.nullable(s.string()) });
type Version = RowOf<typeof versions>;

export class Versions {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    checkTables(storage, [versions]);
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Adds the current version, once. */
  async add(version: string): Promise<void> {
    const all = this.all();
    if (all.some(([name]) => name === version)) return;
    const previous = all.at(-1)?.[0] ?? null;
    const installed = this.#clock().toISOString();
    await this.#storage.write([versions.put(version, { installed, previous })]);
  }

  all(): [version: string, row: Version][] {
    return versions.entries(this.#storage).sort(([, a], [, b]) => (a.installed < b.installed ? -1 : 1));
  }
}
