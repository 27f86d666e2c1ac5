import { saying } from './conditions.ts';

/** What the secrets service says of logins: part of `conditions.ts`. */

/** A role of an auth method that does not exist (Vault, OpenBao 400; method kubernetes `invalid role name`). */
export const isMissingLoginRole = saying(/^(role ".*" could not be found|invalid role name )/i, 400);

/** A login without a role, where the auth method has no default one (Vault, OpenBao 400). */
export const isWithoutLoginRole = saying(/^missing role\b/i, 400);

/** No auth method at the path, or a login that it does not permit: the responses are equal (Vault, OpenBao 403). */
export const isForbiddenLogin = saying(/^permission denied$/i, 403);
