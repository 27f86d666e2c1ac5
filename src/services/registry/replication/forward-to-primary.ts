import type { HttpRequest } from '../../core/http/http-service.ts';
import type { Registry } from '../call.ts';

/** Path prefixes of writes to tables that secondary datacenters replicate. */
const primaryPaths = ['acl/create/', 'config/'];

/**
 * The datacenter that handles a request: the primary one for writes to replicated tables, including the logout
 * of a token that is not local to the requested datacenter.
 *
 * @throws HttpError 403: the token to destroy is unknown
 */
export function forwardToPrimary(requested: Registry, request: HttpRequest): Registry {
  const { federation } = requested;
  const primary = federation.registryOf(federation.primary) ?? requested;
  if (requested === primary || request.method === 'GET' || request.method === 'HEAD') return requested;
  const [, ...segments] = request.path.segments;
  const path = `${segments.join('/')}/`;
  if (primaryPaths.some((start) => path.startsWith(start))) return primary;
  if (path === 'acl/logout/') return requested.acl.tokenOf(request).Local ? requested : primary;
  return requested;
}
