import { HttpRefusal } from '../../http/service.ts';
import type { Federation } from '../federation.ts';
import type { Call, Registry } from './call.ts';

/** @throws HttpRefusal 500: there is no such datacenter */
export function registryIn(federation: Federation, datacenter: string): Registry {
  const found = federation.registryOf(datacenter.toLowerCase());
  if (!found) throw new HttpRefusal(500, 'No path to datacenter');
  return found;
}

/**
 * A call as another datacenter takes it: what its token may do is decided there.
 * @throws HttpRefusal 500: there is no such datacenter, 403: the token is not known there
 */
export function callIn(call: Call, datacenter: string): Call {
  const registry = registryIn(call.registry.federation, datacenter);
  if (registry === call.registry) return call;
  return { ...call, registry, authority: registry.acl.authorityOf(call.request) };
}
