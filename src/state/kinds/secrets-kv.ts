import { removedVersion } from '../../api/conditions/secrets.ts';
import { conflict, isForbidden, isNotFound, unlessNotFound, usage } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import { formatJson } from '../../wire/json.ts';
import {
  asObject,
  type Identity,
  type JsonObject,
  type Kind,
  type Live,
  type Services,
  type Versions,
} from '../kind.ts';
import { allKeys, isReadable } from '../secrets-keys.ts';
import {
  inMount,
  kvVersion,
  mountOf,
  mountReference,
  mountScope,
  rejectExisting,
  withoutSlashes,
} from '../secrets-mounts.ts';

const dataOf = (spec: JsonObject): JsonObject => asObject(spec.data);
const keyOf = (identity: Identity) => ({ mount: mountOf(identity), path: identity.key });
const pathOf = (identity: Identity): string => `${mountOf(identity)}/${identity.key}`;

/** @throws LanyardError usage: nothing is mounted there. */
async function requireVersion(services: Services, identity: Identity): Promise<1 | 2> {
  const version = await kvVersion(services, mountOf(identity));
  if (version !== undefined) return version;
  throw usage(`key-value engine not found at ${mountOf(identity)}/`, { service: 'secrets' });
}

async function read(services: Services, identity: Identity): Promise<Live | undefined> {
  const secrets = await services.secrets();
  const version = await kvVersion(services, mountOf(identity));
  if (version === undefined) return undefined;
  if (version === 1) {
    const data = (await unlessNotFound(secrets.readKv1({ path: pathOf(identity) })))?.data;
    return data && { spec: { data: data as JsonObject }, version: '' };
  }
  const found = (await unlessNotFound(secrets.readKv(keyOf(identity))))?.data;
  if (!found?.data) return undefined;
  return { spec: { data: found.data as JsonObject }, version: String(found.metadata.version) };
}

/** What a write of a secret that does not exist expects: 0, or the number of its deleted version. */
async function versionBeforeCreation(services: Services, identity: Identity): Promise<number> {
  const secrets = await services.secrets();
  try {
    return (await secrets.readKv(keyOf(identity))).body.data.metadata.version;
  } catch (error) {
    if (isNotFound(error)) return removedVersion(error)?.version ?? 0;
    throw error;
  }
}

interface Lifetime {
  readonly created_time?: string | undefined;
  readonly versions: Readonly<
    Record<string, { readonly created_time: string; readonly deletion_time: string }>
  >;
}

/**
 * When the secret was created, or written again after its latest version had been deleted. That version keeps the time of
 * its deletion; an earlier version that is deleted afterwards was deleted later than the next one was created.
 */
function createdTime({ created_time, versions }: Lifetime): string | undefined {
  const ordered = Object.entries(versions).sort(([one], [other]) => Number(one) - Number(other));
  return ordered.reduce<string | undefined>((created, [, version], index) => {
    const deleted = ordered[index - 1]?.[1].deletion_time ?? '';
    const isRewritten = deleted !== '' && Date.parse(deleted) <= Date.parse(version.created_time);
    return isRewritten ? version.created_time : created;
  }, created_time);
}

/** The versions that a mount keeps of a secret if neither states a number. */
const defaultMaxVersions = 10;

/** How many versions the service keeps of a secret. */
async function maxVersions(services: Services, identity: Identity, own: number): Promise<number> {
  if (own > 0) return own;
  const { data } = (await (await services.secrets()).readKvConfig({ mount: mountOf(identity) })).body;
  return data.max_versions || defaultMaxVersions;
}

/** Versions of the engine of version 2. */
const versions: Versions = {
  async keeps(services, identity) {
    const secrets = await services.secrets();
    try {
      const { data } = (await secrets.readKvMetadata(keyOf(identity))).body;
      return (await maxVersions(services, identity, data.max_versions ?? 0)) > 1;
    } catch (error) {
      // The token may read the values, and not the settings: the plan of the undo shows it.
      if (isForbidden(error)) return true;
      throw error;
    }
  },
  async read(services, identity, version) {
    const secrets = await services.secrets();
    const name = `version ${version} of ${pathOf(identity)}`;
    try {
      return {
        data: ((await secrets.readKv({ ...keyOf(identity), version })).body.data.data ?? {}) as JsonObject,
      };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const removed = removedVersion(error);
      if (!removed) throw usage(`${name} does not exist any more`, { service: 'secrets' });
      if (removed.destroyed) throw usage(`${name} was destroyed`, { service: 'secrets' });
      const current = await versionBeforeCreation(services, identity);
      if (current !== version) throw usage(`${name} was deleted`, { service: 'secrets' });
      return {};
    }
  },
  async restore(services, identity, version) {
    const name = `secret ${pathOf(identity)}`;
    rejectExisting(await read(services, identity), name);
    const current = await versionBeforeCreation(services, identity);
    if (current !== version) throw conflict(`${name} was changed`, { service: 'secrets' });
    await (await services.secrets()).undeleteKv({ ...keyOf(identity), versions: [version] });
  },
};

async function writeVersion1(services: Services, identity: Identity, spec: JsonObject): Promise<void> {
  const content = formatJson(dataOf(spec));
  await (await services.secrets()).writeSecret({ path: pathOf(identity), content });
}

/**
 * A secret of a key-value engine of version 1 or 2 (docs/protocol/kv.md). It cannot carry a mark: version 1 has no
 * metadata, and with version 2 secret and metadata cannot be written at once.
 */
export const secretsKv: Kind = {
  name: 'secrets.kv',
  service: 'secrets',
  description:
    'A secret of a key-value engine. Deleting it deletes its latest version (version 1: the secret).',
  scope: mountScope('secret'),
  nameIs: 'path of the secret below the mount, such as app/db',
  canonicalName: withoutSlashes,
  schema: field.object(
    { data: field.map(field.any({ isSecret: true }), { description: 'Values by name, usually texts.' }) },
    { required: ['data'] },
  ),
  level: 4,
  guard: 'version',
  deleteGuard: 're-read',
  isProtected: true,
  holdsSecrets: true,
  versions,
  references: (identity) => [mountReference(identity)],
  async list(services) {
    const found: Identity[] = [];
    for (const key of await allKeys(services)) {
      const identity = inMount(key.mount, key.path);
      const isFound = isReadable(key) ?? (await read(services, identity)) !== undefined;
      if (isFound) found.push(identity);
    }
    return found;
  },
  read,
  async readUid(services, identity) {
    if ((await kvVersion(services, mountOf(identity))) !== 2) return undefined;
    const secrets = await services.secrets();
    const metadata = (await unlessNotFound(secrets.readKvMetadata(keyOf(identity))))?.data;
    return metadata && createdTime(metadata);
  },
  async create(services, { identity, spec }) {
    const version = await requireVersion(services, identity);
    rejectExisting(await read(services, identity), `secret ${pathOf(identity)}`);
    if (version === 1) return writeVersion1(services, identity, spec);
    const secrets = await services.secrets();
    const cas = await versionBeforeCreation(services, identity);
    await secrets.writeKv({ ...keyOf(identity), data: dataOf(spec), options: { cas } });
  },
  async update(services, { identity, spec, live }) {
    if (live.version === '') return writeVersion1(services, identity, spec);
    // A deleted version keeps its number, so that check-and-set alone would restore the secret.
    const current = await read(services, identity);
    if (current?.version !== live.version)
      throw conflict(`secret ${pathOf(identity)} was changed`, { service: 'secrets' });
    const options = { cas: Number(live.version) };
    await (await services.secrets()).writeKv({ ...keyOf(identity), data: dataOf(spec), options });
  },
  async remove(services, identity, live) {
    const secrets = await services.secrets();
    if (live.version === '') await secrets.remove({ path: pathOf(identity) });
    else await secrets.deleteKv(keyOf(identity));
  },
};
