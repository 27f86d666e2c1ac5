import { createHash } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import { HttpRefusal } from '../../http/service.ts';
import { askProvider, discover, type ProviderMetadata } from './discovery.ts';
import { type Claims, verifyJwt } from './jwt.ts';
import { isLoopback } from './loopback.ts';
import type { OidcSettings } from './settings.ts';
import type { SignIn } from './sign-ins.ts';

/**
 * May the browser be sent back there? It is one of the addresses that are allowed; of this machine, at any port,
 * because a command line listens at whichever is free (RFC 8252, section 7.3).
 */
export function mayReturnTo(redirect: string, { redirects }: OidcSettings): boolean {
  if (redirects.includes(redirect)) return true;
  if (!URL.canParse(redirect) || !isLoopback(new URL(redirect))) return false;
  return redirects.some((each) => withoutPort(each) === withoutPort(redirect));
}

function withoutPort(address: string): string {
  const url = new URL(address);
  url.port = '';
  return url.href;
}

/** What a provider says of itself. @throws HttpRefusal 500 */
export async function providerOf({ provider }: OidcSettings): Promise<ProviderMetadata> {
  try {
    return await discover(provider);
  } catch (error) {
    throw new HttpRefusal(500, `cannot use the provider at ${provider.href}: ${messageOf(error)}`);
  }
}

/** Where a person signs in (OpenID Connect Core 1.0, section 3.1.2.1; RFC 7636). */
export function authorizationUrl(
  { authorization }: ProviderMetadata,
  { acrValues, clientId, scopes }: OidcSettings,
  state: string,
  { nonce, redirect, verifier }: SignIn,
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
 * What a provider says of the person that it gave a code for (OpenID Connect Core 1.0, sections 3.1.3 and 3.1.3.7).
 *
 * @param now milliseconds of the epoch
 * @throws HttpRefusal 500
 */
export async function claimsFor(
  code: string,
  { nonce, redirect, verifier }: SignIn,
  settings: OidcSettings,
  now: number,
): Promise<Claims> {
  const metadata = await providerOf(settings);
  const idToken = await exchange(metadata, settings, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    ...(verifier !== undefined && { code_verifier: verifier }),
  });
  const { clientId, audiences } = settings;
  const verified = {
    ...settings,
    issuer: metadata.issuer,
    keys: { from: 'keys', url: metadata.keys },
  } as const;
  const claims = await verifyJwt(idToken, { ...verified, audiences: [clientId] }, now);
  const named: unknown[] = [claims.aud].flat();
  if (audiences.length > 0 && !audiences.some((each) => named.includes(each))) {
    throw new HttpRefusal(500, 'error validating claims: audience claim does not match any bound audience');
  }
  if (claims.azp !== undefined && claims.azp !== clientId) {
    throw new HttpRefusal(500, 'error validating claims: the ID token was made for another client (azp)');
  }
  if (claims.nonce !== nonce) {
    throw new HttpRefusal(500, 'error validating claims: the ID token was made for another sign-in (nonce)');
  }
  return claims;
}

/** The ID token that a code is good for. @throws HttpRefusal 500 */
async function exchange(
  { token }: ProviderMetadata,
  { clientId, clientSecret }: OidcSettings,
  parameters: Record<string, string>,
): Promise<string> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':');
  try {
    const answer = await askProvider(token, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams(parameters),
    });
    return answer.text('id_token');
  } catch (error) {
    throw new HttpRefusal(500, `Error exchanging oidc code: ${messageOf(error)}`);
  }
}
