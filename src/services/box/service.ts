import { messageOf } from '../core/errors.ts';
import { findHandler, responseOrError } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  jsonResponse,
  type ServiceParts,
} from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import type { BoxRegistry } from './call.ts';
import { unauthorized } from './errors.ts';
import type { Images } from './images/images.ts';
import { providersOf } from './model/boxes.ts';
import { TwoFactorCodes } from './model/codes.ts';
import { tokenOf } from './model/tokens.ts';
import { RateLimit } from './rate-limit.ts';
import { boxRoutes, unauthenticatedHandlers } from './routes.ts';
import { type BoxOwners, seedOwners } from './seed.ts';
import { sentToken } from './sent-token.ts';

export interface BoxParts extends ServiceParts {
  readonly storage: Storage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly images: Images;
  /** Called with internal errors of the service, one line each. */
  readonly log: (line: string) => void;
  /** Prints a line for the user who started the service, such as a two-factor code. */
  readonly print: (line: string) => void;
  readonly owners: BoxOwners;
  /** The seeded token of the first user. */
  readonly token: string;
  /** Requests per minute; absent: unlimited. */
  readonly rateLimit?: number;
  /** Responds to every request with 503. */
  readonly maintenance?: boolean;
}

/**
 * The box registry on a storage (docs/protocol/box.md).
 *
 * The API cannot create users and organizations: `owners` seeds them, and the first user has the token `token`. A
 * user with a password can log in for more tokens; one with a telephone number needs a code for that, which `print`
 * shows.
 *
 * Errors are `{errors, success}`: 401 no token, an unknown one, or no role for the resource; 402 a private box of a
 * `delinquent` owner; 403 a parameter is missing or invalid; 404 not found, or private and not visible to the caller;
 * 406 a code is required; 422 a conflict with the current state; 429 over `rateLimit`, or too many passwords to
 * check; 500 an internal error or a full disk; 503 `maintenance`, or the upload origin does not listen.
 */
export async function boxService(parts: BoxParts): Promise<HttpService> {
  const { clock, images, log, print, random, rateLimit, storage } = parts;
  await seedOwners(storage, parts.owners, { now: clock().toISOString(), random, token: parts.token });
  await images.removeAllExcept(new Set(providersOf(storage).map(({ id }) => id)));
  const registry: BoxRegistry = { storage, clock, random, images, print, codes: new TwoFactorCodes(parts) };
  const routes = boxRoutes();
  const limiter = rateLimit === undefined ? undefined : new RateLimit(rateLimit, clock);

  async function route(request: HttpRequest): Promise<HttpResponse> {
    if (parts.maintenance) throw new HttpError(503, 'The registry is under maintenance; try again later');
    const match = findHandler(routes.find(request.path.segments), request, {
      notFound: () => errorResponse(404, 'Resource not found!'),
      methodNotAllowed: () => errorResponse(405, `method ${request.method} not allowed`),
    });
    if ('errorResponse' in match) return match.errorResponse;
    const { handler, params } = match;
    const response = await handler({
      registry,
      request,
      params,
      caller: unauthenticatedHandlers.has(handler) ? undefined : callerOf(request),
      origin: `http://${request.headers.host ?? 'localhost'}`,
      apiVersion: request.path.segments.slice(0, 2).join('/') === 'api/v2' ? 'v2' : 'v1',
    });
    // A response must not show a write that is not durable yet.
    await storage.write([]);
    return response;
  }

  /** @throws HttpError 401: an unknown token is an error, unlike none */
  function callerOf(request: HttpRequest): string | undefined {
    const secret = sentToken(request);
    if (secret === undefined) return undefined;
    const token = tokenOf(storage, secret);
    if (!token) throw unauthorized('The token is not valid');
    return token.user;
  }

  const logFault = (error: unknown) => log(`box: ${messageOf(error)}`);
  const respond = (request: HttpRequest) => responseOrError(() => route(request), errorResponse, logFault);

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    if (!limiter) return respond(request);
    const { isExceeded, headers } = limiter.consume();
    const result = isExceeded
      ? errorResponse(429, 'Too many requests; wait for the next minute')
      : await respond(request);
    return { ...result, headers: { ...result.headers, ...headers } };
  }

  return { name: 'box', headerPrefixes: ['X-Box', 'X-Atlas'], handle, errorResponse };
}

function errorResponse(status: number, message: string): HttpResponse {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonResponse(status, { errors: [message], success: false }, { headers });
}
