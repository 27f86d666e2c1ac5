import type { JsonObject } from '../../../wire/json.ts';
import type { ModelParts } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Change, Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { removals, writeInSlices } from '../../core/store/write-in-slices.ts';
import { uuid } from '../../core/uuid.ts';
import type { Engine, EngineParts } from '../engine.ts';
import { badRequest, orBadRequest } from '../errors.ts';
import { orUndo } from './or-undo.ts';

export type EngineTable = Readonly<Record<string, (parts: EngineParts) => Engine>>;

export interface DefaultMount extends MountRequest {
  /** With a trailing slash. */
  readonly path: string;
}

const entries = table('table/', {
  type: s.string(),
  uuid: s.string(),
  accessor: s.string(),
  description: s.string(),
  options: s.nullable(s.map(s.string())),
  config: s.map(s.json()),
});
export type MountEntry = RowOf<typeof entries>;

/** What is stored of a part of the service itself. */
const builtIns = table('built-in/', {
  uuid: s.string(),
  accessor: s.string(),
  description: s.string(),
  config: s.map(s.json()),
});

export interface Mount {
  /** With a trailing slash. */
  readonly path: string;
  /** A part of the service itself, which cannot be moved or removed. */
  readonly isBuiltIn: boolean;
  readonly entry: MountEntry;
  readonly backend: Engine;
}

export interface MountRequest {
  readonly type: string;
  readonly description?: string | undefined;
  readonly options?: { readonly [name: string]: string } | undefined;
  readonly config?: JsonObject | undefined;
}

export interface MountParts extends ModelParts {
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

/** The mount table. Each engine has its own storage: data of a former mount is never visible at the same path. */
export class Mounts {
  readonly #parts: MountParts;
  readonly #mounts = new Map<string, Mount>();
  /** Length of the longest path ever mounted: no longer path leads to a mount. */
  #maxPathLength = 0;

  constructor(parts: MountParts) {
    this.#parts = parts;
  }

  /** Opens the stored mounts, and creates the default ones that were not created before. */
  async open(defaults: readonly DefaultMount[]): Promise<void> {
    const { storage } = this.#parts;
    checkTables(storage, [entries, builtIns]);
    await this.#openBuiltIns();
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

  /** Adds a part of the service itself, before `open`. */
  addBuiltIn(path: string, backend: Engine, description = ''): void {
    const { type } = backend;
    const entry = { type, uuid: '', accessor: type, description, options: null, config: {} };
    this.#add({ path, isBuiltIn: true, entry, backend });
  }

  /** Gives the parts of the service their stored IDs and settings. */
  async #openBuiltIns(): Promise<void> {
    const { storage } = this.#parts;
    const created: Change[] = [];
    for (const [path, mount] of this.#mounts) {
      const { type, description } = mount.entry;
      const stored = builtIns.get(storage, path) ?? { ...this.#newIds(path, type), description, config: {} };
      if (!builtIns.get(storage, path)) created.push(builtIns.put(path, stored));
      this.#mounts.set(path, { ...mount, entry: { ...mount.entry, ...stored } });
    }
    if (created.length > 0) await storage.write(created);
  }

  #newIds(path: string, type: string): Pick<MountEntry, 'uuid' | 'accessor'> {
    const { random } = this.#parts;
    const prefix = path.startsWith('auth/') ? 'auth_' : '';
    return {
      uuid: uuid(random),
      accessor: `${prefix}${type}_${Buffer.from(random(4)).toString('hex')}`,
    };
  }

  /** Mounts ordered by path. */
  list(): Mount[] {
    return [...this.#mounts.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(path: string): Mount | undefined {
    return this.#mounts.get(path);
  }

  withAccessor(accessor: string): Mount | undefined {
    for (const mount of this.#mounts.values()) if (mount.entry.accessor === accessor) return mount;
    return undefined;
  }

  withUuid(uuid: string): Mount | undefined {
    for (const mount of this.#mounts.values()) if (mount.entry.uuid === uuid) return mount;
    return undefined;
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

  storedMounts(): { readonly uuid: string; readonly storage: Storage }[] {
    return this.list()
      .filter(({ isBuiltIn }) => !isBuiltIn)
      .map(({ entry: { uuid } }) => ({ uuid, storage: this.#storageOf(uuid) }));
  }

  /** Mounts an engine or, below `auth/`, an auth method. @throws SecretsError 400: path in use, unknown type */
  async mount(path: string, request: MountRequest): Promise<void> {
    const conflict = this.#conflict(path);
    if (conflict !== undefined) throw badRequest(`path is already in use at ${conflict}`);
    if (!Object.hasOwn(this.#table(path), request.type))
      throw badRequest(`plugin not found in the catalog: ${request.type}`);
    const entry: MountEntry = {
      type: request.type,
      ...this.#newIds(path, request.type),
      description: request.description ?? '',
      options: request.options ?? null,
      config: request.config ?? {},
    };
    await this.#openMount(path, entry);
    const { storage } = this.#parts;
    await orUndo(
      () => storage.write([entries.put(path, entry)]),
      () => this.#mounts.delete(path),
    );
  }

  /** Changes the settings of a mount, and upgrades its engine if asked for; omitted settings are unchanged. */
  async tune(mount: Mount, change: Omit<MountRequest, 'type'>, upgrades = false): Promise<void> {
    const { entry, path, isBuiltIn } = mount;
    const changed: MountEntry = {
      ...entry,
      description: change.description ?? entry.description,
      options: change.options ? { ...entry.options, ...change.options } : entry.options,
      config: { ...entry.config, ...change.config },
    };
    const { uuid, accessor, description, config } = changed;
    const row = isBuiltIn
      ? builtIns.put(path, { uuid, accessor, description, config })
      : entries.put(path, changed);
    const upgrade = upgrades ? mount.backend.upgrade?.(this.#parts.clock()) : undefined;
    const ofData = (upgrade?.changes ?? []).map((each) => ({ ...each, key: `data/${uuid}/${each.key}` }));
    await orUndo(
      () => this.#parts.storage.write([row, ...ofData]),
      () => upgrade?.revert(),
    );
    this.#mounts.set(path, { ...mount, entry: changed });
  }

  /** Moves a mount with its data; what it issued is revoked. @throws SecretsError 400: no mount, or path in use */
  async move(from: string, to: string): Promise<void> {
    const { storage, beforeUnmount } = this.#parts;
    const movable = (): Mount => {
      const mount = orBadRequest(this.#mounts.get(from), `no matching mount at ${JSON.stringify(from)}`);
      const conflict = this.#conflict(to);
      if (conflict !== undefined) throw badRequest(`path already in use at ${JSON.stringify(conflict)}`);
      return mount;
    };
    await beforeUnmount(movable());
    const mount = movable();
    this.#mounts.delete(from);
    this.#add({ ...mount, path: to });
    try {
      await storage.write([entries.remove(from), entries.put(to, mount.entry)]);
    } catch (error) {
      this.#mounts.delete(to);
      this.#mounts.set(from, mount);
      throw error;
    }
  }

  /** Removes a mount and its data; does nothing if it does not exist. */
  async unmount(path: string): Promise<void> {
    const { storage, beforeUnmount } = this.#parts;
    const mount = this.#mounts.get(path);
    if (!mount) return;
    if (mount.isBuiltIn) throw badRequest(`cannot unmount "${path}"`);
    await beforeUnmount(mount);
    const dataKeys = storage.keys(`data/${mount.entry.uuid}/`);
    this.#mounts.delete(path);
    const removed = removals([entries.prefix + path, ...dataKeys]);
    await orUndo(
      () => writeInSlices(storage, removed),
      () => this.#mounts.set(path, mount),
    );
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
    this.#add({ path, isBuiltIn: false, entry, backend });
  }

  #add(mount: Mount): void {
    this.#mounts.set(mount.path, mount);
    this.#maxPathLength = Math.max(this.#maxPathLength, mount.path.length);
  }
}
