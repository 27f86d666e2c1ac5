import { LanyardError } from '../errors.ts';
import { hasStatus, saying } from './conditions.ts';

/** What Vault and OpenBao say of mounts, policies, tokens, leases and versions of secrets, as `conditions.ts` does for other errors. */

/** A mount that does not exist (Vault, OpenBao 400; of a move `no matching mount at`). */
export const isMissingMount = saying(
  /^(No (secret|auth) engine (mount )?at |no matching mount at |cannot fetch sysview for path |tune of path .* failed: no mount entry found)/,
  400,
);

/** Another mount has the path (Vault, OpenBao 400; of a move without `is`). */
export const isMountPathTaken = saying(/^(path|existing mount)( is)? already in use at /, 400);

/** An engine or auth method of a type that the service does not have (Vault, OpenBao 400). */
export const isUnknownMountType = saying(
  /^plugin not found in the catalog|^unknown (backend|auth) type/,
  400,
);

/**
 * Another token or an accessor that does not exist (Vault, OpenBao: `bad token` 403 of a lookup, else 400). The own token
 * has other texts.
 */
export const isMissingToken = saying(
  /^bad token$|^token (to revoke )?not found|^(\S* )?invalid accessor$|\* invalid accessor$/m,
  400,
  403,
  404,
);

/** A role for tokens that does not exist (Vault, OpenBao 400). */
export const isMissingTokenRole = saying(/^unknown role /, 400);

/** The ID given for a new token is that of another one (Vault, OpenBao 400). */
export const isTokenIdTaken = saying(/^cannot create a token with a duplicate ID/, 400);

/** A token or lease that cannot be renewed, or not any more (Vault, OpenBao 400). */
export const isNotRenewable = saying(/\b(lease|token) is not renewable/, 400);

/** A lease that does not exist (Vault, OpenBao 400). */
export const isMissingLease = saying(/^invalid lease$|^lease not found/, 400);

/** A wrapping token that does not exist, was used, has expired, or has not reached a standby (Vault, OpenBao 400). */
export const isUnknownWrappingToken = saying(/^wrapping token is not valid or does not exist/, 400);

/** The same, or what is no token (403). */
export const isInvalidWrappingToken = (error: unknown): boolean =>
  isUnknownWrappingToken(error) || hasStatus(error, 403);

/** A policy that the service cannot parse (Vault, OpenBao 400). */
export const isInvalidPolicy = saying(/^failed to parse policy/, 400);

/** A namespace that has namespaces below it cannot be deleted (OpenBao 400). */
export const hasChildNamespaces = saying(/child namespaces/, 400);

interface RemovedVersion {
  readonly version: number;
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** The metadata in the 404 of a deleted or destroyed version, also in that of a patch. */
export function removedVersion(error: unknown): RemovedVersion | undefined {
  if (!(error instanceof LanyardError) || error.status !== 404 || !('body' in error)) return undefined;
  type Told = Partial<RemovedVersion> & { readonly metadata?: Partial<RemovedVersion> };
  const { data } = (error.body ?? {}) as { data?: Told | null };
  const { version, deletion_time, destroyed } = data?.metadata ?? data ?? {};
  if (typeof version !== 'number' || typeof deletion_time !== 'string') return undefined;
  return { version, deletion_time, destroyed: destroyed === true };
}
