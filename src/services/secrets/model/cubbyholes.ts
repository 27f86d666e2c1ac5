import type { JsonObject } from '../../../wire/json.ts';
import { filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, tableOf } from '../../core/store/table.ts';
import { removals, writeInSlices } from '../../core/store/write-in-slices.ts';
import { namesBelow } from './names-below.ts';

/** The secrets by digest of the token, ID of the namespace, and path. */
const secrets = tableOf('', s.map(s.json()));

interface Cubbyhole {
  /** Digest of the token. */
  readonly token: string;
  readonly namespaceId: string;
}

const keyOf = ({ token, namespaceId }: Cubbyhole, path: string): string => `${token}/${namespaceId}/${path}`;

/** The secrets of single tokens: only the token itself can use them, and they are removed with it. */
export class Cubbyholes {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    checkTables(storage, [secrets]);
    this.#storage = storage;
  }

  get(cubbyhole: Cubbyhole, path: string): JsonObject | undefined {
    return secrets.get(this.#storage, keyOf(cubbyhole, path));
  }

  /** The names directly below a path, which is empty or ends in a slash. */
  async names(cubbyhole: Cubbyhole, path: string): Promise<string[]> {
    const start = keyOf(cubbyhole, '');
    const keys = secrets.keys(this.#storage, start + path);
    return namesBelow(path, await mapInSlices(keys, (key) => key.slice(start.length)));
  }

  async put(cubbyhole: Cubbyhole, values: Readonly<Record<string, JsonObject>>): Promise<void> {
    await this.#storage.write(
      Object.entries(values).map(([path, value]) => secrets.put(keyOf(cubbyhole, path), value)),
    );
  }

  async delete(cubbyhole: Cubbyhole, path: string): Promise<void> {
    await this.#storage.write([secrets.remove(keyOf(cubbyhole, path))]);
  }

  async removeTokens(tokens: ReadonlySet<string>): Promise<void> {
    const keys: string[] = [];
    await forEachInSlices(tokens, (token) => {
      for (const key of secrets.keys(this.#storage, `${token}/`)) keys.push(key);
    });
    await this.#remove(keys);
  }

  async removeNamespace(id: string): Promise<void> {
    const all = secrets.keys(this.#storage);
    await this.#remove(await filterInSlices(all, (key) => key.split('/', 2)[1] === id));
  }

  /** Removes cubbyholes whose token was removed before a crash. */
  async removeOrphaned(tokenExists: (digest: string) => boolean): Promise<void> {
    await this.#remove(secrets.keys(this.#storage).filter((key) => !tokenExists(key.split('/', 1)[0] ?? '')));
  }

  async #remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await writeInSlices(this.#storage, removals(keys));
  }
}
