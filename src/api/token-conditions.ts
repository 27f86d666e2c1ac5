import { saying } from './conditions.ts';

/**
 * Nomad's responses to a read of the own token (`acl/token/self`), as named predicates. Only the check of a token depends
 * on these texts. Any other response, such as the 403 of a gateway, is not about the token.
 */

/** A token that has expired (Nomad 403). */
export const isExpiredToken: (error: unknown) => boolean = saying(/\btoken (is )?expired\b/i, 400, 403);

/** A token that is not known (Nomad 403, in these words and no others). */
export const isUnknownSchedulerToken: (error: unknown) => boolean = saying(
  /^(Permission denied|ACL token not found)$/,
  403,
);

/** A token that is not known, where the text is only that of such a token (Nomad 403). */
export const saysUnknownToken: (error: unknown) => boolean = saying(/^ACL token not found$/, 403);

/** No token of the table is the caller's: an unknown token (Nomad before 1.10.1), or a workload (404). */
export const isWithoutStoredToken: (error: unknown) => boolean = saying(/^ACL token not found$/, 404);

/** A token that has not the form of one (Nomad 500; every other call says 403). */
export const isMalformedToken: (error: unknown) => boolean = saying(
  /failed to parse signed token|invalid UUID|UUID must be 36 characters/i,
  500,
);

/** Any token is looked up as a UUID, also that of a workload, which is not a UUID (Nomad 1.9.3, 500). */
export const isTakenForUuid: (error: unknown) => boolean = saying(/UUID must be 36 characters/i, 500);
