import { LanyardError } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { afterForwarding } from '../network-errors.ts';
import { isRepeatable } from '../operation.ts';
import type { Request } from '../request.ts';
import { ownVariable, plainHttpHint, services } from '../services.ts';
import { isPlainHttpRefused } from './connection.ts';
import { type Call, effectDetails, type RawResponse, unexpectedResponse } from './response.ts';

export const redirectStatuses = [301, 302, 303, 307, 308];
/** Those after which the same request is sent, its method and body included. */
const methodKeepingStatuses = [307, 308];
export const maxRedirects = 5;

/**
 * The URL that a response redirects to, if the redirect may be followed: within the origin for GET and HEAD; to another
 * server of the cluster in the settings for every method, if the status keeps the method (a standby redirects to the
 * active server so); five times at most; never to plain http that the settings do not allow. Any other would hand the
 * token, or a write, to any server that the response names.
 *
 * @param endpoint the endpoint that responded.
 * @param hops redirects followed so far.
 * @returns undefined: the response is no redirect.
 * @throws LanyardError failure that names the target's origin, and nothing more of it; unknown: the service may have
 * applied a write before.
 */
export function redirectTarget(
  call: Call,
  request: Pick<Request, 'method' | 'url'>,
  response: RawResponse,
  endpoint: Endpoint,
  hops: number,
): URL | undefined {
  const { operation } = call;
  const { location } = response.headers;
  const { status } = response;
  if (!redirectStatuses.includes(status) || location === undefined) return undefined;
  const url = URL.parse(location, request.url.href);
  if (!url) throw unexpectedResponse(call, { ...response, text: '' }, 'a redirect to an invalid URL');
  const isOtherOrigin = url.origin !== request.url.origin;
  // A redirect of a standby keeps the path (Vault, OpenBao 307).
  const isOfStandby =
    operation.service === 'secrets' && status === 307 && url.pathname === request.url.pathname;
  // A standby that is becoming the active server names itself (OpenBao 2.6): it did nothing.
  if (isOfStandby && !isOtherOrigin && request.method !== 'GET') return undefined;
  const { title } = services[operation.service];
  const effect = isBeforeHandling(status, url, request.url) ? [] : effectDetails(operation);
  const redirectError = (cause: string, hint?: string) => {
    const text = `the ${title} redirects ${cause}`;
    const { service, name } = operation;
    if (effect.length === 0)
      return new LanyardError('failure', `cannot ${name}: ${text}`, { service, status, hint });
    const check = 'Check the current state before you retry.';
    return new LanyardError('unknown', `${name}: outcome unknown: ${text}`, {
      service,
      status,
      details: effect,
      hint: hint === undefined ? check : `${check} ${hint}`,
    });
  };
  const target = originOf(url);
  if (isOtherOrigin && !isServer(url, endpoint)) {
    const isOtherScheme = url.hostname === request.url.hostname && url.protocol !== request.url.protocol;
    if (isOfStandby && !isOtherScheme && url.origin !== 'null')
      throw unlistedActiveServer(call, url, endpoint);
    throw redirectError(
      `to ${target}, another origin; not followed (${status})`,
      isOtherScheme
        ? 'If that is the correct address, set it with --address or in the profile.'
        : `If that is a server of the same cluster, ${addServer(url, endpoint)}.`,
    );
  }
  if (isPlainHttpRefused(endpoint, url)) {
    throw redirectError(
      `to ${target}; not followed (${status}): tokens and secrets would be sent unencrypted`,
      `Use https. To allow it, ${plainHttpHint(endpoint.service)}`,
    );
  }
  const isRead = ['GET', 'HEAD'].includes(request.method);
  if (!isRead && !(isOtherOrigin && methodKeepingStatuses.includes(status))) {
    throw redirectError(
      `a ${request.method} to ${target}; ${isOtherOrigin ? `only ${methodKeepingStatuses.join(' and ')} keep the method` : 'only GET and HEAD are followed'} (${status})`,
    );
  }
  if (hops >= maxRedirects) throw redirectError(`more than ${maxRedirects} times`);
  return url;
}

/**
 * Whether a redirect asks for the same request at another origin, as servers and load balancers do before they handle
 * it. A write that any other redirect responds to may have taken effect: 303 even says so.
 */
const isBeforeHandling = (status: number, to: URL, { origin, pathname, search }: URL): boolean =>
  status !== 303 &&
  /^https?:$/.test(to.protocol) &&
  to.origin !== origin &&
  to.pathname === pathname &&
  to.search === search;

/** A standby did not forward a request, or could not complete it at the active server, which may have applied it. */
function unlistedActiveServer(call: Call, active: URL, endpoint: Endpoint): LanyardError {
  const { name, service, retry } = call.operation;
  const error = new LanyardError(
    'unavailable',
    `cannot ${name}: the server is a standby, and the active server ${active.origin} is not in the settings (307)`,
    {
      service,
      status: 307,
      hint: `If that is a server of the same cluster, ${addServer(active, endpoint)}.`,
    },
  );
  return isRepeatable(retry) ? error : afterForwarding(call, error);
}

/** Whether a URL belongs to a server in the settings. */
export const isServer = (url: URL, { addresses }: Endpoint): boolean =>
  addresses?.some((address) => URL.parse(address)?.origin === url.origin && url.origin !== 'null') === true;

/** An imperative: how to add a server to the cluster, where its address comes from. */
export function addServer(url: URL, { service, address, addresses, addressFrom, profile }: Endpoint): string {
  const known = addresses?.length ? addresses : [address];
  const list = [...known, originOf(url)].join(',');
  if (profile !== undefined)
    return `run \`lanyard profile put ${profile} ${service}.addresses=${list}\` to add it`;
  if (addressFrom === 'option address') return `set the option address to ${list}`;
  const instead = addressFrom === '--address' ? ' instead of --address' : '';
  return `set ${ownVariable(service, 'address')}=${list}${instead}`;
}

function originOf(url: URL): string {
  return url.origin === 'null' ? url.protocol : url.origin;
}
