import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type LanyardError, usage } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import { services } from './services.ts';

/**
 * Reads an endpoint's TLS files, as options of Node with texts in PEM. A client certificate's key may be in the same file.
 *
 * @throws LanyardError usage: a file that cannot be read or has another content, a key that does not fit its
 * certificate, one without the other. No message shows any content of a file.
 */
export async function readTls(endpoint: Endpoint) {
  const { caCert, caPem, caPath, clientCert, clientKey, serverName, skipVerify } = endpoint;
  const { title } = services[endpoint.service];
  if (clientKey && !clientCert) throw usage(`the ${title} has a client key but no client certificate`);
  const keyFile = clientKey ?? clientCert;
  const [ca, cert, key] = await Promise.all([
    caPem !== undefined
      ? pemOf(caPem, `the CA certificate of the ${title}`)
      : caPath !== undefined
        ? readDirectory(caPath)
        : readPem(caCert, 'CA certificate', 'CERTIFICATE'),
    readPem(clientCert, 'client certificate', 'CERTIFICATE'),
    readPem(keyFile, 'client key', 'PRIVATE KEY'),
  ]);
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (key && isEncrypted(key)) {
    throw usage(`the client key is encrypted (${keyFile})`, {
      hint: 'Use a key without a passphrase, in a file that only you can read.',
    });
  }
  try {
    if (ca || cert) createSecureContext(files);
  } catch (error) {
    throw invalidTlsFiles(
      error,
      [caCert, caPath, clientCert, clientKey].filter((path) => path !== undefined),
    );
  }
  return { ...files, ...(serverName && { servername: serverName }), rejectUnauthorized: !skipVerify };
}

async function readPem(path: string | undefined, what: string, label: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const fail = cannotRead(`the ${what} ${path}`);
  const stats = await stat(path).catch(fail);
  // To read a pipe may take for ever.
  if (!stats.isFile() && !stats.isDirectory())
    throw usage(`cannot read the ${what} ${path}: not a regular file`);
  const text = await readFile(path, 'utf8').catch(fail);
  if (!new RegExp(`-----BEGIN [A-Z0-9 ]*${label}-----`).test(text)) {
    throw usage(`${path} contains no ${what} in PEM format`);
  }
  return text;
}

const cannotRead =
  (what: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw usage(`cannot read ${what}: ${fileErrors[error.code ?? ''] ?? error.code}`);
  };

const fileErrors: { readonly [code: string]: string } = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
};

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;

function pemOf(text: string, what: string): string {
  if (certificate.test(text)) return text;
  throw usage(`${what} is not in PEM format`, { hint: 'PEM begins with -----BEGIN CERTIFICATE-----.' });
}

/** The certificates of all files in a directory and below it; links are followed to files. Others are left out. */
async function readDirectory(path: string): Promise<string> {
  const names = await readdir(path, { recursive: true }).catch(cannotRead(`the CA certificates in ${path}`));
  const texts: string[] = [];
  for (const name of names.sort()) {
    const file = join(path, name);
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile() || stats.size > maxCertificateBytes) continue;
    const text = await readFile(file, 'utf8').catch(cannotRead(`the CA certificate ${file}`));
    if (certificate.test(text)) texts.push(text);
  }
  if (texts.length === 0) throw usage(`${path} contains no CA certificate in PEM format`);
  return texts.join('\n');
}

/** The bundle of all public authorities is smaller. */
const maxCertificateBytes = 4 * 1024 * 1024;

/**
 * Is a PEM private key declared as encrypted (RFC 5958 by its label, RFC 1421 by its header)? Reading it without its
 * passphrase does not show that: one time in 256 the padding is valid by chance.
 */
function isEncrypted(key: string): boolean {
  return /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key);
}

function invalidTlsFiles(error: unknown, paths: readonly string[]): LanyardError {
  const code = String((error as NodeJS.ErrnoException).code);
  return usage(
    code.includes('KEY_VALUES_MISMATCH')
      ? `the client key does not belong to the client certificate (${paths.join(', ')})`
      : `invalid TLS files: ${paths.join(', ')} (${code})`,
  );
}
