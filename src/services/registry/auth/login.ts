import { parseDuration } from '../../../wire/duration.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { newToken } from '../acl/tokens.ts';
import type { Registry } from '../call.ts';
import { putToken, type Token } from '../model/acl.ts';
import { boundGrants, matchingRules } from './binding.ts';
import { bindVariables, type Identity, identityFields } from './identity.ts';
import { type AuthMethod, authMethodOf, bindingRulesOf } from './state.ts';

export type Meta = { readonly [name: string]: string } | null;

/** The auth method with a name. @throws HttpError 403 */
export function requireAuthMethod({ state }: Registry, name: string): AuthMethod {
  const method = authMethodOf(state.view, name);
  if (!method) throw new HttpError(403, `ACL not found: auth method "${name}" not found`);
  return method;
}

/**
 * Creates the token that the binding rules of an auth method grant to a caller.
 *
 * @param description.source how the caller logged in, for the description
 * @throws HttpError 403: no rule selects the caller, or the auth method changed
 */
export async function createLoginToken(
  registry: Registry,
  method: AuthMethod,
  identity: Identity,
  description: { readonly source: string; readonly meta: Meta },
): Promise<Token> {
  const { datacenter, state } = registry;
  const rules = await matchingRules(
    await state.read((view) => bindingRulesOf(view, method.Name)),
    identity,
    identityFields(method),
  );
  return state.update((transaction) => {
    const grants = boundGrants(transaction, rules, identity, bindVariables(method), datacenter);
    const current = authMethodOf(transaction, method.Name);
    if (!grants || current?.ModifyIndex !== method.ModifyIndex) throw new HttpError(403, 'Permission denied');
    const { source, meta } = description;
    const ttl = parseDuration(method.MaxTokenTTL ?? '') ?? 0;
    return putToken(transaction, {
      ...newToken(registry),
      ...grants,
      Description: `token created via ${source}${meta ? `: ${JSON.stringify(meta)}` : ''}`,
      Local: method.TokenLocality !== 'global',
      AuthMethod: method.Name,
      ...(ttl > 0 && { ExpirationTime: new Date(transaction.now + ttl * 1000).toISOString() }),
    });
  });
}
