import { type Answer, jsonAnswer } from '../../http/service.ts';
import type { Call } from '../http/call.ts';
import { readOnce } from '../http/read.ts';
import { demand } from '../http/refusals.ts';

const ok = { ok: true, message: 'ok' };
const server = '127.0.0.1:4647';

export function agentHealth(): Answer {
  const prefixed = { Index: '1', KnownLeader: 'true', LastContact: '0' };
  return jsonAnswer(200, { server: ok, client: ok }, { prefixed });
}

export function agentSelf(call: Call): Answer {
  const { authority, scheduler } = call;
  demand(authority.readsAgent);
  return readOnce(call, {
    config: {
      Name: 'lanyard',
      Region: 'global',
      Datacenter: 'dc1',
      Version: { Version: scheduler.version },
      ACL: { Enabled: scheduler.access.on },
    },
    member: { Name: 'lanyard.global', Addr: '127.0.0.1', Port: 4648, Tags: {}, Status: 'alive' },
    stats: {},
  });
}

export function leader(call: Call): Answer {
  return readOnce(call, server);
}

export function peers(call: Call): Answer {
  return readOnce(call, [server]);
}

export function regions(call: Call): Answer {
  return readOnce(call, ['global']);
}
