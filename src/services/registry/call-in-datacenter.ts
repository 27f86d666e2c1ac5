import { HttpError } from '../core/http/http-service.ts';
import type { Call, Registry } from './call.ts';
import type { Federation } from './federation.ts';

/** @throws HttpError 500: there is no such datacenter */
export function registryOfDatacenter(federation: Federation, datacenter: string): Registry {
  const registry = federation.registryOf(datacenter.toLowerCase());
  if (!registry) throw new HttpError(500, 'No path to datacenter');
  return registry;
}

/**
 * A call as another datacenter takes it: what its token may do is decided there.
 * @throws HttpError 500: there is no such datacenter, 403: the token is not known there
 */
export function callInDatacenter(call: Call, datacenter: string): Call {
  const registry = registryOfDatacenter(call.registry.federation, datacenter);
  if (registry === call.registry) return call;
  return { ...call, registry, permissions: registry.acl.permissionsOf(call.request) };
}
