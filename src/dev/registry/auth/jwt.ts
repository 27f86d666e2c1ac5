import type { KeyObject } from 'node:crypto';
import { messageOf } from '../../errors.ts';
import { HttpRefusal } from '../../http/service.ts';
import { discover } from './discovery.ts';
import type { JwtSettings } from './settings.ts';

export type Claims = { readonly [claim: string]: unknown };

/** Seconds of the epoch. */
type Seconds = number;

const longest = 65_536;

/**
 * Verifies a JWT: its signature with one of the keys and an algorithm that is allowed, then its issuer, audience and
 * times.
 *
 * @param now milliseconds of the epoch
 * @param timeless are tokens that say nothing of time good too?
 * @throws HttpRefusal 500 (docs/protocol/registry.md#login)
 */
export async function verifyJwt(
  jwt: string,
  settings: JwtSettings,
  now: number,
  timeless = false,
): Promise<Claims> {
  if (jwt === '') throw new HttpRefusal(500, 'missing jwt');
  if (jwt.length > longest) throw new HttpRefusal(500, `a jwt has at most ${longest} characters`);
  const fault = faultOfForm(jwt);
  if (fault) throw new HttpRefusal(500, `error parsing token: ${fault}`);
  const payload = await verifiedPayload(jwt, settings);
  const claims = claimsOf(payload);
  const unfit =
    faultOfParties(claims, settings) ?? faultOfTimes(claims, settings.leeway, now / 1000, timeless);
  if (unfit) throw new HttpRefusal(500, `error validating claims: ${unfit}`);
  return claims;
}

/** Why a text is no JWT at all, in Consul's words. */
function faultOfForm(jwt: string): string | undefined {
  const parts = jwt.split('.');
  if (parts.length !== 3) return 'go-jose/go-jose: compact JWS format must have three parts';
  for (const part of parts) {
    const at = /[^A-Za-z0-9_-]/.exec(part)?.index ?? (part.length % 4 === 1 ? part.length - 1 : -1);
    if (at >= 0) return `illegal base64 data at input byte ${at}`;
  }
  const head = Buffer.from(parts[0] ?? '', 'base64url').toString('utf8');
  try {
    const header: unknown = JSON.parse(head);
    return Array.isArray(header)
      ? 'json: cannot unmarshal array into Go value of type jose.rawHeader'
      : undefined;
  } catch {
    return head === '' ? undefined : `invalid character '${head[0]}' looking for beginning of value`;
  }
}

async function verifiedPayload(jwt: string, settings: JwtSettings): Promise<Uint8Array> {
  const { compactVerify } = await import('jose');
  const options = { algorithms: [...settings.algorithms] };
  const keys = await keysOf(settings);
  for (const key of Array.isArray(keys) ? keys : [keys]) {
    try {
      const { payload } = await (typeof key === 'function'
        ? compactVerify(jwt, key, options)
        : compactVerify(jwt, key, options));
      return payload;
    } catch {
      // Another key may be the one; what is wrong with a token that no key verifies is its sender's to find.
    }
  }
  throw new HttpRefusal(500, 'no known key successfully validated the token signature');
}

async function keysOf({ keys, issuer }: JwtSettings) {
  if (keys.from === 'config') return keys.keys as KeyObject[];
  const { createRemoteJWKSet } = await import('jose');
  try {
    return createRemoteJWKSet(keys.from === 'keys' ? keys.url : (await discover(keys.url)).keys);
  } catch (error) {
    throw new HttpRefusal(500, `cannot read the keys of ${issuer || keys.url.href}: ${messageOf(error)}`);
  }
}

function claimsOf(payload: Uint8Array): Claims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as Claims;
  } catch {
    // Not JSON: said below.
  }
  throw new HttpRefusal(500, 'error validating claims: the token holds no claims');
}

function faultOfParties({ iss, aud }: Claims, { issuer, audiences }: JwtSettings): string | undefined {
  if (issuer !== '' && iss !== issuer) return 'invalid issuer (iss) claim';
  const named: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences.length > 0 && !audiences.some((each) => named.includes(each))) {
    return 'invalid audience (aud) claim: audience claim does not match any bound audience';
  }
  return undefined;
}

/** What a token does not say of its time follows from what it says, with the leeways; something it must say. */
function faultOfTimes(
  claims: Claims,
  leeway: JwtSettings['leeway'],
  now: Seconds,
  timeless: boolean,
): string | undefined {
  const [iat, nbf, exp] = [claims.iat, claims.nbf, claims.exp].map(timeOf);
  if ([iat, nbf, exp].some(Number.isNaN)) return 'iat, nbf and exp must be numbers';
  const begins = [iat, nbf].filter((each) => each !== undefined);
  if (begins.length === 0 && exp === undefined) {
    return timeless
      ? undefined
      : 'no issued at (iat), not before (nbf), or expiration time (exp) claims in token';
  }
  const end = exp ?? Math.max(...begins) + leeway.expiration;
  const begin = begins.length > 0 ? Math.max(...begins) : end - leeway.notBefore;
  if (now > end + leeway.clockSkew) return 'token is expired (exp)';
  if (now < begin - leeway.clockSkew) return 'token not yet valid (nbf, iat)';
  return undefined;
}

/** NaN: it is no time. */
function timeOf(claim: unknown): Seconds | undefined {
  if (claim === undefined) return undefined;
  return typeof claim === 'number' ? claim : Number.NaN;
}
