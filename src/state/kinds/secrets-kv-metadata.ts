import { unlessNotFound } from '../../errors.ts';
import { kvMetadata as schema } from '../../objects/kv-settings.ts';
import { formatJson, type Json } from '../../wire/json.ts';
import { isObject, memberOf } from '../../wire/objects.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import { isDefault, settingsOf } from '../kv-settings.ts';
import { allKeys } from '../secrets-keys.ts';
import {
  inMount,
  kvVersion,
  mountOf,
  mountReference,
  mountScope,
  pickFields,
  rejectExisting,
  requireVersion2,
  withoutSlashes,
} from '../secrets-mounts.ts';

const keyOf = (identity: Identity) => ({ mount: mountOf(identity), path: identity.key });

const specOf = (metadata: object): JsonObject => pickFields(metadata, schema);

const textsOf = (value: Json | undefined): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
    : {};

/** The metadata of a key, also with default settings. */
async function readKey(services: Services, identity: Identity) {
  if ((await kvVersion(services, mountOf(identity))) !== 2) return undefined;
  const data = (await unlessNotFound((await services.secrets()).readKvMetadata(keyOf(identity))))?.data;
  if (!data) return undefined;
  const { current_metadata_version: version } = data as { readonly current_metadata_version?: number };
  return {
    spec: specOf(data),
    version: String(version ?? ''),
    isEmpty: Object.keys(data.versions).length === 0,
    ...(typeof data.created_time === 'string' && { uid: data.created_time }),
  };
}

/**
 * Writes complete settings. With a version of the metadata in one guarded request; without one, only what differs, so
 * that entries of others survive.
 */
async function write(services: Services, identity: Identity, spec: JsonObject, live: Live): Promise<void> {
  const secrets = await services.secrets();
  const settings = settingsOf(spec);
  const custom_metadata = textsOf(spec.custom_metadata);
  if (live.version !== '') {
    const metadata_cas = Number(live.version);
    await secrets.writeKvMetadata({ ...keyOf(identity), ...settings, custom_metadata, metadata_cas });
    return;
  }
  await secrets.writeKvMetadata({ ...keyOf(identity), ...settings });
  const found = textsOf(live.spec.custom_metadata);
  const changes = [...new Set([...Object.keys(found), ...Object.keys(custom_metadata)])]
    .filter((name) => memberOf(found, name) !== memberOf(custom_metadata, name))
    .map((name): [string, Json] => [name, memberOf(custom_metadata, name) ?? null]);
  if (changes.length === 0) return;
  const path = `${mountOf(identity)}/metadata/${identity.key}`;
  await secrets.patch({ path, content: formatJson({ custom_metadata: Object.fromEntries(changes) }) });
}

/** The metadata of a secret of version 2 (docs/protocol/kv.md#version-2). Only OpenBao has versions of metadata. */
export const secretsKvMetadata: Kind = {
  name: 'secrets.kv-metadata',
  service: 'secrets',
  description:
    'Settings and custom metadata of a secret. They exist if one is not the default; deleting them restores the defaults and keeps the versions of the secret.',
  scope: mountScope('secret'),
  nameIs: 'path of the secret below the mount, such as app/db',
  canonicalName: withoutSlashes,
  schema,
  level: 3,
  mark: { type: 'map', field: 'custom_metadata' },
  guard: 'version',
  deleteGuard: 're-read',
  references: (identity) => [mountReference(identity)],
  async list(services) {
    const keys = await allKeys(services, 2);
    const found: Identity[] = [];
    for (const { mount, path, metadata } of keys) {
      const identity = inMount(mount, path);
      const exists = metadata
        ? !isDefault(schema, specOf(metadata))
        : (await secretsKvMetadata.read(services, identity)) !== undefined;
      if (exists) found.push(identity);
    }
    return found;
  },
  async read(services, identity) {
    const found = await readKey(services, identity);
    if (!found || isDefault(schema, found.spec)) return undefined;
    const { isEmpty: _, ...live } = found;
    return live;
  },
  async create(services, { identity, spec }) {
    await requireVersion2(services, mountOf(identity));
    const found = await readKey(services, identity);
    if (found && !isDefault(schema, found.spec))
      rejectExisting(found, `metadata of ${mountOf(identity)}/${identity.key}`);
    await write(services, identity, spec, found ?? { spec: {}, version: '0' });
  },
  update: (services, { identity, spec, live }) => write(services, identity, spec, live),
  async remove(services, identity, live) {
    const found = await readKey(services, identity);
    // Deleting metadata deletes all versions.
    if (found?.isEmpty) await (await services.secrets()).deleteKvMetadata(keyOf(identity));
    else await write(services, identity, {}, live);
  },
};
