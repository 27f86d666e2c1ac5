import type { PathDescription } from '../engine.ts';
import { duration, flag, integer, list, object, required, text } from './field.ts';

const certificateFields = {
  ttl: duration('How long the certificate is valid; at most `max_ttl` of the role.'),
  valid_principals: text('The user or host names that the certificate is for, with commas.'),
  cert_type: text('`user` (the default) or `host`.'),
  key_id: text('The key ID, if the role lets the caller choose it.'),
  critical_options: object('Critical options of the certificate.'),
  extensions: object('Extensions of the certificate.'),
};

const roleFields = {
  key_type: required(text('`otp` or `ca`.')),
  default_user: text('The user name when credentials are requested without one.'),
  default_user_template: flag('Whether `default_user` may hold an identity template.'),
  cidr_list: text('CIDR blocks that the role applies to, with commas.'),
  exclude_cidr_list: text('CIDR blocks whose addresses the role rejects, with commas.'),
  port: integer('The port that is returned with a one-time password; 22 by default.'),
  allowed_users: text('User names that may be requested, with commas; `*` is any.'),
  allowed_users_template: flag('Whether `allowed_users` may hold identity templates.'),
  allowed_domains: text('Domains that host certificates may be requested for, with commas; `*` is any.'),
  allowed_domains_template: flag('Whether `allowed_domains` may hold identity templates.'),
  ttl: duration('How long a certificate is valid.'),
  max_ttl: duration('How long a certificate may be valid.'),
  allowed_critical_options: text('Critical options that may be requested, with commas; empty is any.'),
  allowed_extensions: text('Extensions that may be requested, with commas; `*` is any.'),
  default_critical_options: object('Critical options when none are requested.'),
  default_extensions: object('Extensions when none are requested.'),
  default_extensions_template: flag('Whether `default_extensions` may hold identity templates.'),
  allow_user_certificates: flag('Whether user certificates may be signed.'),
  allow_host_certificates: flag('Whether host certificates may be signed.'),
  allow_bare_domains: flag('Whether host certificates may be for the listed domains themselves.'),
  allow_subdomains: flag('Whether host certificates may be for subdomains of the listed domains.'),
  allow_user_key_ids: flag('Whether callers may choose the key ID.'),
  key_id_format: text('The key ID, with `{{token_display_name}}`, `{{role_name}}`, `{{public_key_hash}}`.'),
  allowed_user_key_lengths: object('Key types and the sizes that may be signed.'),
  allow_empty_principals: flag('Whether certificates without principals may be signed.'),
  algorithm_signer: text('`ssh-rsa`, `rsa-sha2-256`, `rsa-sha2-512` or `default`.'),
  not_before_duration: duration('How long before now certificates begin; 30 seconds by default.'),
};

/** The paths of the SSH engine (docs/protocol/ssh.md#endpoints). */
export const sshPaths: readonly PathDescription[] = [
  { path: 'roles', summary: 'Lists the roles.', operations: ['list'] },
  {
    path: 'roles/:name',
    summary: 'Shows, writes or deletes a role.',
    operations: ['read', 'update', 'delete'],
    fields: roleFields,
  },
  {
    path: 'config/zeroaddress',
    summary: 'Shows, sets or removes the roles whose credentials may be requested for any address.',
    operations: ['read', 'update', 'delete'],
    fields: { roles: required(list('The names of the roles.')) },
  },
  {
    path: 'creds/:name',
    summary: 'Makes a one-time password for a role.',
    operations: ['update'],
    fields: {
      ip: required(text('The address of the remote host.')),
      username: text('The user name on the remote host.'),
    },
  },
  {
    path: 'lookup',
    summary: 'Lists the roles that an address belongs to.',
    operations: ['update'],
    fields: { ip: required(text('The address.')) },
  },
  {
    path: 'verify',
    summary: 'Verifies a one-time password, which is used up by that; needs no token.',
    operations: ['update'],
    fields: { otp: required(text('The one-time password.')) },
  },
  {
    path: 'config/ca',
    summary: 'Shows the public key of the certificate authority; sets, recovers or removes its key pair.',
    operations: ['read', 'update', 'delete', 'recover'],
    fields: {
      private_key: text('The private key, where none is to be generated.'),
      public_key: text('The public key, where none is to be generated.'),
      generate_signing_key: flag('Whether a key pair is to be generated; true by default.'),
      key_type: text('The type of a generated key; `ssh-rsa` by default.'),
      key_bits: integer('The size of a generated key; 0 is the default one of its type.'),
      managed_key_name: text('The name of a managed key.'),
      managed_key_id: text('The ID of a managed key.'),
    },
  },
  {
    path: 'public_key',
    summary: 'The public key of the certificate authority, as text; needs no token.',
    operations: ['read'],
  },
  {
    path: 'sign/:name',
    summary: 'Signs a public key with a role.',
    operations: ['create', 'update'],
    fields: { public_key: required(text('The public key.')), ...certificateFields },
  },
  {
    path: 'issue/:name',
    summary: 'Generates a key pair and signs its public key with a role.',
    operations: ['update'],
    fields: {
      key_type: text('`rsa` (the default), `ed25519` or `ec`.'),
      key_bits: integer('The size of the key; 0 is the default one of its type.'),
      ...certificateFields,
    },
  },
  {
    path: 'tidy/dynamic-keys',
    summary: 'Removes host keys that are left over from dynamic keys.',
    operations: ['delete'],
  },
];
