import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { nonBlockingQuery } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { requirePermission } from '../require-permission.ts';

const ok = { ok: true, message: 'ok' };
const server = '127.0.0.1:4647';

export function agentHealth(): HttpResponse {
  const serviceHeaders = { Index: '1', KnownLeader: 'true', LastContact: '0' };
  return jsonResponse(200, { server: ok, client: ok }, { serviceHeaders });
}

export function agentSelf(call: Call): HttpResponse {
  const { permissions, scheduler } = call;
  requirePermission(permissions.canReadAgent);
  return nonBlockingQuery(call, {
    config: {
      Name: 'lanyard',
      Region: 'global',
      Datacenter: 'dc1',
      Version: { Version: scheduler.version },
      ACL: { Enabled: scheduler.acl.isEnabled },
    },
    member: { Name: 'lanyard.global', Addr: '127.0.0.1', Port: 4648, Tags: {}, Status: 'alive' },
    stats: {},
  });
}

export function leader(call: Call): HttpResponse {
  return nonBlockingQuery(call, server);
}

export function peers(call: Call): HttpResponse {
  return nonBlockingQuery(call, [server]);
}

export function regions(call: Call): HttpResponse {
  return nonBlockingQuery(call, ['global']);
}
