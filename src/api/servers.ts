import type { NetworkError } from './network-error.ts';
import type { Retry } from './operation.ts';
import { isInactiveServer } from './response-conditions.ts';
import { isRepeatable } from './retry.ts';
import type { Endpoint } from './transport.ts';

/** The servers of one cluster. The one that responded last is asked first, for as long as the process lives. */
export interface Servers {
  /** The endpoint with the address of the server that is to be asked now. */
  current(): Endpoint;
  /**
   * The server to ask after one has failed: the current server, if another request has already moved on from the failed
   * one; otherwise the next in the list, which becomes the current server.
   *
   * @param failed address of the server that failed.
   * @param asked addresses that are not asked again.
   * @returns undefined: all servers have been asked.
   */
  next(failed: string, asked: ReadonlySet<string>): Endpoint | undefined;
  /** Makes the server with this origin the one that is asked; undefined: it is not one of these. */
  choose(origin: string): Endpoint | undefined;
}

/** The servers of an endpoint; only the one of its address where that is none of its list. */
export function serversOf(endpoint: Endpoint): Servers {
  const isListed = endpoint.addresses?.includes(endpoint.address) === true;
  const addresses = isListed ? (endpoint.addresses ?? []) : [endpoint.address];
  let index = addresses.indexOf(endpoint.address);
  const at = (): Endpoint => ({ ...endpoint, address: addresses[index] ?? endpoint.address });
  return {
    current: at,
    next(failed, asked) {
      const now = at();
      if (now.address !== failed && !asked.has(now.address)) return now;
      const start = addresses.indexOf(failed) + 1;
      const address = [...addresses.slice(start), ...addresses.slice(0, start)].find(
        (each) => !asked.has(each),
      );
      if (address === undefined) return undefined;
      index = addresses.indexOf(address);
      return at();
    },
    choose(origin) {
      const found = addresses.findIndex((address) => URL.parse(address)?.origin === origin);
      if (found < 0 || origin === 'null') return undefined;
      index = found;
      return at();
    },
  };
}

/**
 * May another server of the cluster be asked at once? It is certain that this one did nothing: the request did not
 * reach it, or it said that it does not serve requests now. What may be sent twice may also be sent to two servers.
 */
export function isForAnother(
  outcome: { readonly networkError: NetworkError } | { readonly status: number; readonly text: string },
  service: Endpoint['service'],
  retry: Retry,
): boolean {
  if ('networkError' in outcome) return !outcome.networkError.sent || isRepeatable(retry);
  return isInactiveServer(service, outcome);
}
