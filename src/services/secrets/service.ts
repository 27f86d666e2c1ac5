import { EmbeddedError, messageOf } from '../core/errors.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
} from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';
import { uuid } from '../core/uuid.ts';
import { logIn } from './auth/login.ts';
import {
  type AuthorizedRequest,
  authorize,
  operationFor,
  pathSegments,
  resolveTarget,
  type Target,
} from './auth.ts';
import type { CoreResponse } from './backend.ts';
import { requestData, requestOperation } from './call.ts';
import type { Core, CoreParts } from './core.ts';
import { type EngineRequest, SecretsError } from './engine.ts';
import * as errors from './errors.ts';
import { rootOnlyPaths } from './handlers/sys/service-state.ts';
import { helpResponse, isHelpRequest } from './help/help.ts';
import { SecretsState } from './model/state.ts';
import { bareResponse, envelope, errorResponse } from './response.ts';
import { serviceStateRoutes } from './routes.ts';

export interface SecretsParts
  extends ServiceParts,
    Pick<CoreParts, 'random' | 'engines' | 'methods' | 'mounts'> {
  readonly storage: Storage;
  readonly log: (line: string) => void;
}

/** The secrets service: its HTTP interface, and its state for the code that starts it. */
export interface SecretsService extends HttpService {
  readonly state: SecretsState;
}

/** The secrets service on a storage, in the state of that storage (docs/protocol/secrets.md). */
export function secretsService(parts: SecretsParts): SecretsService {
  const { storage, random, clock, version } = parts;
  const log = (error: unknown) => parts.log(`secrets: ${messageOf(error)}`);
  const state = new SecretsState(storage, { ...parts, onError: log });

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await route(request);
    } catch (error) {
      if (error instanceof HttpError) return httpErrorResponse(error.status, error.message);
      if (error instanceof SecretsError) return errorResponse(error);
      log(error);
      // Report a full disk to the caller; any other fault is internal.
      const reported =
        error instanceof EmbeddedError ? new SecretsError(500, error.message) : errors.internalError();
      return errorResponse(reported);
    }
  }

  async function route(request: HttpRequest): Promise<HttpResponse> {
    if (request.path.segments[0] !== 'v1') throw errors.notFound();
    if (!isHelpRequest(request) && isUnavailable(state, request)) throw errors.unavailableInNamespace();
    if (!isHelpRequest(request)) {
      const [part, ...path] = unauthenticatedPath(state, request);
      const handler =
        part === 'sys' && serviceStateRoutes.find(path.join('/'), serviceStateOperations[request.method]);
      if (handler) return handler({ state, clock, version }, request);
    }
    const { core } = state;
    await core.reaper.sweep();
    const requested = requestOperation(request);
    const target = resolveTarget(core, request);
    if (isHelpRequest(request)) return bareResponse(200, helpResponse(core, request, target, version));
    const data = await requestData(request, requested);
    const operation = operationFor(target, requested);
    const authorized = await authorize(core, request, target, operation);
    try {
      return await dispatch(core, request, target, { operation, data, ...authorized });
    } finally {
      if (authorized) await core.tokens.revokeIfUsedUp(authorized.caller.token);
      core.reaper.arm();
    }
  }

  /** Passes an authorized request to the backend of its path. */
  async function dispatch(
    core: Core,
    request: HttpRequest,
    { namespace, mount, fullPath, namespacePath, path }: Target,
    authorizedRequest: Pick<EngineRequest, 'operation' | 'data'> & Partial<AuthorizedRequest>,
  ): Promise<HttpResponse> {
    if (request.serviceHeader('wrap-ttl') !== undefined)
      throw new SecretsError(400, 'response wrapping is not supported');
    if (!mount) throw errors.routeNotFound(fullPath);
    const { operation, data, caller, entity } = authorizedRequest;
    // Only the service's own paths may end in a slash without being a list.
    const hasTrailingSlash =
      request.path.hasTrailingSlash && operation !== 'list' && mount.entry.type !== 'system';
    if (hasTrailingSlash || path.endsWith('.')) throw errors.unsupportedPath();
    const { token: _token, namespace: _namespace, ...headers } = request.serviceHeaders();
    const displayName = caller?.token.displayName ?? '';
    const response = await mount.backend.handle({
      ...{ operation, path, data, headers, displayName, now: clock() },
      ...{ caller, entity, canUpdate: caller?.acl.allows(namespacePath, 'update') ?? false },
    });
    // A response must not reveal a write before it is durable.
    await storage.write([]);
    if (isEmpty(operation, response)) throw errors.notFound();
    const lease = caller && response?.lease;
    const leaseId =
      lease && (await core.leases.create({ namespace, mount, path, token: caller.token }, lease));
    const auth = response?.login && (await logIn(core, { namespace, mount, path }, response.login));
    const fullResponse = response && { ...response, ...(leaseId && { leaseId }), ...(auth && { auth }) };
    return envelope(fullResponse, uuid(random), mount.entry.type);
  }

  return {
    name: 'secrets',
    headerPrefixes: ['X-Secrets', 'X-Vault'],
    handle,
    errorResponse: httpErrorResponse,
    state,
  };
}

/** The operations of the paths that require no token, by HTTP method. */
const serviceStateOperations: Readonly<Record<string, 'read' | 'update'>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'update',
  POST: 'update',
};

/** A read without a response, or a list without keys, is "not found". */
function isEmpty(operation: EngineRequest['operation'], response: CoreResponse | undefined): boolean {
  if (operation !== 'read' && operation !== 'list') return false;
  if (response === undefined) return true;
  const keys = response.data?.keys;
  return operation === 'list' && Array.isArray(keys) && keys.length === 0;
}

/**
 * The path, if it is one of those that require no token. They concern the entire service, so those that are
 * not `rootOnlyPaths` respond in every namespace; while sealed, namespaces are unknown and a namespace header is
 * ignored.
 */
function unauthenticatedPath(state: SecretsState, request: HttpRequest): readonly string[] {
  const { header, own } = pathSegments(request);
  return state.sealed ? own : state.core.namespaces.resolve([...header, ...own]).rest;
}

/**
 * Whether the path exists only in the root namespace and the request names a namespace, in the header or in
 * the path.
 */
function isUnavailable(state: SecretsState, request: HttpRequest): boolean {
  const { own } = pathSegments(request);
  const path = unauthenticatedPath(state, request);
  const isNamed = (request.serviceHeader('namespace') ?? '') !== '' || path.length < own.length;
  return isNamed && [own, path].some((each) => rootOnlyPaths.has(each.join('/')));
}

/** HTTP errors in the service's own format; 404 has no text. */
function httpErrorResponse(status: number, message: string): HttpResponse {
  return errorResponse({ status, errors: status === 404 ? [] : [message] });
}
