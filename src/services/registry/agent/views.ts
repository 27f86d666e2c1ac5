import * as s from '../../core/schema/types.ts';
import { withoutIndexes } from '../../core/state/state-table.ts';
import { addresses, check, serviceFields } from '../catalog-fields.ts';
import type { AgentCheck, AgentService } from '../model/agent.ts';
import { connect, proxy } from '../proxy-fields.ts';
import { isMaintenance } from './check-definition.ts';

/** A service as the agent shows it. */
export const agentService = s.named(
  'AgentService',
  s.object({
    ...serviceFields,
    TaggedAddresses: s.optional(addresses),
    Meta: s.map(s.string()),
    Proxy: s.optional(proxy),
    Connect: s.optional(s.object({ Native: s.boolean(connect.fields.Native.description) })),
    Datacenter: s.string(),
  }),
);

/** A service as the agent shows it. */
export function agentServiceView(service: AgentService, datacenter: string) {
  const { Kind, Meta, Connect } = service;
  const isProxy = Kind === 'connect-proxy' || Kind?.endsWith('-gateway') === true;
  return {
    ...withoutIndexes(service),
    Meta: Meta ?? {},
    Proxy: isProxy ? { MeshGateway: {}, Expose: {}, ...service.Proxy } : undefined,
    Connect: Connect.Native === true ? { Native: true } : undefined,
    Datacenter: datacenter,
  };
}

const noIndexes = { CreateIndex: 0, ModifyIndex: 0 };

/** A check as the agent shows it: it has no indexes of its own. */
export const agentCheckView = ({ check }: AgentCheck) => ({ ...check, ...noIndexes });

const healths = ['passing', 'warning', 'critical', 'maintenance'] as const;
export type Health = (typeof healths)[number];

/** The worst status of checks, without their order. */
export function aggregateHealth(checks: readonly AgentCheck[]): Health {
  if (checks.some(({ check }) => isMaintenance(check.CheckID))) return 'maintenance';
  const has = (status: Health) => checks.some(({ check }) => check.Status === status);
  if (has('critical')) return 'critical';
  return has('warning') ? 'warning' : 'passing';
}

/** The status code of a health. */
export function healthCode(health: Health): 200 | 429 | 503 {
  if (health === 'passing') return 200;
  return health === 'warning' ? 429 : 503;
}

/** A service with its health and checks. */
export const agentHealth = s.named(
  'AgentHealth',
  s.object({
    AggregatedStatus: s.oneOf(healths),
    Service: s.nullable(agentService),
    Checks: s.nullable(s.list(check)),
  }),
);

export const agentHealthView = (
  service: AgentService,
  checks: readonly AgentCheck[],
  datacenter: string,
) => ({
  AggregatedStatus: aggregateHealth(checks),
  Service: agentServiceView(service, datacenter),
  Checks: checks.map(({ check: { Interval: _interval, Timeout: _timeout, ...rest } }) => ({
    ...rest,
    ServiceTags: rest.ServiceTags.length > 0 ? rest.ServiceTags : null,
    Type: '',
    ExposedPort: 0,
    Definition: emptyDefinition,
    ...noIndexes,
  })),
});

/** Products show the definition of no check here, but all its fields. */
const emptyDefinition = {
  Interval: '0s',
  Timeout: '0s',
  DeregisterCriticalServiceAfter: '0s',
  HTTP: '',
  Header: null,
  Method: '',
  Body: '',
  TLSServerName: '',
  TLSSkipVerify: false,
  TCP: '',
  TCPUseTLS: false,
  UDP: '',
  GRPC: '',
  OSService: '',
  GRPCUseTLS: false,
};
