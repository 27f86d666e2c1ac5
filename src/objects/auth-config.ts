import { authRole } from './auth-role.ts';
import { field, type ListSchema, type Schema } from './schema.ts';

/** The types of auth methods whose configuration is an object. */
export const authConfigTypes = ['jwt', 'oidc', 'kubernetes', 'ldap', 'cert'] as const;
export type AuthConfigType = (typeof authConfigTypes)[number];

const claims = { types: ['jwt', 'oidc'] };
const kubernetes = { types: ['kubernetes'] };
const ldap = { types: ['ldap'] };
const cert = { types: ['cert'] };

type Of = { readonly types: readonly string[] };

const pem = (of: Of, description: string) => field.string({ ...of, form: 'trimmed', description });
const list = (
  of: Of,
  description: string,
  items: Schema = field.string(),
  more: Partial<ListSchema> = {},
): ListSchema => field.set(items, { ...of, isCommaSeparated: true, description, ...more });
const secret = (of: Of, description: string) => field.secret({ ...of, isWriteOnly: true, description });

/** The settings of the tokens of all logins, which LDAP has in its configuration. */
const tokenFields = Object.fromEntries(
  Object.entries<Schema>(authRole.properties).flatMap(([name, schema]): [string, Schema][] =>
    name.startsWith('token_') && schema.types?.includes('userpass')
      ? [[name, { ...schema, types: ['ldap'] }]]
      : [],
  ),
);

/** The configuration of an auth method: `auth/METHOD/config` (docs/protocol/secrets.md#logins). */
export const authConfig = field.object({
  oidc_discovery_url: field.string({ ...claims, description: 'jwt, oidc: URL of the issuer.' }),
  oidc_discovery_ca_pem: pem(claims, 'jwt, oidc: CA certificates of the issuer, in PEM format.'),
  oidc_client_id: field.string({ ...claims, description: 'oidc: client ID at the provider.' }),
  oidc_client_secret: secret(claims, 'oidc: client secret at the provider.'),
  oidc_response_mode: field.choice(['query', 'form_post'], {
    ...claims,
    default: 'query',
    description: 'oidc: how the provider sends its response.',
  }),
  oidc_response_types: list(claims, 'oidc: response types: code (default), id_token.', field.string(), {
    default: ['code'],
  }),
  jwks_url: field.string({ ...claims, description: 'jwt, oidc: URL of the public keys.' }),
  jwks_ca_pem: pem(claims, 'jwt, oidc: CA certificates of jwks_url, in PEM format.'),
  jwks_pairs: field.list(field.map(field.string()), {
    ...claims,
    product: 'Vault',
    description: 'jwt: URLs of public keys with their CA certificates.',
  }),
  jwt_validation_pubkeys: list(
    claims,
    'jwt, oidc: public keys, in PEM format.',
    field.string({ form: 'trimmed' }),
  ),
  jwt_supported_algs: list(
    claims,
    'jwt, oidc: accepted signature algorithms (default RS256).',
    field.string(),
    { default: ['RS256'] },
  ),
  bound_issuer: field.string({ ...claims, description: 'jwt, oidc: required issuer.' }),
  default_role: field.string({
    ...claims,
    form: 'name',
    description: 'jwt, oidc: role of logins that name none.',
  }),
  provider_config: field.object(
    {
      gsuite_service_account: field.secret({
        isWriteOnly: true,
        description: 'Path or text of the key of a service account of Google.',
      }),
    },
    { ...claims, isOpen: true, description: 'oidc: settings of the provider.' },
  ),
  override_allowed_server_names: list(claims, 'jwt, oidc: host names that TLS accepts.'),
  namespace_in_state: field.boolean({
    ...claims,
    default: true,
    description: 'oidc: the namespace is in the state, not in the redirect URI (default true).',
  }),
  skip_jwks_validation: field.boolean({
    ...claims,
    isWriteOnly: true,
    product: 'OpenBao',
    description: 'jwt, oidc: a write succeeds if the URLs cannot be reached.',
  }),

  kubernetes_host: field.string({
    ...kubernetes,
    description: 'kubernetes: address of the Kubernetes API.',
  }),
  kubernetes_ca_cert: pem(kubernetes, 'kubernetes: CA certificate of the Kubernetes API, in PEM format.'),
  token_reviewer_jwt: secret(kubernetes, 'kubernetes: JWT that reviews the tokens of logins.'),
  pem_keys: list(
    kubernetes,
    'kubernetes: public keys of service accounts, in PEM format.',
    field.string({ form: 'trimmed' }),
  ),
  issuer: field.string({ ...kubernetes, description: 'kubernetes: required issuer (deprecated).' }),
  disable_iss_validation: field.boolean({
    ...kubernetes,
    default: true,
    description: 'kubernetes: the issuer is not checked (default true).',
  }),
  disable_local_ca_jwt: field.boolean({
    ...kubernetes,
    description: 'kubernetes: do not use the CA and the JWT of the pod of the service.',
  }),

  url: field.string({
    ...ldap,
    form: 'name',
    default: 'ldap://127.0.0.1',
    description: 'ldap: URLs of the servers, separated by commas.',
  }),
  userdn: field.string({ ...ldap, description: 'ldap: base DN of users.' }),
  userattr: field.string({
    ...ldap,
    form: 'name',
    default: 'cn',
    description: 'ldap: attribute with the name of a user.',
  }),
  userfilter: field.string({
    ...ldap,
    default: '({{.UserAttr}}={{.Username}})',
    description: 'ldap: template of the filter for users.',
  }),
  upndomain: field.string({ ...ldap, description: 'ldap: domain of user principal names.' }),
  username_as_alias: field.boolean({ ...ldap, description: 'ldap: the entity alias is the user name.' }),
  binddn: field.string({ ...ldap, description: 'ldap: DN that searches for users.' }),
  bindpass: secret(ldap, 'ldap: password of binddn.'),
  discoverdn: field.boolean({ ...ldap, description: 'ldap: find the DN of a user with an anonymous bind.' }),
  deny_null_bind: field.boolean({
    ...ldap,
    default: true,
    description: 'ldap: reject empty passwords (default true).',
  }),
  groupdn: field.string({ ...ldap, description: 'ldap: base DN of groups.' }),
  groupfilter: field.string({
    ...ldap,
    default: '(|(memberUid={{.Username}})(member={{.UserDN}})(uniqueMember={{.UserDN}}))',
    description: 'ldap: template of the filter for groups of a user.',
  }),
  groupattr: field.string({
    ...ldap,
    default: 'cn',
    description: 'ldap: attribute with the name of a group.',
  }),
  use_token_groups: field.boolean({ ...ldap, description: 'ldap: use tokenGroups of Active Directory.' }),
  use_pre111_group_cn_behavior: field.boolean({
    ...ldap,
    description: 'ldap: match names of groups as before version 1.1.1.',
  }),
  anonymous_group_search: field.boolean({
    ...ldap,
    description: 'ldap: search groups with an anonymous bind.',
  }),
  case_sensitive_names: field.boolean({
    ...ldap,
    description: 'ldap: names of users and groups have a case.',
  }),
  certificate: pem(ldap, 'ldap: CA certificate of the servers, in PEM format.'),
  client_tls_cert: field.string({
    ...ldap,
    isWriteOnly: true,
    description: 'ldap: client certificate, in PEM format.',
  }),
  client_tls_key: secret(ldap, 'ldap: key of the client certificate, in PEM format.'),
  insecure_tls: field.boolean({ ...ldap, description: 'ldap: do not verify the certificate of the server.' }),
  starttls: field.boolean({ ...ldap, description: 'ldap: start TLS after the connection.' }),
  tls_min_version: field.choice(['tls10', 'tls11', 'tls12', 'tls13'], {
    ...ldap,
    default: 'tls12',
    description: 'ldap: lowest version of TLS.',
  }),
  tls_max_version: field.choice(['tls10', 'tls11', 'tls12', 'tls13'], {
    ...ldap,
    default: 'tls12',
    description: 'ldap: highest version of TLS.',
  }),
  request_timeout: field.duration('seconds', {
    ...ldap,
    default: 90,
    description: 'ldap: timeout of a request (default 90s).',
  }),
  connection_timeout: field.duration('seconds', {
    ...ldap,
    default: 30,
    description: 'ldap: timeout of a connection (default 30s).',
  }),
  dereference_aliases: field.choice(['never', 'finding', 'searching', 'always'], {
    ...ldap,
    default: 'never',
    description: 'ldap: when aliases are dereferenced.',
  }),
  max_page_size: field.integer({ ...ldap, description: 'ldap: size of pages of a search; 0: no pages.' }),
  ...tokenFields,

  disable_binding: field.boolean({
    ...cert,
    description: 'cert: a renewal may have another certificate than the login.',
  }),
  enable_identity_alias_metadata: field.boolean({
    ...cert,
    description: 'cert: the entity alias gets the metadata of the certificate.',
  }),
  ocsp_cache_size: field.integer({
    ...cert,
    default: 100,
    minimum: 2,
    description: 'cert: number of OCSP responses in memory (default 100).',
  }),
});
