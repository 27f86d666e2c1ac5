import { HttpError } from '../core/http/http-service.ts';
import type { Call, Registry } from './call.ts';
import type { Federation } from './federation.ts';

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
