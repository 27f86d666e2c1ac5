import { LanyardError } from '../errors.ts';
import { isPlainHttpRefused, type Request } from './request.ts';
import { type Call, type RawResponse, unexpectedResponse } from './response.ts';
import { ownVariable, services } from './services.ts';
import type { Endpoint } from './transport.ts';

const redirectStatuses = [301, 302, 303, 307, 308];
/** Those after which the same request is sent, its method and body included. */
const methodKeepingStatuses = [307, 308];
const maxRedirects = 5;

/**
 * Where a response sends a request, if that may be followed: within the origin for GET and HEAD; to another server of
 * the cluster that the settings name for every method, where the status keeps the method (a standby sends its clients
 * to the active server so); five times at most; never to plain http that the settings do not allow. Following any other
 * would hand the token, or a write, to any server that the response names.
 *
 * @param endpoint the endpoint that responded.
 * @param hops redirects followed so far.
 * @returns undefined: the response is no redirect.
 * @throws LanyardError failure that names the target's origin, and nothing more of it.
 */
export function redirectTarget(
  call: Call,
  request: Request,
  response: RawResponse,
  endpoint: Endpoint,
  hops: number,
): URL | undefined {
  const { operation } = call;
  const { location } = response.headers;
  if (!redirectStatuses.includes(response.status) || location === undefined) return undefined;
  const url = URL.parse(location, request.url.href);
  if (!url) throw unexpectedResponse(call, { ...response, text: '' }, 'a redirect to an invalid URL');
  const usageError = (cause: string, hint?: string) =>
    new LanyardError('failure', `cannot ${operation.name}: ${cause}`, {
      service: operation.service,
      status: response.status,
      hint,
    });
  const { title } = services[operation.service];
  const isOtherOrigin = url.origin !== request.url.origin;
  if (isOtherOrigin && !isServer(url, endpoint)) {
    throw usageError(
      `the ${title} redirects to ${originOf(url)}, another origin; not followed (${response.status})`,
      url.hostname === request.url.hostname && url.protocol !== request.url.protocol
        ? 'If that is the correct address, set it with --address or in the profile.'
        : `If that is a server of the same cluster, ${addServer(url, endpoint)}.`,
    );
  }
  if (isPlainHttpRefused(endpoint, url)) {
    throw usageError(
      `the ${title} redirects to ${originOf(url)}; not followed (${response.status}): tokens and secrets would be sent unencrypted`,
      'Use https, or set allow-plain-http for this service in the profile.',
    );
  }
  const isRead = ['GET', 'HEAD'].includes(request.method);
  if (!isRead && !(isOtherOrigin && methodKeepingStatuses.includes(response.status))) {
    throw usageError(
      `the ${title} redirects a ${request.method} to ${originOf(url)}; ${isOtherOrigin ? `only ${methodKeepingStatuses.join(' and ')} keep the method` : 'only GET and HEAD are followed'} (${response.status})`,
    );
  }
  if (hops >= maxRedirects) throw usageError(`the ${title} redirects more than ${maxRedirects} times`);
  return url;
}

/** Is a URL one of a server that the settings name? */
const isServer = (url: URL, { addresses }: Endpoint): boolean =>
  addresses?.some((address) => URL.parse(address)?.origin === url.origin && url.origin !== 'null') === true;

/** An imperative: how a server is added to the cluster, where the address comes from. */
function addServer(url: URL, { service, address, addresses, addressFrom, profile }: Endpoint): string {
  const known = addresses?.length ? addresses : [address];
  const list = [...known, originOf(url)].join(',');
  if (profile !== undefined)
    return `run \`lanyard profile put ${profile} ${service}.addresses=${list}\` to add it`;
  const instead = addressFrom === '--address' ? ' instead of --address' : '';
  return `set ${ownVariable(service, 'address')}=${list}${instead}`;
}

function originOf(url: URL): string {
  return url.origin === 'null' ? url.protocol : url.origin;
}
