import type { SecretsClient } from '../../api/secrets.ts';
import { arg, flag } from '../../command.ts';
import { isNothing, LanyardError, notFound, usage } from '../../errors.ts';
import { findMount } from './mount.ts';
import { time } from './views.ts';

export const mountFlag = flag.name('MOUNT', 'where the engine is mounted; PATH is then below it');

export const pathArg = arg.text('PATH', 'the secret: its mount and its name, such as secret/app/db');

/** Where a secret is. */
export interface Place {
  readonly mount: string;
  /** Below the mount; empty: the mount itself. */
  readonly path: string;
  readonly version: 1 | 2;
  /** Mount and path, for messages. */
  readonly name: string;
}

/**
 * Asks the service which mount a path is below, and in which version the engine is there. A service that cannot
 * be asked (404) is one that knows version 1 only.
 *
 * @throws LanyardError usage: the mount is of another engine, or not where `--mount` says; not found: there is none.
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
    throw usage(`${found.path} is a mount of type ${found.type}, not a key-value engine`, {
      hint: '"lanyard secrets read", "write", "list" and "delete" work on any path.',
    });
  }
  const below = mountIn(whole.slice(namespace.length), found.path);
  const there = below === undefined ? undefined : `${namespace}${below}`;
  if (there === undefined || (given !== undefined && there !== given))
    throw usage(`the mount of ${whole} is ${found.path}, not ${given ?? whole}/`);
  return at(there, found.options?.version === '2' ? 2 : 1);
}

/**
 * The mount as it stands at the beginning of a path. The path may have a namespace before the mount that the
 * answer leaves out; the answer may have one that went in the header.
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
  throw usage(`${place.name} is a mount; name a secret below it`, {
    hint: `"lanyard kv list ${place.name}" shows them.`,
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
    throw usage(`${place.mount}/ is a key-value engine of version 1, which has no versions and no metadata`);
}

/** The path of a secret in an engine of version 1, where every path is itself. */
export const plainPath = ({ mount, path }: Place): string => (path === '' ? mount : `${mount}/${path}`);

interface Buried {
  readonly version: number;
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** The metadata in the 404 of a version that was deleted or destroyed; that of a patch is nothing else. */
export function buried(error: unknown): Buried | undefined {
  if (!(error instanceof LanyardError) || error.status !== 404 || !('body' in error)) return undefined;
  type Told = Partial<Buried> & { readonly metadata?: Partial<Buried> };
  const { data } = (error.body ?? {}) as { data?: Told | null };
  const { version, deletion_time, destroyed } = data?.metadata ?? data ?? {};
  if (typeof version !== 'number' || typeof deletion_time !== 'string') return undefined;
  return { version, deletion_time, destroyed: destroyed === true };
}

/** Says why a secret cannot be read: it never was, its version is deleted (and how to bring it back) or destroyed. */
export const missing =
  ({ name, mount }: Place) =>
  (error: unknown): never => {
    const facts = { service: 'secrets', status: 404 };
    const gone = buried(error);
    if (gone?.destroyed) {
      throw notFound(`version ${gone.version} of ${name} is destroyed; it cannot be brought back`, {
        ...facts,
        hint: `"lanyard kv metadata get ${name}" shows which versions are left.`,
      });
    }
    if (gone) {
      throw notFound(`version ${gone.version} of ${name} was deleted at ${time(gone.deletion_time)}`, {
        ...facts,
        hint: `"lanyard kv undelete --versions ${gone.version} ${name}" brings it back.`,
      });
    }
    if (!isNothing(error)) throw error;
    throw notFound(`there is no secret at ${name}`, {
      ...facts,
      hint: `"lanyard kv list ${mount}" shows those there are.`,
    });
  };
