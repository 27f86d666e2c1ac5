import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { nonBlockingQuery, readParameters, regionParameter } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { requirePermission } from '../errors.ts';

const ok = { ok: true, message: 'ok' };
const server = '127.0.0.1:4647';
const name = 'lanyard';
const location = { region: 'global', datacenter: 'dc1' };

const health = s.object({ ok: s.boolean(), message: s.string() });
const member = s.named(
  'AgentMember',
  s.object({
    ...s.each(['Name', 'Addr'], s.string()),
    Port: s.integer(),
    Tags: s.map(s.string()),
    Status: s.string(),
  }),
);

const operation = operations('Agent');
const common = { query: readParameters, responseHeaders: 'query' } as const;

export const agentHealth = operation('getAgentHealth', 'Get the health of the agent', {
  ...common,
  isUnauthenticated: true,
  query: regionParameter,
  returns: s.named('AgentHealth', s.object({ server: health, client: health })),
  handle(): HttpResponse {
    const serviceHeaders = { Index: '1', KnownLeader: 'true', LastContact: '0' };
    return jsonResponse(200, { server: ok, client: ok }, { serviceHeaders });
  },
});

export const agentSelf = operation('getAgentSelf', 'Get the configuration of the agent', {
  ...common,
  returns: s.named(
    'AgentSelf',
    s.object({
      config: s.object({
        ...s.each(['Name', 'Region', 'Datacenter'], s.string()),
        Version: s.object({ Version: s.string() }),
        ACL: s.object({ Enabled: s.boolean('Whether access control is bootstrapped.') }),
      }),
      member,
      stats: s.map(s.map(s.string()), 'Statistics by component.'),
    }),
  ),
  handle(call) {
    const { permissions, scheduler } = call;
    requirePermission(permissions.canReadAgent);
    return nonBlockingQuery(call, {
      config: {
        Name: name,
        Region: location.region,
        Datacenter: location.datacenter,
        Version: { Version: scheduler.version },
        ACL: { Enabled: scheduler.acl.isEnabled },
      },
      member: memberOf(call),
      // The statistics of the parts that it has, as text.
      stats: {
        nomad: { server: 'true', leader: 'true', leader_addr: server, bootstrap: 'true', known_regions: '1' },
      },
    });
  },
});

export const members = operation('listAgentMembers', 'List the servers', {
  description: 'Only this one.',
  query: regionParameter,
  returns: s.named(
    'AgentMembers',
    s.object({ ...s.each(['ServerName', 'ServerRegion', 'ServerDC'], s.string()), Members: s.list(member) }),
  ),
  handle(call) {
    requirePermission(call.permissions.canReadNode);
    return jsonResponse(200, {
      ServerName: name,
      ServerRegion: location.region,
      ServerDC: location.datacenter,
      Members: [memberOf(call)],
    });
  },
});

const memberOf = ({ scheduler }: Call) => ({
  Name: `${name}.${location.region}`,
  Addr: '127.0.0.1',
  Port: 4648,
  Tags: {
    role: 'nomad',
    region: location.region,
    dc: location.datacenter,
    build: scheduler.version,
    bootstrap: '1',
    port: '4647',
    rpc_addr: '127.0.0.1',
    raft_vsn: '3',
  },
  Status: 'alive',
});

const open = { ...common, isUnauthenticated: true } as const;

export const leader = operation('getLeader', 'Get the address of the leader', {
  ...open,
  returns: s.string(),
  handle: (call) => nonBlockingQuery(call, server),
});

export const peers = operation('listPeers', 'List the addresses of the servers', {
  ...open,
  returns: s.list(s.string()),
  handle: (call) => nonBlockingQuery(call, [server]),
});

export const regions = operation('listRegions', 'List regions', {
  ...open,
  returns: s.list(s.string()),
  handle: (call) => nonBlockingQuery(call, ['global']),
});
