import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { tokenView } from '../acl/tokens.ts';
import { readLogin } from '../auth/body.ts';
import { identityOf } from '../auth/identity.ts';
import { createLoginToken, requireAuthMethod } from '../auth/login.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { anonymous, deleteToken, tokens } from '../model/acl.ts';

/** Exchanges a bearer token of another party for a token (docs/protocol/registry.md#login). */
export async function login(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const { bearer, meta, name } = await readLogin(request, (fields) => ({
    bearer: fields.string('BearerToken'),
  }));
  const method = requireAuthMethod(registry, name);
  const identity = await identityOf(method, bearer, registry.state.now);
  const token = await createLoginToken(registry, method, identity, { source: 'login', meta });
  return writeResponse(call, tokenView(registry.state.view, token));
}

/** Deletes the token of the request, if a login created it. */
export async function logout(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const { AccessorID } = registry.acl.tokenOf(request);
  if (AccessorID === anonymous) throw new HttpError(401, 'Supplied token does not exist');
  await registry.state.update((transaction) => {
    const token = tokens.get(transaction, AccessorID);
    if (!token) throw new HttpError(403, 'ACL not found');
    if (token.AuthMethod === undefined)
      throw new HttpError(403, "Permission denied: token wasn't created via login");
    deleteToken(transaction, token);
  });
  return writeResponse(call, true);
}
