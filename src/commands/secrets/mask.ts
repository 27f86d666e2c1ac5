import type { Context } from '../../context.ts';
import { isSecretName } from '../../wire/secret-names.ts';
import { meant } from './views.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that are secret under any name: private keys and tokens. */
const secretText = /-----BEGIN [A-Z ]*PRIVATE KEY-----|^(?:hv[sbr]|[sbr])\.[\w-]{20,}$/;

/**
 * Masks the secrets in a response of any path in the log of a CI service: the values of a key-value engine, one-time
 * passwords, unseal key shares, and secrets by name (`password`, `secret_id`, `client_token`) or format. Everything else
 * stays readable.
 */
export function maskSecrets(io: Pick<Context['io'], 'mask'>, body: unknown): void {
  for (const text of isFields(body) ? secretsOf(body) : secretsIn(body)) io.mask(text);
}

function secretsOf(body: Fields): readonly string[] {
  const { data } = body;
  if (isFields(data)) {
    // Version 2 returns the values with their metadata; metadata and configuration are not secret.
    if (isFields(data.data) && isFields(data.metadata)) return texts(data.data);
    const isSettings = 'current_version' in data || 'cas_required' in data;
    if (isKeyValue(body) && !isSettings) return texts(data);
  }
  return secretsIn(meant(body));
}

/** Without a mount type, only values of version 1 have a duration but no lease. */
function isKeyValue({ mount_type: type, lease_id: lease, lease_duration: duration }: Fields): boolean {
  if (typeof type === 'string' && type !== '')
    return type === 'kv' || type === 'generic' || type === 'cubbyhole';
  return lease === '' && typeof duration === 'number' && duration > 0;
}

function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return secretText.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isSecretName(name) || isOwnSecret(value, name) ? texts(member) : secretsIn(member),
  );
}

/** The password of `ssh/creds` and the shares of `sys/init`, whose names are not secret elsewhere. */
const isOwnSecret = (fields: Fields, name: string): boolean =>
  (name === 'key' && fields.key_type === 'otp') || (/^keys(_base64)?$/.test(name) && 'root_token' in fields);

/** Every text in a value. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
