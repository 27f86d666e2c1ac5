import { parseDuration } from '../../../wire/duration.ts';
import { HttpRefusal } from '../../http/service.ts';
import { freshToken } from '../acl/tokens.ts';
import type { Registry } from '../http/call.ts';
import { putToken, type Token } from '../state/acl.ts';
import { bound, matching } from './binding.ts';
import type { Identity } from './identity.ts';
import { type AuthMethod, authMethodOf, bindingRulesOf } from './state.ts';

export type Meta = { readonly [name: string]: string } | null;

/** The auth method of a name. @throws HttpRefusal 403 */
export function methodNamed({ state }: Registry, name: string): AuthMethod {
  const method = authMethodOf(state.view, name);
  if (!method) throw new HttpRefusal(403, `ACL not found: auth method "${name}" not found`);
  return method;
}

/**
 * Makes the token that the binding rules of an auth method give to a caller.
 *
 * @param how what the caller came by, for the description
 * @throws HttpRefusal 403: no rule selects the caller, or the auth method is not what it was
 */
export async function tokenFor(
  registry: Registry,
  method: AuthMethod,
  identity: Identity,
  description: { readonly how: string; readonly meta: Meta },
): Promise<Token> {
  const { datacenter, state } = registry;
  const rules = await matching(bindingRulesOf(state.view, method.Name), identity);
  return state.change((draft) => {
    const grants = bound(draft, rules, identity, datacenter);
    const now = authMethodOf(draft, method.Name);
    if (!grants || now?.ModifyIndex !== method.ModifyIndex) throw new HttpRefusal(403, 'Permission denied');
    const { how, meta } = description;
    const ttl = parseDuration(method.MaxTokenTTL ?? '') ?? 0;
    return putToken(draft, {
      ...freshToken(registry),
      ...grants,
      Description: `token created via ${how}${meta ? `: ${JSON.stringify(meta)}` : ''}`,
      Local: method.TokenLocality !== 'global',
      AuthMethod: method.Name,
      ...(ttl > 0 && { ExpirationTime: new Date(draft.now + ttl * 1000).toISOString() }),
    });
  });
}
