import { Fields } from '../../core/http/fields.ts';
import type { HttpRequest } from '../../core/http/http-service.ts';
import type { Registry } from '../call.ts';
import { tokens } from '../model/acl.ts';

/** Path prefixes of writes to tables that secondary datacenters replicate. */
const primaryPaths = ['acl/bootstrap/', 'acl/create/', 'acl/policy/', 'acl/role/', 'config/'];

/**
 * The datacenter that handles a request: the primary one for writes to replicated tables, including tokens that are
 * not local to the requested datacenter.
 *
 * @throws HttpError 403: the token to destroy is unknown
 */
export function forwardToPrimary(requested: Registry, request: HttpRequest): Registry | Promise<Registry> {
  const { federation } = requested;
  const primary = federation.registryOf(federation.primary) ?? requested;
  if (requested === primary || request.method === 'GET' || request.method === 'HEAD') return requested;
  const [, ...segments] = request.path.segments;
  const path = `${segments.join('/')}/`;
  if (primaryPaths.some((start) => path.startsWith(start))) return primary;
  if (path === 'acl/logout/') return requested.acl.tokenOf(request).Local ? requested : primary;
  if (!path.startsWith('acl/token/')) return requested;
  const [, , accessor] = segments;
  if (accessor !== undefined) return tokens.get(requested.state.view, accessor)?.Local ? requested : primary;
  return createsLocalToken(request).then((local) => (local ? requested : primary));
}

/** A body that cannot be read is rejected in any datacenter. */
async function createsLocalToken(request: HttpRequest): Promise<boolean> {
  try {
    return new Fields((await request.json()) ?? {}).boolean('Local');
  } catch {
    return false;
  }
}
