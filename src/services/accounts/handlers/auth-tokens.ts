import { canUseToken } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId, forbidden, notFound, unauthenticated } from '../errors.ts';
import { listScopes, scopeQuery } from '../list/list-scope.ts';
import { writeBatch } from '../model/change-log.ts';
import { authTokenSchema, removeToken, type Token, tokenById, tokenCollection } from '../model/tokens.ts';
import { resource } from '../resource.ts';
import { tokenView } from '../views.ts';

const tokens = resource({ tag: 'Auth tokens', name: 'AuthToken', noun: 'a token', schema: authTokenSchema });

export const listAuthTokens = tokens.list('List the tokens that the caller may read', {
  query: scopeQuery,
  async collections(call, query) {
    const scopes = await listScopes(call, query);
    if (!call.caller) throw unauthenticated();
    return scopes.map(tokenCollection);
  },
  viewOf(call, id) {
    const token = tokenById(call.service.storage, id, timeOf(call.service));
    if (!token) return undefined;
    return canUseToken(call, token) ? tokenView(call, token) : null;
  },
});

export const getAuthToken = tokens.get((call) => tokenView(call, requireToken(call)));

export const deleteAuthToken = tokens.remove(async (call) => {
  const token = requireToken(call, 'Incorrectly formatted identifier.');
  const { storage, clock } = call.service;
  await writeBatch(storage, (batch) => removeToken(batch, token, clock()));
}, 'Revoke a token');

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
