import type { Json } from '../../../../wire/json.ts';
import type { JsonObject } from '../../../core/http/fields.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, notFound, orNotFound } from '../../errors.ts';
import { fieldError, ignoredWarnings, integerField } from '../../fields.ts';
import { integer, object, required } from '../../help/field.ts';
import { mergePatch, objectField, outlineKeys } from '../../kv/json-object.ts';
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
import type { Resource } from '../../resource.ts';

/** Reading and writing the data of secrets: the paths `data/` and `subkeys/`. */

const version = integer('The version to read (default: latest).');

const dataFields = {
  version,
  options: object('Options of the write: `cas`, the required latest version (0: none).'),
  data: required(object('The fields of the secret.')),
};

export const data: Resource<SecretStore> = {
  summary: 'Read, write, patch and delete the data of a key; each write creates a version.',
  fields: dataFields,
  read: (store, request, key) => readVersion(store, request, key, 'data', (content) => content),
  async write(store, { data, now }, key) {
    const content = requireContent(data);
    const secret = store.get(key) ?? newSecret(now.getTime());
    checkAndSet(data, secret, store.settings());
    return writeResponse(data, await store.add(key, secret, content, now));
  },
  /** Writes a new version: the latest one with a merge patch applied. */
  async patch(store, { data, now }, key) {
    const patch = requireContent(data);
    const secret = orNotFound(store.get(key));
    checkAndSet(data, secret, store.settings());
    const { version } = requireVersion(store, key, 0);
    if (isDestroyedOrDeleted(version, now.getTime())) {
      return { status: 404, data: showVersion(secret, version) };
    }
    const patched = mergePatch(store.data(key, version), { ...patch }) as JsonObject;
    return writeResponse(data, await store.add(key, secret, patched, now));
  },
  /** Deletes the latest version; it can be undeleted. */
  async delete(store, { now }, key) {
    const secret = store.get(key);
    if (!secret) return store.whenDurable();
    await store.save(key, deleteVersions(secret, [currentVersion(secret)], now.getTime()));
    return undefined;
  },
};

/** The keys in a secret, down to `?depth=` levels. */
export const subkeys: Resource<SecretStore> = {
  summary: 'Read the names in the data of a key, without the values.',
  query: { version, depth: integer('Maximum depth of names to show; 0: unlimited.') },
  read(store, request, key) {
    const depth = integerField(request.data, 'depth') ?? 0;
    if (depth < 0) throw fieldError('depth', 'it cannot be negative');
    return readVersion(store, request, key, 'subkeys', (content) => outlineKeys(content, depth));
  },
};

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
  if (isDestroyedOrDeleted(version, now.getTime())) return { status: 404, data: { [field]: null, metadata } };
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

function requireContent(data: JsonObject): JsonObject {
  const content = objectField(data, 'data');
  if (content === undefined) throw badRequest('no data provided');
  return content;
}

/** @throws SecretsError 400 if `cas` does not match the latest version, or is missing but required. */
function checkAndSet(data: JsonObject, secret: Secret, mount: Settings): void {
  const options = objectField(data, 'options') ?? {};
  if (!Object.hasOwn(options, 'cas')) {
    if (!secret.casRequired && !mount.casRequired) return;
    throw badRequest('check-and-set parameter required for this call');
  }
  const { cas } = options;
  const isNumeric = typeof cas === 'bigint' || (typeof cas === 'string' && /^-?\d+$/.test(cas));
  const requested = isNumeric ? Number(cas) : cas;
  if (!Number.isInteger(requested)) throw badRequest('error parsing check-and-set parameter');
  if (requested !== currentVersion(secret)) {
    throw badRequest('check-and-set parameter did not match the current version');
  }
}

function writeResponse(data: JsonObject, [secret, version]: [Secret, Version]): EngineResponse {
  return { data: showVersion(secret, version), warnings: ignoredWarnings(dataFields, [], data) };
}
