import type { Json } from '../../../../wire/json.ts';
import type { EngineResource } from '../../backend.ts';
import { notFound } from '../../errors.ts';
import * as help from '../../help/field.ts';
import type { SshMount } from '../../ssh/mount.ts';
import { parseRole, showRole } from '../../ssh/role.ts';

export const roles: EngineResource<SshMount> = {
  summary: 'List the roles.',
  list(mount) {
    const keys = mount.roleNames();
    if (keys.length === 0) throw notFound();
    const info = keys.map((key): [string, Json] => [key, { key_type: mount.role(key)?.key_type ?? '' }]);
    return { data: { keys, key_info: Object.fromEntries(info) } };
  },
};

export const role: EngineResource<SshMount> = {
  summary: 'Show, write or delete a role.',
  fields: {
    key_type: help.required(help.text('`otp` or `ca`.')),
    default_user: help.text('Default user name of credentials.'),
    default_user_template: help.flag('Whether `default_user` may contain an identity template.'),
    cidr_list: help.text('CIDR blocks that the role applies to, comma-separated.'),
    exclude_cidr_list: help.text('CIDR blocks whose addresses the role rejects, comma-separated.'),
    port: help.integer('Port returned with a one-time password (default 22).'),
    allowed_users: help.text('User names that may be requested, comma-separated; `*`: any.'),
    allowed_users_template: help.flag('Whether `allowed_users` may contain identity templates.'),
    allowed_domains: help.text(
      'Domains that host certificates may be requested for, comma-separated; `*`: any.',
    ),
    allowed_domains_template: help.flag('Whether `allowed_domains` may contain identity templates.'),
    ttl: help.duration('Default validity of a certificate.'),
    max_ttl: help.duration('Maximum validity of a certificate.'),
    allowed_critical_options: help.text(
      'Critical options that may be requested, comma-separated; empty: any.',
    ),
    allowed_extensions: help.text('Extensions that may be requested, comma-separated; `*`: any.'),
    default_critical_options: help.object('Default critical options.'),
    default_extensions: help.object('Default extensions.'),
    default_extensions_template: help.flag('Whether `default_extensions` may contain identity templates.'),
    allow_user_certificates: help.flag('Whether user certificates may be signed.'),
    allow_host_certificates: help.flag('Whether host certificates may be signed.'),
    allow_bare_domains: help.flag('Whether host certificates may be for the listed domains themselves.'),
    allow_subdomains: help.flag('Whether host certificates may be for subdomains of the listed domains.'),
    allow_user_key_ids: help.flag('Whether callers may choose the key ID.'),
    key_id_format: help.text(
      'Format of the key ID; may contain `{{token_display_name}}`, `{{role_name}}`, `{{public_key_hash}}`.',
    ),
    allowed_user_key_lengths: help.object('Key types and the sizes that may be signed.'),
    allow_empty_principals: help.flag('Whether certificates without principals may be signed.'),
    algorithm_signer: help.text('`ssh-rsa`, `rsa-sha2-256`, `rsa-sha2-512` or `default`.'),
    not_before_duration: help.duration('How far certificates are backdated (default 30 seconds).'),
  },
  read(mount, _request, name) {
    const existing = mount.role(name);
    if (existing === undefined) throw notFound();
    return { data: showRole(existing) };
  },
  async write(mount, { data }, name) {
    await mount.putRole(name, parseRole(data));
    return undefined;
  },
  async delete(mount, _request, name) {
    await mount.deleteRole(name);
    return undefined;
  },
};
