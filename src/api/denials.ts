import { LanyardError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';

/**
 * A `Send` whose errors 401 and 403 say whether the token or a permission is missing: an expired token is
 * "unauthenticated" and names the command that logs in again, a missing permission names the request and the capability.
 * If the response does not tell them apart, one more request is sent, once for all calls.
 *
 * @param lookups `each`: after each denied call, for a client that outlives its token.
 */
export function explainingDenials(send: Send, endpoint: Endpoint, lookups: 'once' | 'each' = 'once'): Send {
  let explain: Promise<ReturnType<typeof import('./denial-causes.ts').denialExplainer>> | undefined;
  return async (operation, input) => {
    try {
      return await send(operation, input);
    } catch (error) {
      const isDenied = error instanceof LanyardError && (error.status === 401 || error.status === 403);
      if (!isDenied || operation.token === 'none') throw error;
      explain ??= import('./denial-causes.ts').then((loaded) =>
        loaded.denialExplainer(send, endpoint, lookups),
      );
      throw await (await explain)(error, operation, input);
    }
  };
}
