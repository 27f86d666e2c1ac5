import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { tokenView } from '../acl/tokens.ts';
import { readLogin } from '../auth/body.ts';
import { identityFromClaims } from '../auth/identity.ts';
import { createLoginToken, requireAuthMethod } from '../auth/login.ts';
import { authorizationUrl, discoverProvider, exchangeForClaims, isAllowedRedirect } from '../auth/oidc.ts';
import { type OidcSettings, oidcSettings } from '../auth/settings.ts';
import type { AuthMethod } from '../auth/state.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { hashOf } from '../model/acl.ts';

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
export async function oidcAuthUrl(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const input = await readLogin(request, (fields) => ({
    redirect: fields.string('RedirectURI'),
    clientNonce: hashOf(fields.string('ClientNonce')),
  }));
  const { method, settings } = oidcMethod(call, input.name);
  if (!isAllowedRedirect(input.redirect, settings)) {
    throw new HttpError(500, `unauthorized redirect_uri: ${input.redirect || 'missing'}`);
  }
  const metadata = await discoverProvider(settings);
  const randomText = () => Buffer.from(registry.random(32)).toString('base64url');
  const state = randomText();
  const pendingLogin = {
    method: method.Name,
    redirect: input.redirect,
    clientNonce: input.clientNonce,
    nonce: randomText(),
    verifier: metadata.pkce ? randomText() : undefined,
    meta: input.meta,
  };
  registry.pendingLogins.add(state, pendingLogin, registry.state.now);
  return writeResponse(call, { AuthURL: authorizationUrl(metadata, settings, state, pendingLogin) });
}

/** Creates a token after the redirect from the provider (docs/protocol/registry.md#oidc-callback). */
export async function oidcCallback(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const input = await readLogin(request, (fields) => ({
    state: fields.string('State'),
    code: fields.string('Code'),
    clientNonce: hashOf(fields.string('ClientNonce')),
  }));
  const { method, settings } = oidcMethod(call, input.name);
  const pendingLogin = registry.pendingLogins.take(input.state, registry.state.now);
  if (pendingLogin?.method !== method.Name || pendingLogin.clientNonce !== input.clientNonce) {
    throw new HttpError(
      403,
      'Permission denied: no pending login has this state and nonce; a login can be completed once, within five minutes',
    );
  }
  const claims = await exchangeForClaims(input.code, pendingLogin, settings, registry.state.now);
  const meta = input.meta ?? pendingLogin.meta;
  const identity = identityFromClaims(claims, settings);
  const token = await createLoginToken(registry, method, identity, { source: 'OIDC login', meta });
  return writeResponse(call, tokenView(registry.state.view, token));
}
