import type { CertificateInfo } from '../../ssh/ssh.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { SshSignBody } from '../../wire/secrets.ts';

/** Seconds that a validity period may exceed the request: services backdate its start. */
const backdating = 60;

/** Whether a certificate matches a request. Fields missing in the request are ignored. */
export function isAsAsked(certificate: CertificateInfo, request: Omit<SshSignBody, 'public_key'>): boolean {
  const {
    valid_principals: principals,
    cert_type: kind,
    key_id: keyId,
    ttl,
    extensions,
    critical_options: options,
  } = request;
  return (
    (!kind || certificate.kind === kind) &&
    (!keyId || certificate.keyId === keyId) &&
    (!principals || sameNames(certificate.principals, principals.split(','))) &&
    sameOptions(certificate.extensions, extensions) &&
    sameOptions(certificate.criticalOptions, options) &&
    (!ttl || lifeOf(certificate) <= (parseDuration(ttl) ?? 0) + backdating)
  );
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(some), new Set(others)];
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function sameOptions(
  there: readonly (readonly [string, string])[],
  asked: Readonly<Record<string, string>> | undefined,
): boolean {
  const wanted = Object.entries(asked ?? {});
  if (wanted.length === 0) return true;
  const found = new Map(there);
  return found.size === wanted.length && wanted.every(([name, value]) => found.get(name) === value);
}

const lifeOf = ({ validAfter = 0, validBefore = Number.POSITIVE_INFINITY }: CertificateInfo): number =>
  validBefore - validAfter;
