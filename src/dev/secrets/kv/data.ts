import type { Json } from '../../../wire/json.ts';
import { type EngineRequest, type EngineResponse, Refusal } from '../engine.ts';
import { integerField } from '../fields.ts';
import { nothing } from '../refusals.ts';
import { ignoredWarnings, type JsonObject, mergePatch, objectField, outline, wrongField } from './members.ts';
import {
  currentVersion,
  deleteVersions,
  findVersion,
  isDestroyedOrDeleted,
  newSecret,
  type Secret,
  showVersion,
  type Version,
} from './secret.ts';
import type { SecretStore } from './secret-store.ts';
import type { Settings } from './settings.ts';

/** Reading and writing the data of secrets: the paths `data/` and `subkeys/`. */

/** `?version=` selects another version than the latest. */
export function readData(store: SecretStore, request: EngineRequest, key: string): EngineResponse {
  return readVersion(store, request, key, 'data', (content) => content);
}

/** The keys in a secret, down to `?depth=` levels. */
export function readSubkeys(store: SecretStore, request: EngineRequest, key: string): EngineResponse {
  const depth = integerField(request.data, 'depth') ?? 0;
  if (depth < 0) throw wrongField('depth', 'it cannot be negative');
  return readVersion(store, request, key, 'subkeys', (content) => outline(content, depth));
}

/** For a deleted or destroyed version the status is 404, but the response still contains its metadata. */
function readVersion(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
  member: string,
  view: (content: { [key: string]: Json }) => { [key: string]: Json },
): EngineResponse {
  const { secret, version } = find(store, key, integerField(data, 'version') ?? 0);
  const metadata = showVersion(secret, version);
  if (isDestroyedOrDeleted(version, now.getTime())) {
    return { status: 404, data: { [member]: null, metadata } };
  }
  return { data: { [member]: view(store.data(key, version)), metadata } };
}

function find(store: SecretStore, key: string, wanted: number): { secret: Secret; version: Version } {
  const secret = store.get(key);
  const version = secret && findVersion(secret, wanted);
  if (!secret || !version) throw nothing();
  return { secret, version };
}

export async function writeData(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse> {
  const content = contentOf(data);
  const secret = store.get(key) ?? newSecret(now.getTime());
  checkAndSet(data, secret, store.settings());
  return written(data, await store.add(key, secret, content, now));
}

/** Writes a new version: the latest one with a merge patch applied. */
export async function patchData(
  store: SecretStore,
  { data, now }: EngineRequest,
  key: string,
): Promise<EngineResponse> {
  const patch = contentOf(data);
  const secret = store.get(key);
  if (!secret) throw nothing();
  checkAndSet(data, secret, store.settings());
  const { version } = find(store, key, 0);
  if (isDestroyedOrDeleted(version, now.getTime())) {
    return { status: 404, data: showVersion(secret, version) };
  }
  const patched = mergePatch(store.data(key, version), { ...patch }) as JsonObject;
  return written(data, await store.add(key, secret, patched, now));
}

/** Deletes the latest version; it can be undeleted. */
export async function deleteData(
  store: SecretStore,
  { now }: EngineRequest,
  key: string,
): Promise<undefined> {
  const secret = store.get(key);
  if (!secret) return store.settled();
  await store.save(key, deleteVersions(secret, [currentVersion(secret)], now.getTime()));
}

function contentOf(data: JsonObject): JsonObject {
  const content = objectField(data, 'data');
  if (content === undefined) throw new Refusal(400, 'no data provided');
  return content;
}

/** @throws Refusal 400 if `cas` does not match the latest version, or is missing but required. */
function checkAndSet(data: JsonObject, secret: Secret, mount: Settings): void {
  const options = objectField(data, 'options') ?? {};
  if (!Object.hasOwn(options, 'cas')) {
    if (!secret.casRequired && !mount.casRequired) return;
    throw new Refusal(400, 'check-and-set parameter required for this call');
  }
  const { cas } = options;
  const number = typeof cas === 'bigint' || (typeof cas === 'string' && /^-?\d+$/.test(cas));
  const wanted = number ? Number(cas) : cas;
  if (!Number.isInteger(wanted)) throw new Refusal(400, 'error parsing check-and-set parameter');
  if (wanted !== currentVersion(secret)) {
    throw new Refusal(400, 'check-and-set parameter did not match the current version');
  }
}

function written(data: JsonObject, [secret, version]: [Secret, Version]): EngineResponse {
  return {
    data: showVersion(secret, version),
    warnings: ignoredWarnings(data, ['data', 'options', 'version']),
  };
}
