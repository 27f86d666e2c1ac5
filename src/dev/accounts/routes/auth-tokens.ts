import type { Json } from '../../../wire/json.ts';
import { type Answer, jsonAnswer } from '../../http/service.ts';
import type { PagedStorage } from '../../storage.ts';
import { isAdmin } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { checkId, forbidden, notFound, unauthenticated } from '../http/refusals.ts';
import { accountOf } from '../state/accounts.ts';
import { methodOf } from '../state/auth-methods.ts';
import { type Token, tokenById, tokenRemoval } from '../state/tokens.ts';

export function getAuthToken(call: Call): Answer {
  return jsonAnswer(200, shownToken(call.service.storage, tokenOfPath(call)));
}

/** Ends a login before its time. */
export async function deleteAuthToken(call: Call): Promise<Answer> {
  await call.service.storage.write(tokenRemoval(tokenOfPath(call, 'Incorrectly formatted identifier.')));
  return { status: 204 };
}

/**
 * The token of the path: an account reads and deletes its own ones, the administrator all. One that does not exist is
 * 404 to every caller, as at the product.
 *
 * @param malformed the words of the product for an ID that no token can have, in this call.
 * @throws HttpRefusal 400, 401, 403, 404
 */
function tokenOfPath(call: Call, malformed?: string): Token {
  const { caller, params, service } = call;
  const token = tokenById(service.storage, checkId(params.id, ['at_'], malformed), timeOf(service));
  if (!token) throw notFound();
  if (!caller) throw unauthenticated();
  if (token.account !== caller.id && !isAdmin(call)) throw forbidden();
  return token;
}

/** A token without its secret (docs/protocol/accounts.md#logins-and-ids). */
export function shownToken(
  storage: PagedStorage,
  { id, account, createdAt, expiresAt }: Token,
): { readonly [member: string]: Json } {
  const method = accountOf(storage, account)?.method ?? '';
  return {
    id,
    scope_id: methodOf(storage, method)?.scope ?? 'global',
    user_id: userIdOf(account),
    auth_method_id: method,
    account_id: account,
    created_time: createdAt,
    updated_time: createdAt,
    approximate_last_used_time: createdAt,
    // What is zero is left out (docs/protocol/accounts.md#endpoints).
    ...(expiresAt !== null && { expiration_time: expiresAt }),
  };
}

/** Who an account stands for: one user each. */
const userIdOf = (account: string): string => `u_${account.slice(account.indexOf('_') + 1)}`;
