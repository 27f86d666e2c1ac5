import { hash } from 'node:crypto';

/** Where a certificate was signed. */
export interface CertificateSource {
  /** Mount path of the SSH engine, without slashes at its ends. */
  readonly mount: string;
  /** Namespace of the secrets service; empty: the root namespace. */
  readonly namespace: string;
}

/** What a certificate without a valid file about its source has, such as one of another program. */
const defaultSource: CertificateSource = { mount: 'ssh', namespace: '' };

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');
const digestOf = (certificate: string): string => hash('sha256', certificate.trim(), 'hex');

export const certificateSource = (mount: string, namespace: string | undefined): CertificateSource => ({
  mount: trimmed(mount),
  namespace: trimmed(namespace ?? ''),
});

export const isSameSource = (one: CertificateSource, other: CertificateSource): boolean =>
  one.mount === other.mount && one.namespace === other.namespace;

/** The content of the file about the source of a certificate; undefined: none is needed. */
export function formatSource(source: CertificateSource, certificate: string): string | undefined {
  if (isSameSource(source, defaultSource)) return undefined;
  return `${JSON.stringify({ ...source, certificate: digestOf(certificate) })}\n`;
}

/** @param text the content of the file; a damaged file, and one about another certificate, do not count. */
export function parseSource(text: string, certificate: string): CertificateSource {
  try {
    const { mount, namespace, certificate: digest } = JSON.parse(text);
    const isValid = typeof mount === 'string' && typeof namespace === 'string';
    return isValid && digest === digestOf(certificate) ? { mount, namespace } : defaultSource;
  } catch {
    return defaultSource;
  }
}
