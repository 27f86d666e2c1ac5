import type { JsonObject } from '../../../core/http/fields.ts';
import { objectInSlices } from '../../../core/in-slices.ts';
import type { EngineResponse } from '../../engine.ts';
import { notFound, orNotFound } from '../../errors.ts';
import { object } from '../../help/field.ts';
import { type CustomMetadata, readCustomMetadata } from '../../kv/custom-metadata.ts';
import { mergePatch, objectField } from '../../kv/json-object.ts';
import { newSecret, type Secret, showSecret } from '../../kv/secret.ts';
import type { SecretStore } from '../../kv/secret-store.ts';
import { readSettings, settingDescriptions } from '../../kv/settings.ts';
import { pageOf } from '../../page.ts';
import type { Resource } from '../../resource.ts';
import { scanResponse } from './scan-response.ts';

/** The metadata of keys: the paths `metadata/`. */

const list: Resource<SecretStore>['list'] = async (store, { data }, path) => {
  const keys = pageOf(await store.names(path === '' ? '' : `${path}/`), data);
  if (keys.length === 0) throw notFound();
  return { data: { keys } };
};

const scan: Resource<SecretStore>['scan'] = async (store, _request, path) =>
  scanResponse(await store.keysBelow(path === '' ? '' : `${path}/`));

export const root: Resource<SecretStore> = { summary: 'List the keys of the mount.', list, scan };

/** The names below a path, with the metadata of those that are keys. */
export const detailed: Resource<SecretStore> = {
  summary: 'List a directory with the metadata of its keys.',
  async list(store, { data }, path) {
    const directory = path === '' ? '' : `${path}/`;
    const keys = pageOf(await store.names(directory), data);
    if (keys.length === 0) throw notFound();
    return withDetails(store, directory, keys);
  },
  async scan(store, _request, path) {
    const directory = path === '' ? '' : `${path}/`;
    const keys = await store.keysBelow(directory);
    return keys.length === 0 ? scanResponse(keys) : withDetails(store, directory, keys);
  },
};

async function withDetails(store: SecretStore, directory: string, keys: string[]): Promise<EngineResponse> {
  const key_info = await objectInSlices(keys, (key) => {
    const secret = key.endsWith('/') ? undefined : store.get(directory + key);
    return [key, secret ? showSecret(secret) : {}];
  });
  return { data: { keys, key_info } };
}

export const metadata: Resource<SecretStore> = {
  summary: 'Read and change the metadata of a key, delete it with all versions, or list a directory.',
  fields: {
    ...settingDescriptions,
    custom_metadata: object('Strings by key: at most 64 keys of 128 bytes, and 512 bytes per value.'),
  },
  read: (store, _request, key) => ({ data: showSecret(orNotFound(store.get(key))) }),
  list,
  scan,
  /** Sets the given fields and leaves the rest unchanged; the key need not exist. */
  async write(store, { data, now }, key) {
    const settings = readSettings(data, 'key');
    const customMetadata = objectField(data, 'custom_metadata');
    const changes = {
      ...settings,
      ...(customMetadata && { customMetadata: readCustomMetadata(customMetadata) }),
    };
    if (Object.keys(changes).length === 0) return undefined;
    const secret = store.get(key) ?? newSecret(now.getTime());
    await store.save(key, { ...secret, ...changes });
    return warning(store, settings.casRequired);
  },
  /** A merge patch of the settings: null resets a setting or removes a custom metadata key. */
  async patch(store, { data }, key) {
    const settings = readSettings(withoutNulls(data), 'key');
    const secret = orNotFound(store.get(key));
    await store.save(key, { ...secret, ...settings, customMetadata: patchCustomMetadata(data, secret) });
    return warning(store, settings.casRequired);
  },
  delete: (store, _request, key) => store.remove(key),
};

/** A null setting is reset to its default. */
function withoutNulls(data: JsonObject): JsonObject {
  const present = Object.keys(settingDescriptions).filter((name) => Object.hasOwn(data, name));
  return Object.fromEntries(present.map((name) => [name, data[name] ?? 0]));
}

function patchCustomMetadata(data: JsonObject, secret: Secret): CustomMetadata | null {
  if (!Object.hasOwn(data, 'custom_metadata')) return secret.customMetadata;
  const patch = objectField(data, 'custom_metadata');
  if (patch === undefined) return null;
  return readCustomMetadata(mergePatch({ ...secret.customMetadata }, { ...patch }) as JsonObject);
}

function warning(store: SecretStore, casRequired: boolean | undefined): EngineResponse | undefined {
  if (casRequired !== false || !store.settings().casRequired) return undefined;
  return {
    warnings: ['"cas_required" is true for the mount; setting it to false on this key has no effect'],
  };
}
