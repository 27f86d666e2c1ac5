import { messageOf } from '../core/errors.ts';
import { findHandler, responseOrError } from '../core/http/define-service.ts';
import type { HttpRequest, HttpResponse, HttpService, ServiceParts } from '../core/http/http-service.ts';
import type { PagedStorage } from '../core/store/storage.ts';
import { callerOf } from './auth.ts';
import type { AccountService } from './call.ts';
import { errorResponse, InvalidFieldsError } from './errors.ts';
import { findRoute } from './routes.ts';
import { type AccountsSeed, seedAccounts } from './seed.ts';

export interface AccountsParts extends ServiceParts, AccountsSeed {
  readonly storage: PagedStorage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Called with internal errors of the service, one line each. */
  readonly log: (line: string) => void;
}

export interface AccountsService extends HttpService {
  /** The administrator's password, if it was given or generated at this start. */
  readonly password: string | undefined;
}

/**
 * The account service on a storage (docs/protocol/accounts.md): scopes, auth methods of type password, oidc and ldap,
 * and their accounts. Only those of type password can log in; providers and directories are never called.
 *
 * One account exists from the start: the administrator's, whose token is `token`. Other accounts may read themselves
 * and change their own password. Scopes and auth methods are public.
 *
 * Errors are `{kind, message, details}`: 400 with the invalid fields; 401 no valid token; 403 permission denied; 404
 * not found, or another version; 429 too many passwords to check; 500 an internal error or a full disk.
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
      // After a crash, a version or list token of a response must not be issued again for another state.
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
