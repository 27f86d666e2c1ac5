import { saying } from './conditions.ts';

/** What the secrets service says of the issuers of an SSH engine: part of `conditions.ts`. */

/** An issuer that does not exist (OpenBao 400). */
export const isMissingIssuer = saying(/unable to find issuer for reference/i);

/** Another issuer has the name (OpenBao 400). */
export const isIssuerNameTaken = saying(/issuer name already in use/i, 400);

/** A path that the engine does not have (Vault, OpenBao 404). */
export const isUnsupportedPath = saying(/unsupported path/i, 404);
