import { usage } from '../errors.ts';
import { isLoopback } from './loopback.ts';

/** What an address leads to: a URL for requests, and the unix socket on which that URL is served, if it is one. */
export interface Place {
  /** Of a unix socket: `http://localhost`, as the products' own clients send it. */
  readonly url: URL;
  /** An absolute path. */
  readonly socketPath?: string;
}

const unix = /^unix:(?:\/\/(?=\/))?(\/(?!\/)\P{Cc}+)$/iu;

/** Reads an http or https URL or `unix:///path`; undefined: it is neither. */
export function placeOf(address: string): Place | undefined {
  const socketPath = unix.exec(address)?.[1];
  if (socketPath !== undefined) return { url: new URL('http://localhost'), socketPath };
  const url = URL.parse(address);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? { url } : undefined;
}

/** Whom a token for an address belongs to: scheme, host and port, or the path of the unix socket. */
export function originOf(address: string): string | undefined {
  const place = placeOf(address);
  return place?.socketPath === undefined ? place?.url.origin : `unix://${place.socketPath}`;
}

/** Is an address one of those of a profile's service? Its token goes to no other. */
export function isOf(
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

/** Is an address plain http to another machine, so that calls need `allow-plain-http`? */
export function isRemotePlainHttp(address: string): boolean {
  const url = placeOf(address)?.url;
  return url?.protocol === 'http:' && !isLoopback(url);
}

/**
 * Completes and checks an address: no scheme means http for loopback (or as the variable says), else https. With
 * `ssl` an http URL of CONSUL_HTTP_ADDR becomes https.
 *
 * @param given the address and where it comes from, for messages.
 * @throws LanyardError usage: it is neither an http(s) URL nor a unix socket, or has more than scheme, host and path.
 */
export function completed(given: { readonly value: string; readonly from: string }, ssl: boolean): string {
  const isTls = ssl && given.from === 'CONSUL_HTTP_ADDR';
  // Consul's client never falls back to http where TLS was asked for.
  const text = isTls ? given.value.trim().replace(/^http:/i, 'https:') : given.value.trim();
  const refuse = (why: string, hint = 'Use an address such as https://host:port.') =>
    usage(`invalid address from ${given.from}: ${why}`, { hint });
  if (/^unix:/i.test(text)) {
    const origin = originOf(text);
    if (origin !== undefined) return origin;
    throw refuse('expected the path of a unix socket', 'Use an absolute path: unix:///run/service.sock.');
  }
  const place = placeOf(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text, given.from, ssl)}://${text}`,
  );
  if (!place) throw refuse('expected an http or https URL');
  const { url } = place;
  if (url.username !== '' || url.password !== '') throw refuse('it contains a user name or password');
  if (url.search !== '' || url.hash !== '') throw refuse('it contains a query or fragment');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function schemeFor(text: string, from: string, ssl: boolean): 'http' | 'https' {
  const url = URL.parse(`http://${text}`);
  const plain = from === 'CONSUL_HTTP_ADDR' || (url !== null && isLoopback(url));
  return plain && !ssl ? 'http' : 'https';
}
