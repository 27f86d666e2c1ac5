import type { JsonObject } from '../../core/http/fields.ts';
import * as s from '../../core/store/schema.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { Engine, EngineParts } from '../engine.ts';
import { badRequest } from '../errors.ts';

/** Creates an engine or auth method by type. */
export type EngineTable = Readonly<Record<string, (parts: EngineParts) => Engine>>;

/** A default mount of a new service. */
export interface DefaultMount extends MountRequest {
  /** With a trailing slash. */
  readonly path: string;
}

/** A stored mount. */
const entries = table('table/', {
  type: s.string,
  uuid: s.string,
  accessor: s.string,
  description: s.string,
  options: s.nullable(s.record(s.string)),
  config: s.record(s.json),
});
export type MountEntry = RowOf<typeof entries>;

export interface Mount {
  /** With a trailing slash. */
  readonly path: string;
  readonly entry: MountEntry;
  readonly backend: Engine;
}

/** A completed move, as its status shows it. */
interface Move {
  readonly source_mount: string;
  readonly target_mount: string;
}

export interface MountRequest {
  readonly type: string;
  readonly description?: string | undefined;
  readonly options?: { readonly [name: string]: string } | undefined;
  readonly config?: JsonObject | undefined;
}

export interface MountParts {
  readonly storage: Storage;
  readonly random: (length: number) => Uint8Array;
  readonly clock: () => Date;
  readonly engines: EngineTable;
  readonly methods: EngineTable;
  /** The storage of a mount in a snapshot. */
  readonly snapshot: (id: string, mountUuid: string) => Storage | undefined;
  /** The path of a namespace that a mount at this path would hide or be hidden by. */
  readonly conflictingNamespace: (path: string) => string | undefined;
  /** Called before a mount is removed. */
  readonly beforeUnmount: (mount: Mount) => Promise<void>;
}

/** Paths reserved for the service. */
const reserved = ['sys', 'auth', 'identity', 'cubbyhole'];

/**
 * The mount table. Each engine has its own storage below the mount's uuid: data of a former mount is never
 * visible to a later mount at the same path.
 */
export class Mounts {
  readonly #parts: MountParts;
  readonly #mounts = new Map<string, Mount>();
  readonly #moves = new Map<string, Move>();
  /** Length of the longest path ever mounted: no longer path leads to a mount. */
  #maxPathLength = 0;

  constructor(parts: MountParts) {
    this.#parts = parts;
  }

  /** Opens the stored mounts, and creates the default ones that were not created before. */
  async open(defaults: readonly DefaultMount[]): Promise<void> {
    const { storage } = this.#parts;
    checkTables(storage, [entries]);
    for (const [path, entry] of entries.entries(storage)) await this.#openMount(path, entry);
    const createdDefaults = storage.get('begun');
    // Older data has no list; it was created with this default mount.
    const existingDefaults = createdDefaults === true ? ['ssh/'] : ((createdDefaults ?? []) as string[]);
    const missing = defaults.filter(({ path }) => !existingDefaults.includes(path));
    if (missing.length === 0) return;
    for (const { path, ...request } of missing) {
      if (this.#conflict(path) === undefined) await this.mount(path, request);
    }
    await storage.write([{ key: 'begun', value: [...existingDefaults, ...missing.map(({ path }) => path)] }]);
  }

  /** Adds a part of the service itself, which is not stored in the table. */
  addBuiltIn(path: string, backend: Engine): void {
    const entry = {
      type: backend.type,
      uuid: '',
      accessor: backend.type,
      description: '',
      options: null,
      config: {},
    };
    this.#add({ path, entry, backend });
  }

  /** Mounts ordered by path. */
  list(): Mount[] {
    return [...this.#mounts.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(path: string): Mount | undefined {
    return this.#mounts.get(path);
  }

  /** The mount of a path, and the rest of the path. */
  resolve(segments: readonly string[]): { readonly mount: Mount; readonly path: string } | undefined {
    let longest: { readonly mount: Mount; readonly depth: number } | undefined;
    let path = '';
    for (const [index, segment] of segments.entries()) {
      path += `${segment}/`;
      if (path.length > this.#maxPathLength) break;
      const mount = this.#mounts.get(path);
      if (mount) longest = { mount, depth: index + 1 };
    }
    return longest && { mount: longest.mount, path: segments.slice(longest.depth).join('/') };
  }

  /** The storage of each mount. */
  storedMounts(): { readonly uuid: string; readonly storage: Storage }[] {
    return this.list()
      .filter(({ entry }) => entry.uuid !== '')
      .map(({ entry: { uuid } }) => ({ uuid, storage: this.#storageOf(uuid) }));
  }

  /** Mounts an engine or, below `auth/`, an auth method. @throws SecretsError 400: path in use, unknown type */
  async mount(path: string, request: MountRequest): Promise<void> {
    const { random } = this.#parts;
    const conflict = this.#conflict(path);
    if (conflict !== undefined) throw badRequest(`path is already in use at ${conflict}`);
    if (!Object.hasOwn(this.#table(path), request.type)) {
      throw badRequest(`plugin not found in the catalog: ${request.type}`);
    }
    const accessorPrefix = path.startsWith('auth/') ? 'auth_' : '';
    const entry: MountEntry = {
      type: request.type,
      uuid: uuid(random),
      accessor: `${accessorPrefix}${request.type}_${Buffer.from(random(4)).toString('hex')}`,
      description: request.description ?? '',
      options: request.options ?? null,
      config: request.config ?? {},
    };
    await this.#openMount(path, entry);
    try {
      await this.#parts.storage.write([entries.put(path, entry)]);
    } catch (error) {
      this.#mounts.delete(path);
      throw error;
    }
  }

  /** Changes the settings of a mount; omitted ones are unchanged. */
  async tune(mount: Mount, change: Omit<MountRequest, 'type'>): Promise<void> {
    const { entry, path } = mount;
    if (entry.uuid === '') throw badRequest(`cannot tune "${path}"`);
    const changed: MountEntry = {
      ...entry,
      description: change.description ?? entry.description,
      options: change.options ? { ...entry.options, ...change.options } : entry.options,
      config: { ...entry.config, ...change.config },
    };
    await this.#parts.storage.write([entries.put(path, changed)]);
    this.#mounts.set(path, { ...mount, entry: changed });
  }

  /** Removes a mount and its data; does nothing if it does not exist. */
  async unmount(path: string): Promise<void> {
    const { storage, beforeUnmount } = this.#parts;
    const mount = this.#mounts.get(path);
    if (!mount) return;
    if (mount.entry.uuid === '') throw badRequest(`cannot unmount "${path}"`);
    await beforeUnmount(mount);
    const dataKeys = storage.keys(`data/${mount.entry.uuid}/`);
    this.#mounts.delete(path);
    try {
      await storage.write([entries.remove(path), ...dataKeys.map((key) => ({ key }))]);
    } catch (error) {
      this.#mounts.set(path, mount);
      throw error;
    }
  }

  /**
   * Moves a mount with its data to another path; its leases, and the tokens of its logins, are revoked.
   * @returns the ID of the move, for `findMove`
   * @throws SecretsError 400: no such mount, path in use, an auth method to an engine's path
   */
  async move(from: string, to: string): Promise<string> {
    const { storage, random, beforeUnmount } = this.#parts;
    const mount = this.#mounts.get(from);
    if (!mount) throw badRequest(`no matching mount at "${from}"`);
    if (mount.entry.uuid === '') throw badRequest(`cannot remount "${from}"`);
    const isMethod = (path: string): boolean => path.startsWith('auth/');
    if (isMethod(from) && !isMethod(to))
      throw badRequest(`cannot remount auth mount to non-auth mount "${to}"`);
    if (!isMethod(from) && isMethod(to)) throw badRequest(`cannot remount to destination ${to}`);
    const conflict = this.#conflict(to);
    if (conflict !== undefined) throw badRequest(`path already in use at "${conflict}"`);
    await beforeUnmount(mount);
    const { entry } = mount;
    this.#mounts.delete(from);
    this.#add({ ...mount, path: to });
    try {
      await storage.write([entries.remove(from), entries.put(to, entry)]);
    } catch (error) {
      this.#mounts.delete(to);
      this.#mounts.set(from, mount);
      throw error;
    }
    const id = uuid(random);
    this.#moves.set(id, { source_mount: from, target_mount: to });
    return id;
  }

  /** The paths of a move; undefined: unknown, or before a restart. */
  findMove(id: string): Move | undefined {
    return this.#moves.get(id);
  }

  /** The existing path that conflicts with a mount at this path. */
  #conflict(path: string): string | undefined {
    const [first = '', second = ''] = path.split('/');
    if (reserved.includes(first) && !(first === 'auth' && second !== '')) return `${first}/`;
    const other = [...this.#mounts.keys()].find((each) => each.startsWith(path) || path.startsWith(each));
    return other ?? this.#parts.conflictingNamespace(path);
  }

  #table(path: string): EngineTable {
    return path.startsWith('auth/') ? this.#parts.methods : this.#parts.engines;
  }

  #storageOf(uuid: string): Storage {
    return this.#parts.storage.withPrefix(`data/${uuid}/`);
  }

  async #openMount(path: string, entry: MountEntry): Promise<void> {
    const { random, clock, snapshot } = this.#parts;
    const createEngine = this.#table(path)[entry.type];
    if (!createEngine)
      throw new Error(`the mount ${path} has the type "${entry.type}", which this version does not have`);
    const backend: Engine = createEngine({
      storage: this.#storageOf(entry.uuid),
      random,
      clock,
      options: entry.options ?? {},
      snapshot: (id) => snapshot(id, entry.uuid),
    });
    if (this.#mounts.has(path)) throw badRequest(`path is already in use at ${path}`);
    this.#add({ path, entry, backend });
  }

  #add(mount: Mount): void {
    this.#mounts.set(mount.path, mount);
    this.#maxPathLength = Math.max(this.#maxPathLength, mount.path.length);
  }
}
