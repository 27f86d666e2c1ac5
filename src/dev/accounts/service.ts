import { messageOf } from '../errors.ts';
import type { Answer, HttpRequest, HttpService, ServiceParts } from '../http/service.ts';
import { answerOrRefuse, handlerOf } from '../http/table.ts';
import type { PagedStorage } from '../storage.ts';
import { callerOf } from './access.ts';
import { type AccountsStart, begin } from './begin.ts';
import type { AccountService } from './http/call.ts';
import { FieldRefusal, refuse } from './http/refusals.ts';
import { findRoute } from './routes/table.ts';

export interface AccountsParts extends ServiceParts, AccountsStart {
  readonly storage: PagedStorage;
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
  const password = await begin(service, parts);

  async function route(request: HttpRequest): Promise<Answer> {
    const found = handlerOf(findRoute(request.path.segments), request, {
      noPath: () => refuse(404, 'Not Found'),
      noMethod: () => refuse(405, 'Method Not Allowed'),
    });
    if ('refusal' in found) return found.refusal;
    const { handler, params } = found;
    try {
      const answer = await handler({ service, request, params, caller: callerOf(service, request) });
      // A version or a list token that was told may not come again for something else, after a crash.
      await storage.write([]);
      return answer;
    } catch (error) {
      if (error instanceof FieldRefusal) return refuse(error.status, error.message, error.fields);
      throw error;
    }
  }

  const fault = (error: unknown) => log(`accounts: ${messageOf(error)}`);
  const handle = (request: HttpRequest) => answerOrRefuse(() => route(request), refuse, fault);

  return { name: 'accounts', prefixes: ['X-Accounts', 'X-Boundary'], handle, refuse, password };
}
