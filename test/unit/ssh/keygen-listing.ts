import type { CertificateInfo } from '../../../src/ssh/types.ts';

const margin = ' '.repeat(8);
const indent = ' '.repeat(16);
const names: Record<string, string> = {
  'ssh-rsa': 'RSA',
  'ssh-dss': 'DSA',
  'ssh-ed25519': 'ED25519',
  'sk-ssh-ed25519@openssh.com': 'ED25519-SK',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ECDSA-SK',
};

/** What `ssh-keygen -L` prints for a certificate, below the file's name, with times in UTC. */
export function listing(certificate: CertificateInfo): string {
  const { key, signingCa } = certificate;
  return [
    `${margin}Type: ${certificate.type} ${certificate.kind} certificate`,
    `${margin}Public key: ${nameOf(key.type)}-CERT ${key.fingerprint}`,
    `${margin}Signing CA: ${nameOf(signingCa.type)} ${signingCa.fingerprint} (using ${certificate.signatureAlgorithm})`,
    `${margin}Key ID: "${certificate.keyId}"`,
    `${margin}Serial: ${certificate.serial}`,
    `${margin}Valid: ${validity(certificate)}`,
    list('Principals', certificate.principals),
    list('Critical Options', certificate.criticalOptions.map(option)),
    list('Extensions', certificate.extensions.map(option)),
  ].join('\n');
}

/** ssh-keygen's own output, less what its versions print differently: data of options that it does not know. */
export function withoutUnknownData(output: string): string {
  const [, ...lines] = output.trimEnd().split('\n');
  return lines.map((line) => line.trimEnd().replace(/ UNKNOWN (OPTION|FLAG OPTION).*/, '')).join('\n');
}

function nameOf(type: string): string {
  return names[type] ?? 'ECDSA';
}

function validity({ validAfter, validBefore }: CertificateInfo): string {
  if (validAfter === undefined && validBefore === undefined) return 'forever';
  if (validAfter === undefined) return `before ${time(validBefore)}`;
  if (validBefore === undefined) return `after ${time(validAfter)}`;
  return `from ${time(validAfter)} to ${time(validBefore)}`;
}

function time(seconds: number | undefined): string {
  return new Date((seconds ?? 0) * 1000).toISOString().slice(0, 19);
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return `${margin}${title}: (none)`;
  return [`${margin}${title}:`, ...items.map((item) => indent + item)].join('\n');
}

function option([name, value]: readonly [string, string]): string {
  return value === '' || name.includes('@') ? name : `${name} ${value}`;
}
