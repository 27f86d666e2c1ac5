import type { HttpRequest } from '../core/http/http-service.ts';

/** The token of a request: a bearer token, the query parameter, or the service's own header. */
export function sentToken({ headers, query, ...request }: HttpRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? query.get('access_token') ?? request.serviceHeader('token');
}
