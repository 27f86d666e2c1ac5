import type { Grants, NodeIdentity, ServiceIdentity } from '../model/acl.ts';
import type { Rule } from './rules.ts';

const readAllServices: Rule = { resource: 'service', isPrefix: true, name: '', level: 'read' };
const readAllNodes: Rule = { resource: 'node', isPrefix: true, name: '', level: 'read' };

/** The rules that identities stand for in a datacenter; those of other datacenters mean nothing in it. */
export function identityRules(
  { ServiceIdentities = [], NodeIdentities = [] }: Pick<Grants, 'ServiceIdentities' | 'NodeIdentities'>,
  datacenter: string,
): Rule[] {
  return [
    ...ServiceIdentities.filter(
      ({ Datacenters }) => Datacenters === undefined || Datacenters.includes(datacenter),
    ).flatMap(serviceIdentityRules),
    ...NodeIdentities.filter(({ Datacenter }) => Datacenter === datacenter).flatMap(nodeIdentityRules),
  ];
}

/** A service registers itself and its proxy, and finds the others. */
function serviceIdentityRules({ ServiceName }: ServiceIdentity): Rule[] {
  return [
    { resource: 'service', isPrefix: false, name: ServiceName, level: 'write' },
    { resource: 'service', isPrefix: false, name: `${ServiceName}-sidecar-proxy`, level: 'write' },
    readAllServices,
    readAllNodes,
  ];
}

/** A node registers itself, and finds services. */
function nodeIdentityRules({ NodeName }: NodeIdentity): Rule[] {
  return [{ resource: 'node', isPrefix: false, name: NodeName, level: 'write' }, readAllServices];
}
