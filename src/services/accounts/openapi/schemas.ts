import * as s from '../../core/openapi/schema.ts';
import { type AttributeKind, attributeKinds } from '../method-attributes.ts';

const scope = s.ref('ScopeInfo');
const actions = s.array(s.text(), 'Actions that the caller may use.');
const collectionActions = s.map(s.array(s.text()), 'Actions on collections that the caller may use.');
const version = s.integer('The version to send with the next change.', { minimum: 1 });

/** Empty fields are left out of responses. */
const labels = { 'name?': s.text(), 'description?': s.text() };
const times = { created_time: s.time(), updated_time: s.time(), version };
const timesWithToken = { 'created_time?': s.time(), 'updated_time?': s.time(), 'version?': version };

const inputLabels = {
  name: s.nullable(s.text('Printable characters; null: none.')),
  description: s.nullable(s.text('Null: none.')),
};
const knownVersion = {
  ...s.anyValue(
    'The current version, as a number or as text. If another request has changed the object: 404.',
  ),
  anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }],
};

const kindSchemas: Readonly<Record<AttributeKind, s.Schema>> = {
  string: s.text(),
  strings: s.array(s.text()),
  boolean: s.boolean(),
  positiveInteger: s.integer(undefined, { minimum: 1 }),
  'not stored': s.anyValue('Accepted, and not stored.'),
  'read only': s.text(),
};

/** The attributes of auth methods of all types. */
function methodAttributes(isInput: boolean): s.Schemas {
  const kinds = Object.values(attributeKinds).flatMap((each) => Object.entries(each));
  return Object.fromEntries(
    kinds
      .filter(([, kind]) => kind !== (isInput ? 'read only' : 'not stored'))
      .map(([name, kind]) => [
        isInput ? name : `${name}?`,
        isInput && kind !== 'not stored' ? s.nullable(kindSchemas[kind]) : kindSchemas[kind],
      ]),
  );
}

const password = 'Type password: ';
const oidc = 'Type oidc: ';
const ldap = 'Type ldap: ';

const accountAttributes = {
  'login_name?': s.text('Types password and ldap.'),
  'issuer?': s.text(`${oidc}URL of the issuer; default: that of the auth method.`),
  'subject?': s.text(`${oidc}subject of the identity provider.`),
  'full_name?': s.text('Types oidc and ldap.'),
  'email?': s.text('Types oidc and ldap.'),
  'token_claims?': s.anyObject(`${oidc}claims of the token.`),
  'userinfo_claims?': s.anyObject(`${oidc}claims of the user.`),
  'dn?': s.text(`${ldap}distinguished name.`),
  'member_of_groups?': s.array(s.text(), `${ldap}groups.`),
};

const token = {
  id: s.text(),
  scope_id: s.text(),
  user_id: s.text(),
  auth_method_id: s.text(),
  account_id: s.text(),
  created_time: s.time(),
  updated_time: s.time(),
  approximate_last_used_time: s.time(),
  'expiration_time?': s.time('Missing: the token does not expire.'),
};

const user = {
  id: s.text(),
  scope_id: s.text(),
  scope,
  ...labels,
  ...times,
  'login_name?': s.text('Of the primary account.'),
  'primary_account_id?': s.text('The account of the primary auth method of the scope.'),
  authorized_actions: actions,
};

/** A list in pages. */
const list = (name: string): s.Schema =>
  s.object({
    'items?': s.array(s.ref(name), 'Missing if there are none.'),
    response_type: s.oneOf(['delta', 'complete'], '`delta`: more pages follow.'),
    'list_token?': s.text('For the next page or, after `complete`, for later changes.'),
    sort_by: s.oneOf(['created_time', 'updated_time']),
    sort_dir: s.oneOf(['desc']),
    'removed_ids?': s.array(s.text(), 'Removed since the list of the list token.'),
    'est_item_count?': s.integer('Estimated number of items.'),
  });

export const accountsSchemas: s.Schemas = {
  Error: s.object({
    kind: s.oneOf([
      ...['InvalidArgument', 'FailedPrecondition', 'Unauthenticated', 'PermissionDenied', 'NotFound'],
      ...['Unimplemented', 'ResourceExhausted', 'Internal'],
    ]),
    message: s.text(),
    'details?': s.object({
      request_fields: s.array(s.object({ name: s.text(), description: s.text() }), 'The invalid fields.'),
    }),
  }),
  ScopeInfo: s.object({
    id: s.text(),
    type: s.oneOf(['global', 'org', 'project']),
    ...labels,
    'parent_scope_id?': s.text(),
  }),
  Scope: s.object({
    id: s.text(),
    'scope_id?': s.text('The parent; the global scope has none.'),
    scope,
    ...labels,
    ...timesWithToken,
    type: s.oneOf(['global', 'org', 'project']),
    'primary_auth_method_id?': s.text(),
    authorized_actions: actions,
    'authorized_collection_actions?': collectionActions,
  }),
  ScopeInput: s.input({
    'scope_id!': s.text('The parent: `global` or an organization.'),
    type: s.text('Must match the parent: `org` or `project`.'),
    ...inputLabels,
  }),
  ScopeUpdate: s.input({
    'version!': knownVersion,
    type: s.text('Must be that of the scope.'),
    ...inputLabels,
    primary_auth_method_id: s.nullable(s.text('An auth method of the scope; null: none.')),
  }),
  AuthMethod: s.object({
    id: s.text(),
    scope_id: s.text(),
    scope,
    ...labels,
    ...timesWithToken,
    type: s.oneOf(['password', 'oidc', 'ldap']),
    'attributes?': s.ref('AuthMethodAttributes'),
    'is_primary?': s.boolean('Whether it is the primary auth method of its scope.'),
    authorized_actions: actions,
    'authorized_collection_actions?': collectionActions,
  }),
  AuthMethodAttributes: s.object(
    methodAttributes(false),
    'The attributes of the type. For the administrator.',
  ),
  AuthMethodAttributesInput: s.input(
    methodAttributes(true),
    'Attributes of the type; `issuer` is required for oidc, `urls` for ldap. Null: the default.',
  ),
  AuthMethodInput: s.input({
    'scope_id!': s.text('`global` or an organization.'),
    'type!': s.oneOf(['password', 'oidc', 'ldap']),
    ...inputLabels,
    attributes: s.nullable(s.ref('AuthMethodAttributesInput')),
  }),
  AuthMethodUpdate: s.input({
    'version!': knownVersion,
    type: s.text('Must be that of the auth method.'),
    ...inputLabels,
    attributes: s.nullable(s.ref('AuthMethodAttributesInput')),
  }),
  AuthToken: s.object({ ...token, scope, authorized_actions: actions }),
  AuthenticateInput: s.input({
    command: s.text('`login` (default); for oidc `start` or `token`, which always fail.'),
    type: s.text('`token`, which is returned in the response.'),
    'attributes!': s.input({ 'login_name!': s.text(), 'password!': s.text() }),
  }),
  AuthenticateResponse: s.object({
    command: s.oneOf(['login']),
    'type?': s.text('As in the request.'),
    attributes: s.object({
      ...token,
      scope: s.object({ id: s.text(), type: s.oneOf(['global', 'org']) }),
      token: s.text('The token. It is not shown again.'),
    }),
  }),
  User: s.object(user, 'A user in a list.'),
  UserDetails: s.object(
    {
      ...user,
      'account_ids?': s.array(s.text()),
      'accounts?': s.array(s.object({ id: s.text(), scope_id: s.text() })),
    },
    'A user with its accounts.',
  ),
  UserInput: s.input({ 'scope_id!': s.text('`global` or an organization.'), ...inputLabels }),
  UserUpdate: s.input({ 'version!': knownVersion, ...inputLabels }),
  UserAccountsInput: s.input({
    'version!': knownVersion,
    account_ids: s.nullable(s.array(s.text(), 'Accounts of the scope of the user.')),
  }),
  Account: s.object({
    id: s.text(),
    scope,
    ...labels,
    ...times,
    type: s.oneOf(['password', 'oidc', 'ldap']),
    auth_method_id: s.text(),
    attributes: s.object(accountAttributes),
    authorized_actions: actions,
  }),
  AccountInput: s.input({
    'auth_method_id!': s.text(),
    type: s.text('Must be that of the auth method.'),
    ...inputLabels,
    'attributes!': s.object({
      ...accountAttributes,
      'password?': s.text(`${password}initial password; without one, the account cannot log in.`),
    }),
  }),
  AccountUpdate: s.input({
    'version!': knownVersion,
    type: s.text('Must be that of the account.'),
    auth_method_id: s.text('Must be that of the account.'),
    ...inputLabels,
    attributes: s.nullable(s.input({ login_name: s.text(`${password}the new login name.`) })),
  }),
  SetPasswordInput: s.input({
    'version!': knownVersion,
    'password!': s.text('Empty: the account cannot log in.'),
  }),
  ChangePasswordInput: s.input({
    'version!': knownVersion,
    'current_password!': s.text(),
    'new_password!': s.text(),
  }),
  ScopeList: list('Scope'),
  AuthMethodList: list('AuthMethod'),
  AuthTokenList: list('AuthToken'),
  UserList: list('User'),
  AccountList: list('Account'),
};
