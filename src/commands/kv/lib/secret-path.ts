import { removedVersion } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { arg, flag } from '../../../command/command.ts';
import { isEmptyListError, notFound, usage } from '../../../errors.ts';
import { findMount } from './find-mount.ts';
import { time } from './views.ts';

export const mountFlag = flag.name('MOUNT', 'mount path of the engine; PATH is relative to it', {
  completes: 'kv-mount',
});

export const pathArg = arg.text('PATH', 'mount and name of the secret, such as secret/app/db', {
  completes: 'kv-path',
});

export interface SecretPath {
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
export async function resolveSecretPath(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<SecretPath> {
  const given = mount?.replace(/\/$/, '');
  const fullPath = given === undefined ? path : [given, path].filter((part) => part !== '').join('/');
  const at = (mount: string, version: 1 | 2): SecretPath => {
    const relativePath = fullPath.slice(mount.length + 1);
    return { mount, path: relativePath, version, name: fullPath };
  };
  const requested = await findMount(secrets, fullPath);
  if (requested === undefined) return at(given ?? fullPath.split('/', 1).join(), 1);
  const { namespace, mount: found } = requested;
  if (!['kv', 'generic', 'cubbyhole'].includes(found.type ?? 'kv'))
    throw usage(`${found.path} has type ${found.type}, not key-value`, {
      hint: 'Use "lanyard secrets read", "write", "list" or "delete" for other engines.',
    });
  const relativePath = mountPrefix(fullPath.slice(namespace.length), found.path);
  const existing = relativePath === undefined ? undefined : `${namespace}${relativePath}`;
  if (existing === undefined || (given !== undefined && existing !== given))
    throw usage(`the mount of ${fullPath} is ${found.path}, not ${given ?? fullPath}/`);
  return at(existing, found.options?.version === '2' ? 2 : 1);
}

/**
 * The mount at the start of a path. The path may have a namespace that the response omits; the response may have a
 * namespace that was sent in the header.
 */
function mountPrefix(path: string, mountPath: string): string | undefined {
  const segments = mountPath.replace(/\/$/, '').split('/');
  for (let from = 0; from < segments.length; from += 1) {
    const mount = segments.slice(from).join('/');
    if (`${path}/`.startsWith(`${mount}/`)) return mount;
  }
  const at = `/${path}/`.indexOf(`/${segments.join('/')}/`);
  return at < 0 ? undefined : path.slice(0, at + segments.join('/').length);
}

/** The location of a secret. @throws LanyardError usage: the path is a mount. */
export async function requireSecret(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<SecretPath> {
  const secretPath = await resolveSecretPath(secrets, path, mount);
  if (secretPath.path !== '') return secretPath;
  throw usage(`invalid path "${secretPath.name}": expected a secret, not a mount`, {
    hint: `Run \`lanyard kv list ${secretPath.name}\` for its secrets.`,
  });
}

/** The location of a secret with versions. @throws LanyardError usage: it is in an engine of version 1. */
export async function requireVersionedSecret(
  secrets: SecretsClient,
  path: string,
  mount: string | undefined,
): Promise<SecretPath> {
  const secretPath = await requireSecret(secrets, path, mount);
  rejectVersion1(secretPath);
  return secretPath;
}

/** A mount of version 2 by its path, as returned by the service. @throws LanyardError usage */
export async function requireVersionedMount(secrets: SecretsClient, mount: string): Promise<string> {
  const secretPath = await resolveSecretPath(secrets, '', mount);
  rejectVersion1(secretPath);
  return secretPath.mount;
}

/** @throws LanyardError usage */
export function rejectVersion1(secretPath: SecretPath): void {
  if (secretPath.version === 1)
    throw usage(
      `not supported by ${secretPath.mount}/: a key-value engine of version 1 has no versions and metadata`,
    );
}

/** The request path of a secret in an engine of version 1. */
export const version1Path = ({ mount, path }: SecretPath): string =>
  path === '' ? mount : `${mount}/${path}`;

/** Rejects with the reason a secret cannot be read: not found, deleted (and how to restore it) or destroyed. */
export const describeMissingSecret =
  ({ name, mount, path }: SecretPath) =>
  (error: unknown): never => {
    const facts = { service: 'secrets', status: 404 };
    const removed = removedVersion(error);
    if (removed?.destroyed)
      throw notFound(`version ${removed.version} of ${name} is destroyed and cannot be restored`, {
        ...facts,
        hint: `Run \`lanyard kv metadata get ${name}\` for the remaining versions.`,
      });
    if (removed)
      throw notFound(
        `version ${removed.version} of secret "${name}" was deleted at ${time(removed.deletion_time)}`,
        {
          ...facts,
          hint: `Run \`lanyard kv undelete --versions ${removed.version} ${name}\` to restore it.`,
        },
      );
    if (!isEmptyListError(error)) throw error;
    const inner = /^(?:data|metadata)\/(.+)$/.exec(path)?.[1];
    throw notFound(`secret "${name}" not found`, {
      ...facts,
      hint:
        inner === undefined
          ? `Run \`lanyard kv list ${mount}\` for the existing secrets.`
          : `The path is without "${path.slice(0, -inner.length)}": ${mount}/${inner}. Run \`lanyard kv list ${mount}\` for the existing secrets.`,
    });
  };
