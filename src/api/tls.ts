import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type LanyardError, usage } from '../errors.ts';
import { services } from './services.ts';
import type { Endpoint } from './transport.ts';

/** What a TLS connection to an endpoint uses; texts are PEM. */
export interface TlsSettings {
  readonly certificateAuthority?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly rejectUnauthorized: boolean;
}

/**
 * Reads an endpoint's TLS files. A client certificate's key may be in the same file.
 *
 * @throws LanyardError usage: a file that cannot be read or is not what it should be, a key that does not fit
 * its certificate, one without the other. No message holds anything of a file.
 */
export async function readTls(endpoint: Endpoint): Promise<TlsSettings> {
  const { caCert, caPem, caPath, clientCert, clientKey, serverName, skipVerify } = endpoint;
  const { title } = services[endpoint.service];
  if (clientKey && !clientCert) throw usage(`the ${title} has a client key but no client certificate`);
  const keyFile = clientKey ?? clientCert;
  const [certificateAuthority, certificate, key] = await Promise.all([
    caPem === undefined
      ? caPath === undefined
        ? readPem(caCert, 'CA certificate', 'CERTIFICATE')
        : readFolder(caPath)
      : pemOf(caPem, `the CA certificate of the ${title}`),
    readPem(clientCert, 'client certificate', 'CERTIFICATE'),
    readPem(keyFile, 'client key', 'PRIVATE KEY'),
  ]);
  const files = {
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
  };
  const settings = { ...files, ...(serverName ? { serverName } : {}), rejectUnauthorized: !skipVerify };
  if (Object.keys(files).length === 0) return settings;
  if (key !== undefined && isEncrypted(key)) {
    throw usage(`the client key is encrypted (${keyFile})`, {
      hint: 'Use a key without a passphrase, in a file that only you can read.',
    });
  }
  try {
    createSecureContext({
      ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (error) {
    throw unusable(
      error,
      [caCert, caPath, clientCert, clientKey].filter((path) => path !== undefined),
    );
  }
  return settings;
}

async function readPem(path: string | undefined, what: string, label: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(unreadable(`the ${what} ${path}`));
  if (!new RegExp(`-----BEGIN [A-Z0-9 ]*${label}-----`).test(text)) {
    throw usage(`${path} contains no ${what} in PEM format`);
  }
  return text;
}

const unreadable =
  (what: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw usage(`cannot read ${what}: ${reasons[error.code ?? ''] ?? error.code}`);
  };

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;

function pemOf(text: string, what: string): string {
  if (certificate.test(text)) return text;
  throw usage(`${what} is not in PEM format`, { hint: 'PEM begins with -----BEGIN CERTIFICATE-----.' });
}

/** The certificates of all files in a directory and below it; links are followed to files. Others are left out. */
async function readFolder(path: string): Promise<string> {
  const names = await readdir(path, { recursive: true }).catch(unreadable(`the CA certificates in ${path}`));
  const texts: string[] = [];
  for (const name of names.sort()) {
    const file = join(path, name);
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile() || stats.size > largestCertificate) continue;
    const text = await readFile(file, 'utf8').catch(unreadable(`the CA certificate ${file}`));
    if (certificate.test(text)) texts.push(text);
  }
  if (texts.length === 0) throw usage(`${path} contains no CA certificate in PEM format`);
  return texts.join('\n');
}

/** Bytes. The bundle of all public authorities is smaller. */
const largestCertificate = 4 * 1024 * 1024;

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
};

/**
 * Whether a PEM private key says that it is encrypted (RFC 5958 by its label, RFC 1421 by its header). What
 * becomes of it without its passphrase says nothing: one time in 256 the padding looks right by chance.
 */
function isEncrypted(key: string): boolean {
  return /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key);
}

function unusable(error: unknown, paths: readonly string[]): LanyardError {
  const code = String((error as NodeJS.ErrnoException).code);
  return usage(
    code.includes('KEY_VALUES_MISMATCH')
      ? `the client key does not belong to the client certificate (${paths.join(', ')})`
      : `invalid TLS files: ${paths.join(', ')} (${code})`,
  );
}
