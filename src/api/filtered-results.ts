import type { Endpoint } from './endpoint.ts';
import type { Send, ServiceResponse } from './http/response.ts';

type Headers = ServiceResponse<unknown>['headers'];

const saysHeader = (headers: Headers, name: string, value: string): boolean =>
  Object.entries(headers).some(
    ([header, found]) => header.endsWith(`-${name}`) && found?.toLowerCase() === value,
  );

/** Whether the service omitted results that the token has no permission to read. */
export const isFiltered = (headers: Headers): boolean =>
  saysHeader(headers, 'results-filtered-by-acls', 'true');

/** Whether callers without a token have no permissions by default: a server does not report what it omits for them. */
export const isDeniedByDefault = (headers: Headers): boolean =>
  saysHeader(headers, 'default-acl-policy', 'deny');

/** The headers of an error response: an empty list may be a 404. */
export const headersOf = (error: unknown): Headers => (error as { readonly headers?: Headers }).headers ?? {};

/** Warns of results that the service omitted, once for each operation: a part is not shown as all there is. */
export function warningOfFiltered(
  send: Send,
  endpoint: Pick<Endpoint, 'token'>,
  warn: (message: string) => void,
): Send {
  const warned = new Set<string>();
  return async (operation, input) => {
    const check = async (headers: Headers): Promise<void> => {
      if (!isFiltered(headers) || operation.isLookup === true || warned.has(operation.name)) return;
      warned.add(operation.name);
      const reason = (await endpoint.token())
        ? 'the token has no permission to read them'
        : 'no token was sent';
      warn(`${operation.name}: some results were omitted: ${reason}`);
    };
    try {
      const response = await send(operation, input);
      await check(response.headers);
      return response;
    } catch (error) {
      await check(headersOf(error));
      throw error;
    }
  };
}
