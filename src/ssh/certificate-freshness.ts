import {
  afterFailure,
  formatRetry,
  isPostponed,
  nextAttempt,
  parseRetry,
  renewalTime,
  type Validity,
} from './renewal-schedule.ts';
import { MalformedDataError, WireReader } from './wire-format.ts';

/** Requirements on a certificate; absent fields are not checked. */
export interface CertificateRequirements {
  /** Exactly these. */
  readonly principals?: readonly string[] | undefined;
  readonly kind?: 'user' | 'host' | undefined;
}

/**
 * Whether a certificate is for this key, meets the requirements and is not yet due for renewal (renewal-schedule.ts). It
 * runs before every login, so it loads nothing and leaves the signature to the hosts.
 *
 * @param certificate the line of its file; `publicKey` is the line of the key. Invalid lines are not fresh.
 * @param now unix seconds.
 */
export function isFresh(
  certificate: string,
  publicKey: string,
  now: number,
  requirements: CertificateRequirements = {},
): boolean {
  return matchingCertificate(certificate, publicKey, now, requirements)?.isDue === false;
}

/**
 * Until when a certificate that is due for renewal stays in use without another attempt, because one failed a short
 * time ago; otherwise it must be as for {@link isFresh}.
 *
 * @param retry the content of the file about that failure; damaged content counts as none.
 * @returns unix seconds; undefined: a renewal must be tried.
 */
export function postponedUntil(
  retry: string,
  certificate: string,
  publicKey: string,
  now: number,
  requirements: CertificateRequirements = {},
): number | undefined {
  const found = matchingCertificate(certificate, publicKey, now, requirements);
  const failure = found?.isDue ? parseRetry(retry, found.signed) : undefined;
  return found && failure && isPostponed(failure, found, now) ? nextAttempt(failure, found) : undefined;
}

/**
 * The file about a failed renewal of a certificate.
 *
 * @param previous its content before; '' if it does not exist.
 * @param now unix seconds.
 * @param random at least 0, less than 1.
 * @returns its content, and when the next attempt is made, in unix seconds; in the past: the next call tries again.
 */
export function retryFile(
  previous: string,
  certificate: string,
  now: number,
  random: number,
): { readonly content: string; readonly nextAttempt: number } {
  const { after, before, signed } = readCertificateFields(decodeBlob(certificate), skipKeyFields);
  const validity = { after, before };
  const failure = afterFailure(parseRetry(previous, signed), validity, now, random);
  return { content: formatRetry(failure, signed), nextAttempt: nextAttempt(failure, validity) };
}

interface MatchingCertificate extends Validity {
  readonly signed: Buffer;
  readonly isDue: boolean;
}

/** The certificate, if it is for the key, meets the requirements and is valid. */
function matchingCertificate(
  certificate: string,
  publicKey: string,
  now: number,
  requirements: CertificateRequirements,
): MatchingCertificate | undefined {
  try {
    const { key, kind, principals, after, before, signed } = readCertificateFields(
      decodeBlob(certificate),
      skipKeyFields,
    );
    const isMatching =
      key.equals(keyFields(decodeBlob(publicKey))) &&
      (requirements.kind === undefined || kind === (requirements.kind === 'user' ? 1 : 2)) &&
      (requirements.principals === undefined ||
        new Set(requirements.principals).symmetricDifference(new Set(principals)).size === 0);
    const at = BigInt(Math.floor(now));
    if (!isMatching || at < after || at >= before) return undefined;
    const dueAt = renewalTime({ after, before }, signed);
    return { after, before, signed, isDue: dueAt !== undefined && at >= dueAt };
  } catch (error) {
    if (error instanceof MalformedDataError) return undefined;
    throw error;
  }
}

/** The fields of a certificate (OpenSSH's PROTOCOL.certkeys). @param readKey reads the fields of its key. */
export function readCertificateFields<Key>(blob: Buffer, readKey: (reader: WireReader, type: string) => Key) {
  const reader = new WireReader(blob);
  const type = reader.name();
  const _nonce = reader.string();
  const key = readKey(reader, type);
  const serial = reader.uint64();
  const kind = reader.uint32();
  const keyIdAt = reader.position;
  const keyId = reader.text();
  const keyIdBytes = reader.bytesSince(keyIdAt + 4);
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
  const id = { serial, kind, keyId, keyIdBytes };
  return { type, key, ...id, principals, ...validity, ...options, ca, signed, signature };
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
