import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { canUseToken } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, forbidden, notFound, unauthenticated } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { listScopes, readListScope } from '../list/list-scope.ts';
import { ChangeBatch } from '../model/change-log.ts';
import { removeToken, type Token, tokenById, tokenCollection } from '../model/tokens.ts';
import { tokenView } from '../views.ts';

/** Lists the tokens that the caller may read. @throws HttpError 400, 401, 404 */
export async function listAuthTokens(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const collections = (await listScopes(call, readListScope(call))).map(tokenCollection);
  if (!call.caller) throw unauthenticated();
  return listResponse(call, collections, (id) => {
    const token = tokenById(storage, id, timeOf(call.service));
    if (!token) return undefined;
    return canUseToken(call, token) ? tokenView(call, token) : null;
  });
}

export function getAuthToken(call: Call): HttpResponse {
  return jsonResponse(200, tokenView(call, requireToken(call)));
}

/** Revokes a token. */
export async function deleteAuthToken(call: Call): Promise<HttpResponse> {
  const token = requireToken(call, 'Incorrectly formatted identifier.');
  const batch = new ChangeBatch(call.service.storage);
  removeToken(batch, token, call.service.clock());
  await batch.write();
  return { status: 204 };
}

/**
 * The token of the path. As in the product, every caller gets 404 if it does not exist.
 *
 * @param malformed the product's message for a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
function requireToken(call: Call, malformed?: string): Token {
  const { caller, params, service } = call;
  const token = tokenById(service.storage, checkId(params.id, ['at_'], malformed), timeOf(service));
  if (!token) throw notFound();
  if (!caller) throw unauthenticated();
  if (!canUseToken(call, token)) throw forbidden();
  return token;
}
