import { createHash, type KeyObject, type SigningOptions, verify } from 'node:crypto';
import type { PublicKey } from './public-key.ts';
import { WireReader } from './wire-format.ts';

const rsaHashes = new Map([
  ['ssh-rsa', 'sha1'],
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
]);

const ecdsaHashes = new Map([
  [256, 'sha256'],
  [384, 'sha384'],
  [521, 'sha512'],
]);

/** The outcome of checking a signature. */
interface SignatureCheck {
  readonly algorithm: string;
  readonly valid: boolean;
}

/** What node:crypto needs to verify a signature. */
type Verification = readonly [
  hash: string | null | undefined,
  message: Buffer,
  key: KeyObject | (SigningOptions & { key: KeyObject }),
  numbers: Buffer,
];

/**
 * Checks an SSH signature: RFC 4253 section 6.6 (dss, rsa), RFC 8332 (rsa-sha2), RFC 5656 (ecdsa), RFC 8709
 * (ed25519), OpenSSH's PROTOCOL.u2f (sk). False for an algorithm that does not suit the key, an unreadable signature,
 * and `webauthn-` signatures.
 *
 * @throws MalformedDataError when the algorithm cannot be read.
 */
export function checkSignature(key: PublicKey, signed: Buffer, signature: Buffer): SignatureCheck {
  const { algorithm, verification } = readSignature(key, signed, signature);
  try {
    return { algorithm, valid: verification !== undefined && verify(...verification) };
  } catch {
    return { algorithm, valid: false };
  }
}

/** The same, on a thread of Node's pool: many signatures are checked while others are requested. */
export function checkSignatureOnThread(
  key: PublicKey,
  signed: Buffer,
  signature: Buffer,
): Promise<SignatureCheck> {
  const { algorithm, verification } = readSignature(key, signed, signature);
  return new Promise((resolve) => {
    if (verification === undefined) return resolve({ algorithm, valid: false });
    try {
      verify(...verification, (error, valid) => resolve({ algorithm, valid: error === null && valid }));
    } catch {
      resolve({ algorithm, valid: false });
    }
  });
}

function readSignature(
  key: PublicKey,
  signed: Buffer,
  signature: Buffer,
): { readonly algorithm: string; readonly verification: Verification | undefined } {
  const reader = new WireReader(signature);
  const algorithm = reader.name();
  try {
    return { algorithm, verification: verificationOf(key, algorithm, signed, reader) };
  } catch {
    return { algorithm, verification: undefined };
  }
}

function verificationOf(
  key: PublicKey,
  algorithm: string,
  signed: Buffer,
  reader: WireReader,
): Verification | undefined {
  const body = reader.string();
  const message = key.application ? securityKeyMessage(key.application, signed, reader) : signed;
  reader.requireEnd();
  if (key.type === 'ssh-rsa') return rsaVerification(key, algorithm, message, body);
  if (algorithm !== key.type) return undefined;
  if (key.type.includes('ed25519')) return [null, message, key.keyObject(), body];
  const [hash, numbers] =
    key.type === 'ssh-dss'
      ? ['sha1', body]
      : [ecdsaHashes.get(key.bits), ecdsaSignatureValues(body, key.bits)];
  return [hash, message, { key: key.keyObject(), dsaEncoding: 'ieee-p1363' }, numbers];
}

function rsaVerification(
  key: PublicKey,
  algorithm: string,
  message: Buffer,
  body: Buffer,
): Verification | undefined {
  const hash = rsaHashes.get(algorithm);
  // Some signers omit leading zeros.
  const missing = Math.ceil(key.bits / 8) - body.length;
  if (hash === undefined || missing < 0) return undefined;
  return [hash, message, key.keyObject(), Buffer.concat([Buffer.alloc(missing), body])];
}

/** A security key signs hashes, its flags and its counter instead of the message itself. */
function securityKeyMessage(application: Buffer, signed: Buffer, reader: WireReader): Buffer {
  const flagsAndCounter = reader.bytes(5);
  return Buffer.concat([sha256(application), flagsAndCounter, sha256(signed)]);
}

/** `r` and `s` concatenated, each as long as the curve's order. */
function ecdsaSignatureValues(body: Buffer, bits: number): Buffer {
  const size = Math.ceil(bits / 8);
  const reader = new WireReader(body);
  const numbers = [reader.mpint(), reader.mpint()];
  reader.requireEnd();
  return Buffer.concat(numbers.map((number) => Buffer.concat([Buffer.alloc(size - number.length), number])));
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
