import type { Endpoint } from './endpoint.ts';
import type { Send } from './http/response.ts';
import type { SendTo } from './other-service.ts';
import { ServiceError } from './service-error.ts';

/**
 * A `Send` that distinguishes the 404 of another service from a missing object, and its 403 from a missing permission. If
 * the response has no sign of the service, health requests find out which service responds, once for all calls.
 *
 * @throws LanyardError failure: another service responds at the address.
 */
export function recognizingService(send: Send, endpoint: Endpoint, sendTo: SendTo): Send {
  let find: Promise<ReturnType<typeof import('./other-service.ts').otherServiceFinder>> | undefined;
  return async (operation, input) => {
    try {
      return await send(operation, input);
    } catch (error) {
      if (!(error instanceof ServiceError) || ![401, 403, 404].includes(error.status ?? 0)) throw error;
      find ??= import('./other-service.ts').then((loaded) => loaded.otherServiceFinder(endpoint, sendTo));
      throw (await (await find)(error, operation.name)) ?? error;
    }
  };
}
