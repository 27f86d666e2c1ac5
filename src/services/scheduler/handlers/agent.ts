import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { nonBlockingQuery } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { requirePermission } from '../require-permission.ts';

const ok = { ok: true, message: 'ok' };
const server = '127.0.0.1:4647';
const name = 'lanyard';
const location = { region: 'global', datacenter: 'dc1' };

export function agentHealth(): HttpResponse {
  const serviceHeaders = { Index: '1', KnownLeader: 'true', LastContact: '0' };
  return jsonResponse(200, { server: ok, client: ok }, { serviceHeaders });
}

export function agentSelf(call: Call): HttpResponse {
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
}

/** The servers: only this one. */
export function members(call: Call): HttpResponse {
  requirePermission(call.permissions.canReadNode);
  return jsonResponse(200, {
    ServerName: name,
    ServerRegion: location.region,
    ServerDC: location.datacenter,
    Members: [memberOf(call)],
  });
}

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

export function leader(call: Call): HttpResponse {
  return nonBlockingQuery(call, server);
}

export function peers(call: Call): HttpResponse {
  return nonBlockingQuery(call, [server]);
}

export function regions(call: Call): HttpResponse {
  return nonBlockingQuery(call, ['global']);
}
