import type { CertificateInfo, Finding, Inspected, PublicKeyInfo } from './types.ts';

const day = 86_400;
const maxLifetimeSeconds = { user: 30 * day, host: 730 * day };

const knownOptions = ['force-command', 'source-address', 'verify-required'];

/** The problems of a key or certificate, errors first. @param now unix seconds. */
export function lint(inspected: Inspected, now: number): Finding[] {
  const findings =
    inspected.what === 'certificate'
      ? lintCertificate(inspected.certificate, now)
      : inspected.key
        ? weak(inspected.key, 'key')
        : [];
  return [
    ...findings.filter(({ severity }) => severity === 'error'),
    ...findings.filter(({ severity }) => severity !== 'error'),
  ];
}

const error = (rule: string, message: string): Finding => ({ severity: 'error', rule, message });
const warning = (rule: string, message: string): Finding => ({ severity: 'warning', rule, message });

const when = (condition: boolean, finding: Finding): Finding[] => (condition ? [finding] : []);

const lintCertificate = (certificate: CertificateInfo, now: number): Finding[] => [
  ...signature(certificate),
  ...weak(certificate.key, 'key'),
  ...weak(certificate.signingCa, 'CA key'),
  ...principals(certificate),
  ...validity(certificate, now),
  ...options(certificate),
];

function signature({ signatureValid, signatureAlgorithm, key, signingCa }: CertificateInfo): Finding[] {
  return [
    ...when(!signatureValid, error('signature', 'the signature is invalid')),
    ...when(
      ['ssh-rsa', 'ssh-dss'].includes(signatureAlgorithm),
      error('sha1', `it is signed with SHA-1 (${signatureAlgorithm}), which OpenSSH 8.2 and later reject`),
    ),
    ...when(
      key.fingerprint === signingCa.fingerprint,
      error('self-signed', 'the certified key is the CA key itself: its holder can sign certificates'),
    ),
  ];
}

function weak({ type, bits }: PublicKeyInfo, what: string): Finding[] {
  if (type === 'ssh-dss') return [error('weak-key', `the ${what} is DSA, which OpenSSH no longer supports`)];
  if (type === 'ssh-rsa' && bits < 2048)
    return [error('weak-key', `the ${what} is an RSA key of ${bits} bits: expected at least 2048`)];
  return [];
}

function principals({ kind, principals }: CertificateInfo): Finding[] {
  if (principals.length === 0)
    return [error('any-principal', `it has no principals: it is valid for any ${kind}`)];
  const findings: Finding[] = [];
  if (principals.every((name) => name.trim() === '')) {
    findings.push(error('no-principal', `its principals are empty: it is valid for no ${kind}`));
  }
  const wildcard = principals.filter((name) => /[*?]/.test(name));
  if (kind === 'host' && wildcard.some((name) => /^[*?.]+$/.test(name))) {
    findings.push(error('wildcard', 'it is valid for any host'));
  } else if (wildcard.length > 0) {
    const meaning =
      kind === 'host' ? 'it is valid for many hosts' : 'wildcards do not match in user certificates';
    findings.push(warning('wildcard', `a principal has a wildcard (${wildcard.join(', ')}): ${meaning}`));
  }
  return findings;
}

function validity({ kind, validAfter = 0, validBefore }: CertificateInfo, now: number): Finding[] {
  if (validBefore === undefined) return [error('forever', 'it never expires')];
  const lifetime = validBefore - validAfter;
  if (lifetime <= 0) return [error('never', 'it is never valid: it ends before it begins')];
  if (now >= validBefore) return [error('expired', 'it has expired')];
  const findings: Finding[] = [];
  if (now < validAfter) findings.push(warning('not-yet-valid', 'it is not yet valid'));
  else if ((validBefore - now) * 3 <= lifetime) {
    findings.push(warning('expiring', 'less than a third of its lifetime is left: renew it'));
  }
  if (lifetime > maxLifetimeSeconds[kind]) {
    findings.push(
      warning('long-lived', `it is valid for ${Math.floor(lifetime / day)} days: use a shorter lifetime`),
    );
  }
  return findings;
}

function options({ kind, criticalOptions, extensions }: CertificateInfo): Finding[] {
  const known = kind === 'user' ? knownOptions : [];
  const allowsAnyAddress = criticalOptions.some(
    ([name, value]) => name === 'source-address' && /(^|,)\s*(0\.0\.0\.0|::)\/0/.test(value),
  );
  const unknown = criticalOptions.map(([name]) => name).filter((name) => !known.includes(name));
  return [
    ...when(
      unknown.length > 0,
      error(
        'critical-option',
        `OpenSSH rejects the certificate: unknown critical option ${unknown.join(', ')}`,
      ),
    ),
    ...when(allowsAnyAddress, warning('source-address', 'source-address allows every address')),
    ...when(
      kind === 'host' && extensions.length > 0,
      warning('extensions', 'extensions have no effect in a host certificate'),
    ),
    ...when(
      kind === 'user' && extensions.length === 0,
      warning('extensions', 'it has no extensions: no terminal (permit-pty) and no forwarding'),
    ),
  ];
}
