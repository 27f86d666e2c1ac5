import { type FieldFlag, field, type Schema } from './schema.ts';

/** The types of auth methods, and of their accounts. */
export const accountTypes = ['password', 'oidc', 'ldap'] as const;
export type AccountType = (typeof accountTypes)[number];

const password = { types: ['password'] };
const oidc = { types: ['oidc'] };
const ldap = { types: ['ldap'] };
type OfType = typeof password;

/** The help of a flag begins with the types that have the field. */
const flagOf = ({ types }: OfType, help: string, flag: FieldFlag = {}): FieldFlag => ({
  help: `${types.join(', ')}: ${help}`,
  ...flag,
});

/** `URL of the directory.` → `URL of the directory`; `Accepted signing` → `accepted signing` */
const helpOf = (description: string): string =>
  description.replace(/\.$/, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

const text = (of: OfType, description: string, value: string, flag: FieldFlag = {}) =>
  field.string({ ...of, description, flag: flagOf(of, helpOf(description), { value, ...flag }) });

const switchOf = (of: OfType, description: string) =>
  field.boolean({ ...of, description, flag: flagOf(of, helpOf(description)) });

const secret = (of: OfType, description: string, what: string, flag: FieldFlag = {}) =>
  field.secret({
    ...of,
    isWriteOnly: true,
    description,
    flag: flagOf(of, `source of the ${what}`, { what, ...flag }),
  });

const length = (usual: number, description: string) =>
  field.integer({
    ...password,
    minimum: 1,
    default: usual,
    description,
    flag: flagOf(password, `${helpOf(description)} (default ${usual})`),
  });

/** A list, whose flag is repeated for each item. */
const texts = (of: OfType, description: string, help: string, flag: FieldFlag) =>
  field.set(field.string(), {
    ...of,
    description,
    flag: flagOf(of, `${help}; repeatable`, { isRepeated: true, ...flag }),
  });

/** In the flag the name of a file with the text, or the text. */
const pemFile = { value: '@FILE', completes: 'file', isFile: true } as const;

const certificates = (of: OfType, description: string, name: string) =>
  field.set(field.lines(), {
    ...of,
    description,
    flag: flagOf(
      of,
      `${helpOf(description).replace('certificates', 'certificate')} in PEM form; repeatable`,
      {
        ...pemFile,
        name,
        what: 'CA certificate',
        isRepeated: true,
      },
    ),
  });

/** The settings of all types; `types` of each says which type has it. */
const attributes = field.object({
  min_login_name_length: length(3, 'Minimum length of a login name.'),
  min_password_length: length(8, 'Minimum length of a password.'),

  issuer: text(oidc, 'URL of the identity provider.', 'URL', { isKept: true }),
  client_id: text(oidc, 'ID of the client at the identity provider.', 'ID', { isKept: true }),
  client_secret: secret(oidc, 'Secret of the client at the identity provider.', 'client secret', {
    isKept: true,
  }),
  api_url_prefix: text(oidc, 'URL of this service, for the callback.', 'URL', { isKept: true }),
  max_age: field.integer({
    ...oidc,
    description: 'Maximum age of a login at the identity provider, in seconds.',
    flag: flagOf(oidc, 'maximum age of a login at the identity provider, in seconds', { value: 'SECONDS' }),
  }),
  signing_algorithms: texts(
    oidc,
    'Accepted signing algorithms of tokens.',
    'accepted signing algorithm of tokens',
    { name: 'signing-algorithm', value: 'ALG' },
  ),
  idp_ca_certs: certificates(oidc, 'CA certificates of the identity provider.', 'idp-ca-cert'),
  allowed_audiences: texts(oidc, 'Accepted audiences of tokens.', 'accepted audience of tokens', {
    name: 'allowed-audience',
    value: 'AUDIENCE',
  }),
  claims_scopes: texts(oidc, 'Requested scopes of claims.', 'requested scope of claims', {
    name: 'claims-scope',
    aliases: ['claims-scopes'],
    value: 'SCOPE',
  }),
  account_claim_maps: texts(
    oidc,
    'Claims that fields of an account are taken from: CLAIM=FIELD.',
    'claim that a field of an account is taken from',
    { name: 'account-claim-map', aliases: ['account-claim-maps'], value: 'CLAIM=FIELD' },
  ),
  prompts: texts(oidc, 'What the identity provider asks for.', 'what the identity provider asks for', {
    name: 'prompt',
    aliases: ['prompts'],
    value: 'PROMPT',
  }),

  state: field.choice(['inactive', 'active-private', 'active-public'], {
    ...ldap,
    default: 'inactive',
    flag: { help: 'oidc, ldap: state; only an active auth method accepts logins', isKept: true },
  }),
  urls: texts(ldap, 'URLs of the directory.', 'URL of the directory', {
    name: 'url',
    aliases: ['urls'],
    value: 'URL',
    isKept: true,
  }),
  start_tls: switchOf(ldap, 'Use StartTLS.'),
  insecure_tls: switchOf(ldap, 'Do not verify the certificate of the directory.'),
  certificates: certificates(ldap, 'CA certificates of the directory.', 'certificate'),
  client_certificate: field.lines({
    ...ldap,
    description: 'Client certificate.',
    flag: flagOf(ldap, 'client certificate in PEM form', { ...pemFile, what: 'client certificate' }),
  }),
  client_certificate_key: secret(ldap, 'Key of the client certificate.', 'key of the client certificate'),
  bind_dn: text(ldap, 'DN that searches are made with.', 'DN'),
  bind_password: secret(ldap, 'Password of bind_dn.', 'password of --bind-dn'),
  discover_dn: switchOf(ldap, 'Search for the DN of a user.'),
  anon_group_search: switchOf(ldap, 'Search for groups without a login.'),
  upn_domain: text(ldap, 'Domain of user principal names.', 'DOMAIN'),
  user_dn: text(ldap, 'Where users are searched for.', 'DN'),
  user_attr: text(ldap, 'Attribute of the login name.', 'NAME'),
  user_filter: text(ldap, 'Filter of the search for users.', 'FILTER'),
  enable_groups: switchOf(ldap, 'Search for the groups of users.'),
  group_dn: text(ldap, 'Where groups are searched for.', 'DN'),
  group_attr: text(ldap, 'Attribute of the name of a group.', 'NAME'),
  group_filter: text(ldap, 'Filter of the search for groups.', 'FILTER'),
  use_token_groups: switchOf(ldap, 'Use the tokenGroups attribute.'),
  account_attribute_maps: texts(
    ldap,
    'Attributes that fields of an account are taken from: ATTRIBUTE=FIELD.',
    'attribute that a field of an account is taken from',
    { name: 'account-attribute-map', value: 'ATTRIBUTE=FIELD' },
  ),
  maximum_page_size: field.integer({
    ...ldap,
    description: 'Maximum number of entries per page of a search.',
    flag: flagOf(ldap, 'maximum number of entries per page of a search', { name: 'max-page-size' }),
  }),
  dereference_aliases: field.string({
    ...ldap,
    description: 'How aliases are followed, such as NeverDerefAliases.',
    flag: flagOf(ldap, 'when aliases are followed', {
      name: 'deref-aliases',
      choices: ['NeverDerefAliases', 'DerefInSearching', 'DerefFindingBaseObj', 'DerefAlways'],
    }),
  }),
});

/** An auth method (docs/protocol/accounts.md#endpoints). */
export const accountAuthMethod = field.object({
  name: field.string({
    form: 'trimmed',
    description: 'Name of the auth method, unique in its scope.',
    flag: { value: 'NAME', help: 'new name of the auth method', isKept: true, isNeverEmpty: true },
  }),
  description: field.string({ form: 'trimmed', description: 'Description.' }),
  attributes,
});

/** Whether auth methods of a type have an attribute in their settings. The service sets the state of type oidc. */
export const hasMethodAttribute = (type: string, name: string): boolean => {
  const properties: Readonly<Record<string, Schema>> = attributes.properties;
  return Object.hasOwn(properties, name) && properties[name]?.types?.includes(type) === true;
};
