import { HttpError } from '../../core/http/http-service.ts';
import { tokenView } from '../acl/tokens.ts';
import { loginSteps } from '../auth/body.ts';
import { identityOf } from '../auth/identity.ts';
import { createLoginToken, requireAuthMethod } from '../auth/login.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { anonymous, deleteToken, token, tokens } from '../model/acl.ts';
import { isTrue } from './acl-rows.ts';

const operation = operations('Auth methods');

/** Exchanges a bearer token of another party for a token (docs/protocol/registry.md#login). */
export const login = operation('login', 'Log in with a bearer token', {
  ...loginSteps.login,
  returns: token,
  async handle(call) {
    const { registry } = call;
    const input = await call.body();
    const method = requireAuthMethod(registry, input.AuthMethod);
    const identity = await identityOf(method, input.BearerToken, registry.state.now);
    const description = { source: 'login', meta: input.Meta };
    const created = await createLoginToken(registry, method, identity, description);
    return writeResponse(call, tokenView(registry.state.view, created));
  },
});

/** Deletes the token of the request, if a login created it. */
export const logout = operation('logout', 'Delete the token of the request', {
  description: 'Only a token that a login created.',
  returns: isTrue,
  errors: [401],
  async handle(call) {
    const { registry, request } = call;
    const { AccessorID } = registry.acl.tokenOf(request);
    if (AccessorID === anonymous) throw new HttpError(401, 'Supplied token does not exist');
    await registry.state.update((transaction) => {
      const own = tokens.get(transaction, AccessorID);
      if (!own) throw new HttpError(403, 'ACL not found');
      if (own.AuthMethod === undefined)
        throw new HttpError(403, "Permission denied: token wasn't created via login");
      deleteToken(transaction, own);
    });
    return writeResponse(call, true);
  },
});
