import type { HttpRequest } from '../core/http/http-service.ts';
import { type AccountService, type Call, timeOf } from './call.ts';
import { forbidden, invalidField, notFound, unauthenticated } from './errors.ts';
import { type Account, accounts, accountTypeOf } from './model/accounts.ts';
import { type AuthMethod, authMethods } from './model/auth-methods.ts';
import type { Role } from './model/roles.ts';
import { globalScope, type Scope } from './model/scopes.ts';
import { scopeOfToken, type Token, tokenOf } from './model/tokens.ts';
import { type User, userIdOf } from './model/users.ts';
import { Access, anonymous, type Caller, isAnonymous, type RequestedAccess } from './permissions/access.ts';

/** The user of the token, if it is valid; without one the caller is anonymous. */
export function callerOf(service: AccountService, { headers }: HttpRequest): Caller {
  const tokenText = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const token = tokenOf(service.storage, tokenText, timeOf(service));
  const user = token && userIdOf(service.storage, token.account);
  return token && user !== undefined ? { user, account: token.account } : anonymous;
}

/** What grants concern. */
export const accountTarget = ({ id, method }: Pick<Account, 'id' | 'method'>, { scope }: AuthMethod) =>
  ({ type: 'account', scope, id, pin: method }) as const;
export const accountsTarget = ({ id, scope }: AuthMethod) => ({ type: 'account', scope, pin: id }) as const;
export const methodTarget = ({ id, scope }: AuthMethod) => ({ type: 'auth-method', scope, id }) as const;
export const roleTarget = ({ id, scope }: Role) => ({ type: 'role', scope, id }) as const;
export const userTarget = ({ id, scope }: User) => ({ type: 'user', scope, id }) as const;
export const tokenTarget = (token: Token) =>
  ({ type: 'auth-token', scope: scopeOfToken(token), id: token.id }) as const;
/** A scope is in its parent; the global one, as in the product, in itself. */
export const scopeTarget = ({ id, parent }: Scope) =>
  ({ type: 'scope', scope: parent || globalScope, id }) as const;

/** What the caller may do, also if it is not the requested action. */
export const accessOf = ({ caller, service }: Call, requested: RequestedAccess): Access =>
  new Access(service.storage, caller, requested);

/** @throws HttpError 401: not permitted without a token; 403 */
export function requirePermission(call: Call, requested: RequestedAccess): Access {
  const access = accessOf(call, requested);
  if (!access.isAuthorized) throw denied(call);
  return access;
}

/** The error for what the caller may not do. */
export const denied = ({ caller }: Pick<Call, 'caller'>) =>
  isAnonymous(caller) ? unauthenticated() : forbidden();

/** A resource that exists. @throws HttpError 404 */
export function requireFound<Row>(found: Row | undefined): Row {
  if (!found) throw notFound();
  return found;
}

/** The type of the account of the path; undefined, and a problem of the fields: a malformed ID. */
export function readAccountType({ params, problems }: Pick<Call, 'params' | 'problems'>, malformed: string) {
  const type = accountTypeOf(params.id ?? '');
  if (!type) problems.add('id', malformed);
  return type;
}

/**
 * The account of the path, and what the caller may do with it. As in the product, every caller gets 404 if it does
 * not exist, and 400 if its ID is malformed.
 *
 * @param malformed the product's message for a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
export function requireAccount(call: Call, action: string, malformed = 'Invalid formatted identifier.') {
  const { params, service } = call;
  const { id = '' } = params;
  if (!accountTypeOf(id)) throw invalidField('id', malformed);
  const account = requireFound(accounts.get(service.storage, id));
  const method = requireFound(authMethods.get(service.storage, account.method));
  const access = requirePermission(call, { ...accountTarget(account, method), action });
  return { account, method, access };
}
