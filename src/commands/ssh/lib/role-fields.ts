import { flag, toKebabCase, type Values } from '../../../command/command.ts';
import { rejectSetAndUnset, unsetFlag } from '../../../command/unset-flag.ts';
import { usage } from '../../../errors.ts';
import { isEqual } from '../../../output/diff.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { compact, isObject } from '../../../wire/objects.ts';
import type { SshRoleFields } from '../../../wire/secrets.ts';

/** The fields of a role by the names of the service, those without a flag too. */
export type RoleFields = Readonly<Record<string, unknown>>;

const fieldFlags = {
  allowUserCertificates: flag.boolean('allow user certificates'),
  allowHostCertificates: flag.boolean('allow host certificates'),
  allowedUsers: flag.list('A,B', 'allowed principals; * for any'),
  allowedUsersTemplate: flag.boolean('allow identity templates in --allowed-users'),
  defaultUser: flag.text('USER', 'default principal'),
  defaultUserTemplate: flag.boolean('allow identity templates in --default-user'),
  allowedDomains: flag.list('A,B', 'allowed domains of host certificates; * for any'),
  allowedDomainsTemplate: flag.boolean('allow identity templates in --allowed-domains'),
  allowBareDomains: flag.boolean('allow the domains themselves as principals'),
  allowSubdomains: flag.boolean('allow subdomains as principals'),
  allowEmptyPrincipals: flag.boolean('allow certificates without principals, valid for anyone'),
  ttl: flag.duration('default validity period'),
  maxTtl: flag.duration('maximum validity period'),
  notBeforeDuration: flag.duration('backdating of the validity period (default 30s)'),
  defaultExtension: flag.map('K[=V]', 'default extension; repeatable', { aliases: ['default-extensions'] }),
  defaultExtensionsTemplate: flag.boolean('allow identity templates in --default-extension'),
  allowedExtensions: flag.list('A,B', 'allowed extensions; * for any'),
  defaultCriticalOption: flag.map('K=V', 'default critical option; repeatable', {
    aliases: ['default-critical-options'],
  }),
  allowedCriticalOptions: flag.list('A,B', 'allowed critical options (default: any)'),
  allowUserKeyIds: flag.boolean('allow key IDs in requests'),
  keyIdFormat: flag.text('TEMPLATE', 'key ID: {{token_display_name}}, {{role_name}}, {{public_key_hash}}'),
  allowedUserKeyLength: flag.map('TYPE=BITS[,BITS]', 'allowed key type and sizes; repeatable', {
    aliases: ['allowed-user-key-lengths'],
  }),
  algorithmSigner: flag.choice(
    ['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'],
    'signature algorithm of an RSA CA (ssh-rsa: SHA-1, insecure)',
  ),
  issuerRef: flag.name('REF', 'issuer name or ID (OpenBao)', { completes: { live: 'ssh-issuer' } }),
  allowCommasInIdentityTemplates: flag.boolean('allow commas in values of identity templates (OpenBao)'),
  cidrList: flag.list('CIDR,CIDR', 'otp: allowed addresses'),
  excludeCidrList: flag.list('CIDR,CIDR', 'otp: excluded addresses'),
  port: flag.integer('N', 'otp: port of the host (default 22)'),
} as const;

type FieldFlag = keyof typeof fieldFlags;

/** Fields with another name than their flag. */
const fieldNames: { readonly [Name in FieldFlag]?: keyof SshRoleFields } = {
  defaultExtension: 'default_extensions',
  defaultCriticalOption: 'default_critical_options',
  allowedUserKeyLength: 'allowed_user_key_lengths',
};

const fieldOf = (name: FieldFlag): string => fieldNames[name] ?? toKebabCase(name).replaceAll('-', '_');

const flagNames = Object.keys(fieldFlags) as readonly FieldFlag[];

/** The flags of `ssh role put`. */
export const roleFlags = {
  keyType: flag.choice(['ca', 'otp'], 'ca: sign keys (default); otp: one-time passwords'),
  ...fieldFlags,
  unset: unsetFlag(flagNames.map(toKebabCase)),
  replace: flag.boolean('reset all other fields to their defaults'),
} as const;

type RoleFlags = Values<typeof roleFlags>;
type RoleType = 'ca' | 'otp';

const isGiven = (flags: RoleFlags, name: FieldFlag): boolean =>
  flags[name] !== undefined && flags[name] !== false;

/** The fields that flags give: lists as texts, as the service has them. */
function givenFields(flags: RoleFlags): RoleFields {
  const entries = flagNames
    .filter((name) => isGiven(flags, name))
    .map((name): [string, unknown] => {
      const value: unknown = flags[name];
      return [fieldOf(name), Array.isArray(value) ? value.join(',') : isObject(value) ? { ...value } : value];
    });
  return Object.fromEntries(entries);
}

/** What flags change in a role. */
export interface RoleChange {
  /** The type that is given, if any. */
  readonly type: RoleType | undefined;
  readonly given: RoleFields;
  /** The fields of --unset. */
  readonly unset: readonly string[];
  /** @throws LanyardError usage: a flag that roles of the type do not support. */
  readonly rejectOtherFlags: (type: RoleType, isNew: boolean) => void;
}

/** @throws LanyardError usage: a flag is in --unset too, or roles of the given type do not support it. */
export function roleChange(flags: RoleFlags): RoleChange {
  const named = flagNames.filter((name) => isGiven(flags, name));
  const unset = flagNames.filter((name) => flags.unset.includes(toKebabCase(name)));
  rejectSetAndUnset((name) => named.some((each) => toKebabCase(each) === name), flags.unset);
  const rejectOtherFlags = (type: RoleType, isNew: boolean): void => {
    const unexpected = [...named, ...unset].find(
      (name) => !commonFlags.includes(name) && otpFlags.includes(name) !== (type === 'otp'),
    );
    if (unexpected === undefined) return;
    throw usage(
      `--${toKebabCase(unexpected)} is not supported by roles of type ${type}`,
      isNew ? { hint: `Use it with --key-type ${type === 'ca' ? 'otp' : 'ca'}.` } : {},
    );
  };
  if (flags.keyType) rejectOtherFlags(flags.keyType, true);
  return { type: flags.keyType, given: givenFields(flags), unset: unset.map(fieldOf), rejectOtherFlags };
}

/** The flags for type otp and for both types; all others are for type ca. */
const otpFlags: readonly FieldFlag[] = ['cidrList', 'excludeCidrList', 'port'];
const commonFlags: readonly FieldFlag[] = [
  ...(['defaultUser', 'defaultUserTemplate', 'allowedUsers', 'allowedUsersTemplate'] as const),
];

/** A role after a change. A write replaces the role, so that a field that is unset is left out. */
export const mergedRole = (
  current: RoleFields | undefined,
  type: string,
  { given, unset }: RoleChange,
): SshRoleFields => {
  const kept = Object.entries(current ?? {}).filter(([name]) => !unset.includes(name));
  return { ...compact(Object.fromEntries(kept)), ...given, key_type: type } as SshRoleFields;
};

const durations = ['ttl', 'max_ttl', 'not_before_duration'];

/** A role for comparisons and for output: durations and key sizes in the notation of flags. */
export const shownRole = (role: object): RoleFields =>
  Object.fromEntries(
    Object.entries(role).map(([name, value]) => {
      if (durations.includes(name)) return [name, formatDuration(parseDuration(value) ?? Number.NaN)];
      if (name !== 'allowed_user_key_lengths' || !isObject(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).map(([type, bits]) => [type, String(bits)]))];
    }),
  );

/** Whether a stored role has all of these fields. */
export function hasFields(stored: object, fields: object): boolean {
  const shown = shownRole(stored);
  return Object.entries(shownRole(fields)).every(([name, value]) => isEqual(shown[name], value));
}
