// Ignores case, `_` and `-`: the services spell the same field in three ways. The last word decides
// (`OIDCClientSecret`), so `public_key`, `key_type` and `token_ttl` are not secret.
const secretName =
  /^(?:bindpass|clientnonce|code|otp|value)$|(?:apikey|credential|jwt|passphrase|password|privatekey|secret|secretaccesskey|secretid|secretkey|token)s?$/;

/** A field name without case, `_` and `-`. */
export const normalizeName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Whether a field of this name holds a secret, in any of the services. */
export const isSecretName = (name: string): boolean => secretName.test(normalizeName(name));
