import type { SecretsClient } from '../../api/secrets.ts';
import { arg, flag } from '../../command.ts';
import { isNothing, LanyardError, notFound, usage } from '../../errors.ts';
import { findMount } from './mount.ts';
import { time } from './views.ts';

export const mountFlag = flag.name('MOUNT', 'mount path of the engine; PATH is relative to it');

export const pathArg = arg.text('PATH', 'mount and name of the secret, such as secret/app/db');

/** The location of a secret. */
export interface Place {
  readonly mount: string;
  /** Below the mount; empty: the mount itself. */
  readonly path: string;
  readonly version: 1 | 2;
  /** Mount and path, for messages. */
  readonly name: string;
}

/**
 * Finds the mount of a path and the version of its engine. A service without that request (404) only has version 1.
 *
 * @throws LanyardError usage: the mount is of another engine, or differs from `--mount`; not found: it does not exist.
 */
export async function placeOf(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<Place> {
  const given = mount?.replace(/\/$/, '');
  const whole = given === undefined ? path : [given, path].filter((part) => part !== '').join('/');
  const at = (mount: string, version: 1 | 2): Place => {
    const below = whole.slice(mount.length + 1);
    return { mount, path: below, version, name: whole };
  };
  const asked = await findMount(secrets, whole);
  if (asked === undefined) return at(given ?? whole.split('/', 1).join(), 1);
  const { namespace, mount: found } = asked;
  if (!['kv', 'generic', 'cubbyhole'].includes(found.type ?? 'kv')) {
    throw usage(`${found.path} has type ${found.type}, not key-value`, {
      hint: 'Use "lanyard secrets read", "write", "list" or "delete" for other engines.',
    });
  }
  const below = mountIn(whole.slice(namespace.length), found.path);
  const there = below === undefined ? undefined : `${namespace}${below}`;
  if (there === undefined || (given !== undefined && there !== given))
    throw usage(`the mount of ${whole} is ${found.path}, not ${given ?? whole}/`);
  return at(there, found.options?.version === '2' ? 2 : 1);
}

/**
 * The mount at the start of a path. The path may have a namespace that the response omits; the response may have a
 * namespace that was sent in the header.
 */
function mountIn(path: string, answered: string): string | undefined {
  const segments = answered.replace(/\/$/, '').split('/');
  for (let from = 0; from < segments.length; from += 1) {
    const mount = segments.slice(from).join('/');
    if (`${path}/`.startsWith(`${mount}/`)) return mount;
  }
  const at = `/${path}/`.indexOf(`/${segments.join('/')}/`);
  return at < 0 ? undefined : path.slice(0, at + segments.join('/').length);
}

/** The place of one secret. @throws LanyardError usage: the path is a mount. */
export async function secretAt(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<Place> {
  const place = await placeOf(secrets, path, mount);
  if (place.path !== '') return place;
  throw usage(`invalid path "${place.name}": expected a secret, not a mount`, {
    hint: `Run \`lanyard kv list ${place.name}\` for its secrets.`,
  });
}

/** The place of a secret that has versions. @throws LanyardError usage: it is in an engine of version 1. */
export async function versionedAt(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<Place> {
  const place = await secretAt(secrets, path, mount);
  refuseVersion1(place);
  return place;
}

/** A mount of version 2 by its path, as the service has it. @throws LanyardError usage */
export async function mountAt(secrets: SecretsClient, mount: string): Promise<string> {
  const place = await placeOf(secrets, '', mount);
  refuseVersion1(place);
  return place.mount;
}

/** @throws LanyardError usage */
export function refuseVersion1(place: Place): void {
  if (place.version === 1)
    throw usage(
      `not supported by ${place.mount}/: a key-value engine of version 1 has no versions and metadata`,
    );
}

/** The request path of a secret in an engine of version 1. */
export const plainPath = ({ mount, path }: Place): string => (path === '' ? mount : `${mount}/${path}`);

interface Buried {
  readonly version: number;
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** The metadata in the 404 of a deleted or destroyed version, also in that of a patch. */
export function buried(error: unknown): Buried | undefined {
  if (!(error instanceof LanyardError) || error.status !== 404 || !('body' in error)) return undefined;
  type Told = Partial<Buried> & { readonly metadata?: Partial<Buried> };
  const { data } = (error.body ?? {}) as { data?: Told | null };
  const { version, deletion_time, destroyed } = data?.metadata ?? data ?? {};
  if (typeof version !== 'number' || typeof deletion_time !== 'string') return undefined;
  return { version, deletion_time, destroyed: destroyed === true };
}

/** Rejects with the reason a secret cannot be read: not found, deleted (and how to restore it) or destroyed. */
export const missing =
  ({ name, mount }: Place) =>
  (error: unknown): never => {
    const facts = { service: 'secrets', status: 404 };
    const gone = buried(error);
    if (gone?.destroyed) {
      throw notFound(`version ${gone.version} of ${name} is destroyed and cannot be restored`, {
        ...facts,
        hint: `Run \`lanyard kv metadata get ${name}\` for the remaining versions.`,
      });
    }
    if (gone) {
      throw notFound(`version ${gone.version} of ${name} was deleted at ${time(gone.deletion_time)}`, {
        ...facts,
        hint: `Run \`lanyard kv undelete --versions ${gone.version} ${name}\` to restore it.`,
      });
    }
    if (!isNothing(error)) throw error;
    throw notFound(`secret ${name} not found`, {
      ...facts,
      hint: `Run \`lanyard kv list ${mount}\` for the existing secrets.`,
    });
  };
