import { LanyardError } from '../../errors.ts';
import { hasStatus, saying, says, textOf } from './any.ts';

/** What Consul says. */

/**
 * The service read a token and does not know it: it was destroyed, has expired or never existed (Consul 403, on every
 * call but `acl/token/self`, which sends `token does not exist: ACL not found` to a caller without a token too).
 */
export const isUnknownRegistryToken = (error: unknown): error is LanyardError =>
  hasStatus(error, 403) && /^(ACL system must be bootstrapped [^:]*: )?ACL not found$/.test(textOf(error));

/** No token is known for the caller, whether one was read or not (Consul 403 of `acl/token/self`). */
export const isUnidentifiedCaller: (error: unknown) => boolean = saying(
  /\b(ACL not found|token does not exist)/i,
  403,
  404,
);

/** The service read no token at all (Consul 401 of `acl/logout`). */
export const isTokenNotRead = saying(/Supplied token does not exist/i, 401);

/** A prepared query that does not exist (Consul 404, or 500 on update and delete). */
export const isMissingQuery = (error: unknown): error is LanyardError =>
  (says(error, /query not found/i) && error.kind === 'not_found') ||
  (hasStatus(error, 500) && says(error, /non-existent prepared query/i));

/** Another prepared query has the name (Consul 500). */
export const isQueryNameTaken = saying(
  /aliases an existing query|template with an empty name already exists/i,
  500,
);

/** A route that the registry does not have: an older, newer or other edition (Consul 404). */
export const isUnknownEndpoint = (error: unknown): error is LanyardError =>
  hasStatus(error, 404) &&
  (textOf(error) === '' || says(error, /not a recognized HTTP API endpoint|page not found/));

/** An auth method that does not exist (Consul 403). */
export const isMissingAuthMethod = (error: unknown): boolean =>
  says(error, /auth method .* not found/) && error.kind === 'forbidden';

/** A login that the auth method accepts and no binding rule matches (Consul 403). */
export const isLoginWithoutRights = (error: unknown): boolean =>
  error instanceof LanyardError && error.kind === 'forbidden' && textOf(error) === 'Permission denied';

/** A login whose bearer token or code the auth method rejects (Consul 500). */
export const isRejectedBearerToken: (error: unknown) => boolean = saying(
  /no known key successfully validated|error (validating|verifying|parsing)|missing jwt|lookup failed|malformed jwt|token is expired|failed to (verify|parse)|oidc/i,
  500,
);

/** The reset index that allows another bootstrap (Consul 403), else undefined. */
export const resetIndexOf = (error: unknown): string | undefined =>
  /reset index: (\d+)\)/.exec(textOf(error))?.[1];

/**
 * A transaction with more operations than the registry accepts (Consul 413 above 128, the specification above 64): how
 * many it accepts, else undefined.
 */
export const operationLimitOf = (error: unknown): number | undefined => {
  const found = hasStatus(error, 413) && /too many operations \(\d+ > (\d+)\)/.exec(textOf(error))?.[1];
  return found ? Number(found) : undefined;
};

/** A transaction whose request is larger than the registry accepts (Consul 413, 512 KiB unless configured). */
export const isTransactionTooLarge = saying(/^Request body ?\(\d+ bytes\) too large/, 413);

/**
 * A transaction that is rolled back because the token may not apply an operation (Consul 409, `operation 0: Permission
 * denied: …`), not because of what is stored.
 */
export const isForbiddenTransaction = (error: unknown): error is LanyardError =>
  hasStatus(error, 409) &&
  error.details.length > 0 &&
  error.details.every((line) => /^operation \d+: Permission denied/.test(line));

/** The registry treated the caller as anonymous: no token was sent (Consul 403 or, in a transaction, 409). */
export const isAnonymous = saying(/anonymous token lacks permission/);

/** A token that has policies instead of legacy rules (Consul 500). */
export const isTokenWithoutRules: (error: unknown) => boolean = saying(/does not have any rules/, 500);

const saysMissing = saying(/^cannot find (policy|role|token|binding rule|auth method)\b/i, 500);

const saysMissingToken = saying(/^token does not exist\b/, 403);

/**
 * A token, policy or role that does not exist (Consul 404 on reads and deletions, 403 for a token, 500 on writes with
 * `cannot find policy ID` and `Cannot find token "ID"`).
 */
export const isMissingAclObject = (error: unknown): error is LanyardError =>
  (error instanceof LanyardError && error.kind === 'not_found') ||
  saysMissing(error) ||
  saysMissingToken(error);

/** Another policy, role or auth method has the name (Consul 500). */
export const isAclNameTaken = saying(/\bwith Name "[^"]*" already exists/i, 500);

/** Another token has the accessor ID or the secret (Consul 500). */
export const isAclTokenTaken = saying(/\b(AccessorID|SecretID) is already in use/i, 500);

/** What a token or role is linked to does not exist: its kind and name (Consul 500), else undefined. */
export function missingLinkOf(error: unknown): { readonly kind: string; readonly name: string } | undefined {
  if (!hasStatus(error, 400, 500)) return undefined;
  const text = textOf(error);
  const template = /templated policy with an invalid templated name: (\S+) for this role/.exec(text)?.[1];
  if (template !== undefined) return { kind: 'templated policy', name: template };
  const pattern = /No such ACL (policy|role|templated policy) with (?:name or ID|name|ID) "([^"]*)"/i;
  const link = pattern.exec(text) as readonly [string, string, string] | null;
  return link ? { kind: link[1], name: link[2] } : undefined;
}

/** A templated policy is linked without the name that its template requires (Consul 500). */
export const isMissingTemplateName = saying(/^Invalid type\. Expected: object, given: null$/, 500);

const saysMissingTemplate = saying(
  /^Invalid templated policy Name|no such ACL templated policy|^templated policy "[^"]*" does not exist/i,
  400,
);

/** A templated policy that does not exist (Consul 400). */
export const isMissingTemplate = (error: unknown): error is LanyardError =>
  (error instanceof LanyardError && error.kind === 'not_found' && !isUnknownEndpoint(error)) ||
  saysMissingTemplate(error);

/** A resource that the registry has no permissions for: resources of another version (Consul 400). */
export const isUnknownResource = saying(/^Invalid ACL resource requested/, 400);

/** Rules that the registry cannot parse (Consul 500). */
export const isInvalidRules = saying(/^(Failed to parse ACL rules|Invalid \w+ (intentions )?policy: )/, 500);

/** A built-in policy or token that cannot be changed or deleted (Consul 500). */
export const isBuiltInAclObject = saying(
  /\bbuilt-?in\b.*not permitted|not permitted on the (built-?in|anonymous)|request's authorization token is not permitted/i,
  500,
);

/** The permission that a token lacks (Consul 403, and 409 of a transaction): `key:write`, and what it is about. */
export function missingPermissionIn(
  error: LanyardError,
): { readonly access: string; readonly name: string | undefined } | undefined {
  const pattern = /lacks permission '(\w+:\w+)'(?: on "([^"]*)")?/;
  const found = pattern.exec(textOf(error)) as readonly [string, string, string?] | null;
  return found ? { access: found[1], name: found[2] } : undefined;
}

/** A kind of config entry that the registry does not have (Consul 500 on a list, 400 on a write). */
export const isUnknownEntryKind: (error: unknown) => boolean = saying(
  /\b(?:invalid|unsupported) config entry kind: /,
  400,
  500,
);

/** A transaction that reads a key that does not exist (Consul 409, `operation 0: key "x" doesn't exist`). */
export const isMissingKey = (error: unknown): error is LanyardError =>
  // A key may have several lines, and each is a detail.
  hasStatus(error, 409) && /^operation 0: key ".*" doesn't exist$/s.test(textOf(error));

/** A session that does not exist any more (Consul 404 for a renewal, 500 for a key that it would lock). */
export const isSessionGone: (error: unknown) => boolean = saying(
  /^Session id '[^']*' not found|invalid session "/i,
  404,
  500,
);

/** The node of a new session is not in the datacenter (Consul 500). */
export const isNodeMissing: (error: unknown) => error is LanyardError = saying(
  /Missing node registration/,
  500,
);
