import { conflict, unlessNotFound, usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import type { Services } from './kind.ts';
import { parseRecord, type RecordStore, type SetRecord } from './record.ts';
import type { RecordPlace } from './set.ts';

/** Files of the user, for records in files. */
export interface RecordFiles {
  readonly exists: (path: string) => Promise<boolean>;
  readonly readText: (path: string, what: string) => Promise<string>;
  /** Replaces the content of a file, which must not have changed since `expected`; undefined: it must not exist. */
  readonly replace: (path: string, content: string, expected: string | undefined) => Promise<void>;
}

/** The store of a record, by its place. */
export function recordStore(
  { store, path }: RecordPlace,
  services: Services,
  files: RecordFiles,
): RecordStore {
  const stores = {
    registry: () => registryStore(path, services),
    scheduler: () => schedulerStore(path, services),
    secrets: () => secretsStore(path, services),
    file: () => fileStore(path, files),
  };
  return stores[store]();
}

const lost = (place: string) =>
  conflict(`the record of the set in ${place} was changed by another apply`, {
    hint: 'Run `lanyard plan` again.',
  });

const textOf = (record: SetRecord): string => `${formatJson(record, 2)}\n`;

/** A key of the registry, written with check-and-set. */
function registryStore(key: string, services: Services): RecordStore {
  const place = `registry key ${key}`;
  return {
    async read() {
      const found = await unlessNotFound((await services.registry()).readKey({ key, consistent: '' }));
      const entry = found?.[0];
      if (!entry) return undefined;
      const text = Buffer.from(entry.Value ?? '', 'base64').toString();
      return { record: parseRecord(text, place), version: String(entry.ModifyIndex) };
    },
    async write(record, version) {
      const registry = await services.registry();
      const content = Buffer.from(textOf(record));
      const { body: isWritten } = await registry.writeKey({ key, content, cas: Number(version ?? 0) });
      if (!isWritten) throw lost(place);
      const [entry] = (await registry.readKey({ key, consistent: '' })).body;
      if (Buffer.from(entry?.Value ?? '', 'base64').toString() !== textOf(record)) throw lost(place);
      return String(entry?.ModifyIndex);
    },
  };
}

/** A variable with the item `record`. */
function schedulerStore(path: string, services: Services): RecordStore {
  const [namespace = '', ...rest] = path.split('/');
  if (rest.length === 0) throw usage(`invalid record "scheduler:${path}": expected scheduler:NAMESPACE/PATH`);
  const address = { namespace, path: rest.join('/') };
  const place = `scheduler variable ${address.path}`;
  return {
    async read() {
      const variable = await unlessNotFound((await services.scheduler()).readVariable(address));
      if (!variable) return undefined;
      return {
        record: parseRecord(variable.Items?.record ?? '', place),
        version: String(variable.ModifyIndex ?? 0),
      };
    },
    async write(record, version) {
      const scheduler = await services.scheduler();
      const { body } = await scheduler.writeVariable({
        ...address,
        Items: { record: textOf(record) },
        cas: version ?? '0',
      });
      const written = body ?? (await scheduler.readVariable(address)).body;
      return String(written.ModifyIndex ?? 0);
    },
  };
}

/** A secret of a version 2 mount, with the key `record`. */
function secretsStore(path: string, services: Services): RecordStore {
  const place = `secret ${path}`;
  const locate = async () => {
    const { body } = await (await services.secrets()).findMount({ path });
    const mount = body.data.path.replace(/\/$/, '');
    if (body.data.options?.version !== '2')
      throw usage(`invalid record "secrets:${path}": expected a path of a version 2 key-value mount`);
    return { mount, path: path.slice(mount.length + 1) };
  };
  return {
    async read() {
      const secrets = await services.secrets();
      const found = await unlessNotFound(secrets.readKv(await locate()));
      if (!found?.data.data) return undefined;
      return {
        record: parseRecord(String(found.data.data.record ?? ''), place),
        version: String(found.data.metadata.version),
      };
    },
    async write(record, version) {
      const secrets = await services.secrets();
      const { body } = await secrets.writeKv({
        ...(await locate()),
        data: { record: textOf(record) },
        options: { cas: Number(version ?? 0) },
      });
      return String(body.data.version);
    },
  };
}

/** A file, for sets that one machine applies. Its version is its text. */
function fileStore(path: string, { exists, readText, replace }: RecordFiles): RecordStore {
  return {
    async read() {
      if (!(await exists(path))) return undefined;
      const text = await readText(path, 'the record');
      return { record: parseRecord(text, path), version: text };
    },
    async write(record, version) {
      await replace(path, textOf(record), version);
      return textOf(record);
    },
  };
}
