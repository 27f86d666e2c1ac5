import type { Json } from '../../../wire/json.ts';
import { Fields } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { agentNode } from '../agent-node.ts';
import { durationText, readMilliseconds } from '../check-definition-fields.ts';
import { fieldNames, rejectUnknownFields } from '../known-fields.ts';
import type { AgentCheck } from '../model/agent.ts';
import { type Status, statuses } from '../model/catalog.ts';

/** A check that the agent is asked to run. */
export interface CheckDefinition {
  readonly id: string;
  readonly name: string;
  readonly notes: string;
  /** Undefined: not set. */
  readonly status: string | undefined;
  readonly serviceId: string;
  readonly ttlMs: number;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly deregisterAfterMs: number;
  readonly maxOutputBytes: number;
  readonly failuresBeforeWarning: number;
  readonly failuresBeforeCritical: number;
  /** What the check runs, besides a time to live: `HTTP`, `AliasService` and others. */
  readonly kinds: readonly string[];
}

/** Fields that make a check one of another type than TTL. */
const kindFields = [
  ['ScriptArgs', 'script_args', 'Args'],
  ['HTTP'],
  ['H2PING'],
  ['TCP'],
  ['UDP'],
  ['GRPC'],
  ['OSService'],
  ['AliasNode'],
  ['AliasService'],
] as const;

const commonNames = [
  'Name',
  'Notes',
  'Status',
  'ServiceID',
  'service_id',
  'TTL',
  'Interval',
  'Timeout',
  'DeregisterCriticalServiceAfter',
  'deregister_critical_service_after',
  'OutputMaxSize',
  'SuccessBeforePassing',
  'FailuresBeforeWarning',
  'FailuresBeforeCritical',
  ...kindFields.flat(),
  'H2PingUseTLS',
  'h2ping_use_tls',
  'Header',
  'Method',
  'Body',
  'DisableRedirects',
  'TCPUseTLS',
  'DockerContainerID',
  'docker_container_id',
  'Shell',
  'GRPCUseTLS',
  'TLSServerName',
  'tls_server_name',
  'TLSSkipVerify',
  'tls_skip_verify',
];
/** Fields of a check in `agent/check/register`, and of one in a service. */
const checkNames = fieldNames(
  ...commonNames,
  'ID',
  'Token',
  'disable_redirects',
  'tcp_use_tls',
  'grpc_use_tls',
);
const serviceCheckNames = fieldNames(...commonNames, 'CheckID', 'ProxyHTTP', 'ProxyGRPC');

/** A check of `agent/check/register`. @throws FieldError */
export const readCheckDefinition = (body: Json | undefined) => readDefinition(body, checkNames, 'ID');

/** A check in a service. @throws FieldError */
export const readServiceCheck = (body: Json) => readDefinition(body, serviceCheckNames, 'CheckID');

function readDefinition(
  body: Json | undefined,
  names: ReadonlySet<string>,
  idName: 'ID' | 'CheckID',
): CheckDefinition {
  const fields = new Fields(body, 'the check');
  rejectUnknownFields(body, names);
  const isSet = (name: string): boolean => {
    const value = fields.get(name);
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  };
  return {
    id: fields.string(idName),
    name: fields.string('Name'),
    notes: fields.string('Notes'),
    status: fields.string('Status') || undefined,
    serviceId: fields.string('ServiceID') || fields.string('service_id'),
    ttlMs: readMilliseconds(fields.get('TTL')),
    intervalMs: readMilliseconds(fields.get('Interval')),
    timeoutMs: readMilliseconds(fields.get('Timeout')),
    deregisterAfterMs: readMilliseconds(
      fields.get('DeregisterCriticalServiceAfter') ?? fields.get('deregister_critical_service_after'),
    ),
    maxOutputBytes: fields.integer('OutputMaxSize'),
    failuresBeforeWarning: fields.integer('FailuresBeforeWarning'),
    failuresBeforeCritical: fields.integer('FailuresBeforeCritical'),
    kinds: kindFields.filter((each) => each.some(isSet)).map(([kind]) => kind),
  };
}

/** Whether a check has no fields that do anything; such a `Check` of a service counts as missing. */
export function isEmptyCheck(check: CheckDefinition): boolean {
  const { kinds, status, ...rest } = check;
  return kinds.length === 0 && status === undefined && Object.values(rest).every((value) => !value);
}

/** @throws HttpError 400: invalid, or a check that the agent does not run; 500: a script, which products disable too */
export function validateCheck(check: CheckDefinition): void {
  const { kinds } = check;
  const problem = problemOf(check);
  if (problem !== undefined) throw new HttpError(400, `Invalid check: ${problem}`);
  if (kinds.includes('ScriptArgs')) {
    throw new HttpError(
      500,
      "Scripts are disabled on this agent from remote calls; to enable, configure 'enable_script_checks' to true",
    );
  }
  const [kind] = kinds;
  if (kind !== undefined) {
    throw new HttpError(400, `Invalid check: ${kind} is not supported: this agent only runs TTL checks`);
  }
}

function problemOf(check: CheckDefinition): string | undefined {
  const { kinds, ttlMs, intervalMs } = check;
  const isAlias = kinds.some((kind) => kind.startsWith('Alias'));
  const hasInterval = kinds.some((kind) => !kind.startsWith('Alias'));
  if (intervalMs > 0 && ttlMs > 0) return 'Interval and TTL cannot both be specified';
  if (hasInterval && intervalMs <= 0)
    return 'Interval must be > 0 for Script, HTTP, H2PING, TCP, UDP or OSService checks';
  if (hasInterval && isAlias) return 'Interval cannot be set for Alias checks';
  if (isAlias && ttlMs > 0) return 'TTL must be not be set for Alias checks';
  if (!hasInterval && !isAlias && ttlMs <= 0) return 'TTL must be > 0 for TTL checks';
  if (check.maxOutputBytes < 0) return 'MaxOutputMaxSize must be positive';
  if (check.failuresBeforeWarning > check.failuresBeforeCritical)
    return "FailuresBeforeWarning can't be higher than FailuresBeforeCritical";
  return undefined;
}

export const isStatus = (text: string): text is Status => statuses.some((each) => each === text);

/** Bytes of output that are kept at most. */
const maxOutputBytes = 4096;
const minDeregisterMs = 60_000;

/** The check as the agent stores it. @param identity its ID and name, and how it shows its durations */
export function agentCheck(
  check: CheckDefinition,
  identity: { readonly id: string; readonly name: string; readonly serviceId: string; readonly zero: string },
): Omit<AgentCheck, 'CreateIndex' | 'ModifyIndex'> {
  const { id, name, serviceId, zero } = identity;
  const { deregisterAfterMs, ttlMs, status = 'critical' } = check;
  return {
    check: {
      Node: agentNode,
      CheckID: id,
      Name: name,
      Status: isStatus(status) ? status : 'critical',
      Notes: check.notes,
      Output: '',
      ServiceID: serviceId,
      ServiceName: '',
      ServiceTags: [],
      Type: 'ttl',
      Interval: zero,
      Timeout: durationText(check.timeoutMs) || zero,
      ExposedPort: 0,
      Definition: {},
    },
    ttlMs,
    expiresAt: null,
    deregisterAfterMs: deregisterAfterMs > 0 ? Math.max(deregisterAfterMs, minDeregisterMs) : null,
    lastOutput: '',
    maxOutputBytes:
      check.maxOutputBytes > 0 ? Math.min(check.maxOutputBytes, maxOutputBytes) : maxOutputBytes,
  };
}

/** The critical check of a service, or of the agent's node, in maintenance. */
export function maintenanceCheck(
  serviceId: string,
  reason: string,
): Omit<AgentCheck, 'CreateIndex' | 'ModifyIndex'> {
  const of = serviceId === '' ? 'node' : 'service';
  return {
    check: {
      Node: agentNode,
      CheckID: maintenanceCheckId(serviceId),
      Name: serviceId === '' ? 'Node Maintenance Mode' : 'Service Maintenance Mode',
      Status: 'critical',
      Notes:
        reason ||
        `Maintenance mode is enabled for this ${of}, but no reason was provided. This is a default message.`,
      Output: '',
      ServiceID: serviceId,
      ServiceName: '',
      ServiceTags: [],
      Type: 'maintenance',
      Interval: '',
      Timeout: '',
      ExposedPort: 0,
      Definition: {},
    },
    ttlMs: null,
    expiresAt: null,
    deregisterAfterMs: null,
    lastOutput: '',
    maxOutputBytes,
  };
}

export const maintenanceCheckId = (serviceId: string): string =>
  serviceId === '' ? '_node_maintenance' : `_service_maintenance:${serviceId}`;

/** Whether a check marks maintenance. */
export const isMaintenance = (checkId: string): boolean =>
  checkId === maintenanceCheckId('') || checkId.startsWith('_service_maintenance:');
