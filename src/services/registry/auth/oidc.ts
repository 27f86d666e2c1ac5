import { createHash } from 'node:crypto';
import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { discover, fetchFromProvider, type ProviderMetadata } from './discovery.ts';
import { type Claims, verifyJwt } from './jwt.ts';
import { isLoopback } from './loopback.ts';
import type { PendingLogin } from './pending-logins.ts';
import type { OidcSettings } from './settings.ts';

/**
 * Whether the redirect URI is allowed; for loopback, at any port, because a command line uses a free one (RFC 8252,
 * section 7.3).
 */
export function isAllowedRedirect(redirect: string, { redirects }: OidcSettings): boolean {
  if (redirects.includes(redirect)) return true;
  if (!URL.canParse(redirect) || !isLoopback(new URL(redirect))) return false;
  return redirects.some((each) => withoutPort(each) === withoutPort(redirect));
}

function withoutPort(address: string): string {
  const url = new URL(address);
  url.port = '';
  return url.href;
}

/** The metadata of a provider. @throws HttpError 500 */
export async function discoverProvider({ provider }: OidcSettings): Promise<ProviderMetadata> {
  try {
    return await discover(provider);
  } catch (error) {
    throw new HttpError(500, `cannot use the provider at ${provider.href}: ${messageOf(error)}`);
  }
}

/** The authorization URL (OpenID Connect Core 1.0, section 3.1.2.1; RFC 7636). */
export function authorizationUrl(
  { authorization }: ProviderMetadata,
  { acrValues, clientId, scopes }: OidcSettings,
  state: string,
  { nonce, redirect, verifier }: PendingLogin,
): string {
  const url = new URL(authorization);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    state,
    nonce,
    ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
    ...(verifier !== undefined && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Exchanges a code for the claims of the user (OpenID Connect Core 1.0, sections 3.1.3 and 3.1.3.7).
 *
 * @param now milliseconds since the epoch
 * @throws HttpError 500
 */
export async function exchangeForClaims(
  code: string,
  { nonce, redirect, verifier }: PendingLogin,
  settings: OidcSettings,
  now: number,
): Promise<Claims> {
  const metadata = await discoverProvider(settings);
  const idToken = await exchangeCode(metadata, settings, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    ...(verifier !== undefined && { code_verifier: verifier }),
  });
  const { clientId, audiences } = settings;
  const verification = {
    ...settings,
    issuer: metadata.issuer,
    keys: { from: 'keys', url: metadata.keys },
  } as const;
  const claims = await verifyJwt(idToken, { ...verification, audiences: [clientId] }, now);
  const tokenAudiences: unknown[] = [claims.aud].flat();
  if (audiences.length > 0 && !audiences.some((each) => tokenAudiences.includes(each))) {
    throw new HttpError(500, 'error validating claims: audience claim does not match any bound audience');
  }
  if (claims.azp !== undefined && claims.azp !== clientId) {
    throw new HttpError(500, 'error validating claims: the ID token was made for another client (azp)');
  }
  if (claims.nonce !== nonce) {
    throw new HttpError(500, 'error validating claims: the ID token was made for another sign-in (nonce)');
  }
  return claims;
}

const tokenResponse = s.object({ id_token: s.string() });

/** Exchanges a code for the ID token. @throws HttpError 500 */
async function exchangeCode(
  { token }: ProviderMetadata,
  { clientId, clientSecret }: OidcSettings,
  parameters: Record<string, string>,
): Promise<string> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  try {
    const response = await fetchFromProvider(tokenResponse, token, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams(parameters),
    });
    return response.id_token;
  } catch (error) {
    throw new HttpError(500, `Error exchanging oidc code: ${messageOf(error)}`);
  }
}
