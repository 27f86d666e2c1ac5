import { createHash } from 'node:crypto';
import { unsafeCharacterPattern } from '../../../wire/printable.ts';
import { badRequest } from '../errors.ts';
import type { Entity } from '../model/identity.ts';
import type { TtlLimits } from '../model/ttl.ts';
import type { CertificateKind } from './certificate.ts';
import { splitList } from './fields.ts';
import type { PublicKey } from './public-key.ts';
import type { Role } from './role.ts';
import { expand, expandNames } from './templates.ts';

// What a role permits in a certificate (docs/protocol/ssh.md#ssh-role). All errors are 400.

/** OpenSSH rejects certificates with more. */
const maxPrincipals = 256;

/**
 * Bytes that a key ID may have: a limit of this signer. OpenBao has none, and OpenSSH 9 reads key IDs of 100,000 bytes;
 * earlier versions read lines of at most 8 KiB from a public key file (SSH_MAX_PUBKEY_BYTES, later 16 KiB). The
 * certificate of a 4096-bit RSA key by a CA of the same kind, with a key ID of this length, is a line of 7,966 bytes.
 */
const maxKeyIdBytes = 4096;

/** Inputs of a key ID format: the caller and the role. */
export interface KeyIdSource {
  readonly displayName: string;
  readonly roleName: string;
}

/** The requested key ID, if the role permits it, else by the role's format, else the token's display name. */
export function chooseKeyId(
  role: Role,
  requested: string,
  { displayName, roleName }: KeyIdSource,
): (key: PublicKey) => string {
  if (requested !== '') {
    if (!role.allow_user_key_ids) throw badRequest('setting key_id is not allowed by role');
    const keyId = asKeyId(requested);
    return () => keyId;
  }
  return (key) => {
    const hash = createHash('sha256').update(key.blob).digest('hex');
    if (role.key_id_format === '') return asKeyId(displayName) || hash;
    const variables = { token_display_name: displayName, role_name: roleName, public_key_hash: hash };
    const keyId = role.key_id_format.replace(
      /\{\{(token_display_name|role_name|public_key_hash)\}\}/g,
      (_, name: keyof typeof variables) => variables[name],
    );
    return asKeyId(keyId);
  };
}

/** @throws SecretsError 400: too long, or with a control character */
function asKeyId(text: string): string {
  if (Buffer.byteLength(text) > maxKeyIdBytes)
    throw badRequest(`key_id is longer than ${maxKeyIdBytes} bytes`);
  return rejectControlCharacters(text, 'key_id');
}

/** Bidirectional overrides and characters without width: a name would look like another one. */
const invisible = new RegExp(unsafeCharacterPattern, 'u');

/** A text of a certificate, which servers log and show. @throws SecretsError 400: control or invisible characters */
function rejectControlCharacters(text: string, field: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw badRequest(`${field} contains a control character`);
  if (invisible.test(text)) throw badRequest(`${field} contains an invisible character`);
  return text;
}

/** @throws SecretsError 400: a name is empty or contains a control character */
function rejectEmptyNames(options: Options, field: string): Options {
  for (const name of Object.keys(options)) {
    if (name === '') throw badRequest(`${field} contains an empty name`);
    rejectControlCharacters(name, field);
  }
  return options;
}

export function chooseKind(role: Role, requested: string): CertificateKind {
  if (requested !== 'user' && requested !== 'host')
    throw badRequest("cert_type must be either 'user' or 'host'");
  const allowed = requested === 'user' ? role.allow_user_certificates : role.allow_host_certificates;
  if (!allowed) throw badRequest(`cert_type '${requested}' is not allowed by role`);
  return requested;
}

/** The principals; without any, a certificate is valid for every user or host, if the role permits (CVE-2024-7594). */
export function choosePrincipals(
  role: Role,
  kind: CertificateKind,
  requested: string,
  entity: Entity | undefined,
): string[] {
  const requestedNames = splitList(requested);
  const defaults = requestedNames.length === 0 && kind === 'user';
  const names = defaults ? splitList(role.default_user) : requestedNames;
  if (names.length === 0) {
    if (role.allow_empty_principals) return [];
    throw badRequest('empty valid principals not allowed by role');
  }
  if (names.length > maxPrincipals)
    throw badRequest(`valid_principals contains more than ${maxPrincipals} names`);
  const isAllowed = principalRule(role, kind, entity);
  const isTemplate = defaults && role.default_user_template;
  const principals = names.map((name) => {
    const principal = isTemplate ? expand(name, entity) : name;
    // A template that expands to nothing is also rejected: dropping it could leave the list empty.
    if (principal === undefined || !isAllowed(principal))
      throw badRequest(`${principal ?? name} is not a valid value for valid_principals`);
    return rejectControlCharacters(principal, 'valid_principals');
  });
  return [...new Set(principals)];
}

function principalRule(
  role: Role,
  kind: CertificateKind,
  entity: Entity | undefined,
): (principal: string) => boolean {
  const allowed = splitList(kind === 'user' ? role.allowed_users : role.allowed_domains);
  if (allowed.length === 0) throw badRequest('role is not configured to allow any principals');
  // Checked before templates are expanded: an entity named "*" must not match every user.
  if (allowed.length === 1 && allowed[0] === '*') return () => true;
  const isTemplate = kind === 'user' ? role.allowed_users_template : role.allowed_domains_template;
  const names = expandNames(allowed, isTemplate, entity);
  if (kind === 'user') return (user) => names.includes(user);
  return (host) => names.some((domain) => isWithinDomain(role, domain, host));
}

function isWithinDomain(role: Role, domain: string, host: string): boolean {
  if (host === domain) return role.allow_bare_domains;
  return role.allow_subdomains && host.endsWith(`.${domain}`) && host.length > domain.length + 1;
}

/** Validity of the certificate in seconds. `requested`: 0: the mount's default; undefined: the role's. */
export function chooseTtl(role: Role, requested: number | undefined, limits: TtlLimits): number {
  const maxTtl = role.max_ttl || limits.max;
  if (requested === undefined) return Math.min(role.ttl || limits.default, maxTtl);
  const ttl = requested || limits.default;
  if (ttl > maxTtl) throw badRequest(`ttl is larger than maximum allowed ${maxTtl}`);
  return ttl;
}

type Options = Readonly<Record<string, string>>;

export function chooseCriticalOptions(role: Role, requested: Options): Options {
  const names = Object.keys(requested);
  if (names.length === 0) return rejectEmptyNames(role.default_critical_options, 'default_critical_options');
  const allowed = splitList(role.allowed_critical_options);
  const disallowed = allowed.length === 0 ? [] : names.filter((name) => !allowed.includes(name));
  if (disallowed.length > 0)
    throw badRequest(`critical options not on allowed list: [${disallowed.join(' ')}]`);
  return rejectEmptyNames(requested, 'critical_options');
}

/** The extensions, and the names of default ones left out because the token has no entity for their template. */
export function chooseExtensions(
  role: Role,
  requested: Options,
  entity: Entity | undefined,
): { readonly extensions: Options; readonly skipped: readonly string[] } {
  const names = Object.keys(requested);
  if (names.length === 0) return defaultExtensions(role, entity);
  const allowed = splitList(role.allowed_extensions);
  const allowsAny = allowed.length === 1 && allowed[0] === '*';
  const disallowed = allowsAny ? [] : names.filter((name) => !allowed.includes(name));
  if (disallowed.length > 0) throw badRequest(`extensions [${disallowed.join(' ')}] are not on allowed list`);
  return { extensions: rejectEmptyNames(requested, 'extensions'), skipped: [] };
}

function defaultExtensions(role: Role, entity: Entity | undefined): ReturnType<typeof chooseExtensions> {
  const defaults = rejectEmptyNames(role.default_extensions, 'default_extensions');
  if (!role.default_extensions_template) return { extensions: defaults, skipped: [] };
  const expanded = Object.entries(defaults).map(([name, value]) => [name, extension(value, entity)] as const);
  return {
    extensions: Object.fromEntries(
      expanded.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    skipped: expanded.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** @throws SecretsError 400: the entity has no value for the template */
function extension(value: string, entity: Entity | undefined): string | undefined {
  if (!/\{\{.+?\}\}/.test(value)) return value;
  const expanded = expand(value, entity);
  if (expanded === undefined && entity) throw badRequest(`template '${value}' could not be rendered`);
  return expanded;
}
