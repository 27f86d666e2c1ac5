import type { CertificateInfo } from '../../../ssh/types.ts';
import { parseDuration } from '../../../wire/duration.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';

/** Seconds that a validity period may exceed the request: services backdate its start. */
const backdatingSeconds = 60;

/** Whether a certificate matches a request. Fields missing in the request are ignored. */
export function matchesRequest(
  certificate: CertificateInfo,
  request: Omit<SshSignBody, 'public_key'>,
): boolean {
  const {
    valid_principals: principals,
    cert_type: kind,
    key_id: keyId,
    ttl,
    extensions,
    critical_options: options,
  } = request;
  const { validAfter = 0, validBefore = Number.POSITIVE_INFINITY } = certificate;
  return (
    (!kind || certificate.kind === kind) &&
    (!keyId || certificate.keyId === keyId) &&
    (!principals || sameNames(certificate.principals, principals.split(','))) &&
    sameOptions(certificate.extensions, extensions) &&
    sameOptions(certificate.criticalOptions, options) &&
    (!ttl || validBefore - validAfter <= (parseDuration(ttl) ?? 0) + backdatingSeconds)
  );
}

function sameNames(names: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [new Set(names), new Set(others)];
  return one.size === other.size && [...one].every((name) => other.has(name));
}

function sameOptions(
  existing: readonly (readonly [string, string])[],
  requested: Readonly<Record<string, string>> | undefined,
): boolean {
  const desired = Object.entries(requested ?? {});
  if (desired.length === 0) return true;
  const found = new Map(existing);
  return found.size === desired.length && desired.every(([name, value]) => found.get(name) === value);
}
