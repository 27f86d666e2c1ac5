import { isEmptyListError, LanyardError } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { saysAccessControlOff } from './response-conditions.ts';
import type { Variable } from './scheduler.ts';

/**
 * What the products say of a failure in their own words, as named predicates: the one place where a decision depends
 * on the text of a service. A status alone does not tell these apart, and products disagree on it: a conflict may be
 * 400 or 500, something missing 400, 403 or 500. Each line names the products whose text it knows.
 */

/** The service's own messages of an error in one text; empty for every other error. */
const textOf = (error: unknown): string => (error instanceof LanyardError ? error.details.join('\n') : '');

/** Whether one of the service's messages matches. */
const says = (error: unknown, pattern: RegExp): error is LanyardError =>
  error instanceof LanyardError && error.details.some((line) => pattern.test(line));

/** The body that the service sent with an error; undefined: none, or it is not known. */
const bodyOf = (error: LanyardError): unknown => (error as { readonly body?: unknown }).body;

/** Whether an error has one of these statuses. */
export const hasStatus = (error: unknown, ...statuses: readonly number[]): error is LanyardError =>
  error instanceof LanyardError && statuses.includes(error.status ?? 0);

/** Makes a predicate: one of the service's messages matches, and the error has one of the statuses, if any are given. */
export const saying =
  (pattern: RegExp, ...statuses: readonly number[]) =>
  (error: unknown): error is LanyardError =>
    says(error, pattern) && (statuses.length === 0 || hasStatus(error, ...statuses));

// --- Secrets: Vault, OpenBao ---

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
 * of their policies, and not those of a token that they do not know: `1 error occurred: * permission denied`.
 */
export const isDeniedByPolicy = (error: unknown): boolean =>
  hasStatus(error, 403) &&
  /^\{"errors":\["1 error occurred:\\n\\t\* permission denied/.test(formatJson(bodyOf(error)));

// --- All products that are written in Go ---

/** Plain http to a port that speaks TLS (400, plain text). */
export const isPlainHttpToTls = (messages: readonly string[]): boolean =>
  messages.some((line) => /^Client sent an HTTP request to an HTTPS server/i.test(line));

// --- Registry: Consul ---

/** Access control is switched off, so no token is needed or known (Consul 401, Nomad 400). */
export const isAccessControlOff = (error: unknown): boolean =>
  hasStatus(error, 400, 401) && saysAccessControlOff(textOf(error));

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

// --- Scheduler: Nomad ---

/** The variable that a conflict (409) carries. */
export interface ConflictingVariable {
  /** 0: the variable does not exist, or it is locked; Nomad's response does not distinguish them. */
  readonly index: string;
  /** Undefined: the token may not read them, or there are none. */
  readonly items: Readonly<Record<string, string>> | undefined;
}

/**
 * The variable in the body of a conflict (Nomad 409: JSON sent as text/plain; zeroed where the variable is locked or
 * does not exist), else undefined.
 */
export function conflictingVariable(error: unknown): ConflictingVariable | undefined {
  if (!hasStatus(error, 409)) return undefined;
  const body = bodyOf(error) as Partial<Variable> | null | undefined;
  return { index: String(body?.ModifyIndex ?? 0), items: body?.Items ?? undefined };
}

/** A namespace that does not exist (Nomad 404, or 400 with this text). */
export const isMissingNamespace = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.kind === 'not_found' || says(error, /^namespace not found$/i));

/** A namespace that still has jobs, variables or volumes (Nomad 400 or 500). */
export const isNamespaceInUse = saying(/\bhas .+ associated with it|non-terminal/i);

/**
 * The selector of a filter expression that the listed objects do not have (Nomad 400, `error finding value in datum:
 * /Path at part 0`): its parts, else undefined.
 */
export const unknownSelectorOf = (error: unknown): readonly string[] | undefined =>
  hasStatus(error, 400)
    ? /error finding value in datum: \/(\S+) at part \d/.exec(textOf(error))?.[1]?.split('/')
    : undefined;

/** A variable whose items are larger than the scheduler accepts (Nomad 64 KiB, the specification 16 KiB). */
export const isVariableTooLarge = saying(/\blimited to \d+ ?KiB\b/i);

// --- Accounts: Boundary ---

/** Another account of the auth method has the value (Boundary 400). */
export const isValueTaken = saying(/must be unique|same (unique )?value|already exists/i, 400);

/**
 * An ID that cannot be one of an account or auth method (Boundary 400, before it looks at the token). The texts differ
 * from call to call: `Invalid formatted identifier.`, `Improperly formatted path identifier.`, `unknown subtype in ID`.
 */
export const isInvalidId: (error: unknown) => boolean = saying(
  /^(auth_method_)?id: (\w+ formatted|unknown auth method type)|^attributes: unknown subtype in ID/i,
  400,
);

/** A scope ID that is neither `global` nor that of an organization (Boundary 400). */
export const isInvalidScope: (error: unknown) => boolean = saying(/^scope_id: /i, 400);

/** A change of an account that is at another version (Boundary 404, of a password 500). */
export const isStaleAccount: (error: unknown) => boolean = saying(
  /incorrect version provided|\b0 rows updated\b/,
);

/** The current password given with a change is wrong (Boundary 403). */
export const isWrongPassword = saying(/failed to change password/i, 403);

/**
 * Why an auth method rejects a login name or password (Boundary 500 on create, and on an update of the login name):
 * the sentence inside the chain of Go functions, such as `username: ab, must be longer than 3`; else undefined.
 */
export const rejectedValueIn = (error: unknown): string | undefined =>
  hasStatus(error, 500)
    ? /(?:.*\.\(Repository\)\.\w+: )?(.*\bmust be (?:longer than|at least|all-lowercase).*?): [\w ]+ violation: error #/.exec(
        textOf(error),
      )?.[1]
    : undefined;

/**
 * A list token that the service does not take: expired, of other grants or another kind of resource (Boundary 400),
 * malformed (500 there, 400 with a field at the embedded service).
 */
export const isInvalidListToken: (error: unknown) => boolean = saying(
  /^list_token: |\blist token\b|\bParseListToken\b/,
  400,
  500,
);

/**
 * A login with the right password of an account that no user has, in an auth method that is not the primary one of its
 * scope (Boundary 404; an auth method that does not exist is `Resource not found.`).
 */
export const isLoginWithoutUser: (error: unknown) => boolean = saying(
  /^Unable to find requested resource\.$/,
  404,
);

/**
 * A token that was deleted or has expired (Boundary 404: it looks a token up before it looks at the caller). A route
 * that does not exist is an empty 404 there, or `Not Found`.
 */
export const isGoneToken = saying(/^Resource not found\.$/, 404);

// --- Box registry ---

/** A version that is released already (422). */
export const isReleasedAlready: (error: unknown) => boolean = saying(/already been released/, 422);
