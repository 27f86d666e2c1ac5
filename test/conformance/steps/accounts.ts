import { type Step, stepsOf } from '../step.ts';
import { accessSteps } from './accounts-access.ts';
import { accountsStateSteps } from './state.ts';

const { read, write, after, prepare, cleanup } = stepsOf('accounts');

const missing = 'acctpw_0000000000';
const passwords = { PASSWORD: '{password}', OTHER: '{password}-2', WRONG: '{run}-wrong' };

const reads: readonly Step[] = [
  read('status: accounts', 'status'),
  read('status: accounts, without a token', 'status', { as: 'anonymous' }),
  read('status: accounts, with an invalid token', 'status', { as: 'invalid' }),
  read('status --check: accounts', 'status --check'),
  read('status --check: accounts, with an invalid token', 'status --check', { code: 4, as: 'invalid' }),
  read('account get: missing', `account get ${missing}`, { code: 3 }),
  read('account get: malformed ID', 'account get acct_{run}', { code: 1 }),
  read('account list: no such auth method', 'account list --auth-method ampw_0000000000', { code: 3 }),
  read('account list: without a token', 'account list --auth-method ampw_0000000000', {
    code: 4,
    as: 'anonymous',
  }),
  read(
    'account login: no such auth method',
    'account login --auth-method ampw_0000000000 --login-name x --password env://WRONG --no-store',
    { code: 3, as: 'anonymous', env: passwords },
  ),
  read(
    'account login: oidc, no such auth method',
    'account login --auth-method amoidc_0000000000 --no-browser --no-store',
    { code: 3, as: 'anonymous' },
  ),
  read('account auth-method list', `account auth-method list --filter '"/item/is_primary" == true'`),
  read('account auth-method list: without a token', `account auth-method list --filter '"/item/id" == "x"'`, {
    as: 'anonymous',
  }),
  read('account auth-method list: no such scope', 'account auth-method list --scope o_0000000000', {
    code: 3,
  }),
  read('account auth-method list: malformed scope', 'account auth-method list --scope {run}', { code: 3 }),
  read('account auth-method get', 'account auth-method get'),
  read('account auth-method get: missing', 'account auth-method get ampw_0000000000', { code: 3 }),
  read('account auth-method get: no such name', 'account auth-method get {run}', { code: 3 }),
  read('account auth-method get: without a token', 'account auth-method get ampw_1234567890', {
    code: 4,
    as: 'anonymous',
  }),
  read('account list: primary auth method', `account list --filter '"/item/id" == "acctpw_1234567890"'`),
  read('account token get', 'account token get'),
  read('account token get: missing', 'account token get at_0000000000', { code: 3 }),
  read('account token get: malformed ID', 'account token get {run}', { code: 1 }),
  read('account token get: without a token', 'account token get', { code: 4, as: 'anonymous' }),
  read('account token list: without a token', 'account token list', { code: 4, as: 'anonymous' }),
  read('account token list: malformed scope', 'account token list --scope {run}', { code: 3 }),
  read('account token list: none', `account token list --all --filter '"/item/id" == "at_0000000000"'`),
  read('api: accounts', 'api accounts GET scopes/global'),
];

const accounts: readonly Step[] = [
  prepare('accounts: auth method', 'api accounts POST auth-methods --data -', {
    stdin: '{"type":"password","scope_id":"global","name":"{run}"}',
    save: { own: 'id' },
  }),
  // Accounts log in without a user only through the primary auth method of the scope.
  prepare('accounts: primary auth method', 'api accounts GET scopes/global', {
    only: ['lanyard'],
    save: { method: 'primary_auth_method_id' },
  }),
  prepare('accounts: own auth method', 'api accounts GET auth-methods/{own}', {
    only: ['boundary'],
    save: { method: 'id' },
  }),
  prepare(
    'accounts: account without a user',
    'account create --auth-method {own} --login-name eve --password env://PASSWORD',
    { env: passwords, save: { eve: 'id' } },
  ),
  write(
    'account login: account without a user',
    'account login --auth-method {own} --login-name eve --password env://PASSWORD --no-store',
    { code: 3, as: 'anonymous', env: passwords },
  ),
  write(
    'account create',
    'account create --auth-method {method} --login-name bob --name {run} --description conformance --password env://PASSWORD',
    { env: passwords, save: { account: 'id' } },
  ),
  write('account create: exists', 'account create --auth-method {method} --login-name bob --no-password', {
    code: 6,
  }),
  write(
    'account create: without a password',
    'account create --auth-method {method} --login-name ann --no-password',
    { save: { other: 'id' } },
  ),
  write(
    'account create: without a token',
    'account create --auth-method {method} --login-name eve --no-password',
    { code: 4, as: 'anonymous' },
  ),
  write(
    'account create: with an invalid token',
    'account create --auth-method {method} --login-name eve --no-password',
    { code: 4, as: 'invalid' },
  ),
  write(
    'account create: no such auth method',
    'account create --auth-method ampw_0000000000 --login-name eve --no-password',
    { code: 3 },
  ),
  after('account list', 'account list --auth-method {method}', {
    save: { list: 'list_token' },
    secrets: ['list'],
  }),
  after('account list: pages', 'account list --auth-method {method} --page-size 1'),
  after(
    'account list: filter',
    `account list --auth-method {method} --filter '"/item/attributes/login_name" == "bob"'`,
  ),
  after('account get: login name', 'account get bob', { env: { BOUNDARY_AUTH_METHOD_ID: '{method}' } }),
  after('account list: invalid filter', `account list --auth-method {method} --filter '"/item' `, {
    code: 1,
  }),
  after('account list: since', 'account list --auth-method {method} --since {list}'),
  after('account get', 'account get {account}'),
  after('account get: without a token', 'account get {account}', { code: 4, as: 'anonymous' }),
  write('account update', 'account update {account} --description changed'),
  write('account update: clear', 'account update {account} --description null'),
  write('account update: outdated version', 'account update {account} --description x --at 1', { code: 6 }),
  write('account update: login name exists', 'account update {other} --login-name bob', { code: 6 }),
  write('account update: missing', `account update ${missing} --description x`, { code: 3 }),
];

const logins: readonly Step[] = [
  prepare('accounts: user', 'api accounts POST users --data -', {
    only: ['boundary'],
    stdin: '{"scope_id":"global","name":"{run}"}',
    save: { user: 'id' },
  }),
  prepare('accounts: account of the user', 'api accounts POST users/{user}:add-accounts --data -', {
    only: ['boundary'],
    stdin: '{"version":1,"account_ids":["{account}"]}',
  }),
  write('account login', 'account login --auth-method {method} --login-name bob --password env://PASSWORD', {
    as: 'login',
    env: passwords,
  }),
  write(
    'account change-password',
    'account change-password {account} --current-password env://PASSWORD --new-password env://OTHER',
    { env: passwords },
  ),
  write(
    'account change-password: wrong password',
    'account change-password {account} --current-password env://WRONG --new-password env://OTHER',
    { code: 5, env: passwords },
  ),
  write(
    'account change-password: outdated version',
    'account change-password {account} --current-password env://OTHER --new-password env://PASSWORD --at 1',
    { code: 6, env: passwords },
  ),
  write('account set-password', 'account set-password {other} --password env://PASSWORD', { env: passwords }),
  write('account set-password: remove', 'account set-password {other} --no-password --yes'),
  write('account set-password: missing', `account set-password ${missing} --password env://PASSWORD`, {
    code: 3,
    env: passwords,
  }),
  write('account logout', 'account logout --yes', { as: 'login' }),
  prepare(
    'accounts: second login',
    'account login --auth-method {method} --login-name bob --password env://OTHER',
    { as: 'login', env: passwords, save: { goneId: 'id' } },
  ),
  prepare('accounts: remove the token of the login', 'api accounts DELETE auth-tokens/{goneId} --yes', {
    text: true,
  }),
  write('account logout: token is gone', 'account logout --yes', { as: 'login' }),
  write('account logout: without a token', 'account logout --yes', { as: 'login' }),
  prepare(
    'accounts: third login',
    'account login --auth-method {method} --login-name bob --password env://OTHER',
    { as: 'login', env: passwords, save: { ownId: 'id' } },
  ),
  after('account token list', 'account token list', { as: 'login' }),
  after('account token list: all', `account token list --all --filter '"/item/id" == "{ownId}"'`),
  write('account token delete', 'account token delete {ownId} --yes'),
  write('account token delete: missing', 'account token delete {ownId} --yes', { code: 3 }),
  prepare(
    'accounts: fourth login',
    'account login --auth-method {method} --login-name bob --password env://OTHER',
    { as: 'login', env: passwords },
  ),
  write('account token delete: own', 'account token delete --yes', { as: 'login' }),
  write('account token delete: own, without a token', 'account token delete --yes', { code: 4, as: 'login' }),
  write(
    'account login: primary auth method',
    'account login --login-name bob --password env://WRONG --no-store',
    { code: 4, as: 'anonymous', env: passwords },
  ),
  write(
    'account login: old password',
    'account login --auth-method {method} --login-name bob --password env://PASSWORD --no-store',
    { code: 4, as: 'anonymous', env: passwords },
  ),
  write(
    'account login: no-store',
    'account login --auth-method {method} --login-name bob --password env://OTHER --no-store',
    {
      as: 'anonymous',
      env: passwords,
      save: { limitedToken: 'attributes.token' },
      secrets: ['limitedToken'],
    },
  ),
  write('account update: forbidden', 'account update {account} --description x --at 1', {
    code: 5,
    as: 'limited',
  }),
];

// `boundary dev` has a provider and a directory of its own, with these accounts.
const developer = { login: 'admin', password: 'password' };

const otherLogins: readonly Step[] = [
  prepare('accounts: oidc auth method', 'api accounts POST auth-methods --data -', {
    stdin:
      '{"type":"oidc","scope_id":"global","name":"{run}-oidc","attributes":{"issuer":"http://127.0.0.1:9","client_id":"conformance","client_secret":"{run}-secret","signing_algorithms":["RS256"],"api_url_prefix":"http://127.0.0.1:9"}}',
    save: { oidc: 'id' },
  }),
  write(
    'account login: oidc, inactive auth method',
    'account login --auth-method {oidc} --no-browser --no-store',
    { code: 1, as: 'anonymous' },
  ),
  prepare('accounts: active auth method', 'api accounts POST auth-methods/{oidc}:change-state --data -', {
    only: ['boundary'],
    stdin: '{"version":1,"attributes":{"state":"active-public","disable_discovered_config_validation":true}}',
  }),
  write(
    'account login: oidc, unreachable issuer',
    'account login --auth-method {oidc} --no-browser --no-store',
    { only: ['boundary'], code: 1, as: 'anonymous' },
  ),
  write('account login: oidc', 'account login --auth-method amoidc_1234567890 --no-browser --wait 30s', {
    only: ['boundary'],
    as: 'login',
    signIn: developer,
  }),
  prepare('accounts: logout after oidc', 'account logout --yes', { only: ['boundary'], as: 'login' }),
  write(
    'account login: ldap',
    'account login --auth-method amldap_1234567890 --login-name admin --password env://DEVELOPER --no-store',
    { only: ['boundary'], as: 'anonymous', env: { DEVELOPER: developer.password } },
  ),
];

const removals: readonly Step[] = [
  write('account delete', 'account delete {other} --yes'),
  write('account delete: missing', 'account delete {other} --yes', { code: 3 }),
  after('account get: deleted', 'account get {other}', { code: 3 }),
  cleanup('accounts: remove the user', 'api accounts DELETE users/{user} --yes', {
    only: ['boundary'],
    text: true,
  }),
  cleanup('accounts: remove the auth method', 'api accounts DELETE auth-methods/{own} --yes', {
    only: ['boundary'],
    text: true,
  }),
  cleanup('accounts: remove the oidc auth method', 'api accounts DELETE auth-methods/{oidc} --yes', {
    text: true,
  }),
  cleanup('accounts: remove the account', 'account delete {account} --yes'),
  cleanup('accounts: remove the other account', 'account delete {other} --yes'),
  cleanup('accounts: remove the account without a user', 'account delete {eve} --yes'),
];

export const accountsSteps: readonly Step[] = [
  ...reads,
  ...accounts,
  ...logins,
  ...otherLogins,
  ...accessSteps,
  ...accountsStateSteps,
  ...removals,
];
