import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { EmbeddedOptions } from '../../../../../src/services/start-services.ts';
import { guarded } from '../support.ts';

/** Seconds of the epoch at which the tests' clock begins. */
export const begin = Date.parse('2026-01-02T12:00:00Z') / 1000;

/** One who vouches for others with a key. */
export interface Issuer {
  /** The public key, PEM. */
  readonly pem: string;
  readonly privateKey: KeyObject;
  /** A token that says this, for five minutes from the beginning unless it says otherwise. */
  sign(claims: object, alg?: string): Promise<string>;
}

export function issuer(type: 'rsa' | 'ec' = 'rsa'): Issuer {
  const { publicKey, privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    pem: publicKey.export({ format: 'pem', type: 'spki' }),
    privateKey,
    sign: (claims, alg = type === 'rsa' ? 'RS256' : 'ES256') =>
      new SignJWT({ iat: begin, exp: begin + 300, ...claims }).setProtectedHeader({ alg }).sign(privateKey),
  };
}

/** A bootstrapped registry, and short ways to log in. */
export async function withLogin(options: Partial<EmbeddedOptions> = {}) {
  const all = await guarded(options);
  const login = (AuthMethod: string, BearerToken: string, more: object = {}) =>
    all.anonymous('POST', 'acl/login', { AuthMethod, BearerToken, ...more });
  /** The token that a login makes. */
  const token = async (AuthMethod: string, BearerToken: string, more: object = {}) => {
    const response = await login(AuthMethod, BearerToken, more);
    if (!response.startsWith('200 ')) throw new Error(`login: ${response}`);
    return JSON.parse(response.slice(4)) as Readonly<Record<string, unknown>>;
  };
  return { ...all, login, token };
}
