import { compact } from '../../../wire/objects.ts';
import type { AgentCheck, AgentService } from '../model/agent.ts';
import { isMaintenance } from './check-definition.ts';

/** A service as the agent shows it. */
export function agentServiceView(service: AgentService, datacenter: string) {
  const isProxy = service.Kind === 'connect-proxy' || service.Kind?.endsWith('-gateway') === true;
  return compact({
    Kind: service.Kind,
    ID: service.ID,
    Service: service.Service,
    Tags: service.Tags,
    Meta: service.Meta ?? {},
    Port: service.Port,
    Address: service.Address,
    SocketPath: service.SocketPath,
    TaggedAddresses: service.TaggedAddresses,
    Weights: service.Weights,
    EnableTagOverride: service.EnableTagOverride,
    Proxy: isProxy ? { MeshGateway: {}, Expose: {}, ...service.Proxy } : undefined,
    Connect: service.Connect.Native === true ? { Native: true } : undefined,
    Datacenter: datacenter,
    Locality: service.Locality,
  });
}

/** A check as the agent shows it: it has no indexes of its own. */
export const agentCheckView = ({ check }: AgentCheck) => ({ ...check, CreateIndex: 0, ModifyIndex: 0 });

export type Health = 'passing' | 'warning' | 'critical' | 'maintenance';

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
export function agentHealthView(service: AgentService, checks: readonly AgentCheck[], datacenter: string) {
  return {
    AggregatedStatus: aggregateHealth(checks),
    Service: agentServiceView(service, datacenter),
    Checks: checks.map(({ check }) => ({
      Node: check.Node,
      CheckID: check.CheckID,
      Name: check.Name,
      Status: check.Status,
      Notes: check.Notes,
      Output: check.Output,
      ServiceID: check.ServiceID,
      ServiceName: check.ServiceName,
      ServiceTags: check.ServiceTags.length > 0 ? check.ServiceTags : null,
      Type: '',
      ExposedPort: 0,
      Definition: emptyDefinition,
      CreateIndex: 0,
      ModifyIndex: 0,
    })),
  };
}

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
