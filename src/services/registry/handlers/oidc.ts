import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { tokenView } from '../acl/tokens.ts';
import { loginSteps } from '../auth/body.ts';
import { identityFromClaims } from '../auth/identity.ts';
import { createLoginToken, requireAuthMethod } from '../auth/login.ts';
import { authorizationUrl, discoverProvider, exchangeForClaims, isAllowedRedirect } from '../auth/oidc.ts';
import { type OidcSettings, oidcSettings } from '../auth/settings.ts';
import type { AuthMethod } from '../auth/state.ts';
import { writeResponse } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { hashOf, token } from '../model/acl.ts';

const operation = operations('Auth methods');

/** @throws HttpError 403, 500 */
function oidcMethod(
  { registry }: Call,
  name: string,
): { readonly method: AuthMethod; readonly settings: OidcSettings } {
  const method = requireAuthMethod(registry, name);
  if (method.Type === 'oidc') return { method, settings: oidcSettings(method.Config) };
  throw new HttpError(500, `auth method "${name}" is of type ${method.Type}: log in with acl/login`);
}

/** The authorization URL of the provider (docs/protocol/registry.md#oidc-authorization-url). */
export const oidcAuthUrl = operation('getOidcAuthUrl', 'Start a login with OIDC', {
  ...loginSteps.oidcStart,
  returns: s.object({ AuthURL: s.string('The page of the provider.') }),
  async handle(call) {
    const { registry } = call;
    const input = await call.body();
    const redirect = input.RedirectURI;
    const { method, settings } = oidcMethod(call, input.AuthMethod);
    if (!isAllowedRedirect(redirect, settings)) {
      throw new HttpError(500, `unauthorized redirect_uri: ${redirect || 'missing'}`);
    }
    const metadata = await discoverProvider(settings);
    const randomText = () => Buffer.from(registry.random(32)).toString('base64url');
    const state = randomText();
    const pendingLogin = {
      method: method.Name,
      redirect,
      clientNonce: hashOf(input.ClientNonce),
      nonce: randomText(),
      verifier: metadata.pkce ? randomText() : undefined,
      meta: input.Meta,
    };
    registry.pendingLogins.add(state, pendingLogin, registry.state.now);
    return writeResponse(call, { AuthURL: authorizationUrl(metadata, settings, state, pendingLogin) });
  },
});

/** Creates a token after the redirect from the provider (docs/protocol/registry.md#oidc-callback). */
export const oidcCallback = operation('completeOidcLogin', 'Complete a login with OIDC', {
  ...loginSteps.oidcEnd,
  returns: token,
  async handle(call) {
    const { registry } = call;
    const input = await call.body();
    const { method, settings } = oidcMethod(call, input.AuthMethod);
    const pendingLogin = registry.pendingLogins.take(input.State, registry.state.now);
    if (pendingLogin?.method !== method.Name || pendingLogin.clientNonce !== hashOf(input.ClientNonce)) {
      throw new HttpError(
        403,
        'Permission denied: no pending login has this state and nonce; a login can be completed once, within five minutes',
      );
    }
    const claims = await exchangeForClaims(input.Code, pendingLogin, settings, registry.state.now);
    const meta = input.Meta ?? pendingLogin.meta;
    const identity = identityFromClaims(claims, settings);
    const created = await createLoginToken(registry, method, identity, { source: 'OIDC login', meta });
    return writeResponse(call, tokenView(registry.state.view, created));
  },
});
