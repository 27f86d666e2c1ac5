import type { Answer } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { readOnce } from '../http/read.ts';
import { agentAddress, agentNode } from '../place.ts';
import { nodeOf } from '../state/catalog.ts';

const server = `${agentAddress}:8300`;

export function leader(call: Call): Answer {
  return readOnce(call, { value: server });
}

export function peers(call: Call): Answer {
  return readOnce(call, { value: [server] });
}

/** What the agent is (docs/protocol/registry.md#catalog-and-health). */
export function agentSelf(call: Call): Answer {
  const { authority, registry } = call;
  const { datacenter, federation } = registry;
  demand(authority, 'agent:read', agentNode);
  const node = nodeOf(registry.state.view, agentNode);
  return readOnce(call, {
    value: {
      Config: {
        Datacenter: datacenter,
        PrimaryDatacenter: federation.primary,
        NodeName: agentNode,
        NodeID: node?.ID ?? '',
        Server: true,
        Version: registry.version,
      },
      DebugConfig: {},
      Coord: null,
      Member: { Name: agentNode, Addr: agentAddress, Port: 8301, Tags: { dc: datacenter }, Status: 1 },
      Stats: {},
      Meta: {},
    },
  });
}
