import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { requireAdmin } from '../auth.ts';
import type { Call } from '../call.ts';
import { checkId, notFound } from '../errors.ts';
import { listResponse } from '../list/list-response.ts';
import { listScopes, readListScope } from '../list/list-scope.ts';
import { userCollection, userOf } from '../model/users.ts';
import { userDetails, userView } from '../views.ts';

/** @throws HttpError 400, 401, 403, 404 */
export function listUsers(call: Call): Promise<HttpResponse> {
  const { storage } = call.service;
  const scope = readListScope(call, "Must be 'global' or a valid org scope id when listing.");
  const collections = listScopes(call, scope).map(userCollection);
  requireAdmin(call);
  return listResponse(call, collections, (id) => {
    const user = userOf(storage, id);
    return user && userView(call, user);
  });
}

/** @throws HttpError 400, 401, 403, 404 */
export function getUser(call: Call): HttpResponse {
  const user = userOf(call.service.storage, checkId(call.params.id, ['u_']));
  if (!user) throw notFound();
  requireAdmin(call);
  return jsonResponse(200, userDetails(call, user));
}
