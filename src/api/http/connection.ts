import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { usage } from '../../errors.ts';
import { parseAddress } from '../address.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { isLoopback } from '../loopback.ts';
import { proxyOf } from '../proxies.ts';
import { services } from '../services.ts';
import { readTls } from '../tls-files.ts';

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

/** A response of status 101. */
export const upgradeCode = 'HPE_UNEXPECTED_UPGRADE';

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

/**
 * Calls back when the connection is open: from then on bytes of the request may have left. A TLS socket through a
 * proxy's tunnel is connected before it is secure; where Node does not report a pending handshake, the earlier moment
 * is the safe one.
 */
export function onConnected(
  socket: Socket & { readonly secureConnecting?: boolean },
  opened: () => void,
): void {
  if (socket.secureConnecting) socket.once('secureConnect', opened);
  else if (socket.connecting) socket.once('connect', opened);
  else opened();
}

/** Calls back with an error when the response switches to another protocol, which no request here asks for. */
function onUpgrade(request: ClientRequest, reject: (error: Error) => void): void {
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    reject(Object.assign(new Error(), { code: upgradeCode }));
  });
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

/** Without the client certificate and the server name for another origin than the endpoint's, which also has the default CAs. */
async function tlsFor(endpoint: Endpoint, origin: URL) {
  if (origin.origin === homeOf(endpoint).origin) return readTls(endpoint);
  const { clientCert: _cert, clientKey: _key, serverName: _name, ...others } = endpoint;
  const { ca, ...tls } = await readTls(others);
  return ca === undefined ? tls : { ...tls, ca: [...getCACertificates('default'), ca] };
}

/** How long access may be denied after an election. */
const denialGraceMs = 10_000;

/** The servers of one cluster. The one that responded last is used first, for the rest of the process. */
export class Servers {
  readonly #endpoint: Endpoint;
  readonly #addresses: readonly string[];
  readonly #noted = new Set<string>();
  #index: number;
  #current: Endpoint | undefined;
  #electionMs = Number.NEGATIVE_INFINITY;

  /** @param endpoint if its list does not contain its address, that is the only server. */
  constructor(endpoint: Endpoint) {
    const { address, addresses = [] } = endpoint;
    this.#endpoint = endpoint;
    this.#addresses = addresses.includes(address) ? addresses : [address];
    this.#index = this.#addresses.indexOf(address);
  }

  /** A server said that no server of the cluster serves requests. */
  addElection(): void {
    this.#electionMs = performance.now();
  }

  /** Whether one said so in the last seconds. */
  hadElection(): boolean {
    return performance.now() - this.#electionMs < denialGraceMs;
  }

  /** How many addresses the settings have. */
  get count(): number {
    return this.#addresses.length;
  }

  /** The endpoint with the address of the current server. */
  current(): Endpoint {
    this.#current ??= { ...this.#endpoint, address: this.#addresses[this.#index] ?? this.#endpoint.address };
    return this.#current;
  }

  /**
   * The server to try after one has failed: the current server, if another request has already moved on from the failed
   * one; otherwise the next in the list, which becomes the current server.
   *
   * @param failed address of the server that failed.
   * @param tried addresses that are not tried again.
   * @returns undefined: all servers have been tried.
   */
  next(failed: string, tried: ReadonlySet<string>): Endpoint | undefined {
    const current = this.current();
    if (current.address !== failed && !tried.has(current.address)) return current;
    const start = this.#addresses.indexOf(failed) + 1;
    const others = [...this.#addresses.slice(start), ...this.#addresses];
    return this.#choose((address) => address === others.find((each) => !tried.has(each)));
  }

  /** Whether a note about the servers has not been written yet. */
  isNew(note: string): boolean {
    const { size } = this.#noted;
    return this.#noted.add(note).size > size;
  }

  /** Makes the server with this origin the current one; undefined: none has it. */
  choose(origin: string): Endpoint | undefined {
    return this.#choose((address) => origin !== 'null' && URL.parse(address)?.origin === origin);
  }

  #choose(matches: (address: string) => boolean): Endpoint | undefined {
    const found = this.#addresses.findIndex(matches);
    if (found < 0) return undefined;
    this.#index = found;
    this.#current = undefined;
    return this.current();
  }
}
