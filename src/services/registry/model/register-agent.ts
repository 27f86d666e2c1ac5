import { uuid } from '../../core/uuid.ts';
import { agentAddress, agentNode } from '../agent-node.ts';
import { checkOf, nodeOf, putCheck, putNode } from './catalog.ts';
import type { Transaction } from './tables.ts';

/** The check of the agent's node, which sessions use by default. */
const serfHealth = {
  Node: agentNode,
  CheckID: 'serfHealth',
  Name: 'Serf Health Status',
  Status: 'passing',
  Notes: '',
  Output: 'Agent alive and reachable',
  ServiceID: '',
  ServiceName: '',
  ServiceTags: [],
  Type: '',
  Interval: '',
  Timeout: '',
  ExposedPort: 0,
  Definition: {},
} as const;

/** Registers the agent's node with its check, if they are missing (docs/protocol/registry.md#catalog-and-health). */
export function registerAgent(transaction: Transaction, datacenter: string): void {
  const existing = nodeOf(transaction, agentNode);
  if (!existing) {
    putNode(transaction, {
      ID: uuid(transaction.random),
      Node: agentNode,
      Address: agentAddress,
      Datacenter: datacenter,
      TaggedAddresses: { lan: agentAddress, wan: agentAddress },
      Meta: {},
    });
  }
  if (!checkOf(transaction, agentNode, serfHealth.CheckID)) putCheck(transaction, serfHealth);
}
