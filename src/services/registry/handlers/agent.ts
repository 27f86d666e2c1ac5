import type { HttpResponse } from '../../core/http/http-service.ts';
import { agentAddress, agentNode } from '../agent-node.ts';
import { nonBlockingQuery } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { nodeOf } from '../model/catalog.ts';
import { requirePermission } from '../require-permission.ts';

const server = `${agentAddress}:8300`;

export const leader = (call: Call): HttpResponse => nonBlockingQuery(call, { value: server });

export const peers = (call: Call): HttpResponse => nonBlockingQuery(call, { value: [server] });

/** The description of the agent (docs/protocol/registry.md#catalog-and-health). */
export function agentSelf(call: Call): HttpResponse {
  const { permissions, registry } = call;
  const { datacenter, federation } = registry;
  requirePermission(permissions, 'agent:read', agentNode);
  const node = nodeOf(registry.state.view, agentNode);
  return nonBlockingQuery(call, {
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
