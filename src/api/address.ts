import { usage } from '../errors.ts';
import { isLoopback } from './loopback.ts';

/** What an address leads to: a URL for requests, and the unix socket on which that URL is served, if it is one. */
export interface ParsedAddress {
  /** Of a unix socket: `http://localhost`, as the products' own clients send it. */
  readonly url: URL;
  /** An absolute path. */
  readonly socketPath?: string;
}

/** Reads an http or https URL or `unix:///path`; undefined: it is neither. */
export function parseAddress(address: string): ParsedAddress | undefined {
  const socketPath = isUnix(address) ? socketPathOf(address) : undefined;
  if (socketPath !== undefined) return { url: new URL('http://localhost'), socketPath };
  const url = URL.parse(address);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? { url } : undefined;
}

const isUnix = (address: string): boolean => address.slice(0, 5).toLowerCase() === 'unix:';

// A pattern with a property of Unicode is compiled when it is first needed: that takes as long as a request.
const socketPathOf = (address: string): string | undefined =>
  /^unix:(?:\/\/(?=\/))?(\/(?!\/)\P{Cc}+)$/iu.exec(address)?.[1];

/** Whom a token for an address belongs to: scheme, host and port, or the path of the unix socket. */
export function originOf(address: string): string | undefined {
  const parsed = parseAddress(address);
  return parsed?.socketPath === undefined ? parsed?.url.origin : `unix://${parsed.socketPath}`;
}

/** Whether an address belongs to a profile's service: its token goes to no other. */
export function isAddressOf(
  address: string,
  profile:
    | { readonly address?: string | undefined; readonly addresses?: readonly string[] | undefined }
    | undefined,
): boolean {
  const own = [profile?.address, ...(profile?.addresses ?? [])].flatMap((text) =>
    text === undefined ? [] : (originOf(text) ?? []),
  );
  return own.includes(originOf(address) ?? '');
}

/** Whether an address is plain http to another machine, so that calls need `allow-plain-http`. */
export function isRemotePlainHttp(address: string): boolean {
  const url = parseAddress(address)?.url;
  return url?.protocol === 'http:' && !isLoopback(url);
}

/**
 * Completes and checks an address: no scheme means http for loopback (or as the variable says), else https. With
 * `ssl` an http URL of CONSUL_HTTP_ADDR becomes https.
 *
 * @param input the address and where it comes from, for messages.
 * @throws LanyardError usage: it is neither an http(s) URL nor a unix socket, or has more than scheme, host and path.
 */
export function completeAddress(
  input: { readonly value: string; readonly from: string },
  ssl: boolean,
): string {
  const isTls = ssl && input.from === 'CONSUL_HTTP_ADDR';
  // Consul's client never falls back to http where TLS was asked for.
  const text = isTls ? input.value.trim().replace(/^http:/i, 'https:') : input.value.trim();
  const usageError = (cause: string, hint = 'Use an address such as https://host:port.') =>
    usage(`invalid address from ${input.from}: ${cause}`, { hint });
  if (isUnix(text)) {
    const origin = originOf(text);
    if (origin !== undefined) return origin;
    throw usageError('expected the path of a unix socket', 'Use an absolute path: unix:///run/service.sock.');
  }
  const parsed = parseAddress(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text, input.from, ssl)}://${text}`,
  );
  if (!parsed) throw usageError('expected an http or https URL');
  const { url } = parsed;
  if (url.username !== '' || url.password !== '') throw usageError('it contains a user name or password');
  if (url.search !== '' || url.hash !== '') throw usageError('it contains a query or fragment');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function schemeFor(text: string, from: string, ssl: boolean): 'http' | 'https' {
  const url = URL.parse(`http://${text}`);
  const plain = from === 'CONSUL_HTTP_ADDR' || (url !== null && isLoopback(url));
  return plain && !ssl ? 'http' : 'https';
}
