import { formatDuration } from '../../../wire/duration.ts';
import type { JsonObject } from '../../../wire/json.ts';
import { checkOf } from '../../core/schema/matches.ts';
import { read } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { Table } from '../../core/store/table.ts';
import { badRequest } from '../errors.ts';
import type { InputOf } from '../resource.ts';
import { parseBlock } from './address.ts';
import { internalError } from './errors.ts';
import { sshRules } from './fields.ts';
import { type KeyLengths, parseKeyLengths } from './key-lengths.ts';

/** The fields of a role (docs/protocol/ssh.md#ssh-role) except its name. */
const roleFields = {
  key_type: s.required(s.string('`otp` or `ca`.')),
  default_user: s.string('Default user name of credentials.'),
  default_user_template: s.boolean('Whether `default_user` may contain an identity template.'),
  cidr_list: s.string('CIDR blocks that the role applies to, comma-separated.'),
  exclude_cidr_list: s.string('CIDR blocks whose addresses the role rejects, comma-separated.'),
  port: s.integer('Port returned with a one-time password (default 22).'),
  allowed_users: s.string('User names that may be requested, comma-separated; `*`: any.'),
  allowed_users_template: s.boolean('Whether `allowed_users` may contain identity templates.'),
  allowed_domains: s.string(
    'Domains that host certificates may be requested for, comma-separated; `*`: any.',
  ),
  allowed_domains_template: s.boolean('Whether `allowed_domains` may contain identity templates.'),
  ttl: s.duration('Default validity of a certificate.'),
  max_ttl: s.duration('Maximum validity of a certificate.'),
  allowed_critical_options: s.string('Critical options that may be requested, comma-separated; empty: any.'),
  allowed_extensions: s.string('Extensions that may be requested, comma-separated; `*`: any.'),
  default_critical_options: s.map(s.string(), 'Default critical options.'),
  default_extensions: s.map(s.string(), 'Default extensions.'),
  default_extensions_template: s.boolean('Whether `default_extensions` may contain identity templates.'),
  allow_user_certificates: s.boolean('Whether user certificates may be signed.'),
  allow_host_certificates: s.boolean('Whether host certificates may be signed.'),
  allow_bare_domains: s.boolean('Whether host certificates may be for the listed domains themselves.'),
  allow_subdomains: s.boolean('Whether host certificates may be for subdomains of the listed domains.'),
  allow_user_key_ids: s.boolean('Whether callers may choose the key ID.'),
  key_id_format: s.string(
    'Format of the key ID; may contain `{{token_display_name}}`, `{{role_name}}`, `{{public_key_hash}}`.',
  ),
  allowed_user_key_lengths: s.anyObject('Key types and the sizes that may be signed.'),
  allow_empty_principals: s.boolean('Whether certificates without principals may be signed.'),
  algorithm_signer: s.string('`ssh-rsa`, `rsa-sha2-256`, `rsa-sha2-512` or `default`.'),
  not_before_duration: s.duration('How far certificates are backdated (default 30 seconds).', {
    default: 30,
  }),
};

/** The fields of a write: others that request what this engine does not have are rejected, not ignored. */
export const roleInput = {
  ...roleFields,
  issuer_ref: s.string('Must be empty or `default`: a mount has one CA.'),
  allow_commas_in_identity_templates: s.boolean('Must be false.'),
};

type RoleInput = InputOf<typeof roleFields>;

/** A stored role; durations are in seconds. */
export type Role = Omit<RoleInput, 'key_type' | 'algorithm_signer' | 'allowed_user_key_lengths'> & {
  readonly key_type: 'otp' | 'ca';
  readonly algorithm_signer: AlgorithmSigner;
  readonly allowed_user_key_lengths: KeyLengths;
};

const algorithmSigners = ['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'] as const;
export type AlgorithmSigner = (typeof algorithmSigners)[number];

/** Fields that select how a role is used; the others were checked when the role was written. */
const usage = checkOf(
  s.object({ key_type: s.oneOf(['otp', 'ca']), algorithm_signer: s.oneOf(algorithmSigners) }),
);
export const roles = new Table('role/', (role): role is Role => usage(role));

/** The role of a write; omitted fields have their defaults. @throws SecretsError 400; 500: unknown `algorithm_signer` */
export function newRole(given: InputOf<typeof roleInput>): Role {
  const { issuer_ref: issuer, allow_commas_in_identity_templates: commas, ...input } = given;
  if (issuer !== '' && issuer !== 'default')
    throw badRequest('issuer_ref is not supported: a mount has one CA');
  // Names in templates cannot contain commas.
  if (commas) throw badRequest('allow_commas_in_identity_templates is not supported');
  checkBlocks(input.cidr_list, 'cidr_list');
  checkBlocks(input.exclude_cidr_list, 'exclude_cidr_list entry');
  if (input.port < 0 || input.port > 65_535) throw badRequest('port must be between 0 and 65535');
  const port = input.port === 0 ? 22 : input.port;
  if (input.key_type === '') throw badRequest('missing key type');
  switch (input.key_type.toLowerCase()) {
    case 'otp':
      return otpRole({ ...input, port });
    case 'ca':
      return caRole({ ...input, port });
    case 'dynamic':
      throw badRequest('dynamic key type roles are no longer supported');
    default:
      throw badRequest('invalid key type');
  }
}

function checkBlocks(blocks: string, name: string): void {
  if (blocks === '') return;
  for (const block of blocks.split(',')) {
    if (parseBlock(block.trim()) === undefined)
      throw badRequest(`failed to validate ${name}: "${block}" is not a CIDR block`);
  }
}

const emptyRole = read(s.object(roleFields), {}, sshRules);

const otpFieldNames = [
  ...(['default_user', 'default_user_template', 'cidr_list', 'exclude_cidr_list', 'port'] as const),
  ...(['allowed_users', 'allowed_users_template'] as const),
];

function otpFields(role: Role | RoleInput) {
  const entries = otpFieldNames.map((name) => [name, role[name]]);
  return Object.fromEntries(entries) as Pick<Role, (typeof otpFieldNames)[number]>;
}

function otpRole(input: RoleInput): Role {
  if (input.default_user === '') throw badRequest('missing default user');
  const fixed = { key_type: 'otp', algorithm_signer: 'default', allowed_user_key_lengths: {} } as const;
  return { ...emptyRole, ...otpFields(input), ...fixed };
}

function caRole(input: RoleInput): Role {
  const signer = input.algorithm_signer === '' ? 'default' : input.algorithm_signer;
  const algorithm = algorithmSigners.find((name) => name === signer);
  if (algorithm === undefined) throw internalError(`unknown algorithm signer "${signer}"`);
  if (!input.allow_user_certificates && !input.allow_host_certificates)
    throw badRequest("Either 'allow_user_certificates' or 'allow_host_certificates' must be set to 'true'");
  const lengths = parseKeyLengths(input.allowed_user_key_lengths);
  if (input.ttl !== 0 && input.max_ttl !== 0 && input.ttl > input.max_ttl)
    throw badRequest('"ttl" value must be less than "max_ttl" when both are specified');
  return {
    ...input,
    key_type: 'ca',
    cidr_list: '',
    exclude_cidr_list: '',
    algorithm_signer: algorithm,
    allowed_user_key_lengths: lengths,
  };
}

const durationText = s.optional(s.string('A duration, such as `30m0s`.'));

/** A role as in responses: one of one-time passwords has only their fields. */
export const shownRole = s.named(
  'SshRole',
  s.object({
    ...s.partial(roleFields),
    ...s.each(['ttl', 'max_ttl', 'not_before_duration'], durationText),
    key_type: s.oneOf(['ca', 'otp']),
    allowed_user_key_lengths: s.optional(s.map(s.list(s.integer()), 'By key type.')),
  }),
);

/** The `data` of a read-role response: durations as in the specification. */
export function showRole(role: Role): JsonObject {
  if (role.key_type === 'otp') return { key_type: 'otp', ...otpFields(role) };
  const { cidr_list: _, exclude_cidr_list: __, ...shown } = role;
  return {
    ...shown,
    ttl: formatDuration(role.ttl),
    max_ttl: formatDuration(role.max_ttl),
    not_before_duration: formatDuration(role.not_before_duration),
  };
}
