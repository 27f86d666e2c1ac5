import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { usage } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { isLoopback } from './loopback.ts';
import { services } from './services.ts';

/** A variable and its value. */
interface Setting {
  readonly from: string;
  readonly value: string;
}

/** The proxies that the environment names, for all programs of the machine. */
export interface EnvironmentProxies {
  readonly http?: Setting;
  readonly https?: Setting;
  /** NO_PROXY as written. */
  readonly except?: string;
}

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or their lower-case forms, as Go's net/http does. In a CGI environment
 * HTTP_PROXY is a header of the request that is being served, and is not read.
 */
export function environmentProxies(env: Readonly<Record<string, string | undefined>>): EnvironmentProxies {
  const first = (...names: readonly string[]): Setting | undefined => {
    const from = names.find((name) => env[name]);
    return from === undefined ? undefined : { from, value: (env[from] ?? '').trim() };
  };
  const http = env.REQUEST_METHOD ? first('http_proxy') : first('HTTP_PROXY', 'http_proxy');
  const https = first('HTTPS_PROXY', 'https_proxy');
  const except = first('NO_PROXY', 'no_proxy')?.value;
  return compact({ http, https, except });
}

/**
 * The proxy of the environment through which a URL is reached; undefined: it is reached directly. The rules are those
 * of golang.org/x/net/http/httpproxy: loopback never; NO_PROXY holds host names (with their subdomains; with a
 * leading "." or "*." their subdomains only), addresses, CIDR blocks, each but a block with a port if wanted, or `*`.
 *
 * @throws LanyardError usage: the variable's value is not an http or https URL, or host and port.
 */
export function environmentProxyFor(
  { http, https, except = '' }: EnvironmentProxies,
  to: URL,
): URL | undefined {
  const setting = to.protocol === 'https:' ? https : http;
  if (setting === undefined || isLoopback(to) || isExcepted(to, except)) return undefined;
  const { value, from } = setting;
  const url = httpUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url) return url;
  throw usage(`invalid ${from}: expected an http or https URL`, {
    hint: `Name the host in NO_PROXY to reach it without a proxy.`,
  });
}

/**
 * The proxy for a URL of an endpoint: from its settings, else from the environment; loopback is reached without one.
 *
 * @throws LanyardError usage: it is no http(s) URL.
 */
export function proxyOf(
  {
    service,
    proxy,
    proxies,
  }: { readonly service: ServiceName; readonly proxy?: string; readonly proxies?: EnvironmentProxies },
  to: URL,
): URL | undefined {
  if (isLoopback(to)) return undefined;
  if (!proxy) return proxies && environmentProxyFor(proxies, to);
  const url = httpUrl(proxy);
  if (url) return url;
  throw usage(`invalid proxy for the ${services[service].title}: expected an http or https URL`);
}

function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

function isExcepted(to: URL, except: string): boolean {
  const host = to.hostname.replace(/^\[|\]$/g, '');
  const port = to.port || (to.protocol === 'https:' ? '443' : '80');
  return except
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const block = /^([^/]+)\/(\d{1,3})$/.exec(entry);
  if (block) return isIP(host) !== 0 && isWithin(host, block[1] ?? '', Number(block[2]));
  const { name, wanted } = splitPort(entry);
  if (name === '' || (wanted !== '' && wanted !== port)) return false;
  const family = isIP(name);
  if (family !== 0) return isIP(host) !== 0 && isWithin(host, name, family === 4 ? 32 : 128);
  if (isIP(host) !== 0) return false;
  const suffix = name.replace(/^\*\./, '.');
  const ascii = suffix.startsWith('.') ? `.${domainToASCII(suffix.slice(1))}` : domainToASCII(suffix);
  return ascii.startsWith('.') ? host.endsWith(ascii) : host === ascii || host.endsWith(`.${ascii}`);
}

function splitPort(entry: string): { readonly name: string; readonly wanted: string } {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return { name: bracketed[1] ?? '', wanted: bracketed[2] ?? '' };
  const [name = '', wanted = '', ...more] = entry.split(':');
  // More than one colon: an IPv6 address without a port.
  return more.length > 0 ? { name: entry, wanted: '' } : { name, wanted };
}

function isWithin(host: string, network: string, prefix: number): boolean {
  const family = isIP(network);
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
