import type { Json } from '../../../src/wire/json.ts';
import { cleanup, get, group, head, patch, post, put, type RequestList, remove, send } from './request.ts';

/** The password auth method of the global scope, as development servers have it. */
const global = 'ampw_1234567890';
const absent = 'acctpw_0000000000';

const password = (method: string, loginName: string, more: object = {}) => ({
  auth_method_id: method,
  type: 'password',
  attributes: { login_name: loginName, password: 'correct horse battery' },
  ...more,
});

const credentials = (loginName: string, text: string) => ({
  command: 'login',
  attributes: { login_name: loginName, password: text },
});

const oidcLogin = (body: Readonly<Record<string, Json>>) =>
  post('/v1/auth-methods/{oidc}:authenticate', body, { as: 'none' });

/** With an inactive auth method: an active one needs a provider. */
const oidcLogins = group('oidc login', {
  'create an auth method': post(
    '/v1/auth-methods',
    {
      type: 'oidc',
      scope_id: 'global',
      name: '{run}-oidc',
      attributes: {
        issuer: 'http://127.0.0.1:9',
        client_id: 'conformance',
        client_secret: '{run}-secret',
        signing_algorithms: ['RS256'],
        api_url_prefix: 'http://127.0.0.1:9',
      },
    },
    { save: { oidc: 'id' } },
  ),
  start: oidcLogin({ command: 'start' }),
  'start with a payload': oidcLogin({ command: 'start', attributes: { roundtrip_payload: { a: 1 } } }),
  'start with another attribute': oidcLogin({ command: 'start', attributes: { color: 'red' } }),
  'start with another auth method': post(
    `/v1/auth-methods/${global}:authenticate`,
    { command: 'start' },
    { as: 'none' },
  ),
  'start with a missing auth method': post(
    '/v1/auth-methods/amoidc_0000000000:authenticate',
    { command: 'start' },
    { as: 'none' },
  ),
  'without a command': oidcLogin({}),
  'password login': oidcLogin(credentials('{run}-limited', 'x')),
  'unknown command': oidcLogin({ command: 'odd' }),
  'token without attributes': oidcLogin({ command: 'token' }),
  'token without an ID': oidcLogin({ command: 'token', attributes: {} }),
  'token with an empty ID': oidcLogin({ command: 'token', attributes: { token_id: '' } }),
  'token with an ID of the wrong type': oidcLogin({ command: 'token', attributes: { token_id: 7 } }),
  'token with an unknown ID': oidcLogin({ command: 'token', attributes: { token_id: 'odd' } }),
  'token of an unknown type': oidcLogin({ command: 'token', type: 'odd', attributes: { token_id: 'odd' } }),
});

const logins = [
  ...group('login', {
    'create an account': post('/v1/accounts', password(global, '{run}-limited'), {
      save: { limitedAccount: 'id' },
    }),
    'log in': post(
      `/v1/auth-methods/${global}:authenticate`,
      credentials('{run}-limited', 'correct horse battery'),
      {
        as: 'none',
        save: {
          limited: 'attributes.token',
          limitedToken: 'attributes.id',
          limitedUser: 'attributes.user_id',
        },
      },
    ),
    'log in again': post(
      `/v1/auth-methods/${global}:authenticate`,
      credentials('{run}-limited', 'correct horse battery'),
      { as: 'none', save: { second: 'attributes.token', secondToken: 'attributes.id' } },
    ),
    'without a command': post(
      `/v1/auth-methods/${global}:authenticate`,
      { attributes: { login_name: '{run}-limited', password: 'correct horse battery' } },
      { as: 'none' },
    ),
    'unknown command': post(
      `/v1/auth-methods/${global}:authenticate`,
      { ...credentials('{run}-limited', 'x'), command: 'odd' },
      { as: 'none' },
    ),
    'wrong password': post(
      `/v1/auth-methods/${global}:authenticate`,
      credentials('{run}-limited', 'wrong horse'),
      { as: 'none' },
    ),
    'missing login name': post(
      `/v1/auth-methods/${global}:authenticate`,
      credentials('{run}-missing', 'wrong horse'),
      { as: 'none' },
    ),
    'without a password': post(
      `/v1/auth-methods/${global}:authenticate`,
      { command: 'login', attributes: { login_name: '{run}-limited' } },
      { as: 'none' },
    ),
    'without attributes': post(
      `/v1/auth-methods/${global}:authenticate`,
      { command: 'login' },
      { as: 'none' },
    ),
    'attribute of the wrong type': post(
      `/v1/auth-methods/${global}:authenticate`,
      { command: 'login', attributes: { login_name: 7, password: 'x' } },
      { as: 'none' },
    ),
    'unknown attribute': post(
      `/v1/auth-methods/${global}:authenticate`,
      { command: 'login', attributes: { login_name: '{run}-limited', password: 'x', color: 'red' } },
      { as: 'none' },
    ),
    'unknown token type': post(
      `/v1/auth-methods/${global}:authenticate`,
      { ...credentials('{run}-limited', 'correct horse battery'), type: 'odd' },
      { as: 'none' },
    ),
    'missing auth method': post(
      '/v1/auth-methods/ampw_0000000000:authenticate',
      credentials('x', 'wrong horse'),
      { as: 'none' },
    ),
    'malformed auth method': post('/v1/auth-methods/nothing:authenticate', credentials('x', 'wrong horse'), {
      as: 'none',
    }),
    'bad JSON': post(`/v1/auth-methods/${global}:authenticate`, '{', { as: 'none' }),
    'no body': post(`/v1/auth-methods/${global}:authenticate`, undefined, { as: 'none' }),
    'wrong method': get(`/v1/auth-methods/${global}:authenticate`, { as: 'none' }),
  }),
  ...oidcLogins,
  ...group('auth token', {
    read: get('/v1/auth-tokens/{limitedToken}'),
    'read own': get('/v1/auth-tokens/{limitedToken}', { as: 'limited' }),
    'read self': get('/v1/auth-tokens/self', { as: 'limited' }),
    'read another': get('/v1/auth-tokens/{secondToken}', { as: 'limited' }),
    'read without a token': get('/v1/auth-tokens/{limitedToken}', { as: 'none' }),
    'read with a bad token': get('/v1/auth-tokens/{limitedToken}', { as: 'bad' }),
    missing: get('/v1/auth-tokens/at_0000000000'),
    malformed: get('/v1/auth-tokens/nothing'),
    list: get('/v1/auth-tokens?scope_id=global', { keep: ['response_type', 'sort_by', 'sort_dir'] }),
    'list without a scope': get('/v1/auth-tokens'),
    'delete the second': remove('/v1/auth-tokens/{secondToken}', { as: '{second}' }),
    'read deleted': get('/v1/auth-tokens/{secondToken}'),
    'read deleted, with itself': get('/v1/auth-tokens/{secondToken}', { as: '{second}' }),
    'delete again': remove('/v1/auth-tokens/{secondToken}'),
    'delete without a token': remove('/v1/auth-tokens/{limitedToken}', { as: 'none' }),
    'use a deleted one': get('/v1/accounts/{limitedAccount}', { as: '{second}' }),
  }),
];

const scopes = [
  ...group('scope', {
    'create an organization': post(
      '/v1/scopes',
      { scope_id: 'global', name: '{run}', description: 'conformance', type: 'org' },
      { save: { org: 'id' } },
    ),
    'create a project': post(
      '/v1/scopes',
      { scope_id: '{org}', name: '{run}-project', type: 'project' },
      { save: { project: 'id' } },
    ),
    'same name': post('/v1/scopes', { scope_id: 'global', name: '{run}', type: 'org' }),
    'without a parent': post('/v1/scopes', { name: '{run}-bad' }),
    'malformed parent': post('/v1/scopes', { scope_id: 'nothing', name: '{run}-bad' }),
    'missing parent': post('/v1/scopes', { scope_id: 'o_0000000000', name: '{run}-bad' }),
    'project in the global scope': post('/v1/scopes', {
      scope_id: 'global',
      name: '{run}-bad',
      type: 'project',
    }),
    'bad JSON': post('/v1/scopes', '{'),
    'create, forbidden': post('/v1/scopes', { scope_id: 'global', name: '{run}-bad' }, { as: 'limited' }),
    'create without a token': post('/v1/scopes', { scope_id: 'global', name: '{run}-bad' }, { as: 'none' }),
    read: get('/v1/scopes/{org}'),
    'read global': get('/v1/scopes/global'),
    'read a project': get('/v1/scopes/{project}'),
    missing: get('/v1/scopes/o_0000000000'),
    malformed: get('/v1/scopes/nothing'),
    'read without a token': get('/v1/scopes/{org}', { as: 'none' }),
    'read, forbidden': get('/v1/scopes/{org}', { as: 'limited' }),
    list: get('/v1/scopes?scope_id=global', { own: 'items' }),
    'list of an organization': get('/v1/scopes?scope_id={org}'),
    'list, recursive': get('/v1/scopes?scope_id={org}&recursive=true'),
    'list without a scope': get('/v1/scopes', { own: 'items' }),
    'list of a missing scope': get('/v1/scopes?scope_id=o_0000000000'),
    'list, filtered': get('/v1/scopes?scope_id={org}&filter=%22/item/name%22%20%3D%3D%20%22{run}-project%22'),
    'list, invalid filter': get('/v1/scopes?scope_id={org}&filter=nope%20%3D'),
    update: patch(
      '/v1/scopes/{org}',
      { version: 1, description: 'changed' },
      { save: { version: 'version' } },
    ),
    'update, outdated': patch('/v1/scopes/{org}', { version: 99, description: 'x' }),
    'update without a version': patch('/v1/scopes/{org}', { description: 'x' }),
    'update, no fields': patch('/v1/scopes/{org}', { version: 2 }),
    'update, malformed': patch('/v1/scopes/nothing', { version: 1, name: 'x' }),
    'update, forbidden': patch('/v1/scopes/{org}', { version: 2, description: 'x' }, { as: 'limited' }),
    'wrong method': put('/v1/scopes/{org}', {}),
  }),
  ...group('auth method', {
    create: post(
      '/v1/auth-methods',
      {
        scope_id: '{org}',
        name: '{run}',
        type: 'password',
        attributes: { min_login_name_length: 4, min_password_length: 10 },
      },
      { save: { method: 'id' } },
    ),
    'create another': post(
      '/v1/auth-methods',
      { scope_id: '{org}', name: '{run}-other', type: 'password' },
      { save: { otherMethod: 'id' } },
    ),
    'same name': post('/v1/auth-methods', { scope_id: '{org}', name: '{run}', type: 'password' }),
    'without a type': post('/v1/auth-methods', { scope_id: '{org}', name: '{run}-bad' }),
    'unknown type': post('/v1/auth-methods', { scope_id: '{org}', type: 'odd' }),
    'without a scope': post('/v1/auth-methods', { type: 'password' }),
    'in a project': post('/v1/auth-methods', { scope_id: '{project}', type: 'password' }),
    'unknown attribute': post('/v1/auth-methods', {
      scope_id: '{org}',
      type: 'password',
      attributes: { color: 'red' },
    }),
    'create, forbidden': post('/v1/auth-methods', { scope_id: '{org}', type: 'password' }, { as: 'limited' }),
    'bad JSON': post('/v1/auth-methods', '{'),
    read: get('/v1/auth-methods/{method}'),
    missing: get('/v1/auth-methods/ampw_0000000000'),
    malformed: get('/v1/auth-methods/nothing'),
    'read without a token': get('/v1/auth-methods/{method}', { as: 'none' }),
    list: get('/v1/auth-methods?scope_id={org}'),
    'list without a scope': get('/v1/auth-methods'),
    'list of a missing scope': get('/v1/auth-methods?scope_id=o_0000000000'),
    'make it primary': patch('/v1/scopes/{org}', { version: 2, primary_auth_method_id: '{method}' }),
    'read primary': get('/v1/auth-methods/{method}'),
    'make one of another scope primary': patch('/v1/scopes/{org}', {
      version: 3,
      primary_auth_method_id: global,
    }),
  }),
  ...group('user', {
    read: get('/v1/users/{limitedUser}'),
    list: get('/v1/users?scope_id=global', {
      own: 'items',
      keep: ['items', 'response_type', 'sort_by', 'sort_dir'],
    }),
    'list without a scope': get('/v1/users'),
    'list, forbidden': get('/v1/users?scope_id={org}', { as: 'limited' }),
    missing: get('/v1/users/u_0000000000'),
    malformed: get('/v1/users/nothing'),
    'read without a token': get('/v1/users/{limitedUser}', { as: 'none' }),
  }),
];

const accounts = [
  ...group('account', {
    create: post(
      '/v1/accounts',
      password('{method}', '{run}-bob', { name: 'bob', description: 'conformance' }),
      { save: { account: 'id' } },
    ),
    'create without a password': post(
      '/v1/accounts',
      { auth_method_id: '{method}', type: 'password', attributes: { login_name: '{run}-alice' } },
      { save: { other: 'id' } },
    ),
    'create without a type': post('/v1/accounts', {
      auth_method_id: '{method}',
      attributes: { login_name: '{run}-typeless' },
    }),
    'same login name': post('/v1/accounts', password('{method}', '{run}-bob')),
    'same name': post('/v1/accounts', password('{method}', '{run}-eve', { name: 'bob' })),
    'another type': post('/v1/accounts', { ...password('{method}', '{run}-eve'), type: 'oidc' }),
    'unknown type': post('/v1/accounts', { ...password('{method}', '{run}-eve'), type: 'odd' }),
    'without an auth method': post('/v1/accounts', {
      type: 'password',
      attributes: { login_name: '{run}-eve' },
    }),
    'malformed auth method': post('/v1/accounts', password('nothing', '{run}-eve')),
    'missing auth method': post('/v1/accounts', password('ampw_0000000000', '{run}-eve')),
    'without attributes': post('/v1/accounts', { auth_method_id: '{method}', type: 'password' }),
    'without a login name': post('/v1/accounts', {
      auth_method_id: '{method}',
      type: 'password',
      attributes: {},
    }),
    'unknown attribute': post('/v1/accounts', {
      auth_method_id: '{method}',
      type: 'password',
      attributes: { login_name: '{run}-eve', color: 'red' },
    }),
    'unknown field': post('/v1/accounts', password('{otherMethod}', '{run}-eve', { color: 'red' })),
    'short login name': post('/v1/accounts', password('{method}', 'eve')),
    'short password': post('/v1/accounts', {
      auth_method_id: '{method}',
      type: 'password',
      attributes: { login_name: '{run}-eve', password: 'short' },
    }),
    'login name in upper case': post('/v1/accounts', password('{method}', '{run}-EVE')),
    'with an ID': post('/v1/accounts', password('{method}', '{run}-eve', { id: absent })),
    'with a version': post('/v1/accounts', password('{method}', '{run}-eve', { version: 1 })),
    'empty name': post('/v1/accounts', password('{method}', '{run}-eve', { name: '' })),
    'name of the wrong type': post('/v1/accounts', password('{method}', '{run}-eve', { name: 7 })),
    'bad JSON': post('/v1/accounts', '{"type":'),
    'no body': post('/v1/accounts'),
    'array as body': post('/v1/accounts', []),
    'create, forbidden': post('/v1/accounts', password('{method}', '{run}-eve'), { as: 'limited' }),
    'create without a token': post('/v1/accounts', password('{method}', '{run}-eve'), { as: 'none' }),
    'create with a bad token': post('/v1/accounts', password('{method}', '{run}-eve'), { as: 'bad' }),
    read: get('/v1/accounts/{account}'),
    'read without a password': get('/v1/accounts/{other}'),
    'read own': get('/v1/accounts/{limitedAccount}', { as: 'limited' }),
    'read, forbidden': get('/v1/accounts/{account}', { as: 'limited' }),
    'read without a token': get('/v1/accounts/{account}', { as: 'none' }),
    'read with a bad token': get('/v1/accounts/{account}', { as: 'bad' }),
    'read with a malformed token': get('/v1/accounts/{account}', {
      as: 'none',
      headers: { Authorization: 'Bearer nothing' },
    }),
    missing: get(`/v1/accounts/${absent}`),
    malformed: get('/v1/accounts/nothing'),
    'malformed, without a token': get('/v1/accounts/nothing', { as: 'none' }),
    HEAD: head('/v1/accounts/{account}'),
    'wrong method': put('/v1/accounts/{account}', {}),
    'unknown action': post('/v1/accounts/{account}:odd', {}),
    update: patch('/v1/accounts/{account}', { version: 1, name: 'bobby', description: 'changed' }),
    'update the login name': patch('/v1/accounts/{account}', {
      version: 2,
      attributes: { login_name: '{run}-bobby' },
    }),
    'update, clear': patch('/v1/accounts/{account}', { version: 3, name: null, description: null }),
    'update, outdated': patch('/v1/accounts/{account}', { version: 1, name: 'x' }),
    'update without a version': patch('/v1/accounts/{account}', { name: 'x' }),
    'update, version as text': patch('/v1/accounts/{account}', { version: '4', name: 'text' }),
    'update, no fields': patch('/v1/accounts/{account}', { version: 5 }),
    'update, no body': patch('/v1/accounts/{account}'),
    'update, empty name': patch('/v1/accounts/{account}', { version: 5, name: '' }),
    'update, short login name': patch('/v1/accounts/{account}', {
      version: 5,
      attributes: { login_name: 'x' },
    }),
    'update the type': patch('/v1/accounts/{account}', { version: 5, type: 'oidc' }),
    'update the ID': patch('/v1/accounts/{account}', { version: 5, id: absent, name: 'x' }),
    'update the time': patch('/v1/accounts/{account}', {
      version: 5,
      created_time: '2020-01-01T00:00:00Z',
      name: 'x',
    }),
    'update, unknown attribute': patch('/v1/accounts/{account}', {
      version: 5,
      attributes: { color: 'red' },
    }),
    'update, same name': patch('/v1/accounts/{other}', { version: 1, name: 'text' }),
    'update a missing one': patch(`/v1/accounts/${absent}`, { version: 1, name: 'x' }),
    'update, malformed': patch('/v1/accounts/nothing', { version: 1, name: 'x' }),
    'update, bad JSON': patch('/v1/accounts/{account}', '{'),
    'update, forbidden': patch('/v1/accounts/{account}', { version: 5, name: 'x' }, { as: 'limited' }),
    'update without a token': patch('/v1/accounts/{account}', { version: 5, name: 'x' }, { as: 'none' }),
  }),
  ...group('password', {
    set: post('/v1/accounts/{account}:set-password', { version: 5, password: 'another horse' }),
    'set, outdated': post('/v1/accounts/{account}:set-password', { version: 1, password: 'another horse' }),
    'set without a version': post('/v1/accounts/{account}:set-password', { password: 'another horse' }),
    'set, short': post('/v1/accounts/{account}:set-password', { version: 6, password: 'short' }),
    'set a missing one': post(`/v1/accounts/${absent}:set-password`, {
      version: 1,
      password: 'another horse',
    }),
    'set, malformed': post('/v1/accounts/nothing:set-password', { version: 1, password: 'another horse' }),
    'set, forbidden': post(
      '/v1/accounts/{account}:set-password',
      { version: 6, password: 'another horse' },
      { as: 'limited' },
    ),
    'set, bad JSON': post('/v1/accounts/{account}:set-password', '{'),
    change: post('/v1/accounts/{account}:change-password', {
      version: 6,
      current_password: 'another horse',
      new_password: 'a third horse',
    }),
    'change, wrong password': post('/v1/accounts/{account}:change-password', {
      version: 7,
      current_password: 'wrong horse',
      new_password: 'a fourth horse',
    }),
    'change, same password': post('/v1/accounts/{account}:change-password', {
      version: 7,
      current_password: 'a third horse',
      new_password: 'a third horse',
    }),
    'change, short': post('/v1/accounts/{account}:change-password', {
      version: 7,
      current_password: 'a third horse',
      new_password: 'short',
    }),
    'change without the current one': post('/v1/accounts/{account}:change-password', {
      version: 7,
      new_password: 'a fourth horse',
    }),
    'change own': post(
      '/v1/accounts/{limitedAccount}:change-password',
      { version: 1, current_password: 'correct horse battery', new_password: 'a fourth horse' },
      { as: 'limited' },
    ),
    'change without a token': post(
      '/v1/accounts/{account}:change-password',
      { version: 7, current_password: 'a third horse', new_password: 'a fourth horse' },
      { as: 'none' },
    ),
    'change, wrong method': get('/v1/accounts/{account}:change-password'),
  }),
  ...group('accounts', {
    list: get('/v1/accounts?auth_method_id={method}'),
    'list of a method without accounts': get(
      '/v1/accounts?auth_method_id={otherMethod}&filter=1%20%3D%3D%202',
    ),
    'first page': get('/v1/accounts?auth_method_id={method}&page_size=1', { save: { next: 'list_token' } }),
    'next page': get('/v1/accounts?auth_method_id={method}&page_size=1&list_token={next}', {
      save: { last: 'list_token' },
    }),
    'last page': get('/v1/accounts?auth_method_id={method}&page_size=10&list_token={last}', {
      save: { refresh: 'list_token' },
    }),
    // Others may have removed accounts in the meantime.
    refresh: get('/v1/accounts?auth_method_id={method}&list_token={refresh}', {
      keep: ['items', 'response_type', 'sort_by', 'sort_dir', 'list_token'],
    }),
    'page size of text': get('/v1/accounts?auth_method_id={method}&page_size=x'),
    'negative page size': get('/v1/accounts?auth_method_id={method}&page_size=-1'),
    'bad list token': get('/v1/accounts?auth_method_id={method}&list_token=nothing'),
    'without an auth method': get('/v1/accounts'),
    'malformed auth method': get('/v1/accounts?auth_method_id=nothing'),
    'missing auth method': get('/v1/accounts?auth_method_id=ampw_0000000000'),
    filter: get('/v1/accounts?auth_method_id={method}&filter=%22/item/name%22%20%3D%3D%20%22text%22'),
    'filter of an attribute': get(
      '/v1/accounts?auth_method_id={method}&filter=%22/item/attributes/login_name%22%20matches%20%22alice%22',
    ),
    'filter of nothing': get(
      '/v1/accounts?auth_method_id={method}&filter=%22/item/name%22%20%3D%3D%20%22x%22',
    ),
    'invalid filter': get('/v1/accounts?auth_method_id={method}&filter=nope%20%3D'),
    'unknown selector': get('/v1/accounts?auth_method_id={method}&filter=%22/item/odd%22%20%3D%3D%20%22x%22'),
    forbidden: get('/v1/accounts?auth_method_id={method}', { as: 'limited' }),
    'without a token': get('/v1/accounts?auth_method_id={method}', { as: 'none' }),
    'with a bad token': get('/v1/accounts?auth_method_id={method}', { as: 'bad' }),
  }),
  ...group('delete', {
    'an account, forbidden': remove('/v1/accounts/{other}', { as: 'limited' }),
    'an account without a token': remove('/v1/accounts/{other}', { as: 'none' }),
    'an account': remove('/v1/accounts/{other}'),
    'an account again': remove('/v1/accounts/{other}'),
    'a malformed account': remove('/v1/accounts/nothing'),
    'refresh afterwards': get('/v1/accounts?auth_method_id={method}&list_token={refresh}'),
  }),
  ...group('other', {
    'unknown path': get('/v1/nothing'),
    'unknown path without a version': get('/nothing'),
    'unknown method': send('BREW', '/v1/scopes/global'),
  }),
];

export const accountsRequests: RequestList = {
  service: 'accounts',
  requests: [
    ...logins,
    ...scopes,
    ...accounts,
    ...cleanup(
      remove('/v1/accounts/{account}'),
      remove('/v1/auth-methods/{method}'),
      remove('/v1/auth-methods/{otherMethod}'),
      remove('/v1/auth-methods/{oidc}'),
      remove('/v1/scopes/{org}'),
      remove('/v1/auth-tokens/{limitedToken}'),
      remove('/v1/accounts/{limitedAccount}'),
      remove('/v1/users/{limitedUser}'),
    ),
  ],
};
