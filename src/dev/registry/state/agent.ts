import { uuid } from '../../uuid.ts';
import { agentAddress, agentNode } from '../place.ts';
import { checkOf, nodeOf, putCheck, putNode } from './catalog.ts';
import type { Draft } from './draft.ts';

/** The check of the agent's own node: sessions are bound to it unless they say otherwise. */
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

/**
 * Registers the agent's own node with its check, where they are missing (docs/protocol/registry.md#catalog-and-health).
 */
export function registerAgent(draft: Draft, datacenter: string): void {
  const known = nodeOf(draft, agentNode);
  if (!known) {
    putNode(draft, {
      ID: uuid(draft.random),
      Node: agentNode,
      Address: agentAddress,
      Datacenter: datacenter,
      TaggedAddresses: { lan: agentAddress, wan: agentAddress },
      Meta: {},
    });
  }
  if (!checkOf(draft, agentNode, serfHealth.CheckID)) putCheck(draft, serfHealth);
}
