import { type Step, stepsOf } from '../step.ts';

const { read, write, after, cleanup } = stepsOf('accounts');

const passwords = { PASSWORD: '{password}' };

const readGrant = 'ids=*;type=user;actions=list,read';

/** Users, roles and scopes, in an organization of their own. */
export const accessSteps: readonly Step[] = [
  read('account scope get', 'account scope get global'),
  read('account scope get: missing', 'account scope get o_0000000000', { code: 3 }),
  read('account scope list: no such name', 'account scope list --scope {run}', { code: 3 }),
  read('account user get: missing', 'account user get u_0000000000', { code: 3 }),
  read('account user list: none', `account user list --filter '"/item/name" == "{run}-none"'`),
  read('account user list: without a token', 'account user list', { code: 4, as: 'anonymous' }),
  read('account role get: missing', 'account role get r_0000000000', { code: 3 }),
  read('account role list: none', `account role list --filter '"/item/name" == "{run}"'`),
  read('account role list: without a token', 'account role list', { code: 4, as: 'anonymous' }),
  write('account scope create', 'account scope create {run}', { save: { org: 'id' } }),
  write('account scope create: exists', 'account scope create {run}', { code: 6 }),
  write('account scope create: project', 'account scope create shop --scope {run}', {
    save: { project: 'id' },
  }),
  after('account scope get: name', 'account scope get {run}/shop'),
  after('account scope list', 'account scope list --scope {run}'),
  write('account scope update', 'account scope update {run} --description changed'),
  write('account scope update: outdated version', 'account scope update {run} --description x --at 1', {
    code: 6,
  }),
  write('account auth-method create', 'account auth-method create staff --scope {run}', {
    save: { staff: 'id' },
  }),
  after('account auth-method get: name', 'account auth-method get staff --scope {run}'),
  write(
    'account auth-method update',
    'account auth-method update staff --scope {run} --description changed --min-password-length 9',
  ),
  write(
    'account auth-method update: unset',
    'account auth-method update staff --scope {run} --unset min-password-length',
  ),
  write(
    'account auth-method update: outdated version',
    'account auth-method update staff --scope {run} --description x --at 1',
    { code: 6 },
  ),
  write(
    'account auth-method create: ldap',
    'account auth-method create directory --scope {run} --type ldap --url ldap://127.0.0.1:9 --user-dn ou=people --bind-dn cn=search --bind-password env://PASSWORD',
    { env: passwords, save: { directory: 'id' } },
  ),
  write(
    'account auth-method update: ldap',
    'account auth-method update {directory} --state active-private --group-dn ou=groups --unset user-dn',
  ),
  write(
    'account auth-method create: oidc',
    'account auth-method create corp --scope {run} --type oidc --issuer http://127.0.0.1:9 --client-id conformance --client-secret env://PASSWORD --api-url-prefix http://127.0.0.1:9 --signing-algorithm RS256',
    { env: passwords, save: { corp: 'id' } },
  ),
  write(
    'account auth-method update: oidc',
    'account auth-method update {corp} --max-age 60 --claims-scope profile',
  ),
  write(
    'account auth-method update: state, unreachable issuer',
    'account auth-method update {corp} --state active-public',
    { code: 1 },
  ),
  write('account auth-method delete', 'account auth-method delete {corp} --yes'),
  write('account auth-method delete: missing', 'account auth-method delete {corp} --yes', { code: 3 }),
  write('account auth-method create: exists', 'account auth-method create staff --scope {run}', { code: 6 }),
  write(
    'account create: user',
    'account create --auth-method {staff} --login-name fay --password env://PASSWORD --user fay',
    { env: passwords, save: { fay: 'id' } },
  ),
  after('account user get', 'account user get fay --scope {run}', { save: { fayUser: 'id' } }),
  write('account user create', 'account user create gus --scope {run} --description conformance'),
  write('account user create: exists', 'account user create gus --scope {run}', { code: 6 }),
  after('account user list', 'account user list --scope {run}'),
  write('account user update', 'account user update gus --scope {run} --description changed'),
  write(
    'account user update: outdated version',
    'account user update gus --scope {run} --description x --at 1',
    {
      code: 6,
    },
  ),
  write('account user add-accounts: has a user', 'account user add-accounts gus {fay} --scope {run}', {
    code: 6,
  }),
  write('account user remove-accounts', 'account user remove-accounts fay {fay} --scope {run}'),
  write('account user remove-accounts: none', 'account user remove-accounts fay {fay} --scope {run}', {
    code: 3,
  }),
  write('account user add-accounts', 'account user add-accounts gus fay --auth-method {staff} --scope {run}'),
  write(
    'account user add-accounts: outdated version',
    'account user add-accounts gus {fay} --scope {run} --at 1',
    { code: 6 },
  ),
  write(
    'account role create',
    `account role create readers --scope {run} --grant '${readGrant}' --principal gus`,
  ),
  write('account role create: exists', 'account role create readers --scope {run}', { code: 6 }),
  write(
    'account role create: grant scopes',
    'account role create wide --scope {run} --grant-scope this --grant-scope children',
  ),
  after('account role get', 'account role get readers --scope {run}'),
  after('account role list', `account role list --scope {run} --filter '"/item/name" == "readers"'`),
  write('account role update', 'account role update readers --scope {run} --description changed'),
  write(
    'account role update: grant scopes',
    'account role update wide --scope {run} --grant-scope {project}',
  ),
  write(
    'account role update: outdated version',
    'account role update readers --scope {run} --description x --at 1',
    {
      code: 6,
    },
  ),
  write('account role add-grants', `account role add-grants readers 'type=role;actions=list' --scope {run}`),
  write(
    'account role add-grants: outdated version',
    `account role add-grants readers 'type=scope;actions=list' --scope {run} --at 1`,
    { code: 6 },
  ),
  write(
    'account role add-grants: invalid',
    `account role add-grants readers 'type=role;actions=fly' --scope {run}`,
    {
      code: 2,
    },
  ),
  write(
    'account role remove-grants',
    `account role remove-grants readers 'type=role;actions=list' --scope {run}`,
  ),
  write('account role add-principals', 'account role add-principals readers u_auth --scope {run}'),
  write(
    'account role add-principals: missing',
    'account role add-principals readers u_0000000000 --scope {run}',
    {
      code: 1,
    },
  ),
  write('account role remove-principals', 'account role remove-principals readers u_auth --scope {run}'),
  write('account role delete', 'account role delete readers --scope {run} --yes'),
  write('account role delete: missing', 'account role delete readers --scope {run} --yes', { code: 3 }),
  write('account user delete', 'account user delete gus --scope {run} --yes'),
  write('account scope delete: project', 'account scope delete {run}/shop --yes'),
  // Boundary deletes no scope that has accounts with passwords.
  write('account auth-method delete: with accounts', 'account auth-method delete staff --scope {run} --yes'),
  write('account scope delete', 'account scope delete {run} --yes'),
  after('account scope get: deleted', 'account scope get {org}', { code: 3 }),
  cleanup('accounts: remove the scope', 'account scope delete {org} --yes'),
];
