import { isHiddenMount } from '../api/conditions/secrets.ts';
import type { SecretsClient } from '../api/secrets.ts';
import type { Mount } from '../api/secrets-mounts.ts';
import { conflict, isNotFound, LanyardError, listOrEmpty, usage } from '../errors.ts';
import type { ObjectSchema } from '../objects/schema.ts';
import type { Json } from '../wire/json.ts';
import { getOrCreate } from '../wire/maps.ts';
import type { Identity, JsonObject, Kind, Reference, ScopeField, Services } from './kind.ts';
import { secondsOf } from './normalize.ts';

/** What the kinds of the secrets service share: the mounts that their objects are in. */

export const withoutSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** The field of `metadata` for the mount of an object. */
export const mountScope = (usual: string): readonly ScopeField[] => [
  { name: 'mount', default: usual, canonical: withoutSlashes, description: 'Mount path of the engine.' },
];

export const mountOf = ({ scope }: Identity): string => scope.mount ?? '';

export const mountReference = (identity: Identity): Reference => ({
  kind: 'secrets.mount',
  identity: { scope: {}, key: `${mountOf(identity)}/` },
});

export const inMount = (mount: string, key = ''): Identity => ({ scope: { mount }, key });

/** The paths of the mounts of a type, without a slash at the end. */
export async function mountsOfType(
  services: Services,
  isWanted: (mount: Mount) => boolean,
): Promise<readonly string[]> {
  const { body } = await (await services.secrets()).listEngines({});
  return Object.entries(body.data).flatMap(([path, mount]) =>
    isWanted(mount) ? [withoutSlashes(path)] : [],
  );
}

export const isKv = ({ type }: Pick<Mount, 'type'>): boolean => type === 'kv' || type === 'generic';
export const isVersioned = (mount: Pick<Mount, 'type' | 'options'>): boolean =>
  isKv(mount) && mount.options?.version === '2';
export const isSsh = ({ type }: Pick<Mount, 'type'>): boolean => type === 'ssh';

type KvVersion = 1 | 2;
const mounts = new WeakMap<Services, Map<string, Promise<unknown>>>();

/** The mounts were changed: their versions and types are read again. */
export const forgetMounts = (services: Services): void => {
  mounts.delete(services);
};

/** A property of a mount that exists, read once. @param key names the property and the mount */
export async function onceForMount<Value>(
  services: Services,
  key: string,
  read: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const known = getOrCreate(mounts, services, () => new Map<string, Promise<unknown>>());
  try {
    const value = (await getOrCreate(known, key, read)) as Value | undefined;
    if (value === undefined) known.delete(key);
    return value;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

/**
 * The version of the key-value engine at a mount, read once.
 *
 * @returns undefined: nothing is mounted there.
 * @throws LanyardError usage: the mount is of another engine; forbidden: the token may not see it.
 */
export const kvVersion = (services: Services, mount: string): Promise<KvVersion | undefined> =>
  onceForMount(services, `kv ${mount}`, () => readVersion(services, mount));

async function readVersion(services: Services, mount: string): Promise<KvVersion | undefined> {
  const secrets = await services.secrets();
  try {
    const { path, type, options } = (await secrets.findMount({ path: mount })).body.data;
    // A namespace in the header may be part of the response; a shorter path is a mount above.
    if (!`/${path}`.endsWith(`/${mount}/`)) return undefined;
    if (type !== undefined && !isKv({ type }))
      throw usage(`${mount}/ has type ${type}, not key-value`, { service: 'secrets' });
    return options?.version === '2' ? 2 : 1;
  } catch (error) {
    // A service without that request only has version 1.
    if (isNotFound(error)) return 1;
    if (!isHiddenMount(error)) throw error;
    const listed = await secrets.listMounts({ path: 'sys/mounts' }).catch(() => undefined);
    if (!listed || Object.hasOwn(listed.body.data, `${mount}/`)) throw error;
    return undefined;
  }
}

/** @throws LanyardError usage: nothing is mounted there, or an engine of version 1. */
export async function requireVersion2(services: Services, mount: string): Promise<void> {
  const version = await kvVersion(services, mount);
  if (version === 2) return;
  throw usage(
    version === 1
      ? `not supported by ${mount}/: a key-value engine of version 1 has no versions and metadata`
      : `key-value engine not found at ${mount}/`,
    { service: 'secrets' },
  );
}

/** @throws LanyardError conflict */
export function rejectExisting(live: unknown, what: string): void {
  if (live !== undefined) throw conflict(`${what} already exists`, { service: 'secrets' });
}

/** Creates an object after a read: the service would replace an existing one. @throws LanyardError conflict */
export const createNew =
  (read: Kind['read'], what: (identity: Identity) => string, create: Kind['create']): Kind['create'] =>
  async (services, write) => {
    rejectExisting(await read(services, write.identity), what(write.identity));
    await create(services, write);
  };

/** The mounts of a type where an object is, of which a mount has one. */
export async function mountsWith(
  services: Services,
  isWanted: (mount: Mount) => boolean,
  read: Kind['read'],
): Promise<readonly Identity[]> {
  const identities = (await mountsOfType(services, isWanted)).map((mount) => inMount(mount));
  const found = await Promise.all(identities.map((identity) => read(services, identity)));
  return identities.filter((_identity, index) => found[index] !== undefined);
}

/** A duration as the service reads it: seconds with their unit. Another value is unchanged. */
export const durationText = (value: Json | undefined): string => {
  const seconds = secondsOf('seconds', value ?? 0);
  return seconds === undefined ? String(value) : `${Math.trunc(seconds)}s`;
};

/** The names that a LIST of a path returns, in order; none if it does not exist. */
export async function namesIn(secrets: SecretsClient, path: string): Promise<readonly string[]> {
  const { data } = (await listOrEmpty(secrets.list({ path }))).body;
  return data.keys ?? [];
}

/** The fields of a response that a kind knows, without those that are null. */
export const pickFields = (data: object, { properties }: Pick<ObjectSchema, 'properties'>): JsonObject =>
  Object.fromEntries(
    Object.keys(properties).flatMap((name): [string, Json][] => {
      const value = (data as JsonObject)[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );

/** The name of an object as a part of a path. @throws LanyardError failure: the service returned another one. */
export function checkedName(name: string, where: string): string {
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.every((part) => part !== '' && part !== '.' && part !== '..')) return name;
  throw new LanyardError('failure', `unexpected response: invalid name ${JSON.stringify(name)} in ${where}`, {
    service: 'secrets',
  });
}
