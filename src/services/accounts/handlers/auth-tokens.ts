import { jsonResponse } from '../../core/http/http-service.ts';
import { canUseToken } from '../auth.ts';
import { type Call, operation, timeOf } from '../call.ts';
import { checkId, forbidden, notFound, unauthenticated } from '../errors.ts';
import { listOf, listResponse, pageQuery } from '../list/list-response.ts';
import { listScopes, scopeQuery } from '../list/list-scope.ts';
import { ChangeBatch } from '../model/change-log.ts';
import { authTokenSchema, removeToken, type Token, tokenById, tokenCollection } from '../model/tokens.ts';
import { tokenView } from '../views.ts';

const tag = 'Auth tokens';

export const listAuthTokens = operation({
  id: 'listAuthTokens',
  tag,
  summary: 'List the tokens that the caller may read',
  query: { ...scopeQuery, ...pageQuery },
  returns: listOf(authTokenSchema),
  errors: [400, 404],
  async handle(call) {
    const { service } = call;
    const query = call.query();
    const collections = (await listScopes(call, query)).map(tokenCollection);
    if (!call.caller) throw unauthenticated();
    return listResponse(call, query, authTokenSchema, collections, (id) => {
      const token = tokenById(service.storage, id, timeOf(service));
      if (!token) return undefined;
      return canUseToken(call, token) ? tokenView(call, token) : null;
    });
  },
});

export const getAuthToken = operation({
  id: 'getAuthToken',
  tag,
  summary: 'Read a token',
  returns: authTokenSchema,
  errors: [400, 404],
  handle: (call) => jsonResponse(200, tokenView(call, requireToken(call))),
});

export const deleteAuthToken = operation({
  id: 'deleteAuthToken',
  tag,
  summary: 'Revoke a token',
  responses: { 204: {} },
  errors: [400, 404],
  async handle(call) {
    const token = requireToken(call, 'Incorrectly formatted identifier.');
    const batch = new ChangeBatch(call.service.storage);
    removeToken(batch, token, call.service.clock());
    await batch.write();
    return { status: 204 };
  },
});

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
