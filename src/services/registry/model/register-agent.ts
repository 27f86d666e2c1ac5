import { uuid } from '../../core/uuid.ts';
import { agentAddress } from '../agent-node.ts';
import { blankCheck } from '../catalog-fields.ts';
import { checkOf, nodeOf, putCheck, putNode, putService, serviceOf } from './catalog.ts';
import type { Transaction, View } from './tables.ts';

/** The check of a server's node, which sessions use by default. */
const serfHealth = {
  ...blankCheck,
  CheckID: 'serfHealth',
  Name: 'Serf Health Status',
  Status: 'passing',
  Output: 'Agent alive and reachable',
};

/** The service of the servers, of which the agent is one. */
const serverService = {
  ID: 'consul',
  Service: 'consul',
  Tags: [],
  Address: '',
  Meta: { non_voter: 'false', read_replica: 'false' },
  Port: 8300,
  Weights: { Passing: 1, Warning: 1 },
  EnableTagOverride: false,
  Proxy: {},
  Connect: {},
} as const;

export interface AgentIdentity {
  readonly datacenter: string;
  /** The name of its node. */
  readonly node: string;
  /** Of this program. */
  readonly version: string;
}

/** Whether the agent's node is in the catalog with its check and service. */
export function isAgentRegistered(view: View, node: string): boolean {
  return (
    nodeOf(view, node) !== undefined &&
    checkOf(view, node, serfHealth.CheckID) !== undefined &&
    serviceOf(view, node, serverService.ID) !== undefined
  );
}

/** Registers the agent's node with its check and the service of the servers, if they are missing (docs/protocol/registry.md#catalog-and-health). */
export function registerAgent(transaction: Transaction, { datacenter, node, version }: AgentIdentity): void {
  const existing = nodeOf(transaction, node);
  if (!existing) {
    putNode(transaction, {
      ID: uuid(transaction.random),
      Node: node,
      Address: agentAddress,
      Datacenter: datacenter,
      TaggedAddresses: {
        lan: agentAddress,
        lan_ipv4: agentAddress,
        wan: agentAddress,
        wan_ipv4: agentAddress,
      },
      Meta: { 'consul-network-segment': '', 'consul-version': version },
    });
  }
  if (!serviceOf(transaction, node, serverService.ID)) putService(transaction, node, serverService);
  if (!checkOf(transaction, node, serfHealth.CheckID)) putCheck(transaction, { Node: node, ...serfHealth });
}
