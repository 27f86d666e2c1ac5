import { EmbeddedError } from '../errors.ts';
import type { Found, Routes } from './routes.ts';
import { type Answer, HttpRefusal, type HttpRequest, type HttpService } from './service.ts';

/** A handler of a route; receives the parameters of its pattern. */
export type RouteHandler = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => Answer | Promise<Answer>;

/** Errors for a path or method without a route; the method is in `request`. */
interface Refusals {
  readonly noPath: () => Answer;
  readonly noMethod: () => Answer;
}

/** The handler of a path for a method (HEAD as GET), or an error that lists the supported methods. */
export function handlerOf<Handler>(
  found: Found<Handler> | undefined,
  { method }: Pick<HttpRequest, 'method'>,
  { noPath, noMethod }: Refusals,
): { readonly handler: Handler; readonly params: Found<Handler>['params'] } | { readonly refusal: Answer } {
  if (!found) return { refusal: noPath() };
  const handler = found.handlers.get(method === 'HEAD' ? 'GET' : method);
  if (handler) return { handler, params: found.params };
  const refusal = noMethod();
  const Allow = [...found.handlers.keys()].join(', ');
  return { refusal: { ...refusal, headers: { ...refusal.headers, Allow } } };
}

/** Returns the response, or an error in the service's own format; `fault` receives internal faults. */
export async function answerOrRefuse(
  answer: () => Promise<Answer>,
  refuse: HttpService['refuse'],
  fault: (error: unknown) => void,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof HttpRefusal) return refuse(error.status, error.message);
    fault(error);
    // Report a full disk to the caller; any other fault is internal.
    return refuse(500, error instanceof EmbeddedError ? error.message : 'internal error');
  }
}

/** A service made of a route table by HTTP method; HEAD is handled as GET. */
export function tableService(
  name: HttpService['name'],
  prefixes: readonly [string, string],
  routes: Routes<RouteHandler>,
  refuse: HttpService['refuse'],
): HttpService {
  return {
    name,
    prefixes,
    refuse,
    async handle(request) {
      const route = handlerOf(routes.find(request.path.segments), request, {
        noPath: () => refuse(404, 'no such path'),
        noMethod: () => refuse(405, 'method not allowed'),
      });
      return 'refusal' in route ? route.refusal : route.handler(request, route.params);
    },
  };
}
