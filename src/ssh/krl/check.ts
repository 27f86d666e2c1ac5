import { hash } from 'node:crypto';
import { readCertificateFields } from '../certificate-freshness.ts';
import { certifiedKeyType, type KeyLine, parseKeyLine, withKeyErrors } from '../key-line.ts';
import { readFields, readPublicKey } from '../public-key.ts';
import type { Krl, RevokedEntry } from './krl.ts';
import { rangeOf } from './serial-ranges.ts';

/** A key, and its certificate if it is presented with one. Keys are public key blobs in base64. */
export interface Revocable {
  readonly key: string;
  readonly certificate?: {
    readonly ca: string;
    /** Its bytes as latin1 text. */
    readonly keyId: string;
    readonly serial: bigint;
  };
}

/** Why something is revoked: an entry, and what it is about. */
export interface Revocation {
  readonly entry: RevokedEntry;
  readonly of: 'certificate' | 'key' | 'CA';
}

/**
 * Reads a public key or certificate.
 *
 * @param name the file, for messages.
 * @throws LanyardError usage: another content, damaged.
 */
export const readRevocable = (text: string, name: string): Revocable =>
  revocableOf(parseKeyLine(text, name), name);

function revocableOf({ type, blob }: KeyLine, name: string): Revocable {
  const keyType = certifiedKeyType(type);
  return withKeyErrors(name, () => {
    if (keyType === undefined) return { key: readPublicKey(blob).blob.toString('base64') };
    const fields = readCertificateFields(blob, (reader) => readFields(keyType, reader).blob);
    return {
      key: fields.key.toString('base64'),
      certificate: {
        ca: fields.ca.toString('base64'),
        keyId: fields.keyIdBytes.toString('latin1'),
        serial: fields.serial,
      },
    };
  });
}

/**
 * Why a list revokes a key or certificate, as sshd decides (ssh_krl_check_key): by the key itself; by key ID or serial
 * among the certificates of its CA, then of any CA; by the key of the CA. Serial 0 is no serial.
 *
 * @returns undefined: it is not revoked.
 */
export function findRevocation(krl: Krl, { key, certificate }: Revocable): Revocation | undefined {
  const ofKey = findKey(krl, key);
  if (ofKey) return { entry: ofKey, of: 'key' };
  if (certificate === undefined) return undefined;
  for (const ca of [certificate.ca, '']) {
    const revoked = krl.certificates.get(ca);
    const { keyId, serial } = certificate;
    if (revoked?.keyIds.has(keyId)) return { entry: { by: 'key ID', ca, keyId }, of: 'certificate' };
    const range = serial === 0n ? undefined : rangeOf(revoked?.serials ?? [], serial);
    if (range) return { entry: { by: 'serial', ca, ...range }, of: 'certificate' };
  }
  const ofCa = findKey(krl, certificate.ca);
  return ofCa && { entry: ofCa, of: 'CA' };
}

function findKey(krl: Krl, key: string): RevokedEntry | undefined {
  const blob = Buffer.from(key, 'base64');
  const sha1 = hash('sha1', blob, 'base64');
  if (krl.sha1.has(sha1)) return { by: 'SHA1', hash: sha1 };
  const sha256 = hash('sha256', blob, 'base64');
  if (krl.sha256.has(sha256)) return { by: 'SHA256', hash: sha256 };
  return krl.keys.has(key) ? { by: 'key', key } : undefined;
}
