import type { Grants, NodeIdentity, ServiceIdentity } from '../state/acl.ts';
import type { Rule } from './rules.ts';

const everyService: Rule = { resource: 'service', prefix: true, name: '', level: 'read' };
const everyNode: Rule = { resource: 'node', prefix: true, name: '', level: 'read' };

/** The rules that identities stand for in a datacenter; those of other datacenters mean nothing in it. */
export function rulesOfIdentities(
  { ServiceIdentities = [], NodeIdentities = [] }: Pick<Grants, 'ServiceIdentities' | 'NodeIdentities'>,
  datacenter: string,
): Rule[] {
  return [
    ...ServiceIdentities.filter(
      ({ Datacenters }) => Datacenters === undefined || Datacenters.includes(datacenter),
    ).flatMap(rulesOfService),
    ...NodeIdentities.filter(({ Datacenter }) => Datacenter === datacenter).flatMap(rulesOfNode),
  ];
}

/** A service registers itself and its proxy, and finds the others. */
function rulesOfService({ ServiceName }: ServiceIdentity): Rule[] {
  return [
    { resource: 'service', prefix: false, name: ServiceName, level: 'write' },
    { resource: 'service', prefix: false, name: `${ServiceName}-sidecar-proxy`, level: 'write' },
    everyService,
    everyNode,
  ];
}

/** A node registers itself, and finds services. */
function rulesOfNode({ NodeName }: NodeIdentity): Rule[] {
  return [{ resource: 'node', prefix: false, name: NodeName, level: 'write' }, everyService];
}
