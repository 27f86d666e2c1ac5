import { messageOf } from '../core/errors.ts';
import { findHandler, responseOrError } from '../core/http/define-service.ts';
import type { HttpRequest, HttpResponse, HttpService, ServiceParts } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import { callerOf } from './auth.ts';
import type { AccountService } from './call.ts';
import { errorResponse, InvalidFieldsError } from './errors.ts';
import { findRoute } from './routes.ts';
import { type AccountsSeed, seedAccounts } from './seed.ts';

export interface AccountsParts extends ServiceParts, AccountsSeed {
  readonly storage: Storage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Told of faults of the service, one line each. */
  readonly log: (line: string) => void;
}

export interface AccountsService extends HttpService {
  /** The administrator's password, where it was given or made up at this start. */
  readonly password: string | undefined;
}

/**
 * The account service on a storage (docs/protocol/accounts.md): scopes, auth methods of type
 * password, oidc and ldap, and their accounts. Those of type password log in here; nothing here calls a provider or a
 * directory.
 *
 * One account is there from the start and may do everything: the administrator's, whose token is `token`. Another
 * account may read itself and change its own password. Everybody may list scopes and auth methods.
 *
 * Errors are `{kind, message, details}`: 400 with the fields that are wrong; 401 no token, or none that is good; 403
 * not allowed; 404 not there, or its version is another one; 429 too many passwords to check; 500 a fault or a full
 * disk.
 */
export async function accountsService(parts: AccountsParts): Promise<AccountsService> {
  const { clock, log, random, storage } = parts;
  const service: AccountService = { storage, clock, random };
  const password = await seedAccounts(service, parts);

  async function route(request: HttpRequest): Promise<HttpResponse> {
    const match = findHandler(findRoute(request.path.segments), request, {
      notFound: () => errorResponse(404, 'Not Found'),
      methodNotAllowed: () => errorResponse(405, 'Method Not Allowed'),
    });
    if ('errorResponse' in match) return match.errorResponse;
    const { handler, params } = match;
    try {
      const response = await handler({ service, request, params, caller: callerOf(service, request) });
      // A version or a list token that was told may not come again for something else, after a crash.
      await storage.write([]);
      return response;
    } catch (error) {
      if (error instanceof InvalidFieldsError)
        return errorResponse(error.status, error.message, error.fields);
      throw error;
    }
  }

  const logFault = (error: unknown) => log(`accounts: ${messageOf(error)}`);
  const handle = (request: HttpRequest) => responseOrError(() => route(request), errorResponse, logFault);

  return { name: 'accounts', headerPrefixes: ['X-Accounts', 'X-Boundary'], handle, errorResponse, password };
}
