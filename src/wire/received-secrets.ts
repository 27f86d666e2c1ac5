import { isObject } from './objects.ts';

// Ignores case, `_` and `-`: the services spell the same field in three ways. The last word decides
// (`OIDCClientSecret`), so `public_key`, `key_type` and `token_ttl` are not secret.
const secretName =
  /^(?:bindpass|clientcertificatekey|clientnonce|code|otp|tokenid|value)$|(?:apikey|credential|jwt|passphrase|password|privatekey|secret|secretaccesskey|secretid|secretkey|token)s?$/;

/** A field name without case, `_` and `-`. */
export const normalizeName = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Whether a field of this name holds a secret, in any of the services. */
export const isSecretName = (name: string): boolean => secretName.test(normalizeName(name));

type Fields = Readonly<Record<string, unknown>>;

/** Texts that are secrets under any name: a private key, a token of a secrets service. */
const secretPattern = /-----BEGIN [A-Z ]*PRIVATE KEY-----|^(?:hv[sbr]|[sbr])\.[\w-]{20,}$/;

/**
 * The secrets in a response of the secrets service, whatever its path: the values of a key-value engine, one-time
 * passwords, unseal key shares, and fields that are secret by their name (`password`, `secret_id`, `client_token`) or
 * format.
 */
export function receivedSecrets(body: unknown): readonly string[] {
  if (!isObject(body)) return secretsIn(body);
  const { data } = body;
  if (isObject(data)) {
    // Version 2 has the values next to their metadata; metadata and configuration are not secret.
    if (isObject(data.data) && isObject(data.metadata)) return stringsIn(data.data);
    const isSettings = 'current_version' in data || 'cas_required' in data;
    if (isKeyValue(body) && !isSettings) return stringsIn(data);
  }
  return secretsIn(body);
}

/** Recognizes version 1 without a mount type: only its values have a duration without a lease. */
function isKeyValue({ mount_type: type, lease_id: lease, lease_duration: duration }: Fields): boolean {
  if (typeof type === 'string' && type !== '')
    return type === 'kv' || type === 'generic' || type === 'cubbyhole';
  return lease === '' && typeof duration === 'number' && duration > 0;
}

/** The secrets in a value, by name and format. Values of the registry's key-value store are not secrets. */
export function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return secretPattern.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isSecret =
      (isSecretName(name) && name !== 'Value') || name === 'Items' || isContextualSecret(value, name);
    return isSecret ? stringsIn(member) : secretsIn(member);
  });
}

/** The password of `ssh/creds`, and the shares of `sys/init`: secret here, ordinary names elsewhere. */
const isContextualSecret = (fields: Fields, name: string): boolean =>
  (name === 'key' && fields.key_type === 'otp') || (/^keys(_base64)?$/.test(name) && 'root_token' in fields);

/** Every text in a value. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
