import { base62 } from '../../core/base62.ts';
import type { ModelParts } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { checkTables, type RowOf, table } from '../../core/store/table.ts';
import { removals, writeInSlices } from '../../core/store/write-in-slices.ts';
import { uuid } from '../../core/uuid.ts';
import { badRequest } from '../errors.ts';
import type { Identity } from './identity.ts';
import type { Mounts } from './mounts.ts';
import { orUndo } from './or-undo.ts';
import type { Policies } from './policies.ts';

/** A namespace with its own mounts, policies and entities. */
export interface Namespace {
  /** Its names, each with a trailing slash; empty for the root namespace. */
  readonly path: string;
  /** Five letters and digits; `root` for the root namespace. */
  readonly id: string;
  readonly uuid: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly policies: Policies;
  readonly mounts: Mounts;
  readonly identity: Identity;
}

const records = table('namespace/table/', { id: s.string(), uuid: s.string(), metadata: s.map(s.string()) });
type NamespaceRecord = RowOf<typeof records>;

export type NamespaceAttributes = Pick<Namespace, 'path' | 'id' | 'uuid' | 'metadata'>;

interface NamespaceParts extends Pick<ModelParts, 'storage' | 'random'> {
  readonly openNamespace: (attributes: NamespaceAttributes, storage: Storage) => Promise<Namespace>;
  /** Called before a namespace is removed. */
  readonly beforeDelete: (namespace: Namespace) => Promise<void>;
}

/** Names that would hide a part of the service. */
const reserved = ['root', 'sys', 'auth', 'identity', 'audit', 'cubbyhole'];

/** The namespaces, a tree of paths. A namespace other than root keeps its state below its uuid. */
export class Namespaces {
  readonly #parts: NamespaceParts;
  readonly #all = new Map<string, Namespace>();

  constructor(parts: NamespaceParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { storage, openNamespace } = this.#parts;
    this.#all.set('', await openNamespace({ path: '', id: 'root', uuid: '', metadata: {} }, storage));
    checkTables(storage, [records]);
    for (const [path, record] of records.entries(storage))
      this.#all.set(path, await this.#openNamespace(path, record));
  }

  get root(): Namespace {
    const root = this.#all.get('');
    if (!root) throw new Error('the namespaces are not open');
    return root;
  }

  get(path: string): Namespace | undefined {
    return this.#all.get(path);
  }

  all(): Namespace[] {
    return [...this.#all.values()];
  }

  /** The namespaces directly below one, in order. */
  children(path: string): Namespace[] {
    return this.all()
      .filter((each) => each.path !== path && parentOf(each.path) === path)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The deepest namespace on a path, and the rest of the path. */
  resolve(segments: readonly string[]): { readonly namespace: Namespace; readonly rest: readonly string[] } {
    let namespace = this.root;
    let depth = 0;
    for (const segment of segments) {
      const next = this.#all.get(`${namespace.path}${segment}/`);
      if (!next) break;
      namespace = next;
      depth++;
    }
    return { namespace, rest: segments.slice(depth) };
  }

  /**
   * Creates a namespace below another one, or changes the metadata of an existing one.
   * @param change makes the new metadata from the existing metadata
   * @throws SecretsError 400: the name is reserved or a mount's
   */
  async put(
    parent: string,
    name: string,
    change: (existing: Namespace['metadata']) => Namespace['metadata'],
  ): Promise<Namespace> {
    const { storage, random } = this.#parts;
    const path = `${parent}${name}/`;
    const existing = records.get(storage, path);
    if (reserved.includes(name))
      throw badRequest(`"${name}" is a reserved path and cannot be used as a namespace path`);
    if (/\s/.test(name)) throw badRequest('a namespace path cannot contain whitespace');
    const conflictingMount = this.#all
      .get(parent)
      ?.mounts.list()
      .find((mount) => mount.path.startsWith(`${name}/`));
    if (conflictingMount)
      throw badRequest(`namespace path conflicts with the mount at ${conflictingMount.path}`);
    const record: NamespaceRecord = existing
      ? { ...existing, metadata: change(existing.metadata) }
      : { id: base62(5, random), uuid: uuid(random), metadata: change({}) };
    await storage.write([records.put(path, record)]);
    const opened = this.#all.get(path) ?? (await this.#openNamespace(path, record));
    // After concurrent creation, the first one is used.
    const namespace = { ...(this.#all.get(path) ?? opened), metadata: record.metadata };
    this.#all.set(path, namespace);
    return namespace;
  }

  /** Removes a namespace and its content; false: it did not exist. @throws SecretsError 400: it has children */
  async delete(path: string): Promise<boolean> {
    const { storage, beforeDelete } = this.#parts;
    const namespace = this.#all.get(path);
    if (!namespace) return false;
    const children = this.children(path).map((each) => each.path.slice(path.length));
    if (children.length > 0) throw badRequest(`namespace has child namespaces: ${children.join(', ')}`);
    await beforeDelete(namespace);
    const record = records.get(storage, path);
    this.#all.delete(path);
    const dataKeys = record ? storage.keys(dataPrefix(record)) : [];
    const removed = removals([records.prefix + path, ...dataKeys]);
    await orUndo(
      () => writeInSlices(storage, removed),
      () => this.#all.set(path, namespace),
    );
    return true;
  }

  #openNamespace(path: string, record: NamespaceRecord): Promise<Namespace> {
    const { openNamespace, storage } = this.#parts;
    return openNamespace({ path, ...record }, storage.withPrefix(dataPrefix(record)));
  }
}

const dataPrefix = ({ uuid }: NamespaceRecord): string => `namespace/data/${uuid}/`;

const parentOf = (path: string): string => path.replace(/[^/]+\/$/, '');
