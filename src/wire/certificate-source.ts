import { hash } from 'node:crypto';
import { compact, isObject } from './objects.ts';
import type { SshSignBody } from './secrets.ts';
import { trimSlashes } from './ssh-defaults.ts';

/** The fields of a request that are repeated when the certificate is renewed. */
export type RenewedRequest = Omit<SshSignBody, 'public_key'>;

/** Where a certificate was signed. */
export interface CertificateSource {
  /** Mount path of the SSH engine, without slashes at its ends. */
  readonly mount: string;
  /** Namespace of the secrets service, without slashes at its ends; empty: the root namespace. */
  readonly namespace: string;
  /** Undefined: not known, as in files of earlier versions and after a batch. */
  readonly role?: string;
  /** The profile that the address was from. */
  readonly profile?: string;
  /** Address of the secrets service. */
  readonly address?: string;
  /** What was requested; undefined: not known. */
  readonly request?: RenewedRequest;
}

/** What a certificate without a valid file about its source has, such as one of another program. */
const defaultSource: CertificateSource = { mount: 'ssh', namespace: '' };

const digestOf = (certificate: string): string => hash('sha256', certificate.trim(), 'hex');

/** The end of the signature, which no other certificate has: a hash would load crypto before every login. */
const signatureEnd = (certificate: string): string => (certificate.trim().split(/\s+/)[1] ?? '').slice(-64);

/** Whether a file is about a certificate; earlier versions wrote a digest. */
const isAbout = (certificate: string, signature: unknown, digest: unknown): boolean =>
  signature === undefined ? digest === digestOf(certificate) : signature === signatureEnd(certificate);

interface SourceFields {
  readonly mount: string;
  readonly namespace: string | undefined;
  readonly role?: string | undefined;
  readonly profile?: string | undefined;
  readonly address?: string | undefined;
  readonly request?: RenewedRequest | undefined;
}

export const certificateSource = ({ mount, namespace, ...others }: SourceFields): CertificateSource =>
  compact({ mount: trimSlashes(mount), namespace: trimSlashes(namespace ?? ''), ...others });

/** Whether a certificate counts as signed where another one was; roles that are not known are not compared. */
export const isSameSource = (one: CertificateSource, other: CertificateSource): boolean =>
  one.mount === other.mount &&
  one.namespace === other.namespace &&
  (one.role === undefined || other.role === undefined || one.role === other.role);

/** The content of the file about the source of a certificate; undefined: none is needed. */
export function formatSource(source: CertificateSource, certificate: string): string | undefined {
  const { mount, namespace, role } = source;
  if (role === undefined && mount === defaultSource.mount && namespace === defaultSource.namespace)
    return undefined;
  return `${JSON.stringify({ ...source, signature: signatureEnd(certificate) })}\n`;
}

/** @param text the content of the file; a damaged file, and one about another certificate, do not count. */
export function parseSource(text: string, certificate: string): CertificateSource {
  try {
    const {
      mount,
      namespace,
      role,
      profile,
      address,
      request,
      signature,
      certificate: digest,
    } = JSON.parse(text);
    const isValid = typeof mount === 'string' && typeof namespace === 'string';
    if (!isValid || !isAbout(certificate, signature, digest)) return defaultSource;
    return certificateSource({
      mount,
      namespace,
      role: stringIn(role),
      profile: stringIn(profile),
      address: stringIn(address),
      request: isRequest(request) ? request : undefined,
    });
  } catch {
    return defaultSource;
  }
}

const stringIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The file may be of another version: a request of another form is not repeated. */
const isRequest = (value: unknown): value is RenewedRequest =>
  isObject(value) &&
  Object.entries(value).every(([name, field]) =>
    ['ttl', 'valid_principals', 'cert_type', 'key_id'].includes(name)
      ? typeof field === 'string'
      : ['critical_options', 'extensions'].includes(name) &&
        isObject(field) &&
        Object.values(field).every((each) => typeof each === 'string'),
  );
