import { createPrivateKey, createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import { curves } from './curves.ts';
import { MalformedError, mpint, string, WireReader } from './wire.ts';

/** A PKCS#1 file of 16384 bits, the largest RSA key that OpenSSH reads, has about 13,000 characters. */
const maxLength = 32_768;

/** Parses an unencrypted private key that can sign, in OpenSSH's format or as PEM. @throws MalformedError, without input */
export function parsePrivateKey(pem: string): KeyObject {
  if (pem.length > maxLength) throw new MalformedError(`it is longer than ${maxLength} characters`);
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: *4, *ENCRYPTED/.test(pem)) throw encryptedKeyError();
  const opensshKey =
    /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END OPENSSH PRIVATE KEY-----/.exec(pem);
  const key = opensshKey
    ? parseOpenssh(Buffer.from(opensshKey[1] ?? '', 'base64'))
    : loadKey(() => createPrivateKey(pem));
  checkUsable(key);
  return key;
}

/** The public key of a private key, in SSH wire format. */
export function publicBlob(privateKey: KeyObject): Buffer {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  if (jwk.kty === 'RSA') return Buffer.concat([string('ssh-rsa'), mpint(bytes(jwk.e)), mpint(bytes(jwk.n))]);
  if (jwk.kty === 'OKP') return Buffer.concat([string('ssh-ed25519'), string(bytes(jwk.x))]);
  const curve = curves.find(({ jwk: name }) => name === jwk.crv);
  if (curve === undefined) throw new MalformedError('its curve is not supported by SSH');
  const point = Buffer.concat([Buffer.from([4]), bytes(jwk.x), bytes(jwk.y)]);
  return Buffer.concat([string(curve.keyType), string(curve.name), string(point)]);
}

function checkUsable(key: KeyObject): void {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return;
    case 'ec':
      if (curves.some(({ openssl }) => openssl === namedCurve)) return;
      throw new MalformedError('its curve is not supported by SSH');
    case 'rsa':
      if (modulusLength >= 1024 && modulusLength <= 16_384) return;
      throw new MalformedError(`an RSA key of ${modulusLength} bits is not usable`);
    default:
      throw new MalformedError('its type cannot sign certificates; use RSA, ECDSA or Ed25519');
  }
}

/** OpenSSH's PROTOCOL.key: a header, the public key, and a section that may be encrypted. */
function parseOpenssh(file: Buffer): KeyObject {
  const reader = new WireReader(file);
  if (reader.take(15).toString('latin1') !== 'openssh-key-v1\0') throw formatError();
  if (reader.text() !== 'none') throw encryptedKeyError();
  reader.text();
  reader.string();
  if (reader.uint32() !== 1) throw new MalformedError('it does not contain exactly one key');
  reader.string();
  const section = new WireReader(reader.string());
  reader.expectEnd();
  const check = section.uint32();
  if (section.uint32() !== check) throw new MalformedError('its private section is damaged');
  const jwk = readJwk(section);
  section.string();
  if (section.remaining().some((byte, index) => byte !== index + 1))
    throw new MalformedError('its padding is damaged');
  return loadKey(() => createPrivateKey({ key: jwk, format: 'jwk' }));
}

function readJwk(section: WireReader): webcrypto.JsonWebKey {
  const type = section.text();
  if (type === 'ssh-rsa') return readRsa(section);
  if (type === 'ssh-ed25519') {
    const publicKey = section.string();
    const seed = section.string().subarray(0, 32);
    return { kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey), d: base64url(seed) };
  }
  const curve = curves.find(({ keyType }) => keyType === type);
  if (curve === undefined)
    throw new MalformedError('its type cannot sign certificates; use RSA, ECDSA or Ed25519');
  section.text();
  const point = section.string();
  const scalar = section.mpint();
  if (point.length !== 1 + 2 * curve.width || scalar.length > curve.width)
    throw new MalformedError('its numbers do not match its curve');
  const padded = Buffer.concat([Buffer.alloc(curve.width - scalar.length), scalar]);
  return {
    kty: 'EC',
    crv: curve.jwk,
    x: base64url(point.subarray(1, 1 + curve.width)),
    y: base64url(point.subarray(1 + curve.width)),
    d: base64url(padded),
  };
}

/** The format omits two numbers that JWKs need; they are computed from the others. */
function readRsa(section: WireReader): webcrypto.JsonWebKey {
  const [n, e, d, qi, p, q] = Array.from({ length: 6 }, () => section.mpint());
  if (n === undefined || n.length > 2048) throw new MalformedError('an RSA key of its size is not usable');
  return {
    kty: 'RSA',
    n: base64url(n),
    e: base64url(e),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: base64url(reduce(d, p)),
    dq: base64url(reduce(d, q)),
    qi: base64url(qi),
  };
}

/** `exponent mod (prime - 1)` */
function reduce(exponent: Buffer | undefined, prime: Buffer | undefined): Buffer {
  const modulus = toBigInt(prime) - 1n;
  if (modulus <= 0n) throw new MalformedError('it contains a number that is not usable');
  const hex = (toBigInt(exponent) % modulus).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function toBigInt(magnitude: Buffer | undefined): bigint {
  return BigInt(`0x${magnitude?.toString('hex') || '0'}`);
}

function base64url(magnitude: Buffer | undefined): string {
  return (magnitude ?? Buffer.alloc(0)).toString('base64url');
}

function bytes(encoded: string | undefined): Buffer {
  return Buffer.from(encoded ?? '', 'base64url');
}

/** OpenSSL's own messages are about its decoders, not the key. */
function loadKey(create: () => KeyObject): KeyObject {
  try {
    return create();
  } catch {
    throw formatError();
  }
}

function formatError(): MalformedError {
  return new MalformedError('it is not a valid private key in OpenSSH, PKCS#1, SEC1 or PKCS#8 form');
}

function encryptedKeyError(): MalformedError {
  return new MalformedError('it is encrypted; remove its passphrase first (ssh-keygen -p -N "" -f FILE)');
}
