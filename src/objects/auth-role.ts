import { fieldsWithoutFlag } from './auth-role-files.ts';
import { type AuthRoleType, authRoleTypes } from './auth-role-types.ts';
import { type FieldFlag, field, type ObjectSchema, type Schema } from './schema.ts';

const approle = { types: ['approle'] };
const claims = { types: ['jwt', 'oidc'] };
const kubernetes = { types: ['kubernetes'] };
const cert = { types: ['cert'] };
const token = { types: ['token'] };
const logins = { types: ['approle', 'jwt', 'oidc', 'kubernetes', 'cert', 'userpass'] };
const all = { types: [...authRoleTypes] };

const trueOrFalse = { choices: ['true', 'false'], isKept: true } as const;

const names = (of: { readonly types: readonly string[] }, description: string, flag: FieldFlag = {}) =>
  field.set(field.string(), { ...of, isCommaSeparated: true, description, flag });

/** A role of an auth method, a user of userpass, or a token role (docs/protocol/secrets.md#logins). */
export const authRole = field.object({
  token_policies: names(logins, 'Policies of the tokens.', {
    aliases: ['policies', 'policy'],
    completes: 'secrets-policy',
  }),
  token_ttl: field.duration('seconds', {
    ...logins,
    description: 'Time to live of the tokens.',
    flag: { aliases: ['ttl'] },
  }),
  token_max_ttl: field.duration('seconds', {
    ...logins,
    description: 'Maximum lifetime of the tokens, including renewals.',
    flag: { aliases: ['max-ttl'] },
  }),
  token_period: field.duration('seconds', {
    ...all,
    description: 'Renewals extend the lifetime of the tokens by this period, without a maximum.',
    flag: { aliases: ['period'], help: 'renewals extend the lifetime by this period, without a maximum' },
  }),
  token_explicit_max_ttl: field.duration('seconds', {
    ...all,
    description: 'Maximum lifetime of the tokens, also of periodic ones.',
  }),
  token_num_uses: field.integer({
    ...all,
    description: 'Number of uses of a token; 0: unlimited.',
    flag: { help: 'number of uses of a token (0: unlimited)' },
  }),
  token_bound_cidrs: names(all, 'Addresses that may log in and use the tokens.', { value: 'CIDR,CIDR' }),
  token_no_default_policy: field.boolean({
    ...all,
    description: 'Tokens do not have the policy "default".',
    flag: { help: 'without the policy "default"' },
  }),
  token_type: field.choice(['default', 'service', 'batch', 'default-service', 'default-batch'], {
    ...all,
    default: 'default',
    description: 'Type of the tokens.',
    flag: { isKept: true },
  }),

  bind_secret_id: field.boolean({
    ...approle,
    default: true,
    description: 'approle: logins require a secret ID.',
    flag: { ...trueOrFalse, help: 'approle: logins require a secret ID (default true)' },
  }),
  secret_id_ttl: field.duration('seconds', {
    ...approle,
    description: 'approle: time to live of secret IDs; 0: unlimited.',
    flag: { help: 'approle: time to live of secret IDs (0: unlimited)' },
  }),
  secret_id_num_uses: field.integer({
    ...approle,
    description: 'approle: number of uses of a secret ID; 0: unlimited.',
    flag: { help: 'approle: number of uses of a secret ID (0: unlimited)' },
  }),
  secret_id_bound_cidrs: names(approle, 'approle: addresses that may log in.', { value: 'CIDR,CIDR' }),
  role_id: field.string({
    ...approle,
    isWriteOnly: true,
    description: 'approle: role ID (default: generated).',
    flag: { value: 'ID', isNeverEmpty: true, isKept: true, help: 'approle: role ID (default: generated)' },
  }),
  local_secret_ids: field.boolean({
    ...approle,
    isImmutable: true,
    description: 'approle: secret IDs are not replicated to other clusters.',
    flag: { help: 'approle: do not replicate secret IDs to other clusters' },
  }),

  role_type: field.choice(['jwt', 'oidc'], {
    ...claims,
    default: 'oidc',
    description: 'jwt, oidc: logins with a JWT, or in the browser.',
    flag: { isKept: true, help: 'jwt, oidc: log in with a JWT or in the browser (default: type of METHOD)' },
  }),
  user_claim: field.string({
    ...claims,
    description: 'jwt, oidc: claim that names the user.',
    flag: { value: 'CLAIM', isKept: true },
  }),
  bound_audiences: names(claims, 'jwt, oidc: accepted audiences.'),
  bound_subject: field.string({ ...claims, description: 'jwt, oidc: required subject.' }),
  bound_claims: field.map(field.any(), {
    ...claims,
    description: 'jwt, oidc: required claims, each a value or a list of values.',
    flag: {
      name: 'bound-claim',
      aliases: ['bound-claims'],
      help: 'jwt, oidc: required claim (several values: --in); repeatable',
    },
  }),
  bound_claims_type: field.choice(['string', 'glob'], {
    ...claims,
    default: 'string',
    description: 'jwt, oidc: how bound_claims are compared.',
    flag: { help: 'jwt, oidc: how the claims of --bound-claim are compared (default string)' },
  }),
  claim_mappings: field.map(field.string(), {
    ...claims,
    description: 'jwt, oidc: claims to copy into the metadata of the tokens.',
    flag: {
      name: 'claim-mapping',
      aliases: ['claim-mappings'],
      value: 'CLAIM=KEY',
      help: 'jwt, oidc: claim to copy into the metadata of the tokens; repeatable',
    },
  }),
  groups_claim: field.string({
    ...claims,
    description: 'jwt, oidc: claim with the groups of the user.',
    flag: { value: 'CLAIM' },
  }),
  oidc_scopes: names(claims, 'jwt, oidc: scopes to request besides openid.'),
  allowed_redirect_uris: names(claims, 'jwt, oidc: redirect URIs that logins may use.', {
    name: 'allowed-redirect-uri',
    aliases: ['allowed-redirect-uris'],
    value: 'URI',
  }),
  max_age: field.duration('seconds', {
    ...claims,
    description: 'jwt, oidc: maximum time since the user signed in at the provider.',
  }),
  clock_skew_leeway: field.duration('seconds', {
    ...claims,
    description: 'jwt, oidc: allowed clock skew.',
  }),

  bound_service_account_names: names(kubernetes, 'kubernetes: service accounts; * for any.'),
  bound_service_account_namespaces: names(kubernetes, 'kubernetes: namespaces; * for any.'),
  bound_service_account_namespace_selector: field.string({
    ...kubernetes,
    description: 'kubernetes: label selector of namespaces, in JSON or YAML.',
    flag: { value: 'SELECTOR' },
  }),
  audience: field.string({ ...kubernetes, description: 'kubernetes: required audience of the JWT.' }),
  alias_name_source: field.choice(['serviceaccount_uid', 'serviceaccount_name'], {
    ...kubernetes,
    default: 'serviceaccount_uid',
    description: 'kubernetes: what names the entity alias.',
  }),

  certificate: field.string({
    ...cert,
    form: 'trimmed',
    description: 'cert: CA certificate or certificate, in PEM format.',
    flag: {
      value: 'PEM|@FILE',
      isFile: true,
      what: 'the certificate',
      isKept: true,
      help: 'cert: CA certificate or certificate in PEM format',
      completes: 'file',
    },
  }),
  display_name: field.string({ ...cert, description: 'cert: display name of the tokens.' }),
  allowed_common_names: names(cert, 'cert: allowed common names.'),
  allowed_dns_sans: names(cert, 'cert: allowed DNS names.'),
  allowed_email_sans: names(cert, 'cert: allowed email addresses.'),
  allowed_uri_sans: names(cert, 'cert: allowed URIs.'),
  allowed_organizational_units: names(cert, 'cert: allowed organizational units.'),
  required_extensions: names(cert, 'cert: required extensions.', { value: 'OID:VALUE' }),

  password: field.secret({
    types: ['userpass'],
    isWriteOnly: true,
    description: 'userpass: password.',
    flag: { what: 'password', isKept: true, help: 'userpass: source of the password' },
  }),

  allowed_policies: names(token, 'token: policies that the tokens may have.', {
    name: 'allowed-policies',
    completes: 'secrets-policy',
  }),
  allowed_policies_glob: names(token, 'token: patterns of policies that the tokens may have.'),
  disallowed_policies: names(token, 'token: policies that the tokens may not have.', {
    completes: 'secrets-policy',
  }),
  disallowed_policies_glob: names(token, 'token: patterns of policies that the tokens may not have.'),
  allowed_entity_aliases: names(token, 'token: entity aliases that the tokens may have.'),
  orphan: field.boolean({
    ...token,
    description: 'token: tokens have no parent.',
    flag: { help: 'token: tokens are not revoked with their parents' },
  }),
  renewable: field.boolean({
    ...token,
    default: true,
    description: 'token: tokens can be renewed.',
    flag: { ...trueOrFalse, help: 'token: tokens can be renewed (default true)' },
  }),
  path_suffix: field.string({
    ...token,
    description: 'token: end of the path of the tokens, for revocations by prefix.',
    flag: { value: 'NAME' },
  }),
  ...fieldsWithoutFlag,
});

/** The fields of the roles of a type. */
export const authRoleOf = (type: AuthRoleType): ObjectSchema =>
  field.object(
    Object.fromEntries(
      Object.entries<Schema>(authRole.properties).filter(([, { types = [] }]) => types.includes(type)),
    ),
  );
