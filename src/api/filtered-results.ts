import type { Endpoint } from './endpoint.ts';
import type { Send, ServiceResponse } from './http/response.ts';

type Headers = ServiceResponse<unknown>['headers'];

/** Whether a header of the registry, under any prefix, has a value. */
export const saysHeader = (headers: Headers, name: string, value: string): boolean =>
  Object.entries(headers).some(
    ([header, found]) => header.endsWith(`-${name}`) && found?.toLowerCase() === value,
  );

/** Whether the service omitted results that the token has no permission to read. */
export const isFiltered = (headers: Headers): boolean =>
  saysHeader(headers, 'results-filtered-by-acls', 'true');

/**
 * Whether objects may be missing from a list of the registry. A server does not report what it omits for callers without
 * a token, which may have no permissions by default.
 */
export const mayOmitObjects = async (
  headers: Headers,
  { settings }: { settings(service: 'registry'): Promise<{ readonly token: unknown }> },
): Promise<boolean> =>
  isFiltered(headers) ||
  (saysHeader(headers, 'default-acl-policy', 'deny') && (await settings('registry')).token === undefined);

/** The headers of an error response: an empty list may be a 404. */
export const headersOf = (error: unknown): Headers => (error as { readonly headers?: Headers }).headers ?? {};

/**
 * The number of items that the account service omitted from a list, because the caller may do nothing with them. It
 * counts them only in a list of one page: the count of a longer one is an estimate.
 *
 * @param input of the request: the count of a later page, and of a list of changes, is an estimate too.
 */
export function omittedItems(body: unknown, input: object): number {
  const { list_token: token } = input as { readonly list_token?: unknown };
  if (token !== undefined || typeof body !== 'object' || body === null) return 0;
  const { items, response_type: type, est_item_count: count } = body as Readonly<Record<string, unknown>>;
  if (type !== 'complete' || typeof count !== 'number') return 0;
  return Math.max(0, count - (Array.isArray(items) ? items.length : 0));
}

/** Warns of results that the service omitted, once for each operation: a part is not shown as all there is. */
export function warningOfFiltered(
  send: Send,
  endpoint: Pick<Endpoint, 'token'>,
  warn: (message: string) => void,
): Send {
  const warned = new Set<string>();
  return async (operation, input) => {
    const check = async (areOmitted: boolean): Promise<void> => {
      if (!areOmitted || operation.isLookup === true || warned.has(operation.name)) return;
      warned.add(operation.name);
      const isTokenSent = operation.token !== 'none' && Boolean(await endpoint.token());
      const reason = isTokenSent ? 'the token has no permission to read them' : 'no token was sent';
      warn(`${operation.name}: some results were omitted: ${reason}`);
    };
    try {
      const response = await send(operation, input);
      await check(isFiltered(response.headers) || omittedItems(response.body, input) > 0);
      return response;
    } catch (error) {
      await check(isFiltered(headersOf(error)));
      throw error;
    }
  };
}
