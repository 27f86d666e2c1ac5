import type { OperationDescription, Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { commonQuery, readQuery } from './parameters.ts';

const health = s.object({ ok: s.boolean(), message: s.text() });

export const agentSchemas: s.Schemas = {
  AgentHealth: s.object({ server: health, client: health }),
  AgentSelf: s.object({
    config: s.object({
      Name: s.text(),
      Region: s.text(),
      Datacenter: s.text(),
      Version: s.object({ Version: s.text() }),
      ACL: s.object({ Enabled: s.boolean('Whether access control is bootstrapped.') }),
    }),
    member: s.ref('AgentMember'),
    stats: s.map(s.map(s.text()), 'Statistics by component.'),
  }),
  AgentMember: s.object({
    Name: s.text(),
    Addr: s.text(),
    Port: s.integer(),
    Tags: s.map(s.text()),
    Status: s.text(),
  }),
  AgentMembers: s.object({
    ServerName: s.text(),
    ServerRegion: s.text(),
    ServerDC: s.text(),
    Members: s.array(s.ref('AgentMember')),
  }),
};

const get = (
  id: string,
  summary: string,
  schema: s.Schema,
  more: Partial<OperationDescription> = {},
): OperationDescription => ({
  id,
  tag: 'Agent',
  summary,
  query: readQuery,
  responses: { 200: { schema, headers: 'query' } },
  ...more,
});

export const agentOperations: Operations = {
  'GET v1/agent/health': get('getAgentHealth', 'Get the health of the agent', s.ref('AgentHealth'), {
    isUnauthenticated: true,
    query: commonQuery,
  }),
  'GET v1/agent/self': get('getAgentSelf', 'Get the configuration of the agent', s.ref('AgentSelf')),
  'GET v1/agent/members': get('listAgentMembers', 'List the servers', s.ref('AgentMembers'), {
    query: commonQuery,
    responses: { 200: { schema: s.ref('AgentMembers') } },
  }),
  'GET v1/status/leader': get('getLeader', 'Get the address of the leader', s.text(), {
    isUnauthenticated: true,
  }),
  'GET v1/status/peers': get('listPeers', 'List the addresses of the servers', s.array(s.text()), {
    isUnauthenticated: true,
  }),
  'GET v1/regions': get('listRegions', 'List regions', s.array(s.text()), { isUnauthenticated: true }),
};
