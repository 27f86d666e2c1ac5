import { ECDH } from 'node:crypto';
import { type Curve, curves, p256 } from './curves.ts';
import { isEd25519Point } from './ed25519-point.ts';
import { bitLength, MalformedError, WireReader } from './wire.ts';

/** A fully validated public key. */
export interface PublicKey {
  /** As OpenSSH writes it, e.g. `ssh-ed25519`. */
  readonly type: string;
  /** rsa: modulus; dsa: prime; ecdsa: curve; ed25519: 256. */
  readonly bits: number;
  /** The entire key in wire format. */
  readonly blob: Buffer;
  /** The blob after its type: the part that a certificate repeats. */
  readonly fields: Buffer;
}

/** A parsed authorized_keys line. */
export interface PublicKeyLine {
  readonly key: PublicKey;
  readonly comment: string;
}

/** An RSA key of 16384 bits, the largest that OpenSSH reads, takes about 3,000 characters. */
const maxLength = 16_384;

/** Parses `type base64 [comment]`, or the base64 alone. @throws MalformedError; the message never contains input */
export function parsePublicKeyLine(text: string): PublicKeyLine {
  const line = text.trim();
  if (line.length > maxLength) throw new MalformedError(`it is longer than ${maxLength} characters`);
  if (line.includes('PRIVATE KEY-----')) throw new MalformedError('it is a private key');
  if (/[\r\n]/.test(line)) throw new MalformedError('it has more than one line');
  const [first = '', second, ...comment] = line.split(/[ \t]+/);
  const key = parsePublicKey(decodeBase64(second ?? first));
  if (second !== undefined && first !== key.type) {
    throw new MalformedError('the key type before the base64 does not match the key');
  }
  return { key, comment: comment.join(' ') };
}

/** Parses wire format (RFC 4253, 5656, 8709, and OpenSSH's PROTOCOL.u2f for `sk-`). @throws MalformedError */
export function parsePublicKey(blob: Buffer): PublicKey {
  const reader = new WireReader(blob);
  const type = reader.text();
  if (type.endsWith('-cert-v01@openssh.com'))
    throw new MalformedError('it is a certificate, not a plain key');
  const readFields = keyTypes.get(type);
  if (readFields === undefined) throw new MalformedError('its key type is unknown');
  const fields = reader.remaining();
  const bits = readFields(reader);
  reader.expectEnd();
  return { type, bits, blob, fields };
}

function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text)
    throw new MalformedError('it is not valid base64');
  return bytes;
}

/** Reads the fields after the type; returns the size of the key in bits. */
type ReadFields = (reader: WireReader) => number;

const keyTypes: ReadonlyMap<string, ReadFields> = new Map([
  ['ssh-rsa', rsa],
  ['ssh-dss', dsa],
  ['ssh-ed25519', ed25519],
  ...curves.map((curve) => [curve.keyType, (reader: WireReader) => ecdsa(reader, curve)] as const),
  ['sk-ssh-ed25519@openssh.com', (reader: WireReader) => securityKey(reader, ed25519)],
  [
    'sk-ecdsa-sha2-nistp256@openssh.com',
    (reader: WireReader) => securityKey(reader, (inner) => ecdsa(inner, p256)),
  ],
]);

// OpenSSH's own limits; OpenSSL supports no exponent above 64 bits with large moduli.
function rsa(reader: WireReader): number {
  const exponent = reader.mpint();
  const modulus = reader.mpint();
  const bits = bitLength(modulus);
  if (bits < 1024 || bits > 16_384) throw new MalformedError(`an RSA key of ${bits} bits is not usable`);
  const exponentBits = bitLength(exponent);
  if (exponentBits < 2 || exponentBits > 64 || !isOdd(exponent)) {
    throw new MalformedError('its RSA exponent is not usable');
  }
  if (!isOdd(modulus)) throw new MalformedError('its RSA modulus is even');
  return bits;
}

// Signatures of ssh-dss contain two numbers of 160 bits (RFC 4253), so no other size is usable.
function dsa(reader: WireReader): number {
  const prime = reader.mpint();
  const order = reader.mpint();
  const generator = reader.mpint();
  const point = reader.mpint();
  if (bitLength(prime) !== 1024 || bitLength(order) !== 160) {
    throw new MalformedError('a DSA key must have 1024 bits and an order of 160');
  }
  for (const element of [generator, point]) {
    if (bitLength(element) < 2 || isAtLeast(element, prime)) {
      throw new MalformedError('a number of the DSA key is out of range');
    }
  }
  return 1024;
}

function ecdsa(reader: WireReader, curve: Curve): number {
  if (reader.text() !== curve.name) throw new MalformedError('its curve does not match its type');
  const point = reader.string();
  if (point.length !== 1 + 2 * curve.width || point[0] !== 4) {
    throw new MalformedError('its point is not an uncompressed point of its curve');
  }
  try {
    ECDH.convertKey(point, curve.openssl);
  } catch {
    throw new MalformedError('its point is not on its curve');
  }
  return curve.bits;
}

function ed25519(reader: WireReader): number {
  const point = reader.string();
  if (point.length !== 32) throw new MalformedError('an Ed25519 key has 32 bytes');
  if (!isEd25519Point(point)) throw new MalformedError('its point is not a usable point of its curve');
  return 256;
}

function securityKey(reader: WireReader, inner: ReadFields): number {
  const bits = inner(reader);
  if (reader.string().includes(0)) throw new MalformedError('its application contains a NUL character');
  return bits;
}

function isOdd(magnitude: Buffer): boolean {
  return ((magnitude.at(-1) ?? 0) & 1) === 1;
}

function isAtLeast(a: Buffer, b: Buffer): boolean {
  return a.length === b.length ? a.compare(b) >= 0 : a.length > b.length;
}
