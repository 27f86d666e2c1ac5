import { EmbeddedError, messageOf } from '../errors.ts';
import { type CallOf, type HandlerOf, type Operation, readQuery } from '../operation.ts';
import type { ReadingRules } from '../schema/read.ts';
import type { Storage } from '../store/storage.ts';
import {
  HttpError,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  type ServiceParts,
} from './http-service.ts';
import { JsonBody } from './json-body.ts';
import type { RouteMatch } from './router.ts';

export interface ServiceDefinition<Context>
  extends Pick<HttpService, 'name' | 'headerPrefixes' | 'rawKeyPrefixes' | 'redirectTarget'> {
  /** Handlers by path and HTTP method; the method `*` matches all others. A `Router` implements it. */
  readonly routes: {
    find(segments: readonly string[], request: HttpRequest): RouteMatch<HandlerOf<Context>> | undefined;
  };
  /** Runs before the route is looked up. @throws HttpError */
  readonly before?: (request: HttpRequest) => void;
  /** What the handler needs besides the request: the service and the caller. @throws HttpError */
  readonly authenticate: (request: HttpRequest, handler: HandlerOf<Context>) => Context | Promise<Context>;
  /** Runs after a handler that did not throw, before the response is sent. */
  readonly after?: (call: CallOf<Context>) => Promise<void> | undefined;
  /** Reads what the operation of a request states. @throws HttpError 400, 413 */
  readonly readBody?: (
    request: HttpRequest,
    operation: Operation<Context>,
    context: Context,
  ) => Promise<unknown>;
  readonly queryRules?: ReadingRules;
  readonly errorBody: HttpService['errorResponse'];
  /** Messages of 404 for an unknown path, 405 and 500 for an internal fault, where not the default. */
  readonly messages?: {
    readonly notFound?: string;
    readonly methodNotAllowed?: string;
    readonly fault?: string;
  };
  /** A response waits until everything written here is durable. */
  readonly storage: Pick<Storage, 'write'>;
  readonly log: ServiceParts['log'];
}

/**
 * A service on HTTP: finds the route of a request (HEAD as GET), authenticates the caller and runs the
 * handler. An `HttpError` becomes a response in the service's own format; any other error is logged and
 * becomes 500. A response, also an error, never reveals a write that is not durable.
 */
export function defineService<Context>(definition: ServiceDefinition<Context>): HttpService {
  const { name, headerPrefixes, rawKeyPrefixes, redirectTarget, errorBody, messages = {} } = definition;
  const { routes, before, authenticate, after, queryRules, storage, log } = definition;

  async function respond(request: HttpRequest): Promise<HttpResponse> {
    before?.(request);
    const match = routes.find(request.path.segments, request);
    if (!match) throw new HttpError(404, messages.notFound ?? 'no such path');
    const { handlers, params } = match;
    const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method) ?? handlers.get('*');
    if (!handler) return methodNotAllowed(request, [...handlers.keys()]);
    const context = authenticate(request, handler);
    const call = { ...(context instanceof Promise ? await context : context), request, params };
    const response = typeof handler === 'function' ? handler(call) : operate(handler, call);
    const result = response instanceof Promise ? await response : response;
    const finished = after?.(call);
    if (finished) await finished;
    return result;
  }

  async function operate(operation: Operation<Context>, call: CallOf<Context>): Promise<HttpResponse> {
    const { request } = call;
    const response = await operation.handle({
      ...call,
      query: () => (queryRules && readQuery(operation.query ?? {}, request, queryRules)) as never,
      body: () => definition.readBody?.(request, operation, call) as Promise<never>,
    });
    const type =
      operation.responses?.[response.status]?.body ?? (response.status === 200 && operation.returns);
    if (!(response.body instanceof JsonBody)) return response;
    if (type) return { ...response, body: response.body.as(type) };
    if (response.status < 300) throw new Error(`${operation.id}: its response has no type`);
    return response;
  }

  function methodNotAllowed({ method }: HttpRequest, supported: readonly string[]): HttpResponse {
    const message = messages.methodNotAllowed ?? `method ${method} not allowed`;
    const response = errorBody(new HttpError(405, message));
    return { ...response, headers: { ...response.headers, Allow: supported.join(', ') } };
  }

  function errorOf(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    log(`${name}: ${messageOf(error)}`);
    // Report a full disk to the caller; any other fault is internal.
    const isReported = error instanceof EmbeddedError;
    return new HttpError(500, isReported ? error.message : (messages.fault ?? 'internal error'));
  }

  return {
    name,
    headerPrefixes,
    ...(rawKeyPrefixes && { rawKeyPrefixes }),
    ...(redirectTarget && { redirectTarget }),
    errorResponse: errorBody,
    async handle(request) {
      try {
        try {
          return await respond(request);
        } finally {
          await storage.write([]);
        }
      } catch (error) {
        return errorBody(errorOf(error));
      }
    },
  };
}
