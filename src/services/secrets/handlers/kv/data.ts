import type { Json } from '../../../../wire/json.ts';
import { type EngineRequest, type EngineResponse, SecretsError } from '../../engine.ts';
import { notFound } from '../../errors.ts';
import { integerField } from '../../fields.ts';
import {
  fieldError,
  ignoredWarnings,
  type JsonObject,
  mergePatch,
  objectField,
  outlineKeys,
} from '../../kv/json-object.ts';
import {
  currentVersion,
  deleteVersions,
  findVersion,
  isDestroyedOrDeleted,
  newSecret,
  type Secret,
  showVersion,
  type Version,
} from '../../kv/secret.ts';
import type { SecretStore } from '../../kv/secret-store.ts';
import type { Settings } from '../../kv/settings.ts';

/** Reading and writing the data of secrets: the paths `data/` and `subkeys/`. */

/** `?version=` selects another version than the latest. */
export function readData(store: SecretStore, request: EngineRequest, key: string): EngineResponse {
  return readVersion(store, request, key, 'data', (content) => content);
}

/** The keys in a secret, down to `?depth=` levels. */
export function readSubkeys(store: SecretStore, request: EngineRequest, key: string): EngineResponse {
  const depth = integerField(request.data, 'depth') ?? 0;
  if (depth < 0) throw fieldError('depth', 'it cannot be negative');
  return readVersion(store, request, key, 'subkeys', (content) => outlineKeys(content, depth));
}

/** For a deleted or destroyed version the status is 404, but the response still contains its metadata. */
function readVersion(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
  field: string,
  view: (content: { [key: string]: Json }) => { [key: string]: Json },
): EngineResponse {
  const { secret, version } = requireVersion(store, key, integerField(data, 'version') ?? 0);
  const metadata = showVersion(secret, version);
  if (isDestroyedOrDeleted(version, now.getTime())) {
    return { status: 404, data: { [field]: null, metadata } };
  }
  return { data: { [field]: view(store.data(key, version)), metadata } };
}

function requireVersion(
  store: SecretStore,
  key: string,
  requested: number,
): { secret: Secret; version: Version } {
  const secret = store.get(key);
  const version = secret && findVersion(secret, requested);
  if (!secret || !version) throw notFound();
  return { secret, version };
}

export async function writeData(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse> {
  const content = requireContent(data);
  const secret = store.get(key) ?? newSecret(now.getTime());
  checkAndSet(data, secret, store.settings());
  return writeResponse(data, await store.add(key, secret, content, now));
}

/** Writes a new version: the latest one with a merge patch applied. */
export async function patchData(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse> {
  const patch = requireContent(data);
  const secret = store.get(key);
  if (!secret) throw notFound();
  checkAndSet(data, secret, store.settings());
  const { version } = requireVersion(store, key, 0);
  if (isDestroyedOrDeleted(version, now.getTime())) {
    return { status: 404, data: showVersion(secret, version) };
  }
  const patched = mergePatch(store.data(key, version), { ...patch }) as JsonObject;
  return writeResponse(data, await store.add(key, secret, patched, now));
}

/** Deletes the latest version; it can be undeleted. */
export async function deleteData(
  store: SecretStore,
  { now }: EngineRequest,
  key: string,
): Promise<undefined> {
  const secret = store.get(key);
  if (!secret) return store.whenDurable();
  await store.save(key, deleteVersions(secret, [currentVersion(secret)], now.getTime()));
}

function requireContent(data: JsonObject): JsonObject {
  const content = objectField(data, 'data');
  if (content === undefined) throw new SecretsError(400, 'no data provided');
  return content;
}

/** @throws SecretsError 400 if `cas` does not match the latest version, or is missing but required. */
function checkAndSet(data: JsonObject, secret: Secret, mount: Settings): void {
  const options = objectField(data, 'options') ?? {};
  if (!Object.hasOwn(options, 'cas')) {
    if (!secret.casRequired && !mount.casRequired) return;
    throw new SecretsError(400, 'check-and-set parameter required for this call');
  }
  const { cas } = options;
  const isNumeric = typeof cas === 'bigint' || (typeof cas === 'string' && /^-?\d+$/.test(cas));
  const requested = isNumeric ? Number(cas) : cas;
  if (!Number.isInteger(requested)) throw new SecretsError(400, 'error parsing check-and-set parameter');
  if (requested !== currentVersion(secret)) {
    throw new SecretsError(400, 'check-and-set parameter did not match the current version');
  }
}

function writeResponse(data: JsonObject, [secret, version]: [Secret, Version]): EngineResponse {
  return {
    data: showVersion(secret, version),
    warnings: ignoredWarnings(data, ['data', 'options', 'version']),
  };
}
