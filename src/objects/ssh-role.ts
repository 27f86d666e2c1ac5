import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

const texts = { isCommaSeparated: true, isSentAsText: true } as const;
const names = { ...texts, flag: { value: 'A,B' } } as const;
const blocks = { ...texts, types: ['otp'], flag: { value: 'CIDR,CIDR' } } as const;
const both = ['ca', 'otp'];

/** A role of the SSH engine (docs/protocol/ssh.md#ssh-role). */
export const sshRole = field.object(
  {
    key_type: field.choice(['ca', 'otp'], {
      form: 'name',
      isImmutable: true,
      types: both,
      description: 'ca: signs keys; otp: one-time passwords.',
      flag: { help: 'ca: sign keys (default); otp: one-time passwords' },
    }),
    allow_user_certificates: field.boolean({ description: 'Allow user certificates.' }),
    allow_host_certificates: field.boolean({ description: 'Allow host certificates.' }),
    allowed_users: field.set(field.string(), {
      ...names,
      types: both,
      description: 'Allowed principals; * for any.',
    }),
    allowed_users_template: field.boolean({
      types: both,
      description: 'Allow identity templates in allowed_users.',
      flag: { help: 'allow identity templates in --allowed-users' },
    }),
    default_user: field.string({ types: both, description: 'Default principal.', flag: { value: 'USER' } }),
    default_user_template: field.boolean({
      types: both,
      description: 'Allow identity templates in default_user.',
      flag: { help: 'allow identity templates in --default-user' },
    }),
    allowed_domains: field.set(field.string(), {
      ...names,
      description: 'Allowed domains of host certificates; * for any.',
    }),
    allowed_domains_template: field.boolean({
      description: 'Allow identity templates in allowed_domains.',
      flag: { help: 'allow identity templates in --allowed-domains' },
    }),
    allow_bare_domains: field.boolean({ description: 'Allow the domains themselves as principals.' }),
    allow_subdomains: field.boolean({ description: 'Allow subdomains as principals.' }),
    allow_empty_principals: field.boolean({
      description: 'Allow certificates without principals, valid for anyone.',
    }),
    ttl: field.duration('seconds', { description: 'Default validity period.' }),
    max_ttl: field.duration('seconds', { description: 'Maximum validity period.' }),
    not_before_duration: field.duration('seconds', {
      default: 30,
      description: 'Backdating of the validity period (default 30s).',
    }),
    default_extensions: field.map(field.string(), {
      description: 'Default extensions.',
      flag: {
        name: 'default-extension',
        aliases: ['default-extensions'],
        value: 'K[=V]',
        help: 'default extension; repeatable',
      },
    }),
    default_extensions_template: field.boolean({
      description: 'Allow identity templates in default_extensions.',
      flag: { help: 'allow identity templates in --default-extension' },
    }),
    allowed_extensions: field.set(field.string(), {
      ...names,
      description: 'Allowed extensions; * for any.',
    }),
    default_critical_options: field.map(field.string(), {
      description: 'Default critical options.',
      flag: {
        name: 'default-critical-option',
        aliases: ['default-critical-options'],
        help: 'default critical option; repeatable',
      },
    }),
    allowed_critical_options: field.set(field.string(), {
      ...names,
      description: 'Allowed critical options (default: any).',
    }),
    allow_user_key_ids: field.boolean({ description: 'Allow key IDs in requests.' }),
    key_id_format: field.string({
      description: 'Key ID: {{token_display_name}}, {{role_name}}, {{public_key_hash}}.',
      flag: { value: 'TEMPLATE' },
    }),
    allowed_user_key_lengths: field.map(field.set(field.integer(), { isCommaSeparated: true }), {
      description: 'Allowed sizes in bits by key type; 0: the default of the type.',
      flag: {
        name: 'allowed-user-key-length',
        aliases: ['allowed-user-key-lengths'],
        value: 'TYPE=BITS[,BITS]',
        help: 'allowed key type and sizes; repeatable',
      },
    }),
    algorithm_signer: field.choice(['default', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512'], {
      default: 'default',
      description: 'Signature algorithm of an RSA CA (ssh-rsa: SHA-1, insecure).',
    }),
    issuer_ref: field.string({
      default: 'default',
      product: 'OpenBao',
      description: 'OpenBao: name of the issuer.',
      flag: {
        value: 'REF',
        help: 'issuer name or ID (OpenBao)',
        completes: 'ssh-issuer',
        isNeverEmpty: true,
      },
    }),
    allow_commas_in_identity_templates: field.boolean({
      product: 'OpenBao',
      description: 'Allow commas in values of identity templates (OpenBao).',
    }),
    cidr_list: field.set(field.string(), { ...blocks, description: 'otp: allowed addresses.' }),
    exclude_cidr_list: field.set(field.string(), { ...blocks, description: 'otp: excluded addresses.' }),
    port: field.integer({
      default: 22,
      minimum: 0,
      maximum: 65_535,
      types: ['otp'],
      description: 'otp: port of the host (default 22).',
    }),
  },
  { required: ['key_type'] },
);

/** The fields of a role on create and update. */
export type SshRoleFields = FieldsOf<typeof sshRole>;

/** A role as services return it. */
export type SshRole = ReturnedFields<typeof sshRole>;
