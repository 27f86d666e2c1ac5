import type { EngineRequest, EngineResponse } from '../engine.ts';
import { nothing } from '../refusals.ts';
import { type CustomMetadata, readCustomMetadata } from './custom-metadata.ts';
import { directory } from './listing.ts';
import { type JsonObject, mergePatch, objectField } from './members.ts';
import { newSecret, type Secret, showSecret } from './secret.ts';
import type { SecretStore } from './secret-store.ts';
import { givenSettings, settingNames } from './settings.ts';

/** The metadata of keys: the paths `metadata/`. */

export function readMetadata(store: SecretStore, _request: EngineRequest, key: string): EngineResponse {
  const secret = store.get(key);
  if (!secret) throw nothing();
  return { data: showSecret(secret) };
}

export function listKeys(store: SecretStore, path: string): EngineResponse {
  const keys = store.names(directory(path));
  if (keys.length === 0) throw nothing();
  return { data: { keys } };
}

/** Sets the given fields and leaves the rest unchanged; the key need not exist. */
export async function writeMetadata(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse | undefined> {
  const settings = givenSettings(data, 'key');
  const custom = objectField(data, 'custom_metadata');
  const given = { ...settings, ...(custom && { customMetadata: readCustomMetadata(custom) }) };
  if (Object.keys(given).length === 0) return undefined;
  const secret = store.get(key) ?? newSecret(now.getTime());
  await store.save(key, { ...secret, ...given });
  return warning(store, settings.casRequired);
}

/** A merge patch of the settings: null resets a setting or removes a custom metadata key. */
export async function patchMetadata(
  store: SecretStore,
  { data }: EngineRequest,
  key: string,
): Promise<EngineResponse | undefined> {
  const settings = givenSettings(withoutNulls(data), 'key');
  const secret = store.get(key);
  if (!secret) throw nothing();
  await store.save(key, { ...secret, ...settings, customMetadata: patchedCustom(data, secret) });
  return warning(store, settings.casRequired);
}

/** A null setting is reset to its default. */
function withoutNulls(data: JsonObject): JsonObject {
  const members = settingNames.filter((name) => Object.hasOwn(data, name));
  return Object.fromEntries(members.map((name) => [name, data[name] ?? 0]));
}

function patchedCustom(data: JsonObject, secret: Secret): CustomMetadata | null {
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
