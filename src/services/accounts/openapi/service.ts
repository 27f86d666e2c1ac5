import type { OperationDescription, Operations, ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { accountsSchemas } from './schemas.ts';

const pageQuery = {
  filter: s.text('A filter expression over `/item`, such as `"/item/name" == "web"`.'),
  page_size: s.integer('Maximum number of items in a page, at most 1000; 0: 1000.', {
    minimum: 0,
    default: 0,
  }),
  list_token: s.text('The list token of the last response.'),
};
const recursive = s.boolean('Also list the scopes below.', { default: false });
const scopeQuery = {
  'scope_id!': s.text('`global` or an organization.'),
  recursive,
  ...pageQuery,
};
const updateMask = s.text('Comma-separated paths of the fields to change; default: the fields of the body.');

interface Resource {
  readonly tag: string;
  /** As in operation IDs and schemas: `AuthMethod`. */
  readonly name: string;
  /** In summaries, with and without an article. */
  readonly noun: string;
  readonly nouns: string;
  readonly path: string;
}

const article = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** The operations that resources have in common. */
const crud = ({ tag, name, noun, nouns, path }: Resource) => {
  const ok = { 200: { schema: s.ref(name) } };
  return {
    list: (more: Partial<OperationDescription>): Operations => ({
      [`GET ${path}`]: {
        id: `list${name}s`,
        tag,
        summary: `List ${nouns}`,
        query: scopeQuery,
        responses: { 200: { schema: s.ref(`${name}List`) } },
        errors: [400, 404],
        ...more,
      },
    }),
    create: (more: Partial<OperationDescription> = {}): Operations => ({
      [`POST ${path}`]: {
        id: `create${name}`,
        tag,
        summary: `Create ${article(noun)}`,
        body: { schema: s.ref(`${name}Input`) },
        responses: ok,
        errors: [404],
        ...more,
      },
    }),
    get: (more: Partial<OperationDescription> = {}): Operations => ({
      [`GET ${path}/:id`]: {
        id: `get${name}`,
        tag,
        summary: `Read ${article(noun)}`,
        responses: ok,
        errors: [400, 404],
        ...more,
      },
    }),
    update: (more: Partial<OperationDescription> = {}): Operations => ({
      [`PATCH ${path}/:id`]: {
        id: `update${name}`,
        tag,
        summary: `Update ${article(noun)}`,
        query: { update_mask: updateMask },
        body: { schema: s.ref(`${name}Update`) },
        responses: ok,
        errors: [404],
        ...more,
      },
    }),
    remove: (more: Partial<OperationDescription> = {}): Operations => ({
      [`DELETE ${path}/:id`]: {
        id: `delete${name}`,
        tag,
        summary: `Delete ${article(noun)}`,
        responses: { 204: {} },
        errors: [400, 404],
        ...more,
      },
    }),
  };
};

const action = (
  key: string,
  id: string,
  tag: string,
  summary: string,
  [input, output]: readonly [string, string],
  more: Partial<OperationDescription> = {},
): Operations => ({
  [`POST ${key}`]: {
    id,
    tag,
    summary,
    body: { schema: s.ref(input) },
    responses: { 200: { schema: s.ref(output) } },
    errors: [404],
    ...more,
  },
});

const scopes = crud({ tag: 'Scopes', name: 'Scope', noun: 'scope', nouns: 'scopes', path: 'v1/scopes' });
const methods = crud({
  tag: 'Auth methods',
  name: 'AuthMethod',
  path: 'v1/auth-methods',
  noun: 'auth method',
  nouns: 'auth methods',
});
const tokens = crud({
  tag: 'Auth tokens',
  name: 'AuthToken',
  path: 'v1/auth-tokens',
  noun: 'token',
  nouns: 'the tokens that the caller may read',
});
const users = crud({ tag: 'Users', name: 'User', noun: 'user', nouns: 'users', path: 'v1/users' });
const accounts = crud({
  tag: 'Accounts',
  name: 'Account',
  path: 'v1/accounts',
  noun: 'account',
  nouns: 'accounts of an auth method',
});

const userDetails = { 200: { schema: s.ref('UserDetails') } };
const userAccounts = ['UserAccountsInput', 'UserDetails'] as const;
const health: OperationDescription = {
  id: 'getHealth',
  tag: 'Health',
  summary: 'Report that the service is available',
  isUnauthenticated: true,
  responses: { 200: { schema: s.object({}) } },
};

const operations: Operations = {
  'GET health': health,
  'GET v1/health': { ...health, id: 'getHealthBelowBase' },
  ...scopes.list({
    isUnauthenticated: true,
    description: 'Callers without a token do not see times.',
    query: {
      scope_id: s.text('`global` or an organization.', { default: 'global' }),
      recursive,
      ...pageQuery,
    },
  }),
  ...scopes.create({ summary: 'Create an organization or a project' }),
  ...scopes.get(),
  ...scopes.update(),
  ...scopes.remove({ summary: 'Delete a scope with everything in it' }),
  ...methods.list({
    isUnauthenticated: true,
    description: 'Callers without a token see neither attributes nor times.',
  }),
  ...methods.create(),
  ...methods.get(),
  ...methods.update(),
  ...methods.remove({
    summary: 'Delete an auth method with its accounts, their users and tokens',
    responses: { 200: { schema: s.object({}) } },
  }),
  ...action(
    'v1/auth-methods/:id/authenticate',
    'authenticate',
    'Auth methods',
    'Log in with login name and password',
    ['AuthenticateInput', 'AuthenticateResponse'],
    { isUnauthenticated: true, errors: [401, 403, 404] },
  ),
  ...tokens.list({}),
  ...tokens.get(),
  ...tokens.remove({ summary: 'Revoke a token' }),
  ...users.list({}),
  ...users.create({ responses: userDetails }),
  ...users.get({ responses: userDetails }),
  ...users.update({ responses: userDetails }),
  ...users.remove({ summary: 'Delete a user and the tokens of its accounts' }),
  ...action('v1/users/:id/add-accounts', 'addUserAccounts', 'Users', 'Add accounts to a user', userAccounts),
  ...action(
    'v1/users/:id/set-accounts',
    'setUserAccounts',
    'Users',
    'Replace the accounts of a user',
    userAccounts,
  ),
  ...action(
    'v1/users/:id/remove-accounts',
    'removeUserAccounts',
    'Users',
    'Remove accounts from a user',
    userAccounts,
  ),
  ...accounts.list({ query: { 'auth_method_id!': s.text(), ...pageQuery } }),
  ...accounts.create({ errors: [404] }),
  ...accounts.get(),
  ...accounts.update(),
  ...accounts.remove(),
  ...action(
    'v1/accounts/:id/set-password',
    'setPassword',
    'Accounts',
    'Set the password of an account',
    ['SetPasswordInput', 'Account'],
    { errors: [404] },
  ),
  ...action(
    'v1/accounts/:id/change-password',
    'changePassword',
    'Accounts',
    'Change the password of an account with its current one',
    ['ChangePasswordInput', 'Account'],
    { errors: [404] },
  ),
};

/** The account service, for its OpenAPI document. */
export const accountsDescription: ServiceDescription = {
  name: 'accounts',
  title: 'Account service',
  description:
    'Scopes, auth methods, accounts, users and tokens of the embedded account service of Lanyard, which speaks the protocol of Boundary. Fields that are null, empty or unknown are ignored in requests, and empty fields are left out of responses. Errors about the path or the method have no body.',
  port: 9200,
  tags: {
    Health: 'Availability.',
    Scopes: 'The global scope, organizations and projects.',
    'Auth methods': 'Ways to log in. Only those of type password can be used.',
    'Auth tokens': 'Tokens of logins.',
    Users: 'Users and their accounts.',
    Accounts: 'Accounts of auth methods, and their passwords.',
  },
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  parameters: { id: s.text('ID of the resource.') },
  schemas: accountsSchemas,
  error: { schema: s.ref('Error') },
  // 429: over a rate limit, or too many password checks.
  commonErrors: { all: [429, 500], authenticated: [401, 403], withBody: [400, 413] },
  // The path of an action ends in `:id:action`.
  templateOf: (template) => template.replace(/\{id\}\//, '{id}:'),
  operations,
};
