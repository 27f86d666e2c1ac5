import type { ModelParts } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';

/** A stored move of a mount. A move ends with its request, so each is complete. */
const migrations = table('migration/', { source: s.string(), target: s.string(), created: s.number() });
export type Migration = RowOf<typeof migrations>;

/** How many moves are kept for `sys/remount/status`. */
const maxMigrations = 100;

export class Migrations {
  readonly #parts: ModelParts;

  constructor(parts: ModelParts) {
    checkTables(parts.storage, [migrations]);
    this.#parts = parts;
  }

  get(id: string): Migration | undefined {
    return migrations.get(this.#parts.storage, id);
  }

  /** Stores a move. @returns its ID */
  async add(source: string, target: string): Promise<string> {
    const { storage, random, clock } = this.#parts;
    const id = uuid(random);
    const oldest = migrations
      .entries(storage)
      .sort(([, a], [, b]) => b.created - a.created)
      .slice(maxMigrations - 1);
    await storage.write([
      migrations.put(id, { source, target, created: clock().getTime() }),
      ...oldest.map(([key]) => migrations.remove(key)),
    ]);
    return id;
  }
}
