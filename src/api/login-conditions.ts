import { saying } from './conditions.ts';

/** What the secrets and account services say of logins: part of `conditions.ts`. */

/** A role of an auth method that does not exist (Vault, OpenBao 400; method kubernetes `invalid role name`). */
export const isMissingLoginRole = saying(/^(role ".*" could not be found|invalid role name )/i, 400);

/** A login without a role, where the auth method has no default one (Vault, OpenBao 400). */
export const isWithoutLoginRole = saying(/^missing role\b/i, 400);

/** No auth method at the path, or a login that it does not permit: the responses are equal (Vault, OpenBao 403). */
export const isForbiddenLogin = saying(/^permission denied$/i, 403);

/** An OIDC login with an auth method that is not active (Boundary 400). */
export const isInactiveAuthMethod = saying(/^Cannot start authentication against an inactive /, 400);

/** An OIDC login whose issuer the service cannot use: unreachable, or another issuer (Boundary 400). */
export const isUnusableIssuer = saying(/^oidc\.StartAuth: .*\bunable to create provider\b/, 400);
