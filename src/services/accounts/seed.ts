import { base62 } from '../core/base62.ts';
import { generatedPasswordCost, hashPassword, type PasswordHash, passwordMatches } from '../core/password.ts';
import { isTooShort } from './attributes.ts';
import { type AccountService, timeOf } from './call.ts';
import { listTokenKeyChange } from './list/list-token.ts';
import { accounts, putAccount } from './model/accounts.ts';
import { authMethods, seededMethodId } from './model/auth-methods.ts';
import { type ChangeBatch, nextVersion, writeBatch } from './model/change-log.ts';
import { addRole, roles } from './model/roles.ts';
import { addLoginRoles, adminRole, adminRoleId } from './model/scope-roles.ts';
import { globalScope, scopes } from './model/scopes.ts';
import { addStartUpToken, tokenIdOf } from './model/tokens.ts';
import { ensureBuiltInUsers, ensureUser } from './model/users.ts';
import { upgradeData } from './upgrade.ts';

/** The account of the administrator, with the ID of the product's dev mode. */
const adminId = 'acctpw_1234567890';
const adminLogin = 'admin';
/** Set once the roles that let everybody log in were added: they may be deleted. */
const loginRolesKey = 'login-roles';
const defaultMinLengths = { min_login_name_length: 3, min_password_length: 8 };

export interface AccountsSeed {
  /** The administrator's token, `at_<id>_<secret>`; replaces the token of the last start. */
  readonly token: string;
  /** The administrator's password; default: unchanged, or generated with the account. */
  readonly password?: string | undefined;
}

/**
 * Creates the global scope, an auth method of type password, the administrator account and its role, if they are missing,
 * and once the roles that let everybody log in.
 * @returns the password if it was given or generated; undefined: unchanged since the last start
 * @throws Error: an invalid token or password
 */
export async function seedAccounts(service: AccountService, options: AccountsSeed) {
  const { storage, random, clock } = service;
  if (tokenIdOf(options.token) === undefined)
    throw new Error('the token for accounts is not at_<id>_<secret>');
  await storage.write(listTokenKeyChange(storage, random));
  await seedScopeAndMethod(service);
  const password = options.password ?? (accounts.get(storage, adminId) ? undefined : base62(24, random));
  if (options.password !== undefined) await setAdminPassword(service, options.password);
  else if (password !== undefined)
    await seedAdmin(service, await hashPassword(password, random, generatedPasswordCost));
  const parts = { now: timeOf(service), random };
  await upgradeData(storage, parts);
  const owner = { account: adminId, scope: globalScope };
  await writeBatch(storage, (batch) => {
    addStartUpToken(batch, options.token, owner, clock());
    ensureBuiltInUsers(batch, parts.now);
    const user = ensureUser(batch, owner, parts);
    ensureAdminRole(batch, user, parts.now);
    if (storage.get(loginRolesKey) !== undefined) return;
    addLoginRoles(batch, parts);
    batch.add({ key: loginRolesKey, value: true });
  });
  return password;
}

/** Gives the administrator its role, so that a start always permits it everything. */
function ensureAdminRole(batch: ChangeBatch, user: string, now: string): void {
  const role = roles.get(batch.storage, adminRoleId);
  if (!role) addRole(batch, adminRole(user), now);
  else if (!role.principals.includes(user)) {
    const principals = [...role.principals, user];
    roles.write(batch, { ...role, principals, ...nextVersion(role, now) }, role);
  }
}

async function seedScopeAndMethod(service: AccountService): Promise<void> {
  const { storage } = service;
  const scope = { id: globalScope, type: 'global', name: 'global', description: 'Global Scope' } as const;
  if (!scopes.get(storage, globalScope))
    await writeBatch(storage, (batch) =>
      scopes.create(batch, { ...scope, parent: '', primary: seededMethodId }, timeOf(service)),
    );
  const method = { id: seededMethodId, type: 'password', scope: globalScope } as const;
  const labels = { name: 'password', description: 'Login names and passwords' };
  if (!authMethods.get(storage, seededMethodId))
    await writeBatch(storage, (batch) =>
      authMethods.create(batch, { ...method, ...labels, attributes: defaultMinLengths }, timeOf(service)),
    );
}

async function setAdminPassword(service: AccountService, password: string): Promise<void> {
  if (isTooShort(password, defaultMinLengths.min_password_length))
    throw new Error(
      `the password of ${adminLogin} has at least ${defaultMinLengths.min_password_length} characters`,
    );
  const { storage, random, scryptCost } = service;
  const currentHash = accounts.get(storage, adminId)?.password;
  if (currentHash && (await passwordMatches(password, currentHash))) return;
  await seedAdmin(service, await hashPassword(password, random, scryptCost));
}

async function seedAdmin(service: AccountService, password: PasswordHash): Promise<void> {
  const { storage } = service;
  const now = timeOf(service);
  const existing = accounts.get(storage, adminId);
  const account = existing ?? {
    id: adminId,
    type: 'password',
    method: seededMethodId,
    name: adminLogin,
    description: 'May do everything',
    attributes: { login_name: adminLogin },
    version: 0,
    createdAt: now,
  };
  await putAccount(storage, { ...account, password, ...nextVersion(account, now) }, existing);
}
