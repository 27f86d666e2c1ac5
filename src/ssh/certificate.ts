import { usage } from '../errors.ts';
import { certifiedKeyType, describeSource, type KeyLine, parseKeyLine, withKeyErrors } from './key-line.ts';
import { describeKey, readFields, readPublicKey } from './public-key.ts';
import { checkSignature } from './signature.ts';
import type { CertificateInfo } from './types.ts';
import { MalformedDataError, WireReader } from './wire-format.ts';

const noExpiry = 2n ** 64n - 1n;

/**
 * Reads an OpenSSH certificate (OpenSSH's PROTOCOL.certkeys) and checks its signature.
 *
 * Option data with one text, as all known options have, is that text; other data is `0x` and hex. Times beyond 2^53
 * seconds are the nearest number.
 *
 * @param text the certificate's line; `name` is that of its file, for messages.
 * @throws LanyardError usage: not a certificate, or damaged. An invalid signature is not an error.
 */
export function parseCertificate(text: string, name: string): CertificateInfo {
  return readCertificate(parseKeyLine(text, name), name);
}

/** The same, for a parsed line. */
export function readCertificate(line: KeyLine, name: string): CertificateInfo {
  const keyType = certifiedKeyType(line.type);
  if (keyType === undefined) throw usage(`${describeSource(name)} is a public key, not a certificate`);
  return withKeyErrors(name, () => readBlob(line, keyType));
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
  const signed = reader.bytesSince(0);
  const signature = checkSignature(ca, signed, reader.string());
  reader.requireEnd();
  return {
    type,
    kind,
    key: describeKey(key, comment),
    signingCa: describeKey(ca, ''),
    signatureAlgorithm: signature.algorithm,
    signatureValid: signature.valid,
    keyId,
    serial: String(serial),
    principals,
    validAfter: after === 0n ? undefined : Number(after),
    validBefore: before === noExpiry ? undefined : Number(before),
    criticalOptions,
    extensions,
  };
}

function readKind(value: number): CertificateInfo['kind'] {
  if (value === 1) return 'user';
  if (value === 2) return 'host';
  throw new MalformedDataError('unknown certificate type: expected user or host');
}

function readPrincipals(reader: WireReader): string[] {
  const principals = [];
  while (!reader.isAtEnd) principals.push(reader.text());
  return principals;
}

function readOptions(reader: WireReader): [name: string, value: string][] {
  const options: [string, string][] = [];
  while (!reader.isAtEnd) options.push([reader.text(), optionValue(reader.string())]);
  return options;
}

function optionValue(data: Buffer): string {
  if (data.length === 0) return '';
  const wrapped = data.length >= 4 && data.readUInt32BE() === data.length - 4;
  const text = data.toString('utf8', 4);
  if (wrapped && Buffer.from(text).equals(data.subarray(4))) return text;
  return `0x${data.toString('hex')}`;
}
