import type { HttpRequest } from '../core/http/http-service.ts';
import { type AccountService, type Call, timeOf } from './call.ts';
import { forbidden, invalidField, notFound, unauthenticated } from './errors.ts';
import { type Account, accounts, accountTypeOf } from './model/accounts.ts';
import { type Token, tokenOf } from './model/tokens.ts';

/** The administrator account, which may do everything; a new storage contains it. */
export const adminId = 'acctpw_1234567890';

/** The account of the token, if valid; without one the caller is anonymous. */
export function callerOf(service: AccountService, { headers }: HttpRequest): Account | undefined {
  const tokenText = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const token = tokenOf(service.storage, tokenText, timeOf(service));
  return token && accounts.get(service.storage, token.account);
}

export const isAdmin = ({ caller }: Pick<Call, 'caller'>): boolean => caller?.id === adminId;

/** Whether the caller may read and delete a token: an account its own, the administrator all. */
export const canUseToken = (call: Call, token: Token): boolean =>
  token.account === call.caller?.id || isAdmin(call);

/** @throws HttpError 401 */
export function requireCaller({ caller }: Pick<Call, 'caller'>): void {
  if (!caller) throw unauthenticated();
}

/** @throws HttpError 401, 403 */
export function requireAdmin(call: Call): void {
  requireCaller(call);
  if (!isAdmin(call)) throw forbidden();
}

/** A resource for the administrator. @throws HttpError 404: it does not exist; 401, 403 */
export function requireForAdmin<Row>(call: Call, found: Row | undefined): Row {
  if (!found) throw notFound();
  requireAdmin(call);
  return found;
}

/** The type of the account of the path; undefined, and a problem of the fields: a malformed ID. */
export function readAccountType({ params, problems }: Pick<Call, 'params' | 'problems'>, malformed: string) {
  const type = accountTypeOf(params.id ?? '');
  if (!type) problems.add('id', malformed);
  return type;
}

/**
 * The account of the path. The administrator may do everything with it; the account itself may read it and change
 * its password. As in the product, every caller gets 404 if it does not exist, and 400 if its ID is malformed.
 *
 * @param malformed the product's message for a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
export function requireAccount(
  call: Call,
  action: 'read' | 'change-password' | 'manage',
  malformed = 'Invalid formatted identifier.',
): Account {
  const { caller, params, service } = call;
  const { id = '' } = params;
  if (!accountTypeOf(id)) throw invalidField('id', malformed);
  const account = accounts.get(service.storage, id);
  if (!account) throw notFound();
  if (!caller) throw unauthenticated();
  const isOwnAccount = caller.id === params.id && action !== 'manage';
  if (!isOwnAccount && !isAdmin(call)) throw forbidden();
  return account;
}
