import type { Json, JsonObject } from '../../../../wire/json.ts';
import { isObject } from '../../../../wire/objects.ts';
import * as s from '../../../core/schema/types.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, notFound, orBadRequest, orNotFound } from '../../errors.ts';
import { mergePatch } from '../../kv/merge-patch.ts';
import {
  currentVersion,
  deleteVersions,
  findVersion,
  isDestroyedOrDeleted,
  newSecret,
  type Secret,
  shownVersion,
  showVersion,
  type Version,
} from '../../kv/secret.ts';
import { type SecretStore, storeResource } from '../../kv/secret-store.ts';
import type { Settings } from '../../kv/settings.ts';
import { fieldError } from '../../reading-rules.ts';
import { type InputOf, ignoredWarnings } from '../../resource.ts';

const version = { version: s.integer('The version to read; 0: the latest.', { minimum: 0, default: 0 }) };

const dataFields = {
  options: s.optional(s.anyObject('Options of the write: `cas`, the required latest version (0: none).')),
  data: s.optional(s.required(s.anyObject('The fields of the secret.'))),
};
type DataInput = InputOf<typeof dataFields>;

const content = s.nullable(s.anyObject());

export const data = storeResource({
  summary: 'Read, write, patch and delete the data of a key; each write creates a version.',
  query: version,
  fields: dataFields,
  returns: {
    read: s.object({ data: content, metadata: shownVersion }),
    write: shownVersion,
    patch: shownVersion,
  },
  read: (store, request, key) => readVersion(store, request, key, 'data', (found) => found),
  async write(store, { input, data, now }, key) {
    const given = requireContent(input);
    const secret = store.get(key) ?? newSecret(now.getTime());
    checkAndSet(input, secret, store.settings());
    return writeResponse(data, await store.add(key, secret, given, now));
  },
  /** Writes a new version: the latest one with a merge patch applied. */
  async patch(store, { input, data, now }, key) {
    const patch = requireContent(input);
    const secret = orNotFound(store.get(key));
    checkAndSet(input, secret, store.settings());
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
});

/** The keys in a secret, down to `?depth=` levels. */
export const subkeys = storeResource({
  summary: 'Read the names in the data of a key, without the values.',
  query: { ...version, depth: s.integer('Maximum depth of names to show; 0: unlimited.', { default: 0 }) },
  returns: { read: s.object({ subkeys: content, metadata: shownVersion }) },
  read(store, request, key) {
    const { depth } = request.input;
    if (depth < 0) throw fieldError('depth', 'it cannot be negative');
    return readVersion(store, request, key, 'subkeys', (content) => outlineKeys(content, depth));
  },
});

/** For a deleted or destroyed version the status is 404, but the response still contains its metadata. */
function readVersion(
  store: SecretStore,
  { input, now }: EngineRequest & { readonly input: InputOf<typeof version> },
  key: string,
  field: string,
  view: (content: { [key: string]: Json }) => { [key: string]: Json },
): EngineResponse {
  const { secret, version } = requireVersion(store, key, input.version);
  const metadata = showVersion(secret, version);
  if (isDestroyedOrDeleted(version, now.getTime())) return { status: 404, data: { [field]: null, metadata } };
  return { data: { [field]: view(store.data(key, version)), metadata } };
}

function requireVersion(store: SecretStore, key: string, requested: number) {
  const secret = store.get(key);
  const version = secret && findVersion(secret, requested);
  if (!secret || !version) throw notFound();
  return { secret, version };
}

const requireContent = ({ data }: DataInput): JsonObject => orBadRequest(data, 'no data provided');

/** @throws SecretsError 400 if `cas` does not match the latest version, or is missing but required. */
function checkAndSet({ options = {} }: DataInput, secret: Secret, mount: Settings): void {
  if (!Object.hasOwn(options, 'cas')) {
    if (!secret.casRequired && !mount.casRequired) return;
    throw badRequest('check-and-set parameter required for this call');
  }
  const { cas } = options;
  const isNumeric = typeof cas === 'bigint' || (typeof cas === 'string' && /^-?\d+$/.test(cas));
  const requested = isNumeric ? Number(cas) : cas;
  if (!Number.isInteger(requested)) throw badRequest('error parsing check-and-set parameter');
  if (requested !== currentVersion(secret))
    throw badRequest('check-and-set parameter did not match the current version');
}

function writeResponse(data: JsonObject, [secret, version]: [Secret, Version]): EngineResponse {
  return {
    data: showVersion(secret, version),
    warnings: ignoredWarnings({ ...version, ...dataFields }, [], data),
  };
}

/** The keys of an object, down to `depth` levels of objects (0: all); other values are null. */
function outlineKeys(object: JsonObject, depth: number): { [key: string]: Json } {
  const fields = Object.entries(object).map(([name, value]): [string, Json] => {
    const inner = depth !== 1 && isObject(value) && Object.keys(value).length > 0;
    return [name, inner ? outlineKeys(value, Math.max(0, depth - 1)) : null];
  });
  return Object.fromEntries(fields);
}
