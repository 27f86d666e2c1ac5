import { MalformedDataError, WireReader } from './wire-format.ts';

/** The end of a certificate that never expires. */
export const noExpiry = 2n ** 64n - 1n;

/** Requirements on a certificate; absent fields are not checked. */
export interface CertificateRequirements {
  /** Exactly these. */
  readonly principals?: readonly string[] | undefined;
  readonly kind?: 'user' | 'host' | undefined;
}

/**
 * Whether a certificate is for this key, meets the requirements and has more than a third of its validity period
 * left. It runs before every login, so it loads nothing and leaves the signature to the hosts.
 *
 * @param certificate the line of its file; `publicKey` is that of the key. Invalid lines are not fresh.
 * @param now unix seconds.
 */
export function isFresh(
  certificate: string,
  publicKey: string,
  now: number,
  requirements: CertificateRequirements = {},
): boolean {
  try {
    const { key, kind, principals, after, before } = readCertificateFields(
      decodeBlob(certificate),
      skipKeyFields,
    );
    return (
      key.equals(keyFields(decodeBlob(publicKey))) &&
      (requirements.kind === undefined || kind === (requirements.kind === 'user' ? 1 : 2)) &&
      (requirements.principals === undefined ||
        isSameSet(new Set(requirements.principals), new Set(principals))) &&
      hasRemainingLifetime(after, before, now)
    );
  } catch (error) {
    if (error instanceof MalformedDataError) return false;
    throw error;
  }
}

const isSameSet = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((name) => others.has(name));

function hasRemainingLifetime(after: bigint, before: bigint, now: number): boolean {
  const at = BigInt(Math.floor(now));
  if (at < after) return false;
  return before === noExpiry || (before - at) * 3n > before - after;
}

/** The fields of a certificate (OpenSSH's PROTOCOL.certkeys). @param readKey reads the fields of its key. */
export function readCertificateFields<Key>(blob: Buffer, readKey: (reader: WireReader, type: string) => Key) {
  const reader = new WireReader(blob);
  const type = reader.name();
  const _nonce = reader.string();
  const key = readKey(reader, type);
  const serial = reader.uint64();
  const kind = reader.uint32();
  const keyId = reader.text();
  const names = reader.nested();
  const principals: string[] = [];
  while (!names.isAtEnd) principals.push(names.text());
  const [after, before] = [reader.uint64(), reader.uint64()];
  const [criticalOptions, extensions] = [reader.nested(), reader.nested()];
  const _reserved = reader.string();
  const ca = reader.string();
  const signed = reader.bytesSince(0);
  const signature = reader.string();
  reader.requireEnd();
  const validity = { after, before };
  const options = { criticalOptions, extensions };
  return { type, key, serial, kind, keyId, principals, ...validity, ...options, ca, signed, signature };
}

/** The fields of a key, unread. The type determines their number. */
function skipKeyFields(reader: WireReader, type: string): Buffer {
  const count = fieldCounts.get(type.replace(/-cert-v01@openssh\.com$/, ''));
  if (count === undefined) throw new MalformedDataError('unknown certificate type');
  const start = reader.position;
  for (let field = 0; field < count; field++) reader.string();
  return reader.bytesSince(start);
}

/** The fields after the type of a public key. */
function keyFields(blob: Buffer): Buffer {
  const reader = new WireReader(blob);
  reader.name();
  return blob.subarray(reader.position);
}

const fieldCounts = new Map([
  ['ssh-ed25519', 1],
  ['ssh-rsa', 2],
  ['rsa-sha2-256', 2],
  ['rsa-sha2-512', 2],
  ['ecdsa-sha2-nistp256', 2],
  ['ecdsa-sha2-nistp384', 2],
  ['ecdsa-sha2-nistp521', 2],
  ['ssh-dss', 4],
  ['sk-ssh-ed25519', 2],
  ['sk-ecdsa-sha2-nistp256', 3],
]);

const decodeBlob = (line: string): Buffer => Buffer.from(line.trim().split(/\s+/)[1] ?? '', 'base64');
