import type { CertificateInfo, Finding, Inspected, PublicKeyInfo } from './ssh.ts';

const day = 86_400;
const longestLife = { user: 30 * day, host: 730 * day };

const knownOptions = ['force-command', 'source-address', 'verify-required'];

/**
 * What is wrong with a key or certificate, or will be soon: errors first.
 * @param now unix seconds.
 */
export function lint(inspected: Inspected, now: number): Finding[] {
  const found =
    inspected.what === 'certificate'
      ? lintCertificate(inspected.certificate, now)
      : inspected.key
        ? weak(inspected.key, 'key')
        : [];
  return [
    ...found.filter(({ severity }) => severity === 'error'),
    ...found.filter(({ severity }) => severity !== 'error'),
  ];
}

const error = (rule: string, message: string): Finding => ({ severity: 'error', rule, message });
const warning = (rule: string, message: string): Finding => ({ severity: 'warning', rule, message });

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
    ...(signatureValid ? [] : [error('signature', 'the signature is invalid')]),
    ...(['ssh-rsa', 'ssh-dss'].includes(signatureAlgorithm)
      ? [error('sha1', `it is signed with SHA-1 (${signatureAlgorithm}), which OpenSSH 8.2 and later reject`)]
      : []),
    ...(key.fingerprint === signingCa.fingerprint
      ? [error('self-signed', 'the certified key is the CA key itself: its holder can sign certificates')]
      : []),
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
  const found: Finding[] = [];
  if (principals.every((name) => name.trim() === '')) {
    found.push(error('no-principal', `its principals are empty: it is valid for no ${kind}`));
  }
  const wild = principals.filter((name) => /[*?]/.test(name));
  if (kind === 'host' && wild.some((name) => /^[*?.]+$/.test(name))) {
    found.push(error('wildcard', 'it is valid for any host'));
  } else if (wild.length > 0) {
    const meaning =
      kind === 'host' ? 'it is valid for many hosts' : 'wildcards do not match in user certificates';
    found.push(warning('wildcard', `a principal has a wildcard (${wild.join(', ')}): ${meaning}`));
  }
  return found;
}

function validity({ kind, validAfter = 0, validBefore }: CertificateInfo, now: number): Finding[] {
  if (validBefore === undefined) return [error('forever', 'it never expires')];
  const life = validBefore - validAfter;
  if (life <= 0) return [error('never', 'it is never valid: it ends before it begins')];
  if (now >= validBefore) return [error('expired', 'it has expired')];
  const found: Finding[] = [];
  if (now < validAfter) found.push(warning('not-yet-valid', 'it is not yet valid'));
  else if ((validBefore - now) * 3 <= life) {
    found.push(warning('expiring', 'less than a third of its lifetime is left: renew it'));
  }
  if (life > longestLife[kind]) {
    found.push(
      warning('long-lived', `it is valid for ${Math.floor(life / day)} days: use a shorter lifetime`),
    );
  }
  return found;
}

function options({ kind, criticalOptions, extensions }: CertificateInfo): Finding[] {
  const known = kind === 'user' ? knownOptions : [];
  const unknown = criticalOptions.map(([name]) => name).filter((name) => !known.includes(name));
  return [
    ...(unknown.length > 0
      ? [
          error(
            'critical-option',
            `OpenSSH rejects the certificate: unknown critical option ${unknown.join(', ')}`,
          ),
        ]
      : []),
    ...(criticalOptions.some(
      ([name, value]) => name === 'source-address' && /(^|,)\s*(0\.0\.0\.0|::)\/0/.test(value),
    )
      ? [warning('source-address', 'source-address allows every address')]
      : []),
    ...(kind === 'host' && extensions.length > 0
      ? [warning('extensions', 'extensions have no effect in a host certificate')]
      : []),
    ...(kind === 'user' && extensions.length === 0
      ? [warning('extensions', 'it has no extensions: no terminal (permit-pty) and no forwarding')]
      : []),
  ];
}
