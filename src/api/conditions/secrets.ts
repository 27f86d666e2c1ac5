import { isEmptyListError, LanyardError } from '../../errors.ts';
import { formatJson } from '../../wire/json.ts';
import { bodyOf, hasStatus, saying, says } from './any.ts';

/** What Vault and OpenBao say. */

/** The service is initialized already (Vault, OpenBao 400). */
export const isAlreadyInitialized = saying(/is already initialized/i, 400);

/** The SSH engine has a CA already (Vault 400). */
export const isExistingCa = saying(/keys are already configured/i);

/** The SSH engine has no CA yet (Vault 400 or 500, and 404 for `public_key`; OpenBao 400 `no default issuer ...`). */
export const isWithoutCa = (error: unknown): error is LanyardError =>
  isEmptyListError(error) ||
  says(error, /keys haven't been configured|no keys configured|no default issuer/i);

/** The SSH engine has issuers, and none of them is the default (OpenBao 400): there may be others. */
export const hasNoDefaultIssuer = saying(/no default issuer/i);

/** The parameters that the service says it ignored (Vault, OpenBao 200 with a warning). */
export const ignoredParameters = (
  body: { readonly warnings?: readonly string[] | null | undefined } | null | undefined,
): readonly string[] =>
  body?.warnings?.flatMap(
    (warning) =>
      /ignored these unrecognized parameters: \[([^\]]*)\]/i.exec(warning)?.[1]?.split(/[\s,]+/) ?? [],
  ) ?? [];

/** Does the help of a path (Vault, OpenBao `?help=1`) list a parameter that all products have, and not the other? */
export const lacksParameter = (help: string, known: string, wanted: string): boolean => {
  const lists = (name: string): boolean => new RegExp(`^\\s*${name} \\(`, 'm').test(help);
  return lists(known) && !lists(wanted);
};

/** The path of a request below which nothing is mounted (Vault, OpenBao 404), else undefined. */
export const unmountedPathIn = (messages: readonly string[]): string | undefined =>
  /^no handler for route "([^"]*)"/m.exec(messages.join('\n'))?.[1];

/** The question for the mount of a path, of a token that the service knows (Vault, OpenBao 403). */
export const isHiddenMount = saying(/^preflight capability check returned 403/i, 403);

/** An SSH role that does not exist (Vault, OpenBao 400). */
export const isMissingRole = saying(/^unknown role|^role ".*" not found/i);

/**
 * A role for credentials that does not exist (Vault, OpenBao 400; of aws, consul and nomad `Role "app" not found`, of
 * kubernetes `role 'app' does not exist`).
 */
export const isMissingCredentialsRole = saying(
  /^unknown role|\brole ["'`].*["'`] (not found|does not exist)/i,
  400,
);

/** The SSH engine rejects an extension or critical option of the request (Vault, OpenBao 400). */
export const isRejectedExtension = saying(/extension/i);

/** A one-time password that does not exist, or is used (Vault, OpenBao 400). */
export const isUnknownOtp = saying(/^OTP not found/i);

/** A login whose proof the service rejects (Vault, OpenBao 400; `OpenBao login failed. ...` after one in the browser). */
export const isRejectedProof = saying(
  /^(invalid (username or password|role or secret ID|role_id|secret_id|certificate)|error (validating|verifying) (token|claims)|ldap operation failed: failed to bind as user|no client certificate found|(OpenBao|Vault) login failed\.)/i,
);

/**
 * The service says that it does not know the token: it was revoked, has expired or never existed (Vault 403 with
 * `invalid token` or `bad token`). OpenBao sends `permission denied` for such a token and for a live one that is bound
 * to other addresses, so its 403 proves neither.
 */
export const isUnknownSecretsToken = saying(/\b(invalid|bad) token\b/i, 403);

/**
 * A token that the service knows and whose policies do not allow the call (Vault, OpenBao 403). They count the errors
 * of their policies, and not for a token that they do not know: `1 error occurred: * permission denied`.
 */
export const isDeniedByPolicy = (error: unknown): boolean =>
  hasStatus(error, 403) &&
  /^\{"errors":\["1 error occurred:\\n\\t\* permission denied/.test(formatJson(bodyOf(error)));

/** An issuer that does not exist (OpenBao 400). */
export const isMissingIssuer = saying(/unable to find issuer for reference/i);

/** Another issuer has the name (OpenBao 400). */
export const isIssuerNameTaken = saying(/issuer name already in use/i, 400);

/** A path that the engine does not have (Vault, OpenBao 404). */
export const isUnsupportedPath = saying(/unsupported path/i, 404);

/** An empty list that was to be wrapped (OpenBao 404). A path without lists has it in `1 error occurred`. */
export const isUnwrappableList = (error: unknown): boolean =>
  hasStatus(error, 404) && formatJson(bodyOf(error)) === '{"errors":["unsupported path"]}';

/** A role of an auth method that does not exist (Vault, OpenBao 400; method kubernetes `invalid role name`). */
export const isMissingLoginRole = saying(/^(role ".*" could not be found|invalid role name )/i, 400);

/** A login without a role, where the auth method has no default one (Vault, OpenBao 400). */
export const isWithoutLoginRole = saying(/^missing role\b/i, 400);

/** No auth method at the path, or a login that it does not permit: the responses are equal (Vault, OpenBao 403). */
export const isForbiddenLogin = saying(/^permission denied$/i, 403);

/**
 * The version given with a write is not the stored one (Vault, OpenBao 400; of a policy that exists, and of metadata,
 * OpenBao 400 with other words).
 */
export const saysCheckAndSetMismatch = (message: string): boolean =>
  /check-and-set parameter (did not|does not) match|check-and-set parameter set to -1 on existing entry|^metadata_cas must be 0 when creating/.test(
    message,
  );

/** The mount accepts no write without a version (Vault, OpenBao 400). */
export const saysCheckAndSetRequired = (message: string): boolean =>
  message.includes('check-and-set parameter required');

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
  /^bad token$|^token (to revoke )?not found|^(\S* )?invalid accessor$/m,
  400,
  403,
  404,
);

/** A role for tokens that does not exist (Vault, OpenBao 400). */
export const isMissingTokenRole = saying(/^unknown role /, 400);

/** The ID given for a new token belongs to another token (Vault, OpenBao 400). */
export const isTokenIdTaken = saying(/^cannot create a token with a duplicate ID/, 400);

/** A role of an approle method that does not exist (Vault, OpenBao 404, also without a message, 400 or 500). */
export const isMissingAppRole = (error: unknown): boolean =>
  isEmptyListError(error) || saysMissingAppRole(error);
/** The same with a message: an error without one may be about a secret ID of the role. */
export const saysMissingAppRole = saying(/^(1 error occurred:\s+\* )?role ".*" (does not|doesn't) exist/i);

/** A secret ID whose accessor does not exist (Vault, OpenBao 404 of a lookup, 500 of a deletion). */
export const isMissingSecretId = (error: unknown): boolean =>
  hasStatus(error, 404, 500) && (isEmptyListError(error) || says(error, /failed to find accessor entry/));

/** The service stores its data elsewhere than in raft storage, and has no snapshots (OpenBao 404, Vault 400; Lanyard 400, as it expects JSON). */
export const hasNoRaftStorage = saying(
  /^raft storage is not in use|unsupported path|^body is not UTF-8/,
  400,
  404,
);

/** A snapshot of a cluster with other unseal keys (Vault, OpenBao 400). */
export const isOtherSealKeys = saying(
  /^could not verify hash file, possibly the snapshot is using a different/,
  400,
);

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

/** The metadata in the 404 of a deleted or destroyed version, also in the 404 of a patch. */
export function removedVersion(error: unknown): RemovedVersion | undefined {
  if (!(error instanceof LanyardError) || error.status !== 404 || !('body' in error)) return undefined;
  type Told = Partial<RemovedVersion> & { readonly metadata?: Partial<RemovedVersion> };
  const { data } = (error.body ?? {}) as { data?: Told | null };
  const { version, deletion_time, destroyed } = data?.metadata ?? data ?? {};
  if (typeof version !== 'number' || typeof deletion_time !== 'string') return undefined;
  return { version, deletion_time, destroyed: destroyed === true };
}
