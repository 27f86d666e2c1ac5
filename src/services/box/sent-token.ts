import type { HttpRequest } from '../core/http/http-service.ts';

/** The token that came with a request: as a bearer's, as the query parameter, or as the service's own header. */
export function sentToken({ headers, query, ...request }: HttpRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? query.get('access_token') ?? request.serviceHeader('token');
}
