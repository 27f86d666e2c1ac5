import { messageOf } from '../core/errors.ts';
import { defineService } from '../core/http/define-service.ts';
import type { HttpRequest, HttpResponse, HttpService, ServiceParts } from '../core/http/http-service.ts';
import { Router } from '../core/http/router.ts';
import { uuid } from '../core/uuid.ts';
import { logIn } from './auth/login.ts';
import { findWrappingToken, readWrapTtl, wrapResponse } from './auth/wrapping.ts';
import { authorize, operationFor, pathSegments, resolveTarget } from './auth.ts';
import { type Handler, requestData, requestOperation } from './call.ts';
import type { Core, CoreParts } from './core.ts';
import type { EngineRequest, EngineResponse } from './engine.ts';
import * as errors from './errors.ts';
import { type ClusterRole, rootOnlyPaths } from './handlers/sys/service-state.ts';
import { helpResponse, isHelpRequest } from './help/help.ts';
import { limitToToken } from './model/leases.ts';
import { ttlLimits } from './model/mount-config.ts';
import { SecretsState } from './model/seal-state.ts';
import { openCore } from './open-core.ts';
import { bareResponse, envelope, errorBody, stateResponse, wrappedEnvelope } from './response.ts';
import { serviceStateRoutes } from './routes.ts';
import type { AuthorizedRequest, Target } from './target.ts';

export type SecretsParts = ServiceParts &
  Pick<CoreParts, 'engines' | 'methods' | 'mounts' | 'auditDevices'> & {
    /** Undefined: the only server. */
    readonly cluster?: ClusterRole | undefined;
  };

/** The secrets service: its HTTP interface, and its state for the code that starts it. */
export interface SecretsService extends HttpService {
  readonly state: SecretsState;
}

/** The secrets service (docs/protocol/secrets.md). Its mounts define its routes: by operation, not by method. */
export function secretsService(parts: SecretsParts): SecretsService {
  const { storage, random, clock, version, log, cluster } = parts;
  const onError = (error: unknown) => log(`secrets: ${messageOf(error)}`);
  const state = new SecretsState(storage, { ...parts, onError }, openCore);

  const handle: Handler = async ({ request }) => {
    if (!isHelpRequest(request)) {
      const [part, ...path] = unauthenticatedPath(state, request);
      const operation = serviceStateOperations[request.method];
      const respond = part === 'sys' && serviceStateRoutes.find(path.join('/'), operation);
      if (respond) {
        const data = await requestData(request, operation === 'read' ? 'read' : 'write');
        return stateResponse(await respond({ state, clock, version, cluster }, { data }));
      }
    }
    const { core } = state;
    await core.reaper.sweep();
    const requested = requestOperation(request);
    const target = resolveTarget(core, request);
    if (isHelpRequest(request)) return bareResponse(200, helpResponse(core, request, target, version));
    const wrapTtl = readWrapTtl(request);
    const data = await requestData(request, requested);
    const operation = operationFor(core, request, target, requested);
    const id = uuid(random);
    const logged = { id, operation, target, data, request };
    const admitted = await admit(core, request, target, { operation, data, wrapTtl }).catch(
      async (error: unknown) => {
        const unauthorized = { ...logged, authorized: undefined };
        await core.audit.log('request', unauthorized, { error });
        await core.audit.log('response', unauthorized, { error });
        throw error;
      },
    );
    const { authorized, wrappingToken } = admitted;
    const audited = { ...logged, authorized };
    try {
      await core.audit.log('request', audited, {});
      const authorizedRequest = { id, operation, data, wrapTtl, wrappingToken, ...authorized };
      const { response, http } = await dispatch(core, request, target, authorizedRequest).catch(
        async (error: unknown) => {
          await core.audit.log('response', audited, { error });
          throw error;
        },
      );
      await core.audit.log('response', audited, { response });
      return http;
    } finally {
      if (authorized) await core.tokens.revokeIfUsedUp(authorized.caller.token);
      core.reaper.arm();
    }
  };

  async function dispatch(
    core: Core,
    request: HttpRequest,
    target: Target,
    {
      id,
      ...asked
    }: Pick<EngineRequest, 'operation' | 'data' | 'wrappingToken'> &
      Partial<AuthorizedRequest> & { readonly id: string; readonly wrapTtl: number },
  ): Promise<{ readonly response: EngineResponse | undefined; readonly http: HttpResponse }> {
    const { namespace, mount, fullPath, namespacePath, path } = target;
    if (!mount) throw errors.routeNotFound(fullPath);
    const { operation, caller, wrapTtl } = asked;
    const { remoteAddress } = request;
    // Only the service's own paths may end in a slash without being a list.
    const hasTrailingSlash =
      request.path.hasTrailingSlash && !['list', 'scan'].includes(operation) && mount.entry.type !== 'system';
    if (hasTrailingSlash && isWrite(operation))
      throw errors.badRequest("cannot write to a path ending in '/'");
    if (hasTrailingSlash || path.endsWith('.')) throw errors.unsupportedPath();
    const { token: _token, namespace: _namespace, ...headers } = request.serviceHeaders();
    const isWrappedList = operation === 'list' && wrapTtl > 0;
    const response = await mount.backend
      .handle({
        ...asked,
        path,
        headers,
        displayName: caller?.token.displayName ?? '',
        now: clock(),
        ttlLimits: ttlLimits(mount.entry),
        remoteAddress,
        canUpdate: caller?.acl.allows(namespacePath, 'update') ?? false,
      })
      .catch((error: unknown) => {
        throw isWrappedList && errors.isNotFound(error) ? errors.unwrappableList() : error;
      });
    if (isEmpty(operation, response)) throw isWrappedList ? errors.unwrappableList() : errors.notFound();
    const lease = caller && response?.lease && limitToToken(response.lease, caller.token, clock());
    const leaseId =
      lease && (await core.leases.create({ namespace, mount, path, token: caller.token }, lease));
    const login =
      response?.login && (await logIn(core, { namespace, mount, path, remoteAddress }, response.login));
    const fullResponse = response && {
      ...response,
      ...(lease && { lease }),
      ...(leaseId && { leaseId }),
      ...login,
    };
    const http = envelope(fullResponse, id, mount.entry.type);
    const wrapInfo = await wrapResponse(core, target, wrapTtl, { response: fullResponse, http });
    if (wrapInfo) return { response: { wrapInfo }, http: wrappedEnvelope(wrapInfo) };
    return { response: fullResponse, http };
  }

  const http = defineService<object>({
    name: 'secrets',
    headerPrefixes: ['X-Secrets', 'X-Vault'],
    routes: new Router<Handler>().on('*', 'v1', handle).on('*', 'v1/*path', handle),
    authenticate: () => ({}),
    errorBody,
    messages: { fault: errors.formatError('internal error') },
    storage,
    log,
  });
  return { ...http, state };
}

/** Authorizes a request, and finds the wrapping token of a request about one. @throws SecretsError 400, 403 */
async function admit(
  core: Core,
  request: HttpRequest,
  target: Target,
  asked: Pick<EngineRequest, 'operation' | 'data'> & { readonly wrapTtl: number },
) {
  const wrappingToken = findWrappingToken(core, request, target, asked.data);
  return { wrappingToken, authorized: await authorize(core, request, target, asked) };
}

/** The operations of the paths that require no token, by HTTP method. */
const serviceStateOperations: Readonly<Record<string, 'read' | 'update'>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'update',
  POST: 'update',
};

const isWrite = (operation: EngineRequest['operation']): boolean =>
  operation === 'create' || operation === 'update' || operation === 'patch';

/** A read without a response, or a list without keys, is "not found". */
function isEmpty(operation: EngineRequest['operation'], response: EngineResponse | undefined): boolean {
  if (operation !== 'read' && operation !== 'list') return false;
  if (response === undefined) return true;
  const keys = response.data?.keys;
  return operation === 'list' && Array.isArray(keys) && keys.length === 0;
}

/**
 * The path without its namespace, to look up the paths that require no token. They concern the entire service, so
 * those that are not `rootOnlyPaths` respond in every namespace; while sealed, namespaces are unknown and a
 * namespace header is ignored.
 * @throws SecretsError 400: the path exists only in the root namespace, and the request names a namespace
 */
function unauthenticatedPath(state: SecretsState, request: HttpRequest): readonly string[] {
  const { header, own } = pathSegments(request);
  const path = state.sealed ? own : state.core.namespaces.resolve([...header, ...own]).rest;
  const isNamed = (request.serviceHeader('namespace') ?? '') !== '' || path.length < own.length;
  if (isNamed && [own, path].some((each) => rootOnlyPaths.has(each.join('/'))))
    throw errors.unavailableInNamespace();
  return path;
}
