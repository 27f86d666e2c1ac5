import { conflict, isEmptyListError, type LanyardError, unlessNotFound, usage } from '../errors.ts';
import type { Services } from './kind.ts';
import { namesIn } from './secrets-mounts.ts';
import type { RecordPlace } from './set.ts';

/** Files of the user, for records in files. */
export interface RecordFiles {
  readonly exists: (path: string) => Promise<boolean>;
  readonly readText: (path: string, what: string) => Promise<string>;
  /**
   * Replaces the content of a file, which must not have changed since `expected`; undefined: it must not exist. Creates
   * its directory.
   */
  readonly replace: (path: string, content: string, expected: string | undefined) => Promise<void>;
}

/** A text, and what a guarded write of it expects. */
interface StoredText {
  readonly text: string;
  readonly version: string;
}

/** Texts at the place of a record: itself (the empty name), and names that begin with "/" below it. */
export interface ValueStore {
  /** Of the record, for messages: `registry key lanyard/sets/ID`. */
  readonly place: string;
  /** Bytes of one value; undefined: unlimited. */
  readonly maxBytes?: number;
  read(name: string): Promise<StoredText | undefined>;
  /** @param version of the text that it replaces; undefined: it does not exist. @returns the new version */
  write(name: string, text: string, version: string | undefined): Promise<string>;
  remove(name: string): Promise<void>;
  /** The names below a directory that ends with "/". */
  list(directory: string): Promise<readonly string[]>;
}

/** The values of a record, by its place. */
export function recordValues(
  { store, path }: RecordPlace,
  services: Services,
  files: RecordFiles,
): ValueStore {
  const stores = {
    registry: () => registryValues(path, services),
    scheduler: () => schedulerValues(path, services),
    secrets: () => secretsValues(path, services),
    file: () => fileValues(path, files),
  };
  return stores[store]();
}

/** The error of a guarded write that lost a race. */
export const recordChanged = (place: string): LanyardError =>
  conflict(`the record of the set in ${place} was changed by another apply`, {
    hint: 'Run `lanyard plan` again.',
  });

/** Keys of the registry, written with check-and-set. Consul stores 512 KiB in one. */
function registryValues(path: string, services: Services): ValueStore {
  const place = `registry key ${path}`;
  const readEntry = async (key: string) => {
    const found = await unlessNotFound((await services.registry()).readKey({ key, consistent: '' }));
    const entry = found?.[0];
    return (
      entry && {
        text: Buffer.from(entry.Value ?? '', 'base64').toString(),
        version: String(entry.ModifyIndex),
      }
    );
  };
  return {
    place,
    maxBytes: 400_000,
    read: (name) => readEntry(path + name),
    async write(name, text, version) {
      const key = path + name;
      const registry = await services.registry();
      const { body: isWritten } = await registry.writeKey({
        key,
        content: Buffer.from(text),
        cas: Number(version ?? 0),
      });
      if (!isWritten) throw recordChanged(place);
      const entry = await readEntry(key);
      if (entry?.text !== text) throw recordChanged(place);
      return entry.version;
    },
    async remove(name) {
      await (await services.registry()).deleteKey({ key: path + name });
    },
    async list(directory) {
      const prefix = path + directory;
      const listing = (await services.registry()).listKeys({ prefix, consistent: '' });
      const keys = await unlessNotFound(listing, isEmptyListError);
      return (keys ?? []).map((key) => key.slice(path.length));
    },
  };
}

/** Variables with the item `record`. The embedded scheduler stores 16 KiB in one, Nomad 64 KiB. */
function schedulerValues(path: string, services: Services): ValueStore {
  const [namespace = '', ...rest] = path.split('/');
  if (rest.length === 0) throw usage(`invalid record "scheduler:${path}": expected scheduler:NAMESPACE/PATH`);
  const base = rest.join('/');
  const address = (name: string) => ({ namespace, path: base + name });
  return {
    place: `scheduler variable ${base}`,
    maxBytes: 15_000,
    async read(name) {
      const variable = await unlessNotFound((await services.scheduler()).readVariable(address(name)));
      return variable && { text: variable.Items?.record ?? '', version: String(variable.ModifyIndex ?? 0) };
    },
    async write(name, text, version) {
      const scheduler = await services.scheduler();
      const { body } = await scheduler.writeVariable({
        ...address(name),
        Items: { record: text },
        cas: version ?? '0',
      });
      const written = body ?? (await scheduler.readVariable(address(name))).body;
      return String(written.ModifyIndex ?? 0);
    },
    async remove(name) {
      await (await services.scheduler()).deleteVariable(address(name));
    },
    async list(directory) {
      const { body } = await (await services.scheduler()).listVariables({
        namespace,
        prefix: base + directory,
      });
      return (body ?? []).map((variable) => variable.Path.slice(base.length));
    },
  };
}

/** Secrets of a version 2 mount, with the key `record`. OpenBao stores 1 MiB in one; its storage may be Consul. */
function secretsValues(path: string, services: Services): ValueStore {
  const locate = async (name: string) => {
    const { body } = await (await services.secrets()).findMount({ path });
    const mount = body.data.path.replace(/\/$/, '');
    if (body.data.options?.version !== '2')
      throw usage(`invalid record "secrets:${path}": expected a path of a version 2 key-value mount`);
    return { mount, path: path.slice(mount.length + 1) + name };
  };
  return {
    place: `secret ${path}`,
    maxBytes: 400_000,
    async read(name) {
      const secrets = await services.secrets();
      const found = await unlessNotFound(secrets.readKv(await locate(name)));
      if (!found?.data.data) return undefined;
      return { text: String(found.data.data.record ?? ''), version: String(found.data.metadata.version) };
    },
    async write(name, text, version) {
      const secrets = await services.secrets();
      const { body } = await secrets.writeKv({
        ...(await locate(name)),
        data: { record: text },
        options: { cas: Number(version ?? 0) },
      });
      return String(body.data.version);
    },
    async remove(name) {
      await (await services.secrets()).deleteKvMetadata(await locate(name));
    },
    async list(directory) {
      const secrets = await services.secrets();
      const { mount, path: below } = await locate(directory);
      const found: string[] = [];
      const addAll = async (inner: string): Promise<void> => {
        for (const name of await namesIn(secrets, `${mount}/metadata/${below}${inner}`.replace(/\/$/, '')))
          if (name.endsWith('/')) await addAll(inner + name);
          else found.push(directory + inner + name);
      };
      await addAll('');
      return found;
    },
  };
}

/** A file, for sets that one machine applies. Its version is its text. */
function fileValues(path: string, { exists, readText, replace }: RecordFiles): ValueStore {
  return {
    place: path,
    async read() {
      if (!(await exists(path))) return undefined;
      const text = await readText(path, 'the record');
      return { text, version: text };
    },
    async write(_name, text, version) {
      await replace(path, text, version);
      return text;
    },
    remove: async () => undefined,
    list: async () => [],
  };
}
