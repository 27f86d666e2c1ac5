import { defineService } from '../core/http/define-service.ts';
import type { HttpService, ServiceParts } from '../core/http/http-service.ts';
import { addLookups, checkTables } from '../core/store/table.ts';
import { callerOf } from './auth.ts';
import { queryRules, readBody } from './body.ts';
import type { AccountService, Context } from './call.ts';
import { errorBody, Problems, rejectHead } from './errors.ts';
import { accounts } from './model/accounts.ts';
import { authMethods } from './model/auth-methods.ts';
import { changeLogTables } from './model/change-log.ts';
import { roles } from './model/roles.ts';
import { scopes } from './model/scopes.ts';
import { tokens } from './model/tokens.ts';
import { users } from './model/users.ts';
import { routes } from './routes.ts';
import { type AccountsSeed, seedAccounts } from './seed.ts';

export type AccountsParts = ServiceParts & AccountsSeed;

export interface AccountsService extends HttpService {
  /** The administrator's password, if it was given or generated at this start. */
  readonly password: string | undefined;
}

/**
 * The account service on a storage (docs/protocol/accounts.md): scopes, auth methods of type
 * password, oidc and ldap, their accounts, the users and tokens of these, and roles. Accounts of type password can log in; the service never calls an
 * identity provider or a directory.
 *
 * A new storage contains the administrator account, which is allowed everything and has the token `token`, and roles by
 * which other accounts may read themselves and change their own password, and scopes and auth methods can be listed without
 * a token. Permissions are the grants of roles.
 *
 * Errors are `{kind, message, details}`, without a body for an unknown path or method: 400 with the invalid fields; 401 no token, or an invalid one; 403
 * permission denied; 404 not found, or a version mismatch; 429 too many concurrent password checks; 500 an internal
 * fault or a full disk.
 */
export async function accountsService(parts: AccountsParts): Promise<AccountsService> {
  const { clock, log, random, scryptCost, storage } = parts;
  const service: AccountService = { storage, clock, random, scryptCost };
  checkTables(storage, [accounts, authMethods, roles, scopes, tokens, users, ...changeLogTables]);
  await addLookups(storage, [scopes, users, authMethods]);
  const password = await seedAccounts(service, parts);
  const http = defineService<Context>({
    name: 'accounts',
    headerPrefixes: ['X-Accounts', 'X-Boundary'],
    routes,
    before: rejectHead,
    authenticate: (request) => ({ service, caller: callerOf(service, request), problems: new Problems() }),
    readBody,
    queryRules,
    errorBody,
    messages: { notFound: '', methodNotAllowed: '' },
    storage,
    log,
  });
  return { ...http, password };
}
