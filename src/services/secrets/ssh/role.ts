import { formatDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import * as s from '../../core/store/schema.ts';
import { Table } from '../../core/store/table.ts';
import { parseBlock } from './address.ts';
import { badRequest, internalError } from './errors.ts';
import {
  duration,
  type FieldValues,
  flag,
  integer,
  list,
  object,
  readFields,
  stringMap,
  text,
} from './fields.ts';
import { type KeyLengths, parseKeyLengths } from './key-lengths.ts';

/** The fields of a role (docs/protocol/ssh.md#ssh-role) except its name. */
const roleFields = {
  key_type: text(),
  default_user: text(),
  default_user_template: flag(),
  cidr_list: list(),
  exclude_cidr_list: list(),
  port: integer(),
  allowed_users: list(),
  allowed_users_template: flag(),
  allowed_domains: list(),
  allowed_domains_template: flag(),
  ttl: duration(),
  max_ttl: duration(),
  allowed_critical_options: list(),
  allowed_extensions: list(),
  default_critical_options: stringMap(),
  default_extensions: stringMap(),
  default_extensions_template: flag(),
  allow_user_certificates: flag(),
  allow_host_certificates: flag(),
  allow_bare_domains: flag(),
  allow_subdomains: flag(),
  allow_user_key_ids: flag(),
  key_id_format: text(),
  allowed_user_key_lengths: object(),
  allow_empty_principals: flag(),
  algorithm_signer: text(),
  not_before_duration: duration(30),
};

type RoleInput = FieldValues<typeof roleFields>;

/** A stored role; durations are in seconds. */
export type Role = Omit<RoleInput, 'key_type' | 'algorithm_signer' | 'allowed_user_key_lengths'> & {
  key_type: 'otp' | 'ca';
  algorithm_signer: AlgorithmSigner;
  allowed_user_key_lengths: KeyLengths;
};

const algorithmSigners = ['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'] as const;
export type AlgorithmSigner = (typeof algorithmSigners)[number];

/** Fields that select how a role is used; the others were checked when the role was written. */
const usage = s.object({ key_type: s.oneOf('otp', 'ca'), algorithm_signer: s.oneOf(...algorithmSigners) });
export const roles = new Table('role/', (role): role is Role => usage(role));

/**
 * Builds the role that a write describes; omitted fields return to their defaults.
 * @throws SecretsError 400; 500 for an unknown `algorithm_signer` (docs/protocol/ssh.md#ssh-role).
 */
export function parseRole(data: Readonly<Record<string, Json>>): Role {
  const input = readFields(roleFields, data);
  rejectIssuers(data);
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

const unsupportedFields = { issuer_ref: text(), allow_commas_in_identity_templates: flag() };

/**
 * A mount has one CA, and names in templates cannot contain commas: fields that request otherwise are
 * rejected, not ignored.
 */
function rejectIssuers(data: Readonly<Record<string, Json>>): void {
  const { issuer_ref: issuer, allow_commas_in_identity_templates: commas } = readFields(
    unsupportedFields,
    data,
  );
  if (issuer !== '' && issuer !== 'default') {
    throw badRequest('issuer_ref is not supported: a mount has one CA');
  }
  if (commas) throw badRequest('allow_commas_in_identity_templates is not supported');
}

function checkBlocks(blocks: string, name: string): void {
  if (blocks === '') return;
  for (const block of blocks.split(',')) {
    if (parseBlock(block.trim()) === undefined) {
      throw badRequest(`failed to validate ${name}: "${block}" is not a CIDR block`);
    }
  }
}

const emptyRole = readFields(roleFields, {});

/** An otp role keeps only the fields that one-time passwords use. */
function otpRole(input: RoleInput): Role {
  if (input.default_user === '') throw badRequest('missing default user');
  return {
    ...emptyRole,
    key_type: 'otp',
    default_user: input.default_user,
    default_user_template: input.default_user_template,
    cidr_list: input.cidr_list,
    exclude_cidr_list: input.exclude_cidr_list,
    port: input.port,
    allowed_users: input.allowed_users,
    allowed_users_template: input.allowed_users_template,
    algorithm_signer: 'default',
    allowed_user_key_lengths: {},
  };
}

function caRole(input: RoleInput): Role {
  const signer = input.algorithm_signer === '' ? 'default' : input.algorithm_signer;
  const algorithm = algorithmSigners.find((name) => name === signer);
  if (algorithm === undefined) throw internalError(`unknown algorithm signer "${signer}"`);
  if (!input.allow_user_certificates && !input.allow_host_certificates) {
    throw badRequest("Either 'allow_user_certificates' or 'allow_host_certificates' must be set to 'true'");
  }
  const lengths = parseKeyLengths(input.allowed_user_key_lengths);
  if (input.ttl !== 0 && input.max_ttl !== 0 && input.ttl > input.max_ttl) {
    throw badRequest('"ttl" value must be less than "max_ttl" when both are specified');
  }
  return {
    ...input,
    key_type: 'ca',
    cidr_list: '',
    exclude_cidr_list: '',
    algorithm_signer: algorithm,
    allowed_user_key_lengths: lengths,
  };
}

/** The `data` of a read-role response: durations as in the specification. */
export function showRole(role: Role): Readonly<Record<string, Json>> {
  if (role.key_type === 'otp') {
    const { key_type, port, cidr_list, exclude_cidr_list } = role;
    const { default_user, default_user_template, allowed_users, allowed_users_template } = role;
    return {
      key_type,
      default_user,
      default_user_template,
      cidr_list,
      exclude_cidr_list,
      port,
      allowed_users,
      allowed_users_template,
    };
  }
  const { cidr_list: _, exclude_cidr_list: __, ...shown } = role;
  return {
    ...shown,
    ttl: formatDuration(role.ttl),
    max_ttl: formatDuration(role.max_ttl),
    not_before_duration: formatDuration(role.not_before_duration),
  };
}
