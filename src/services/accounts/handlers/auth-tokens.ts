import { denied, requireFound, requirePermission, tokenTarget } from '../auth.ts';
import { type Call, timeOf } from '../call.ts';
import { checkId } from '../errors.ts';
import { scopeQuery, scopesOfList } from '../list/list-scope.ts';
import { writeBatch } from '../model/change-log.ts';
import { authTokenSchema, removeToken, type Token, tokenById, tokenCollection } from '../model/tokens.ts';
import type { Access } from '../permissions/access.ts';
import { resource } from '../resource.ts';
import { isOwnToken, tokenView } from '../views.ts';

const resources = resource({
  tag: 'Auth tokens',
  name: 'AuthToken',
  noun: 'a token',
  schema: authTokenSchema,
});

export const listAuthTokens = resources.list('List the tokens that the caller may read', {
  query: scopeQuery,
  async read(call, query) {
    const { access, ids } = await scopesOfList(call, query, 'auth-token');
    return { access, collections: ids.map(tokenCollection) };
  },
  viewOf(access, id, { service }) {
    const token = tokenById(service.storage, id, timeOf(service));
    return token && tokenView(access, token);
  },
});

export const getAuthToken = resources.get((call) => {
  const { token, access } = requireToken(call, 'read');
  return tokenView(access, token);
});

export const deleteAuthToken = resources.remove(async (call) => {
  const { token } = requireToken(call, 'delete', 'Incorrectly formatted identifier.');
  const { storage, clock } = call.service;
  await writeBatch(storage, (batch) => removeToken(batch, token, clock()));
}, 'Revoke a token');

/**
 * The token of the path, and what the caller may do with it: `read:self` and `delete:self` are for its own tokens. As
 * in the product, every caller gets 404 if it does not exist.
 *
 * @param malformed the product's message for a malformed ID in this call
 * @throws HttpError 400, 401, 403, 404
 */
function requireToken(
  call: Call,
  action: 'read' | 'delete',
  malformed?: string,
): { readonly token: Token; readonly access: Access } {
  const { params, service } = call;
  const id = checkId(params.id, ['at_'], malformed);
  const token = requireFound(tokenById(service.storage, id, timeOf(service)));
  const access = requirePermission(call, { ...tokenTarget(token), action: `${action}:self` });
  if (!isOwnToken(access, token) && !access.permits(tokenTarget(token), action)) throw denied(call);
  return { token, access };
}
