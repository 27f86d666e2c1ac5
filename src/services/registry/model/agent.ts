import * as s from '../../core/schema/types.ts';
import { type Content, stateTable } from '../../core/state/state-table.ts';
import { type RowOf, table } from '../../core/store/table.ts';
import { agentNode } from '../agent-node.ts';
import { checkFields, type Status, serviceFields } from '../catalog-fields.ts';
import { deleteCheck, deleteService, putCheck, putService, serviceOf } from './catalog.ts';
import { type AgentIdentity, registerAgent } from './register-agent.ts';
import type { Transaction, View } from './tables.ts';

/** Services that are registered at the agent, by ID. */
const agentServices = stateTable('agent-services/', serviceFields);
export type AgentService = RowOf<typeof agentServices>;

/** By service ID; empty: checks of the node. */
const agentServiceChecks = table('agent-service-checks/', { id: s.string() });
const serviceCheckKey = (service: string, check: string): string => `${service.length}:${service}/${check}`;

/** Checks that are registered at the agent, by ID. */
const agentChecks = stateTable('agent-checks/', {
  check: s.object(checkFields),
  /** Time to live in milliseconds; null: unlimited (maintenance). */
  ttlMs: s.nullable(s.number()),
  /** Milliseconds of the epoch at which the time to live ends; null: expired, or unlimited. */
  expiresAt: s.nullable(s.number()),
  /** Milliseconds after which a critical check deregisters its service; null: never. */
  deregisterAfterMs: s.nullable(s.number()),
  /** The last output that was reported, at most `maxOutputBytes` long. */
  lastOutput: s.string(),
  maxOutputBytes: s.number(),
}).with({
  lookups: ({ check }, id) => [agentServiceChecks.put(serviceCheckKey(check.ServiceID, id), { id })],
});
export type AgentCheck = RowOf<typeof agentChecks>;

export const agentTables = [agentServices, agentChecks, agentServiceChecks];

export const agentServiceOf = (view: View, id: string) => agentServices.get(view, id);
/** All services; the view must be of one moment. */
export const agentServicesOf = (view: View) => agentServices.list(view);
export const agentCheckOf = (view: View, id: string) => agentChecks.get(view, id);
export const agentChecksOf = (view: View) => agentChecks.list(view);
export const allAgentChecks = (view: View) => agentChecks.values(view);
export const countAgentServices = (view: View): number => agentServices.keys(view).length;

/** The checks of a service; with the checks of the agent's node if wanted. */
export function agentChecksOfService(view: View, id: string, withNode = false): AgentCheck[] {
  const services = withNode && id !== '' ? ['', id] : [id];
  const entries = services.flatMap((each) => agentServiceChecks.values(view, serviceCheckKey(each, '')));
  return entries.flatMap((entry) => agentCheckOf(view, entry.id) ?? []);
}

/** Registers a service at the agent, and in the catalog. */
export function putAgentService(transaction: Transaction, service: Content<AgentService>): void {
  writeAgentService(transaction, service);
  // The checks that it keeps show its name and tags.
  for (const row of agentChecksOfService(transaction, service.ID)) putAgentCheck(transaction, row);
}

function writeAgentService(transaction: Transaction, service: Content<AgentService>): void {
  agentServices.write(transaction, service.ID, service);
  putService(transaction, agentNode, service);
}

/** Registers a check at the agent, and in the catalog, with the name and tags of its service. */
export function putAgentCheck(transaction: Transaction, row: Content<AgentCheck>): void {
  const service = row.check.ServiceID === '' ? undefined : agentServiceOf(transaction, row.check.ServiceID);
  const check = {
    ...row.check,
    ServiceName: service?.Service ?? '',
    ServiceTags: service?.Tags ?? [],
  };
  agentChecks.write(transaction, check.CheckID, { ...row, check });
  // The catalog may have lost the service.
  if (service && !serviceOf(transaction, agentNode, service.ID)) putService(transaction, agentNode, service);
  putCheck(transaction, check);
}

/** Reports the status of a check: its time to live restarts. */
export function reportAgentCheck(
  transaction: Transaction,
  row: AgentCheck,
  Status: Status,
  output: string,
): void {
  const lastOutput = cutOff(output, row.maxOutputBytes);
  const expiresAt = row.ttlMs === null ? null : transaction.now + row.ttlMs;
  putAgentCheck(transaction, {
    ...row,
    expiresAt,
    lastOutput,
    check: { ...row.check, Status, Output: lastOutput },
  });
}

/** Makes a check critical, because its time to live has expired. */
export function expireAgentCheck(transaction: Transaction, row: AgentCheck): void {
  const lastOutput = row.lastOutput === '' ? '' : ` (last output before timeout follows): ${row.lastOutput}`;
  const Output = `TTL expired${lastOutput}`;
  putAgentCheck(transaction, {
    ...row,
    expiresAt: null,
    check: { ...row.check, Status: 'critical', Output },
  });
}

function cutOff(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes.subarray(0, maxBytes)} ... (captured ${maxBytes} of ${bytes.length} bytes)`;
}

/** Removes a service with its checks, from the agent and from the catalog. */
export function deleteAgentService(transaction: Transaction, id: string): void {
  const checks = agentChecksOfService(transaction, id);
  transaction.defer(function* () {
    for (const { check } of checks) yield deleteAgentCheck(transaction, check.CheckID);
  });
  agentServices.delete(transaction, id);
  deleteService(transaction, agentNode, id);
}

export function deleteAgentCheck(transaction: Transaction, id: string): void {
  agentChecks.delete(transaction, id);
  deleteCheck(transaction, agentNode, id);
}

/**
 * Writes to the catalog what the agent has and the catalog lacks or shows otherwise. Tags that the catalog may
 * override (`EnableTagOverride`) are read from it instead.
 */
export function syncAgent(transaction: Transaction, identity: AgentIdentity): void {
  registerAgent(transaction, identity);
  transaction.defer(function* () {
    for (const key of agentServices.keys(transaction)) {
      const service = agentServices.get(transaction, key);
      if (!service) continue;
      const Tags = service.EnableTagOverride ? serviceOf(transaction, agentNode, key)?.Tags : undefined;
      yield writeAgentService(transaction, { ...service, Tags: Tags ?? service.Tags });
    }
    for (const key of agentChecks.keys(transaction)) {
      const row = agentChecks.get(transaction, key);
      if (row) yield putAgentCheck(transaction, row);
    }
  });
}
