import { saying } from './conditions.ts';

/** What Vault and OpenBao say of mounts, policies, tokens and leases, as `conditions.ts` does for other errors. */

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
