import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Json, type JsonObject, parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

export type Claims = JsonObject;

interface Algorithm {
  /** The digest; null for EdDSA, which has its own. */
  readonly hash: string | null;
  readonly keyType: string;
  /** For ECDSA: each algorithm has one curve (RFC 7518, section 3.4). */
  readonly curve?: string;
}

const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { hash: 'sha256', keyType: 'rsa' },
  RS384: { hash: 'sha384', keyType: 'rsa' },
  RS512: { hash: 'sha512', keyType: 'rsa' },
  ES256: { hash: 'sha256', keyType: 'ec', curve: 'prime256v1' },
  ES384: { hash: 'sha384', keyType: 'ec', curve: 'secp384r1' },
  ES512: { hash: 'sha512', keyType: 'ec', curve: 'secp521r1' },
  EdDSA: { hash: null, keyType: 'ed25519' },
};

/** Maximum characters of a token; no issuer creates longer ones. */
const maxTokenLength = 65_536;

/** @throws Error: not a PEM public key, or a private key */
export function readVerificationKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new Error('it is a private key');
  return createPublicKey(pem);
}

/**
 * Verifies the signature of a JSON Web Token and returns its claims; times and audience are not checked. The key
 * decides which algorithms are valid, not the token. @throws Error
 */
export function verifyJwt(token: string, keys: readonly KeyObject[]): Claims {
  const parts = token.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || token.length > maxTokenLength)
    throw new Error('malformed jwt: must have three parts');
  const { alg, crit } = parsePart(header, 'header');
  const algorithm = typeof alg === 'string' && Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  if (!algorithm) throw new Error('unsupported signing algorithm');
  if (crit !== undefined) throw new Error('the header has unsupported critical extensions');
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = decodePart(signature, 'signature');
  const isValid = keys.some(
    (key) =>
      matchesAlgorithm(key, algorithm) &&
      verify(algorithm.hash, signed, { key, dsaEncoding: 'ieee-p1363' }, bytes),
  );
  if (!isValid) throw new Error('no known key successfully validated the token signature');
  return parsePart(payload, 'payload');
}

function matchesAlgorithm(key: KeyObject, { keyType, curve }: Algorithm): boolean {
  if (key.asymmetricKeyType !== keyType) return false;
  return curve === undefined || key.asymmetricKeyDetails?.namedCurve === curve;
}

function decodePart(text: string, partName: string): Buffer {
  if (!/^[\w-]*$/.test(text)) throw new Error(`malformed jwt: the ${partName} is not base64url`);
  return Buffer.from(text, 'base64url');
}

function parsePart(text: string, partName: string): Claims {
  let value: Json;
  try {
    value = parseJson(decodePart(text, partName).toString());
  } catch {
    throw new Error(`malformed jwt: the ${partName} is not JSON`);
  }
  if (isObject(value)) return value;
  throw new Error(`malformed jwt: the ${partName} is not an object`);
}
