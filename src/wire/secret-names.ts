// Without case, `_` and `-`: the services spell the same field in three ways. A name ends in what it is of
// (`OIDCClientSecret`), so `public_key`, `key_type` and `token_ttl` are none of these.
const secretName =
  /^(?:bindpass|clientnonce|code|otp|value)$|(?:apikey|credential|jwt|passphrase|password|privatekey|secret|secretaccesskey|secretid|secretkey|token)s?$/;

/** A name of a field without case, `_` and `-`. */
export const normalizeName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Does a field of this name hold a secret, whichever service it is of? */
export const isSecretName = (name: string): boolean => secretName.test(normalizeName(name));
