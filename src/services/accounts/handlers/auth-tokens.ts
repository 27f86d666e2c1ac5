import type { Json } from '../../../wire/json.ts';
import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import type { Storage } from '../../core/store/storage.ts';
import { isAdmin } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, forbidden, notFound, unauthenticated } from '../errors.ts';
import { accountOf } from '../model/accounts.ts';
import { methodOf } from '../model/auth-methods.ts';
import { type Token, tokenById, tokenRemoval } from '../model/tokens.ts';

export function getAuthToken(call: Call): HttpResponse {
  return jsonResponse(200, tokenView(call.service.storage, requireToken(call)));
}

/** Revokes a token. */
export async function deleteAuthToken(call: Call): Promise<HttpResponse> {
  await call.service.storage.write(tokenRemoval(requireToken(call, 'Incorrectly formatted identifier.')));
  return { status: 204 };
}

/**
 * The token of the path. An account may read and delete its own tokens, the administrator all. As in the product,
 * every caller gets 404 if it does not exist.
 *
 * @param malformed the product's message for a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
function requireToken(call: Call, malformed?: string): Token {
  const { caller, params, service } = call;
  const token = tokenById(service.storage, checkId(params.id, ['at_'], malformed), timeOf(service));
  if (!token) throw notFound();
  if (!caller) throw unauthenticated();
  if (token.account !== caller.id && !isAdmin(call)) throw forbidden();
  return token;
}

/** A token without its secret (docs/protocol/accounts.md#logins-and-ids). */
export function tokenView(
  storage: Storage,
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
    // Zero values are omitted (docs/protocol/accounts.md#endpoints).
    ...(expiresAt !== null && { expiration_time: expiresAt }),
  };
}

/** The ID of the account's user: every account has its own. */
const userIdOf = (account: string): string => `u_${account.slice(account.indexOf('_') + 1)}`;
