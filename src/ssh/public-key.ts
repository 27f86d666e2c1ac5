import { createPublicKey, hash, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { dsaPublicKey } from './der.ts';
import type { PublicKeyInfo } from './types.ts';
import { MalformedDataError, WireReader, wireString } from './wire-format.ts';

/** A public key as in RFC 4253 section 6.6 and its successors. */
export interface PublicKey {
  readonly type: string;
  readonly bits: number;
  readonly blob: Buffer;
  /** The application of a security key, e.g. `ssh:`; `undefined` for a key in software. */
  readonly application: Buffer | undefined;
  /** The same key for node:crypto. */
  keyObject(): KeyObject;
}

type Fields = Pick<PublicKey, 'bits' | 'keyObject'> & { readonly application?: Buffer };

const readers = new Map<string, (fields: WireReader) => Fields>([
  ['ssh-ed25519', ed25519],
  ['ssh-rsa', rsa],
  ['ecdsa-sha2-nistp256', (fields) => ecdsa(fields, 'nistp256')],
  ['ecdsa-sha2-nistp384', (fields) => ecdsa(fields, 'nistp384')],
  ['ecdsa-sha2-nistp521', (fields) => ecdsa(fields, 'nistp521')],
  ['ssh-dss', dsa],
  ['sk-ssh-ed25519@openssh.com', (fields) => ({ ...ed25519(fields), application: fields.string() })],
  [
    'sk-ecdsa-sha2-nistp256@openssh.com',
    (fields) => ({ ...ecdsa(fields, 'nistp256'), application: fields.string() }),
  ],
]);

const curves = {
  nistp256: { crv: 'P-256', bits: 256 },
  nistp384: { crv: 'P-384', bits: 384 },
  nistp521: { crv: 'P-521', bits: 521 },
} as const;

export function isPublicKeyType(type: string): boolean {
  return readers.has(type);
}

/** Reads a complete blob. @throws MalformedDataError */
export function readPublicKey(blob: Buffer): PublicKey {
  const reader = new WireReader(blob);
  const type = reader.name();
  const key = readFields(type, reader);
  reader.requireEnd();
  return key;
}

/** Reads the fields of a key whose type is known, as inside a certificate. @throws MalformedDataError */
export function readFields(type: string, reader: WireReader): PublicKey {
  const read = readers.get(type);
  if (!read) throw new MalformedDataError('unknown key type');
  const start = reader.position;
  const fields = read(reader);
  const blob = Buffer.concat([wireString(type), reader.bytesSince(start)]);
  return { application: undefined, ...fields, type, blob };
}

export function describeKey(key: PublicKey, comment: string): PublicKeyInfo {
  const digest = hash('sha256', key.blob, 'base64').replace(/=+$/, '');
  return { type: key.type, bits: key.bits, fingerprint: `SHA256:${digest}`, comment };
}

function ed25519(fields: WireReader): Fields {
  const x = fields.fixed(32);
  const jwk = () => ({ kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') });
  return { bits: 256, keyObject: once(() => fromJwk(jwk())) };
}

function rsa(fields: WireReader): Fields {
  const e = fields.mpint();
  const n = fields.mpint();
  const jwk = () => ({ kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') });
  return { bits: checkBits(n, 1024, 16_384), keyObject: once(() => fromJwk(jwk())) };
}

function ecdsa(fields: WireReader, curve: keyof typeof curves): Fields {
  if (fields.name() !== curve) throw new MalformedDataError('its curve does not match its type');
  const { crv, bits } = curves[curve];
  const size = Math.ceil(bits / 8);
  const point = fields.fixed(1 + 2 * size);
  if (point[0] !== 4) throw new MalformedDataError('its point is not uncompressed');
  const x = point.subarray(1, 1 + size).toString('base64url');
  const y = point.subarray(1 + size).toString('base64url');
  const key = requireOnCurve({ kty: 'EC', crv, x, y });
  return { bits, keyObject: () => key };
}

function dsa(fields: WireReader): Fields {
  const [p, q, g, y] = [fields.mpint(), fields.mpint(), fields.mpint(), fields.mpint()];
  const der = dsaPublicKey(p, q, g, y);
  return {
    bits: checkBits(p, 1024, 3072),
    keyObject: once(() => createPublicKey({ key: der, format: 'der', type: 'spki' })),
  };
}

function once(create: () => KeyObject): () => KeyObject {
  let created: KeyObject | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

function checkBits(number: Buffer, minimum: number, maximum: number): number {
  const bits = number.length * 8 - Math.clz32(number[0] ?? 0) + 24;
  if (bits < minimum || bits > maximum)
    throw new MalformedDataError(`its size is not between ${minimum} and ${maximum} bits`);
  return bits;
}

function requireOnCurve(jwk: JsonWebKeyInput['key']): KeyObject {
  try {
    return fromJwk(jwk);
  } catch {
    throw new MalformedDataError('its point is not on its curve');
  }
}

function fromJwk(jwk: JsonWebKeyInput['key']): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' });
}
