import { EmbeddedError } from '../errors.ts';
import { HttpError, type HttpRequest, type HttpResponse, type HttpService } from './http-service.ts';
import type { RouteMatch, Router } from './router.ts';

/** A handler of a route; receives the parameters of its pattern. */
export type RouteHandler = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => HttpResponse | Promise<HttpResponse>;

/** Errors for a path or method without a route; the method is in `request`. */
interface ErrorResponses {
  readonly notFound: () => HttpResponse;
  readonly methodNotAllowed: () => HttpResponse;
}

/** The handler of a path for a method (HEAD as GET), or an error that lists the supported methods. */
export function findHandler<Handler>(
  match: RouteMatch<Handler> | undefined,
  { method }: Pick<HttpRequest, 'method'>,
  { notFound, methodNotAllowed }: ErrorResponses,
):
  | { readonly handler: Handler; readonly params: RouteMatch<Handler>['params'] }
  | { readonly errorResponse: HttpResponse } {
  if (!match) return { errorResponse: notFound() };
  const handler = match.handlers.get(method === 'HEAD' ? 'GET' : method);
  if (handler) return { handler, params: match.params };
  const response = methodNotAllowed();
  const Allow = [...match.handlers.keys()].join(', ');
  return { errorResponse: { ...response, headers: { ...response.headers, Allow } } };
}

/** Returns the response, or an error in the service's own format; `fault` receives internal faults. */
export async function responseOrError(
  respond: () => Promise<HttpResponse>,
  errorResponse: HttpService['errorResponse'],
  logFault: (error: unknown) => void,
): Promise<HttpResponse> {
  try {
    return await respond();
  } catch (error) {
    if (error instanceof HttpError) return errorResponse(error.status, error.message);
    logFault(error);
    // Report a full disk to the caller; any other fault is internal.
    return errorResponse(500, error instanceof EmbeddedError ? error.message : 'internal error');
  }
}

/** A service made of a route table by HTTP method; HEAD is handled as GET. */
export function defineService(
  name: HttpService['name'],
  headerPrefixes: readonly [string, string],
  routes: Router<RouteHandler>,
  errorResponse: HttpService['errorResponse'],
): HttpService {
  return {
    name,
    headerPrefixes,
    errorResponse,
    async handle(request) {
      const route = findHandler(routes.find(request.path.segments), request, {
        notFound: () => errorResponse(404, 'no such path'),
        methodNotAllowed: () => errorResponse(405, 'method not allowed'),
      });
      return 'errorResponse' in route ? route.errorResponse : route.handler(request, route.params);
    },
  };
}
