import { usage } from '../errors.ts';
import { readCertificateFields } from './certificate-freshness.ts';
import { certifiedKeyType, describeSource, type KeyLine, parseKeyLine, withKeyErrors } from './key-line.ts';
import { describeKey, type PublicKey, readFields, readPublicKey } from './public-key.ts';
import { noExpiry } from './renewal-schedule.ts';
import { checkSignature, checkSignatureOnThread } from './signature.ts';
import type { CertificateInfo, PublicKeyInfo } from './types.ts';
import { MalformedDataError, type WireReader } from './wire-format.ts';

/**
 * Reads an OpenSSH certificate (OpenSSH's PROTOCOL.certkeys) and checks its signature.
 *
 * Option data with one text, as all known options have, is that text; other data is `0x` and hex. Times beyond 2^53
 * seconds are the nearest number.
 *
 * @param text the certificate's line; `name` is the name of its file, for messages.
 * @throws LanyardError usage: not a certificate, or damaged. An invalid signature is not an error.
 */
export function parseCertificate(text: string, name: string): CertificateInfo {
  return readCertificate(parseKeyLine(text, name), name);
}

/** The same, for a parsed line. */
export function readCertificate(line: KeyLine, name: string): CertificateInfo {
  return withKeyErrors(name, () => {
    const { ca, fields, info } = readBlob(line, name);
    return withSignature(info, checkSignature(ca, fields.signed, fields.signature));
  });
}

/** The same; the signature is checked on another thread. */
export async function readCertificateOnThread(line: KeyLine, name: string): Promise<CertificateInfo> {
  const { info, check } = withKeyErrors(name, () => {
    const { ca, fields, info } = readBlob(line, name);
    return { info, check: checkSignatureOnThread(ca, fields.signed, fields.signature) };
  });
  return withSignature(info, await check);
}

function readBlob({ type: lineType, blob, comment }: KeyLine, name: string) {
  const keyType = certifiedKeyType(lineType);
  if (keyType === undefined) throw usage(`${describeSource(name)} is a public key, not a certificate`);
  const fields = readCertificateFields(blob, (reader) => readFields(keyType, reader));
  const { type, key, keyId, serial, principals, after, before } = fields;
  const kind = readKind(fields.kind);
  const criticalOptions = readOptions(fields.criticalOptions);
  const extensions = readOptions(fields.extensions);
  const ca = readSigningCa(fields.ca);
  const info = {
    type,
    kind,
    key: describeKey(key, comment),
    signingCa: ca.info,
    keyId,
    serial: String(serial),
    principals,
    validAfter: after === 0n ? undefined : Number(after),
    validBefore: before === noExpiry ? undefined : Number(before),
    criticalOptions,
    extensions,
  };
  return { ca: ca.key, fields, info };
}

const withSignature = (
  info: Omit<CertificateInfo, 'signatureAlgorithm' | 'signatureValid'>,
  { algorithm, valid }: ReturnType<typeof checkSignature>,
): CertificateInfo => ({ ...info, signatureAlgorithm: algorithm, signatureValid: valid });

interface SigningCa {
  readonly key: PublicKey;
  readonly info: PublicKeyInfo;
}

/** The CA key of the last certificate: the certificates of a batch have the same one. */
let lastSigningCa: SigningCa | undefined;

function readSigningCa(blob: Buffer): SigningCa {
  if (lastSigningCa?.key.blob.equals(blob)) return lastSigningCa;
  const key = readPublicKey(blob);
  lastSigningCa = { key, info: describeKey(key, '') };
  return lastSigningCa;
}

function readKind(value: number): CertificateInfo['kind'] {
  if (value === 1) return 'user';
  if (value === 2) return 'host';
  throw new MalformedDataError('unknown certificate type: expected user or host');
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
