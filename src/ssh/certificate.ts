import { usage } from '../errors.ts';
import { certifiedType, type KeyLine, keyLine, reading, subject } from './key-line.ts';
import { describe, readFields, readPublicKey } from './public-key.ts';
import { checkSignature } from './signature.ts';
import type { CertificateInfo } from './ssh.ts';
import { Damaged, WireReader } from './wire-format.ts';

const forever = 2n ** 64n - 1n;

/**
 * Reads an OpenSSH certificate (OpenSSH's PROTOCOL.certkeys) and checks its signature.
 *
 * Option data that is one text, as all options known today are, is that text; other data is `0x` and hex.
 * Times beyond 2^53 seconds are the nearest number.
 *
 * @param text the certificate's line; `name` is its file's, for messages.
 * @throws LanyardError usage: not a certificate, or damaged. A signature that does not hold is no error.
 */
export function certificate(text: string, name: string): CertificateInfo {
  return readCertificate(keyLine(text, name), name);
}

/** The same, for a line that was read already. */
export function readCertificate(line: KeyLine, name: string): CertificateInfo {
  const keyType = certifiedType(line.type);
  if (keyType === undefined) throw usage(`${subject(name)} is a public key, not a certificate`);
  return reading(name, () => readBlob(line, keyType));
}

function readBlob({ blob, comment }: KeyLine, keyType: string): CertificateInfo {
  const reader = new WireReader(blob);
  const type = reader.name();
  const _nonce = reader.string();
  const key = readFields(keyType, reader);
  const serial = reader.uint64();
  const kind = readKind(reader.uint32());
  const keyId = reader.text();
  const principals = readPrincipals(reader.nested());
  const after = reader.uint64();
  const before = reader.uint64();
  const criticalOptions = readOptions(reader.nested());
  const extensions = readOptions(reader.nested());
  const _reserved = reader.string();
  const ca = readPublicKey(reader.string());
  const signed = reader.since(0);
  const signature = checkSignature(ca, signed, reader.string());
  reader.end();
  return {
    type,
    kind,
    key: describe(key, comment),
    signingCa: describe(ca, ''),
    signatureAlgorithm: signature.algorithm,
    signatureValid: signature.valid,
    keyId,
    serial: String(serial),
    principals,
    validAfter: after === 0n ? undefined : Number(after),
    validBefore: before === forever ? undefined : Number(before),
    criticalOptions,
    extensions,
  };
}

function readKind(value: number): CertificateInfo['kind'] {
  if (value === 1) return 'user';
  if (value === 2) return 'host';
  throw new Damaged('unknown certificate type: expected user or host');
}

function readPrincipals(reader: WireReader): string[] {
  const principals = [];
  while (!reader.atEnd) principals.push(reader.text());
  return principals;
}

function readOptions(reader: WireReader): [name: string, value: string][] {
  const options: [string, string][] = [];
  while (!reader.atEnd) options.push([reader.text(), optionValue(reader.string())]);
  return options;
}

function optionValue(data: Buffer): string {
  if (data.length === 0) return '';
  const wrapped = data.length >= 4 && data.readUInt32BE() === data.length - 4;
  const text = data.toString('utf8', 4);
  if (wrapped && Buffer.from(text).equals(data.subarray(4))) return text;
  return `0x${data.toString('hex')}`;
}
