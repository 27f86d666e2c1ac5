import type { PathDescription } from '../engine.ts';
import { duration, flag, integer, list, object, required, text } from './field.ts';

const certificateFields = {
  ttl: duration('Validity of the certificate; at most `max_ttl` of the role.'),
  valid_principals: text('User or host names of the certificate, comma-separated.'),
  cert_type: text('`user` (the default) or `host`.'),
  key_id: text('The key ID, if the role lets the caller choose it.'),
  critical_options: object('Critical options of the certificate.'),
  extensions: object('Extensions of the certificate.'),
};

const roleFields = {
  key_type: required(text('`otp` or `ca`.')),
  default_user: text('Default user name of credentials.'),
  default_user_template: flag('Whether `default_user` may contain an identity template.'),
  cidr_list: text('CIDR blocks that the role applies to, comma-separated.'),
  exclude_cidr_list: text('CIDR blocks whose addresses the role rejects, comma-separated.'),
  port: integer('Port returned with a one-time password (default 22).'),
  allowed_users: text('User names that may be requested, comma-separated; `*`: any.'),
  allowed_users_template: flag('Whether `allowed_users` may contain identity templates.'),
  allowed_domains: text('Domains that host certificates may be requested for, comma-separated; `*`: any.'),
  allowed_domains_template: flag('Whether `allowed_domains` may contain identity templates.'),
  ttl: duration('Default validity of a certificate.'),
  max_ttl: duration('Maximum validity of a certificate.'),
  allowed_critical_options: text('Critical options that may be requested, comma-separated; empty: any.'),
  allowed_extensions: text('Extensions that may be requested, comma-separated; `*`: any.'),
  default_critical_options: object('Default critical options.'),
  default_extensions: object('Default extensions.'),
  default_extensions_template: flag('Whether `default_extensions` may contain identity templates.'),
  allow_user_certificates: flag('Whether user certificates may be signed.'),
  allow_host_certificates: flag('Whether host certificates may be signed.'),
  allow_bare_domains: flag('Whether host certificates may be for the listed domains themselves.'),
  allow_subdomains: flag('Whether host certificates may be for subdomains of the listed domains.'),
  allow_user_key_ids: flag('Whether callers may choose the key ID.'),
  key_id_format: text(
    'Format of the key ID; may contain `{{token_display_name}}`, `{{role_name}}`, `{{public_key_hash}}`.',
  ),
  allowed_user_key_lengths: object('Key types and the sizes that may be signed.'),
  allow_empty_principals: flag('Whether certificates without principals may be signed.'),
  algorithm_signer: text('`ssh-rsa`, `rsa-sha2-256`, `rsa-sha2-512` or `default`.'),
  not_before_duration: duration('How far certificates are backdated (default 30 seconds).'),
};

/** The paths of the SSH engine (docs/protocol/ssh.md#endpoints). */
export const sshPaths: readonly PathDescription[] = [
  { path: 'roles', summary: 'List the roles.', operations: ['list'] },
  {
    path: 'roles/:name',
    summary: 'Show, write or delete a role.',
    operations: ['read', 'update', 'delete'],
    fields: roleFields,
  },
  {
    path: 'config/zeroaddress',
    summary: 'Show, set or delete the zero-address roles, which apply to any address.',
    operations: ['read', 'update', 'delete'],
    fields: { roles: required(list('The names of the roles.')) },
  },
  {
    path: 'creds/:name',
    summary: 'Create a one-time password for a role.',
    operations: ['update'],
    fields: {
      ip: required(text('The address of the remote host.')),
      username: text('The user name on the remote host.'),
    },
  },
  {
    path: 'lookup',
    summary: 'List the roles that apply to an address.',
    operations: ['update'],
    fields: { ip: required(text('The address.')) },
  },
  {
    path: 'verify',
    summary: 'Verify and consume a one-time password; requires no token.',
    operations: ['update'],
    fields: { otp: required(text('The one-time password.')) },
  },
  {
    path: 'config/ca',
    summary: 'Show the public key of the CA; set, recover or delete its key pair.',
    operations: ['read', 'update', 'delete', 'recover'],
    fields: {
      private_key: text('The private key to import, instead of generating one.'),
      public_key: text('The public key to import, instead of generating one.'),
      generate_signing_key: flag('Whether to generate a key pair (default true).'),
      key_type: text('Type of a generated key (default `ssh-rsa`).'),
      key_bits: integer('Size of a generated key; 0: the default of its type.'),
      managed_key_name: text('The name of a managed key.'),
      managed_key_id: text('The ID of a managed key.'),
    },
  },
  {
    path: 'public_key',
    summary: 'Show the public key of the CA as text; requires no token.',
    operations: ['read'],
  },
  {
    path: 'sign/:name',
    summary: 'Sign a public key with a role.',
    operations: ['create', 'update'],
    fields: { public_key: required(text('The public key.')), ...certificateFields },
  },
  {
    path: 'issue/:name',
    summary: 'Generate a key pair and sign its public key with a role.',
    operations: ['update'],
    fields: {
      key_type: text('`rsa` (the default), `ed25519` or `ec`.'),
      key_bits: integer('Size of the key; 0: the default of its type.'),
      ...certificateFields,
    },
  },
  {
    path: 'tidy/dynamic-keys',
    summary: 'Remove host keys left over from dynamic keys.',
    operations: ['delete'],
  },
];
