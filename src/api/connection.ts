import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { parseAddress } from './address.ts';
import { proxyOf } from './request.ts';
import { readTls, type TlsSettings } from './tls.ts';
import type { Endpoint, TransportOptions } from './transport.ts';

interface HttpAgents {
  readonly http?: HttpAgent;
  readonly https?: HttpsAgent;
}

/** What the requests to one origin go through. */
export interface Connection {
  readonly tls: TlsSettings | undefined;
  /** Connections that are kept for the next request. */
  readonly keepAlive: HttpAgents;
  /** A connection for one request. */
  readonly oneRequest: HttpAgents;
}

/** Reads the TLS files and makes the agents; a proxy and a unix socket have agents of their own. */
export async function connect(
  endpoint: Endpoint,
  url: URL,
  { timeout, signal }: Pick<TransportOptions, 'timeout' | 'signal'>,
): Promise<Connection> {
  const home = parseAddress(endpoint.address);
  if (home?.socketPath !== undefined && home.url.origin === url.origin) {
    const { socketPath } = home;
    // Node's agents hand their own options to each request; the types do not have this one.
    const agents = (keepAlive: boolean): HttpAgents => ({
      http: new HttpAgent({ keepAlive, socketPath } as { keepAlive: boolean }),
    });
    return { tls: undefined, keepAlive: agents(true), oneRequest: agents(false) };
  }
  const secure = url.protocol === 'https:';
  const tls = secure ? await readTls(endpoint) : undefined;
  const proxy = proxyOf(endpoint, url);
  if (proxy === undefined) {
    const agents = (keepAlive: boolean): HttpAgents =>
      secure ? { https: new HttpsAgent({ keepAlive }) } : { http: new HttpAgent({ keepAlive }) };
    return { tls, keepAlive: agents(true), oneRequest: agents(false) };
  }
  const { HttpProxyAgent, HttpsProxyAgent } = await import('hpagent');
  // hpagent hands these to the request that asks for the tunnel: it ends with the signal too.
  const proxyRequestOptions: { ca?: string[] } = { signal } as object;
  const agents = (keepAlive: boolean): HttpAgents => {
    const settings = { keepAlive, timeout, proxy, proxyRequestOptions };
    return secure ? { https: new HttpsProxyAgent(settings) } : { http: new HttpProxyAgent(settings) };
  };
  return { tls, keepAlive: agents(true), oneRequest: agents(false) };
}
