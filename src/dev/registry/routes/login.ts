import { type Answer, HttpRefusal } from '../../http/service.ts';
import { shownToken } from '../acl/tokens.ts';
import { readLogin } from '../auth/body.ts';
import { identityOf } from '../auth/identity.ts';
import { methodNamed, tokenFor } from '../auth/login.ts';
import type { Call } from '../http/call.ts';
import { written } from '../http/read.ts';
import { anonymous, deleteToken, tokenOf } from '../state/acl.ts';

/** Makes a token for what a bearer token of another party says (docs/protocol/registry.md#login). */
export async function login(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const { bearer, meta, name } = await readLogin(request, (fields) => ({
    bearer: fields.text('BearerToken'),
  }));
  const method = methodNamed(registry, name);
  const identity = await identityOf(method, bearer, registry.state.now);
  const token = await tokenFor(registry, method, identity, { how: 'login', meta });
  return written(call, shownToken(registry.state.view, token));
}

/** Destroys the token that is sent; one that a login made. */
export async function logout(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const { AccessorID } = registry.acl.tokenOf(request);
  if (AccessorID === anonymous) throw new HttpRefusal(401, 'Supplied token does not exist');
  await registry.state.change((draft) => {
    const token = tokenOf(draft, AccessorID);
    if (!token) throw new HttpRefusal(403, 'ACL not found');
    if (token.AuthMethod === undefined) throw new HttpRefusal(403, 'Permission denied');
    deleteToken(draft, token);
  });
  return written(call, true);
}
