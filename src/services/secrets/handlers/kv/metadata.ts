import type { JsonObject } from '../../../../wire/json.ts';
import { objectInSlices } from '../../../core/in-slices.ts';
import { zeroOf } from '../../../core/schema/read.ts';
import * as s from '../../../core/schema/types.ts';
import type { EngineResponse } from '../../engine.ts';
import { notFound, orNotFound } from '../../errors.ts';
import { type CustomMetadata, readCustomMetadata } from '../../kv/custom-metadata.ts';
import { mergePatch } from '../../kv/merge-patch.ts';
import { newSecret, type Secret, shownSecret, showSecret } from '../../kv/secret.ts';
import { type SecretStore, storeResource } from '../../kv/secret-store.ts';
import { changedSettings, settingInput } from '../../kv/settings.ts';
import { pageFields, pageOf } from '../../page.ts';
import type { InputOf } from '../../resource.ts';
import { scanned, scanResponse } from './scan-response.ts';

const metadataFields = {
  ...settingInput,
  custom_metadata: s.optional(
    s.anyObject('Strings by key: at most 64 keys of 128 bytes, and 512 bytes per value.'),
  ),
};

interface PagedRequest {
  readonly input: InputOf<typeof pageFields>;
}

const list = async (store: SecretStore, { input }: PagedRequest, path: string) => {
  const keys = pageOf(await store.names(path === '' ? '' : `${path}/`), input);
  if (keys.length === 0) throw notFound();
  return { data: { keys } };
};

const scan = async (store: SecretStore, _request: unknown, path: string) =>
  scanResponse(await store.keysBelow(path === '' ? '' : `${path}/`));

export const root = storeResource({
  summary: 'List the keys of the mount.',
  query: pageFields,
  returns: { list: scanned },
  list,
  scan,
});

/** The names below a path, with the metadata of those that are keys. */
export const detailed = storeResource({
  summary: 'List a directory with the metadata of its keys.',
  query: pageFields,
  returns: { list: s.object(s.partial({ keys: s.list(s.string()), key_info: s.map(s.anyObject()) })) },
  async list(store, { input }, path) {
    const directory = path === '' ? '' : `${path}/`;
    const keys = pageOf(await store.names(directory), input);
    if (keys.length === 0) throw notFound();
    return withDetails(store, directory, keys);
  },
  async scan(store, _request, path) {
    const directory = path === '' ? '' : `${path}/`;
    const keys = await store.keysBelow(directory);
    return keys.length === 0 ? scanResponse(keys) : withDetails(store, directory, keys);
  },
});

async function withDetails(store: SecretStore, directory: string, keys: string[]): Promise<EngineResponse> {
  const key_info = await objectInSlices(keys, (key) => {
    const secret = key.endsWith('/') ? undefined : store.get(directory + key);
    return [key, secret ? showSecret(secret) : {}];
  });
  return { data: { keys, key_info } };
}

export const metadata = storeResource({
  summary: 'Read and change the metadata of a key, delete it with all versions, or list a directory.',
  query: pageFields,
  fields: metadataFields,
  returns: { read: shownSecret, list: scanned },
  read: (store, _request, key) => ({ data: showSecret(orNotFound(store.get(key))) }),
  list,
  scan,
  /** Sets the given fields and leaves the rest unchanged; the key need not exist. */
  async write(store, { input, now }, key) {
    const settings = changedSettings(input, 'key');
    const { custom_metadata: customMetadata } = input;
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
  async patch(store, { input, data }, key) {
    const settings = changedSettings({ ...input, ...resetSettings(data) }, 'key');
    const secret = orNotFound(store.get(key));
    await store.save(key, {
      ...secret,
      ...settings,
      customMetadata: patchCustomMetadata(input, data, secret),
    });
    return warning(store, settings.casRequired);
  },
  delete: (store, _request, key) => store.remove(key),
});

/** The settings that are null in a patch, with their defaults. */
const resetSettings = (data: JsonObject) =>
  Object.fromEntries(
    Object.entries(settingInput).flatMap(([name, type]) =>
      data[name] === null ? [[name, zeroOf(type)]] : [],
    ),
  );

function patchCustomMetadata(
  { custom_metadata: patch }: InputOf<typeof metadataFields>,
  data: JsonObject,
  secret: Secret,
): CustomMetadata | null {
  if (!Object.hasOwn(data, 'custom_metadata')) return secret.customMetadata;
  if (patch === undefined) return null;
  return readCustomMetadata(mergePatch({ ...secret.customMetadata }, { ...patch }) as JsonObject);
}

function warning(store: SecretStore, casRequired: boolean | undefined): EngineResponse | undefined {
  if (casRequired !== false || !store.settings().casRequired) return undefined;
  return {
    warnings: ['"cas_required" is true for the mount; setting it to false on this key has no effect'],
  };
}
