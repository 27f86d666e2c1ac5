import { hasStatus, saying, textOf } from './any.ts';

/** What Boundary says. */

/** Another account of the auth method, or another object of the scope, has the value (Boundary 400). */
export const isValueTaken = saying(/must be unique|same (unique )?value|already exists/i, 400);

/** A scope with accounts that have a password, which Boundary 0.21 does not delete (500). */
export const hasPasswords = saying(/foreign key constraint "kms_data_key_version_fkey"/, 500);

/** An account that has another user (Boundary 500, `... account is already associated with another user`). */
export const isAccountTaken = saying(/already associated with another user/i, 400, 409, 500);

/**
 * An ID that cannot be one of an account or auth method (Boundary 400, before it looks at the token). The texts differ
 * from call to call: `Invalid formatted identifier.`, `Improperly formatted path identifier.`, `unknown subtype in ID`.
 */
export const isInvalidId: (error: unknown) => boolean = saying(
  /^(auth_method_)?id: (\w+ formatted|unknown auth method type)|^attributes: unknown subtype in ID/i,
  400,
);

/** A scope ID that is neither `global` nor the ID of an organization (Boundary 400). */
export const isInvalidScope: (error: unknown) => boolean = saying(/^scope_id: /i, 400);

/** A change of an object that is at another version (Boundary 404; of a password, members or grants 500). */
export const isStaleVersion: (error: unknown) => boolean = saying(
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

/** An OIDC login with an auth method that is not active (Boundary 400). */
export const isInactiveAuthMethod = saying(/^Cannot start authentication against an inactive /, 400);

/** An OIDC login whose issuer the service cannot use: unreachable, or another issuer (Boundary 400). */
export const isUnusableIssuer = saying(/^oidc\.StartAuth: .*\bunable to create provider\b/, 400);

/** The service cannot reach its database (Boundary 500). */
export const isDatabaseDown = (message: string): boolean =>
  /\bdbw?\.\w+: |failed to connect to `/.test(message);
