import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import type { Call, Federation, Registry } from './call.ts';

/** Paths below `v1` whose requests are about the agent that receives them, whatever datacenter they have. */
const ofAgent = ['agent/'];
/** The same for writes: agents forward them to the primary datacenter, but write a local token in their own. */
const writesOfAgent = ['acl/bootstrap/', 'acl/policy/', 'acl/role/', 'acl/token/'];

/** The datacenter that a request is for; undefined: the agent's (docs/protocol/registry.md#requests-and-responses). */
export function datacenterOf({ method, path, query }: HttpRequest): string | undefined {
  const [, ...segments] = path.segments;
  const below = `${segments.join('/')}/`;
  const ignoring = method === 'GET' ? ofAgent : [...ofAgent, ...writesOfAgent];
  if (ignoring.some((start) => below.startsWith(start))) return undefined;
  return query.get('datacenter') || query.get('dc') || undefined;
}

/** @throws HttpError 500: unknown datacenter */
export function registryOfDatacenter(federation: Federation, datacenter: string): Registry {
  const registry = federation.registryOf(datacenter.toLowerCase());
  if (!registry) throw new HttpError(500, 'No path to datacenter');
  return registry;
}

/**
 * The call in another datacenter, with the permissions of its token there.
 * @throws HttpError 500: unknown datacenter; 403: the token is unknown there
 */
export function callInDatacenter(call: Call, datacenter: string): Call {
  const registry = registryOfDatacenter(call.registry.federation, datacenter);
  if (registry === call.registry) return call;
  return { ...call, registry, permissions: registry.acl.permissionsOf(call.request) };
}
