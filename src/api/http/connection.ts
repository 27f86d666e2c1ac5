import { readdir, readFile, stat } from 'node:fs/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { createSecureContext, getCACertificates } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { type LanyardError, usage } from '../../errors.ts';
import { parseAddress } from '../address.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { isLoopback } from '../loopback.ts';
import { proxyOf } from '../proxies.ts';
import { services } from '../services.ts';
import { onConnected, onUpgrade } from './network-error.ts';

/** The URL of the endpoint's address, as requests have it. @throws LanyardError usage: it is invalid. */
export function homeOf({ service, address }: Endpoint): URL {
  const home = parseAddress(address)?.url;
  if (home) return home;
  throw usage(`invalid address for the ${services[service].title}: expected an http or https URL`);
}

/** Plain http is used for loopback, and elsewhere only if the profile allows it. */
export function isPlainHttpRefused(endpoint: Endpoint, url: URL): boolean {
  return url.protocol === 'http:' && !isLoopback(url) && !endpoint.allowPlainHttp;
}

interface PlainRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Opens requests to one origin: TLS, proxy, unix socket and kept connections are decided. */
export interface Connection {
  /** False: any certificate is accepted. */
  readonly isVerified: boolean;
  /**
   * Opens a request; the caller writes its body and ends it.
   *
   * @param onConnect called when bytes of the request may leave.
   */
  open(
    url: URL,
    options: RequestOptions & { readonly keepAlive?: boolean },
    onConnect: () => void,
  ): ClientRequest;
  /** The same on a kept connection, with these headers and the host: several times faster. */
  openPlain(request: PlainRequest, onConnect: () => void): ClientRequest;
}

/**
 * Reads the TLS files and makes the agents for one origin. Another origin than the endpoint's gets neither the client
 * certificate nor the server name, and for it the CA of the settings is trusted in addition to the default ones.
 *
 * @throws LanyardError usage: TLS files, an invalid proxy.
 */
export async function connect(
  endpoint: Endpoint,
  origin: URL,
  options: Pick<TransportOptions, 'timeout' | 'signal'>,
): Promise<Connection> {
  const isSecure = origin.protocol === 'https:';
  const tls = isSecure ? await tlsFor(endpoint, origin) : undefined;
  const agentOf = await agentsFor(endpoint, origin, options);
  const [kept, single] = [agentOf(true), agentOf(false)];
  const observed = (request: ClientRequest, onConnect: () => void): ClientRequest => {
    request.on('socket', (socket) => onConnected(socket, onConnect));
    onUpgrade(request, (error) => request.emit('error', error));
    return request;
  };
  return {
    isVerified: tls?.rejectUnauthorized !== false,
    open(url, { keepAlive, ...more }, onConnect) {
      const agent = keepAlive ? kept : single;
      const request = isSecure
        ? httpsRequest(url, { ...more, ...tls, agent })
        : httpRequest(url, { ...more, agent });
      return observed(request, onConnect);
    },
    openPlain({ method, url, headers }, onConnect) {
      const options = { ...addressOf(url), method, headers: rawHeaders(url, headers), agent: kept };
      return observed(isSecure ? httpsRequest({ ...options, ...tls }) : httpRequest(options), onConnect);
    },
  };
}

/** What `node:http` needs of a URL; it copies the options of a request several times. */
function addressOf(url: URL): Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'> {
  const known = addresses.get(url);
  if (known) return known;
  const { protocol, hostname, port, path } = urlToHttpOptions(url);
  const address = { protocol, hostname, port, path };
  addresses.set(url, address);
  return address;
}

const addresses = new WeakMap<URL, ReturnType<typeof addressOf>>();

/**
 * Headers as `node:http` sends them without a copy. A request without a length has them as an object, for `node:http` to
 * add what says that it has no body.
 */
function rawHeaders(url: URL, headers: PlainRequest['headers']): RequestOptions['headers'] {
  if (headers['Content-Length'] === undefined) return headers;
  const raw: string[] = [];
  for (const [name, value] of Object.entries(headers)) raw.push(name, value);
  raw.push('Host', url.host);
  return raw;
}

type MakeAgent = (keepAlive: boolean) => HttpAgent;

async function agentsFor(
  endpoint: Endpoint,
  origin: URL,
  { timeout, signal }: Pick<TransportOptions, 'timeout' | 'signal'>,
): Promise<MakeAgent> {
  const isSecure = origin.protocol === 'https:';
  const home = parseAddress(endpoint.address);
  if (home?.socketPath !== undefined && home.url.origin === origin.origin) {
    const { socketPath } = home;
    // Node's agents pass their own options to each request; the types do not have this one.
    return (keepAlive) => new HttpAgent({ keepAlive, socketPath } as { keepAlive: boolean });
  }
  const proxy = proxyOf(endpoint, origin);
  if (proxy === undefined)
    return (keepAlive) => (isSecure ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive }));
  const { HttpProxyAgent, HttpsProxyAgent } = await import('hpagent');
  const ProxyAgent = isSecure ? HttpsProxyAgent : HttpProxyAgent;
  // hpagent passes these to the request for the tunnel, which the signal ends too.
  const proxyRequestOptions: { ca?: string[] } = { signal } as object;
  return (keepAlive) => new ProxyAgent({ keepAlive, timeout, proxy, proxyRequestOptions });
}

async function tlsFor(endpoint: Endpoint, origin: URL) {
  if (origin.origin === homeOf(endpoint).origin) return readTls(endpoint);
  const { clientCert: _cert, clientKey: _key, serverName: _name, ...others } = endpoint;
  const { ca, ...tls } = await readTls(others);
  return ca === undefined ? tls : { ...tls, ca: [...getCACertificates('default'), ca] };
}

/**
 * Reads an endpoint's TLS files, as options of Node with texts in PEM. A client certificate's key may be in the same file.
 *
 * @throws LanyardError usage: a file that cannot be read or has another content, a key that does not fit its
 * certificate, one without the other. No message shows any content of a file.
 */
async function readTls(endpoint: Endpoint) {
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
