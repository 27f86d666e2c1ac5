import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Content } from '../../core/state/state-table.ts';
import { agentNode } from '../agent-node.ts';
import { blankCheck, idInput, isStatus, statuses } from '../catalog-fields.ts';
import { durationText, readMilliseconds } from '../check-definition-fields.ts';
import { durationInput } from '../config/rules.ts';
import type { AgentCheck } from '../model/agent.ts';
import { ignored } from '../read-parameters.ts';

const text = s.nonEmpty(s.string('Not supported: the agent only runs checks with a time to live.'));
const list = s.nonEmpty(s.list(s.string(), text.description));
const milliseconds = (description: string) =>
  s.converted(
    s.number(`${description}: a duration such as \`5s\`, or nanoseconds.`),
    readMilliseconds,
    durationInput,
  );
const deregisterAfter = s.optional(
  milliseconds('Deregister the service after it was critical for this time'),
);

/** Fields of a check in `agent/check/register`, and of one in a service. */
const fields = {
  Name: s.string(),
  Notes: s.string(),
  Status: s.string(`One of ${statuses.join(', ')}; default: critical.`),
  TTL: milliseconds('Time to live. Required: the agent only runs checks with one'),
  Interval: milliseconds('Not used'),
  Timeout: milliseconds('Shown only'),
  ...s.each(['DeregisterCriticalServiceAfter', 'deregister_critical_service_after'], deregisterAfter),
  OutputMaxSize: s.integer('Bytes of the output that are kept.'),
  ...s.each(['SuccessBeforePassing', 'FailuresBeforeWarning', 'FailuresBeforeCritical'], s.integer()),
  ...s.each(['ScriptArgs', 'script_args', 'Args'], list),
  ...s.each(['HTTP', 'H2PING', 'TCP', 'UDP', 'GRPC', 'OSService', 'AliasNode', 'AliasService'], text),
  ...s.each(['H2PingUseTLS', 'h2ping_use_tls', 'Header', 'Method', 'Body', 'DisableRedirects'], ignored),
  ...s.each(['TCPUseTLS', 'DockerContainerID', 'docker_container_id', 'Shell', 'GRPCUseTLS'], ignored),
  ...s.each(['TLSServerName', 'tls_server_name', 'TLSSkipVerify', 'tls_skip_verify'], ignored),
};

/** A check that the agent is asked to run. */
export const checkInput = s.named(
  'AgentCheck',
  s.object({
    ID: idInput,
    ...fields,
    Name: s.required(s.string()),
    ...s.each(['ServiceID', 'service_id'], s.string()),
    ...s.each(['Token', 'disable_redirects', 'tcp_use_tls', 'grpc_use_tls'], ignored),
  }),
);

/** A check in a service. */
export const serviceCheckInput = s.named(
  'AgentServiceCheck',
  s.object({
    CheckID: s.string(),
    ...fields,
    ...s.each(['ServiceID', 'service_id', 'ProxyHTTP', 'ProxyGRPC'], ignored),
  }),
);

/** What both have. */
export type CheckDefinition = Omit<s.Input<typeof checkInput>, 'ID' | 'ServiceID' | 'service_id'>;

/** What a check runs besides a time to live: `HTTP`, `AliasService` and others. */
function kindsOf(check: CheckDefinition): readonly string[] {
  const { script_args, Args, ScriptArgs = script_args ?? Args } = check;
  const { HTTP, H2PING, TCP, UDP, GRPC, OSService, AliasNode, AliasService } = check;
  const kinds = { ScriptArgs, HTTP, H2PING, TCP, UDP, GRPC, OSService, AliasNode, AliasService };
  return Object.entries(kinds).flatMap(([kind, value]) => (value === undefined ? [] : [kind]));
}

/** @throws HttpError 400: invalid, or a check that the agent does not run; 500: a script, which products disable too */
export function validateCheck(check: CheckDefinition): void {
  const kinds = kindsOf(check);
  const problem = problemOf(check, kinds);
  if (problem !== undefined) throw new HttpError(400, `Invalid check: ${problem}`);
  const [kind] = kinds;
  if (kind === 'ScriptArgs') {
    throw new HttpError(
      500,
      "Scripts are disabled on this agent from remote calls; to enable, configure 'enable_script_checks' to true",
    );
  }
  if (kind !== undefined) {
    throw new HttpError(400, `Invalid check: ${kind} is not supported: this agent only runs TTL checks`);
  }
}

function problemOf(check: CheckDefinition, kinds: readonly string[]): string | undefined {
  const { TTL, Interval, OutputMaxSize, FailuresBeforeWarning, FailuresBeforeCritical } = check;
  const isAlias = kinds.some((kind) => kind.startsWith('Alias'));
  const hasInterval = kinds.some((kind) => !kind.startsWith('Alias'));
  if (Interval > 0 && TTL > 0) return 'Interval and TTL cannot both be specified';
  if (hasInterval && Interval <= 0)
    return 'Interval must be > 0 for Script, HTTP, H2PING, TCP, UDP or OSService checks';
  if (hasInterval && isAlias) return 'Interval cannot be set for Alias checks';
  if (isAlias && TTL > 0) return 'TTL must be not be set for Alias checks';
  if (!hasInterval && !isAlias && TTL <= 0) return 'TTL must be > 0 for TTL checks';
  if (OutputMaxSize < 0) return 'MaxOutputMaxSize must be positive';
  if (FailuresBeforeWarning > FailuresBeforeCritical)
    return "FailuresBeforeWarning can't be higher than FailuresBeforeCritical";
  return undefined;
}

/** Bytes of output that are kept at most. */
const maxOutputBytes = 4096;
const minDeregisterMs = 60_000;
/** A new check without a time to live. */
const unlimited = { ttlMs: null, expiresAt: null, deregisterAfterMs: null, lastOutput: '', maxOutputBytes };

/** The check as the agent stores it. @param identity its ID and name, and how it shows its durations */
export function agentCheck(
  check: CheckDefinition,
  identity: { readonly id: string; readonly name: string; readonly serviceId: string; readonly zero: string },
): Content<AgentCheck> {
  const { id, name, serviceId, zero } = identity;
  const { Status, OutputMaxSize } = check;
  const { deregister_critical_service_after: otherMs = 0 } = check;
  const { DeregisterCriticalServiceAfter: deregisterAfterMs = otherMs } = check;
  return {
    check: {
      ...blankCheck,
      Node: agentNode,
      CheckID: id,
      Name: name,
      Status: isStatus(Status) ? Status : 'critical',
      Notes: check.Notes,
      ServiceID: serviceId,
      Type: 'ttl',
      Interval: zero,
      Timeout: durationText(check.Timeout) || zero,
    },
    ...unlimited,
    ttlMs: check.TTL,
    deregisterAfterMs: deregisterAfterMs > 0 ? Math.max(deregisterAfterMs, minDeregisterMs) : null,
    maxOutputBytes: OutputMaxSize > 0 ? Math.min(OutputMaxSize, maxOutputBytes) : maxOutputBytes,
  };
}

/** The critical check of a service, or of the agent's node, in maintenance. */
export function maintenanceCheck(serviceId: string, reason: string): Content<AgentCheck> {
  const of = serviceId === '' ? 'node' : 'service';
  return {
    check: {
      ...blankCheck,
      Node: agentNode,
      CheckID: maintenanceCheckId(serviceId),
      Name: serviceId === '' ? 'Node Maintenance Mode' : 'Service Maintenance Mode',
      Status: 'critical',
      Notes:
        reason ||
        `Maintenance mode is enabled for this ${of}, but no reason was provided. This is a default message.`,
      ServiceID: serviceId,
      Type: 'maintenance',
    },
    ...unlimited,
  };
}

export const maintenanceCheckId = (serviceId: string): string =>
  serviceId === '' ? '_node_maintenance' : `_service_maintenance:${serviceId}`;

/** Whether a check marks maintenance. */
export const isMaintenance = (checkId: string): boolean =>
  checkId === maintenanceCheckId('') || checkId.startsWith('_service_maintenance:');
