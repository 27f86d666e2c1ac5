import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { notFound } from '../../errors.ts';
import { type CustomMetadata, readCustomMetadata } from '../../kv/custom-metadata.ts';
import { type JsonObject, mergePatch, objectField } from '../../kv/json-object.ts';
import { directoryPrefix } from '../../kv/list-names.ts';
import { newSecret, type Secret, showSecret } from '../../kv/secret.ts';
import type { SecretStore } from '../../kv/secret-store.ts';
import { readSettings, settingNames } from '../../kv/settings.ts';

/** The metadata of keys: the paths `metadata/`. */

export function readMetadata(store: SecretStore, _request: EngineRequest, key: string): EngineResponse {
  const secret = store.get(key);
  if (!secret) throw notFound();
  return { data: showSecret(secret) };
}

export function listKeys(store: SecretStore, path: string): EngineResponse {
  const keys = store.names(directoryPrefix(path));
  if (keys.length === 0) throw notFound();
  return { data: { keys } };
}

/** Sets the given fields and leaves the rest unchanged; the key need not exist. */
export async function writeMetadata(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse | undefined> {
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
}

/** A merge patch of the settings: null resets a setting or removes a custom metadata key. */
export async function patchMetadata(
  store: SecretStore,
  { data }: EngineRequest,
  key: string,
): Promise<EngineResponse | undefined> {
  const settings = readSettings(withoutNulls(data), 'key');
  const secret = store.get(key);
  if (!secret) throw notFound();
  await store.save(key, { ...secret, ...settings, customMetadata: patchCustomMetadata(data, secret) });
  return warning(store, settings.casRequired);
}

/** A null setting is reset to its default. */
function withoutNulls(data: JsonObject): JsonObject {
  const present = settingNames.filter((name) => Object.hasOwn(data, name));
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

export async function removeKey(
  store: SecretStore,
  _request: EngineRequest,
  key: string,
): Promise<undefined> {
  await store.remove(key);
}
