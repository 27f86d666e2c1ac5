import { field } from './schema.ts';

const claims = { types: ['jwt', 'oidc'] };
const cert = { types: ['cert'] };
const logins = { types: ['approle', 'jwt', 'oidc', 'kubernetes', 'cert', 'userpass'] };

/** Fields of the roles of auth methods that have no flag: `--in` and state files have them. */
export const fieldsWithoutFlag = {
  token_strictly_bind_ip: field.boolean({
    flag: false,
    ...logins,
    description: 'Only the address of the login may use a token.',
  }),
  expiration_leeway: field.duration('seconds', {
    flag: false,
    ...claims,
    description: 'jwt, oidc: allowed clock skew of the expiry (default 150 seconds); -1: none.',
  }),
  not_before_leeway: field.duration('seconds', {
    flag: false,
    ...claims,
    description: 'jwt, oidc: allowed clock skew of the start of validity (default 150 seconds); -1: none.',
  }),
  user_claim_json_pointer: field.boolean({
    flag: false,
    ...claims,
    description: 'jwt, oidc: user_claim is a JSON pointer.',
  }),
  oauth2_metadata: field.set(field.string(), {
    flag: false,
    ...claims,
    isCommaSeparated: true,
    description: 'jwt, oidc: tokens of the provider to copy into the metadata of the tokens.',
  }),
  callback_mode: field.choice(['client', 'direct', 'device'], {
    flag: false,
    ...claims,
    default: 'client',
    product: 'OpenBao',
    description: 'jwt, oidc: where the provider sends the response of a login.',
  }),
  poll_interval: field.integer({
    flag: false,
    ...claims,
    product: 'OpenBao',
    description: 'jwt, oidc: seconds between questions for a login (callback_mode direct and device).',
  }),
  verbose_oidc_logging: field.boolean({
    flag: false,
    ...claims,
    description: 'jwt, oidc: log tokens and claims at level debug.',
  }),
  token_policies_template_claims: field.boolean({
    flag: false,
    ...claims,
    product: 'OpenBao',
    description: 'jwt, oidc: token_policies are templates of claims.',
  }),
  oidc_disable_confirmation: field.boolean({
    flag: false,
    ...claims,
    product: 'OpenBao',
    description: 'jwt, oidc: no confirmation page in logins with callback_mode direct.',
  }),
  allowed_names: field.set(field.string(), {
    flag: false,
    ...cert,
    isCommaSeparated: true,
    description: 'cert: allowed names of any sort (deprecated).',
  }),
  allowed_metadata_extensions: field.set(field.string(), {
    flag: false,
    ...cert,
    isCommaSeparated: true,
    description: 'cert: OIDs of extensions to copy into the metadata of the tokens.',
  }),
  ocsp_enabled: field.boolean({ flag: false, ...cert, description: 'cert: check revocation with OCSP.' }),
  ocsp_ca_certificates: field.string({
    flag: false,
    ...cert,
    form: 'trimmed',
    description: 'cert: CA certificates of OCSP servers, in PEM format.',
  }),
  ocsp_servers_override: field.set(field.string(), {
    flag: false,
    ...cert,
    isCommaSeparated: true,
    description: 'cert: OCSP servers (default: those that the certificate names).',
  }),
  ocsp_fail_open: field.boolean({
    flag: false,
    ...cert,
    description: 'cert: log in if no OCSP server responds.',
  }),
  ocsp_query_all_servers: field.boolean({
    flag: false,
    ...cert,
    description: 'cert: all OCSP servers must confirm a certificate.',
  }),
};
