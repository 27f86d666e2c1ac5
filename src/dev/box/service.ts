import { messageOf } from '../errors.ts';
import {
  type Answer,
  HttpRefusal,
  type HttpRequest,
  type HttpService,
  jsonAnswer,
  type ServiceParts,
} from '../http/service.ts';
import { answerOrRefuse, handlerOf } from '../http/table.ts';
import type { Storage } from '../storage.ts';
import { type BoxOwners, begin } from './begin.ts';
import type { BoxRegistry } from './http/call.ts';
import { RateLimit } from './http/rate-limit.ts';
import { unauthorised } from './http/refusals.ts';
import { sentToken } from './http/token.ts';
import type { Images } from './images/images.ts';
import { boxRoutes, tokenless } from './routes/table.ts';
import { providersOf } from './state/boxes.ts';
import { Codes } from './state/codes.ts';
import { tokenOf } from './state/tokens.ts';

export interface BoxParts extends ServiceParts {
  readonly storage: Storage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly images: Images;
  /** Told of faults of the service, one line each. */
  readonly log: (line: string) => void;
  /** Shows a line to whoever started the service: codes of two-factor authentication, which it has no telephone for. */
  readonly print: (line: string) => void;
  readonly owners: BoxOwners;
  /** The token of the first user that is there from the start. */
  readonly token: string;
  /** Requests in a minute; without it there is no limit. */
  readonly rateLimit?: number;
  /** Answers every request with 503. */
  readonly maintenance?: boolean;
}

/**
 * The box registry on a storage (docs/protocol/box.md).
 *
 * Its interface has no way to make users and organisations: they are given by `owners` at the start, and the first
 * user has the token `token` from then on. A user who is given a password can log in for other tokens; one who is
 * given a telephone number needs a code for that, which `print` shows.
 *
 * Errors are `{errors, success}`: 401 no token, an unknown one, or no role for the resource; 402 a private box of an
 * owner who is `delinquent`; 403 a parameter is missing or invalid; 404 not there, or private and not the caller's;
 * 406 a code is required; 422 what is there does not allow it; 429 over `rateLimit`, or too many passwords to check; 500 a fault or a full disk; 503
 * `maintenance`, or the upload origin does not listen.
 */
export async function boxService(parts: BoxParts): Promise<HttpService> {
  const { clock, images, log, print, random, rateLimit, storage } = parts;
  await begin(storage, parts.owners, { now: clock().toISOString(), random, token: parts.token });
  await images.removeAllBut(new Set(providersOf(storage).map(({ id }) => id)));
  const registry: BoxRegistry = { storage, clock, random, images, print, codes: new Codes(parts) };
  const routes = boxRoutes();
  const limit = rateLimit === undefined ? undefined : new RateLimit(rateLimit, clock);

  async function route(request: HttpRequest): Promise<Answer> {
    if (parts.maintenance) throw new HttpRefusal(503, 'The registry is under maintenance; try again later');
    const found = handlerOf(routes.find(request.path.segments), request, {
      noPath: () => refuse(404, 'Resource not found!'),
      noMethod: () => refuse(405, `method ${request.method} not allowed`),
    });
    if ('refusal' in found) return found.refusal;
    const { handler, params } = found;
    const answer = await handler({
      registry,
      request,
      params,
      caller: tokenless.has(handler) ? undefined : callerOf(request),
      origin: `http://${request.headers.host ?? 'localhost'}`,
      dialect: request.path.segments.slice(0, 2).join('/') === 'api/v2' ? 'v2' : 'v1',
    });
    // What was seen of a write that is not durable yet may not be told before it is.
    await storage.write([]);
    return answer;
  }

  /** @throws HttpRefusal 401: a token that is not known is not the same as none */
  function callerOf(request: HttpRequest): string | undefined {
    const secret = sentToken(request);
    if (secret === undefined) return undefined;
    const token = tokenOf(storage, secret);
    if (!token) throw unauthorised('The token is not valid');
    return token.user;
  }

  const fault = (error: unknown) => log(`box: ${messageOf(error)}`);
  const answer = (request: HttpRequest) => answerOrRefuse(() => route(request), refuse, fault);

  async function handle(request: HttpRequest): Promise<Answer> {
    if (!limit) return answer(request);
    const { spent, headers } = limit.take();
    const given = spent ? refuse(429, 'Too many requests; wait for the next minute') : await answer(request);
    return { ...given, headers: { ...given.headers, ...headers } };
  }

  return { name: 'box', prefixes: ['X-Box', 'X-Atlas'], handle, refuse };
}

function refuse(status: number, message: string): Answer {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonAnswer(status, { errors: [message], success: false }, { headers });
}
