import { defineService } from '../core/http/define-service.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
} from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import { checkTables } from '../core/store/table.ts';
import { callerOf } from './auth.ts';
import { queryRules, readBody } from './body.ts';
import type { BoxRegistry, Context, Handler } from './call.ts';
import { errorBody, unauthorized } from './errors.ts';
import type { ImageStore } from './images/image-store.ts';
import { markdownRenderer } from './markdown.ts';
import { boxes, providersOf } from './model/boxes.ts';
import { TwoFactorCodes } from './model/codes.ts';
import { owners } from './model/owners.ts';
import { SearchIndex } from './model/search-index.ts';
import { tokens } from './model/tokens.ts';
import { boxRoutes } from './routes.ts';
import { type BoxOwners, seedOwners } from './seed.ts';

export interface BoxParts extends ServiceParts {
  readonly images: ImageStore;
  /** Prints a line to the user's terminal: codes of two-factor authentication, in place of a text message. */
  readonly print: (line: string) => void;
  readonly owners: BoxOwners;
  /** The token of the first user. */
  readonly token: string;
  /** Return 503 for every request. */
  readonly maintenance?: boolean;
}

/**
 * The box registry on a storage (docs/protocol/box.md).
 *
 * Its API creates organizations, but no users: `owners` are created at start, and the first user has the token
 * `token`. A user with a password can log in to create other tokens; one with a telephone number also needs a code,
 * which `print` shows.
 *
 * Errors are `{errors, success}`: 401 no token, an unknown one, or no role for the resource; 402 a private box of an
 * owner who is `delinquent`; 403 a parameter is missing or invalid; 404 not found, or private and not visible to the
 * caller; 406 a code is required; 422 not possible in the current state; 429 too many concurrent password
 * checks; 500 an internal fault or a full disk; 503 `maintenance`, or the upload origin is not listening.
 */
export async function boxService(parts: BoxParts): Promise<HttpService> {
  const { clock, images, log, print, random, scryptCost, storage } = parts;
  checkTables(storage, [boxes, owners, tokens]);
  await seedOwners(storage, parts.owners, {
    now: clock().toISOString(),
    random,
    scryptCost,
    token: parts.token,
  });
  await images.removeAllExcept(new Set(providersOf(storage).map(({ id }) => id)));
  const searchIndex = new SearchIndex(storage);
  const registry: BoxRegistry = {
    storage: searchIndex.storage,
    searchIndex,
    clock,
    random,
    scryptCost,
    images,
    print,
    codes: new TwoFactorCodes(parts),
  };
  return defineService<Context>({
    name: 'box',
    headerPrefixes: ['X-Box', 'X-Atlas'],
    routes: boxRoutes(),
    before() {
      if (parts.maintenance) throw new HttpError(503, 'The registry is under maintenance; try again later');
    },
    authenticate: async (request, handler) => ({
      registry,
      caller: callerFor(handler, storage, request),
      origin: `http://${request.headers.host ?? 'localhost'}`,
      apiVersion: request.path.segments.slice(0, 2).join('/') === 'api/v2' ? 'v2' : 'v1',
      renderMarkdown: await markdownRenderer(),
    }),
    readBody,
    queryRules,
    errorBody,
    messages: { notFound: 'Resource not found!' },
    storage,
    log,
  });
}

/** A login ignores the token of the request, which may be expired. @throws HttpError 401 */
function callerFor(handler: Handler, storage: Storage, request: HttpRequest): string | undefined {
  if (typeof handler !== 'function' && handler.isUnauthenticated) return undefined;
  const caller = callerOf(storage, request);
  if (caller === undefined && typeof handler !== 'function' && handler.requiresToken)
    throw unauthorized('A token is required');
  return caller;
}
