import { type Answer, HttpRefusal } from '../../http/service.ts';
import { shownToken } from '../acl/tokens.ts';
import { readLogin } from '../auth/body.ts';
import { identityOfClaims } from '../auth/identity.ts';
import { methodNamed, tokenFor } from '../auth/login.ts';
import { authorizationUrl, claimsFor, mayReturnTo, providerOf } from '../auth/oidc.ts';
import { type OidcSettings, oidcSettings } from '../auth/settings.ts';
import type { AuthMethod } from '../auth/state.ts';
import type { Call } from '../http/call.ts';
import { written } from '../http/read.ts';
import { hashOf } from '../state/acl.ts';

/** @throws HttpRefusal 403, 500 */
function oidcMethod(
  { registry }: Call,
  name: string,
): { readonly method: AuthMethod; readonly settings: OidcSettings } {
  const method = methodNamed(registry, name);
  if (method.Type === 'oidc') return { method, settings: oidcSettings(method.Config) };
  throw new HttpRefusal(500, `auth method "${name}" is of type ${method.Type}: log in with acl/login`);
}

/** Where a person signs in at the provider (docs/protocol/registry.md#oidc-authorization-url). */
export async function oidcAuthUrl(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const wanted = await readLogin(request, (fields) => ({
    redirect: fields.text('RedirectURI'),
    clientNonce: hashOf(fields.text('ClientNonce')),
  }));
  const { method, settings } = oidcMethod(call, wanted.name);
  if (!mayReturnTo(wanted.redirect, settings)) {
    throw new HttpRefusal(500, `unauthorized redirect_uri: ${wanted.redirect || 'there is none'}`);
  }
  const metadata = await providerOf(settings);
  const drawn = () => Buffer.from(registry.random(32)).toString('base64url');
  const state = drawn();
  const signIn = {
    method: method.Name,
    redirect: wanted.redirect,
    clientNonce: wanted.clientNonce,
    nonce: drawn(),
    verifier: metadata.pkce ? drawn() : undefined,
    meta: wanted.meta,
  };
  registry.signIns.begin(state, signIn, registry.state.now);
  return written(call, { AuthURL: authorizationUrl(metadata, settings, state, signIn) });
}

/** Makes a token for the person who came back from the provider (docs/protocol/registry.md#oidc-callback). */
export async function oidcCallback(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const wanted = await readLogin(request, (fields) => ({
    state: fields.text('State'),
    code: fields.text('Code'),
    clientNonce: hashOf(fields.text('ClientNonce')),
  }));
  const { method, settings } = oidcMethod(call, wanted.name);
  const signIn = registry.signIns.end(wanted.state, registry.state.now);
  if (signIn?.method !== method.Name || signIn.clientNonce !== wanted.clientNonce) {
    throw new HttpRefusal(
      403,
      'Permission denied: nobody is waited for with this state and nonce; a sign-in is good once, for five minutes',
    );
  }
  const claims = await claimsFor(wanted.code, signIn, settings, registry.state.now);
  const meta = wanted.meta ?? signIn.meta;
  const identity = identityOfClaims(claims, settings);
  const token = await tokenFor(registry, method, identity, { how: 'OIDC login', meta });
  return written(call, shownToken(registry.state.view, token));
}
