import type { KeyObject } from 'node:crypto';
import { isObject } from '../../../wire/objects.ts';
import { messageOf } from '../../core/errors.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { discoverKeys } from './discovery.ts';
import type { JwtSettings } from './settings.ts';

export type Claims = { readonly [claim: string]: unknown };

/** Seconds since the epoch. */
type Seconds = number;

const maxTokenLength = 65_536;

/**
 * Verifies a JWT: its signature, with one of the keys and an allowed algorithm, then its issuer, audience and times.
 *
 * @param now milliseconds since the epoch
 * @param allowMissingTimes accepts tokens without times
 * @throws HttpError 500 (docs/protocol/registry.md#login)
 */
export async function verifyJwt(
  jwt: string,
  settings: JwtSettings,
  now: number,
  allowMissingTimes = false,
): Promise<Claims> {
  if (jwt === '') throw new HttpError(500, 'missing jwt');
  if (jwt.length > maxTokenLength) throw new HttpError(500, `a jwt has at most ${maxTokenLength} characters`);
  const problem = formatProblem(jwt);
  if (problem) throw new HttpError(500, `error parsing token: ${problem}`);
  const payload = await verifiedPayload(jwt, settings);
  const claims = parseClaims(payload);
  const claimProblem =
    issuerOrAudienceProblem(claims, settings) ??
    timeProblem(claims, settings.leeway, now / 1000, allowMissingTimes);
  if (claimProblem) throw new HttpError(500, `error validating claims: ${claimProblem}`);
  return claims;
}

/** Why a text is not a JWT, in Consul's words. */
function formatProblem(jwt: string): string | undefined {
  const parts = jwt.split('.');
  if (parts.length !== 3) return 'go-jose/go-jose: compact JWS format must have three parts';
  for (const part of parts) {
    const invalidIndex = /[^A-Za-z0-9_-]/.exec(part)?.index ?? (part.length % 4 === 1 ? part.length - 1 : -1);
    if (invalidIndex >= 0) return `illegal base64 data at input byte ${invalidIndex}`;
  }
  const headerText = Buffer.from(parts[0] ?? '', 'base64url').toString('utf8');
  try {
    const header: unknown = JSON.parse(headerText);
    return Array.isArray(header)
      ? 'json: cannot unmarshal array into Go value of type jose.rawHeader'
      : undefined;
  } catch {
    return headerText === ''
      ? undefined
      : `invalid character '${headerText[0]}' looking for beginning of value`;
  }
}

async function verifiedPayload(jwt: string, settings: JwtSettings): Promise<Uint8Array> {
  const { compactVerify } = await import('jose');
  const options = { algorithms: [...settings.algorithms] };
  const keys = await loadKeys(settings);
  for (const key of Array.isArray(keys) ? keys : [keys]) {
    try {
      const { payload } = await (typeof key === 'function'
        ? compactVerify(jwt, key, options)
        : compactVerify(jwt, key, options));
      return payload;
    } catch {
      // Try the next key; a token that no key verifies is reported below.
    }
  }
  throw new HttpError(500, 'no known key successfully validated the token signature');
}

async function loadKeys({ keys, issuer }: JwtSettings) {
  if (keys.from === 'config') return keys.keys as KeyObject[];
  const { createRemoteJWKSet } = await import('jose');
  try {
    return createRemoteJWKSet(keys.from === 'keys' ? keys.url : (await discoverKeys(keys.url)).keys);
  } catch (error) {
    throw new HttpError(500, `cannot read the keys of ${issuer || keys.url.href}: ${messageOf(error)}`);
  }
}

function parseClaims(payload: Uint8Array): Claims {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    if (isObject(claims)) return claims as Claims;
  } catch {
    // Not JSON: reported below.
  }
  throw new HttpError(500, 'error validating claims: the token holds no claims');
}

function issuerOrAudienceProblem(
  { iss, aud }: Claims,
  { issuer, audiences }: JwtSettings,
): string | undefined {
  if (issuer !== '' && iss !== issuer) return 'invalid issuer (iss) claim';
  const tokenAudiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences.length > 0 && !audiences.some((each) => tokenAudiences.includes(each))) {
    return 'invalid audience (aud) claim: audience claim does not match any bound audience';
  }
  return undefined;
}

/** The times that a token lacks are derived from the others, with the leeways; at least one is required. */
function timeProblem(
  claims: Claims,
  leeway: JwtSettings['leeway'],
  now: Seconds,
  allowMissingTimes: boolean,
): string | undefined {
  const [iat, nbf, exp] = [claims.iat, claims.nbf, claims.exp].map(claimTime);
  if ([iat, nbf, exp].some(Number.isNaN)) return 'iat, nbf and exp must be numbers';
  const startTimes = [iat, nbf].filter((each) => each !== undefined);
  if (startTimes.length === 0 && exp === undefined) {
    return allowMissingTimes
      ? undefined
      : 'no issued at (iat), not before (nbf), or expiration time (exp) claims in token';
  }
  const expiresAt = exp ?? Math.max(...startTimes) + leeway.expiration;
  const validFrom = startTimes.length > 0 ? Math.max(...startTimes) : expiresAt - leeway.notBefore;
  if (now > expiresAt + leeway.clockSkew) return 'token is expired (exp)';
  if (now < validFrom - leeway.clockSkew) return 'token not yet valid (nbf, iat)';
  return undefined;
}

/** NaN: invalid. */
function claimTime(claim: unknown): Seconds | undefined {
  if (claim === undefined) return undefined;
  return typeof claim === 'number' ? claim : Number.NaN;
}
