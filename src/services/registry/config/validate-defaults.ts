import { isIP } from 'node:net';
import { isObject } from '../../../wire/objects.ts';
import {
  type EntryKind,
  globalName,
  type MeshGateway,
  meshGatewayModes,
  type ProxyDefaults,
  type ServiceDefaults,
  type Upstream,
} from './entry.ts';
import { extensionErrors } from './envoy-extensions.ts';
import { multiError } from './multi-error.ts';
import { metaErrors, rejectAll, rejectIf } from './reject-if.ts';

const protocols: readonly string[] = ['', 'http', 'http2', 'grpc', 'tcp'];
const balances: readonly string[] = ['', 'exact_balance'];

/** @throws HttpError 500 */
export function validateServiceDefaults(entry: ServiceDefaults): void {
  const { Protocol = '', BalanceInboundConnections = '', UpstreamConfig, Destination } = entry;
  rejectIf(entry.Name === '*', 'service-defaults name must be the name of a service, and not a wildcard');
  validateGateway(entry.MeshGateway);
  validateMode(entry.Mode);
  const general = [
    ...metaErrors(entry.Meta),
    ...(balances.includes(BalanceInboundConnections)
      ? []
      : [`invalid value for balance_inbound_connections: ${BalanceInboundConnections}`]),
    ...(protocols.includes(Protocol) ? [] : [`invalid value for protocol: ${Protocol}`]),
  ];
  if (UpstreamConfig && Destination)
    rejectAll([...general, 'UpstreamConfig and Destination are mutually exclusive for service defaults']);
  rejectUnknownMutualTls(entry.MutualTLSMode);
  rejectAll([
    ...general,
    ...upstreamErrors(UpstreamConfig),
    ...destinationErrors(Destination),
    ...(entry.RateLimits === undefined
      ? []
      : ['invalid rate_limits config. Rate limiting is a consul enterprise feature']),
    ...extensionErrors(entry.EnvoyExtensions),
  ]);
  rejectPermissive(entry.MutualTLSMode);
}

/** @throws HttpError 500 proxy-defaults with another name than `global` */
export function rejectProxyDefaultsName(kind: EntryKind, name: string): void {
  rejectIf(
    kind === 'proxy-defaults' && name !== globalName,
    `invalid name (${JSON.stringify(name)}), only "${globalName}" is supported`,
  );
}

/** @throws HttpError 500 */
export function validateProxyDefaults(entry: ProxyDefaults): void {
  const { Config, FailoverPolicy } = entry;
  rejectProxyDefaultsName(entry.Kind, entry.Name);
  rejectIf(Config !== undefined && !isObject(Config), 'Config must be an object');
  validateGateway(entry.MeshGateway);
  validateMode(entry.Mode);
  validateAccessLogs(entry.AccessLogs);
  rejectAll(metaErrors(entry.Meta));
  rejectAll(extensionErrors(entry.EnvoyExtensions));
  rejectIf(
    !['', 'sequential', 'order-by-locality'].includes(FailoverPolicy?.Mode ?? ''),
    "Failover-policy mode must be one of '', 'sequential', or 'order-by-locality'",
  );
  rejectIf(entry.PrioritizeByLocality?.Mode, 'Prioritize-by-locality requires Consul Enterprise ');
  rejectUnknownMutualTls(entry.MutualTLSMode);
  rejectPermissive(entry.MutualTLSMode);
}

function validateGateway({ Mode }: MeshGateway = {}): void {
  rejectIf(Mode && !meshGatewayModes.includes(Mode), `Invalid Mesh Gateway Mode: ${JSON.stringify(Mode)}`);
}

function validateMode(mode = ''): void {
  rejectIf(!['', 'direct', 'transparent'].includes(mode), `Invalid Proxy Mode: ${JSON.stringify(mode)}`);
}

function rejectUnknownMutualTls(mode = ''): void {
  rejectIf(
    !['', 'strict', 'permissive'].includes(mode),
    `Invalid MutualTLSMode ${JSON.stringify(mode)}. Must be one of "", "strict", or "permissive".`,
  );
}

/** `permissive` needs a `mesh` entry that permits it, and entries of that kind are not supported. */
function rejectPermissive(mode: string | undefined): void {
  rejectIf(
    mode === 'permissive',
    'cannot set MutualTLSMode=permissive because AllowEnablingPermissiveMutualTLS=false in the mesh config entry',
  );
}

const logSinks: readonly string[] = ['', 'file', 'stderr', 'stdout'];

function validateAccessLogs(logs: ProxyDefaults['AccessLogs'] = {}): void {
  const { Type = '', Path, JSONFormat, TextFormat } = logs;
  rejectIf(Type === 'file' && !Path, 'path must be specified when using file type access logs');
  rejectIf(!logSinks.includes(Type), `invalid access log type: ${Type}`);
  rejectIf(JSONFormat && TextFormat, 'cannot specify both access log JSONFormat and TextFormat');
  rejectIf(Type !== 'file' && Path, 'path is only valid for file type access logs');
  rejectIf(JSONFormat && !isJson(JSONFormat), 'invalid access log json for JSON format');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function upstreamErrors({ Overrides = [], Defaults }: ServiceDefaults['UpstreamConfig'] = {}): string[] {
  const overrides = Overrides.flatMap((override) => {
    const { Name = '', Peer = '' } = override;
    const reason =
      Name === ''
        ? 'Name is required'
        : Name === '*'
          ? 'Wildcard name is not supported'
          : upstreamError(override);
    return reason === undefined ? [] : [`error in upstream override for ${Name}:${Peer}: ${reason}`];
  });
  const reason = Defaults?.Name ? 'Name must be empty' : upstreamError(Defaults);
  return reason === undefined ? overrides : [...overrides, `error in upstream defaults: ${reason}`];
}

function upstreamError(upstream: Upstream = {}): string | undefined {
  const { BalanceOutboundConnections: balance = '' } = upstream;
  const errors = [
    healthCheckError(upstream.PassiveHealthCheck),
    limitsError(upstream.Limits),
    balances.includes(balance) ? undefined : `invalid value for balance_outbound_connections: ${balance}`,
  ];
  return multiError(errors.filter((error) => error !== undefined));
}

function healthCheckError(check: Upstream['PassiveHealthCheck'] = {}): string | undefined {
  const isPercentage = (value = 0): boolean => value >= 0 && value <= 100;
  if ((check.Interval ?? 0) < 0) return 'passive health check interval cannot be negative';
  if (!isPercentage(check.EnforcingConsecutive5xx))
    return 'passive health check enforcing_consecutive_5xx must be a percentage between 0 and 100';
  if (!isPercentage(check.MaxEjectionPercent))
    return 'passive health check max_ejection_percent must be a percentage between 0 and 100';
  return (check.BaseEjectionTime ?? 0) < 0
    ? 'passive health check base_ejection_time cannot be negative'
    : undefined;
}

function limitsError(limits: Upstream['Limits'] = {}): string | undefined {
  if ((limits.MaxConnections ?? 0) < 0) return 'max connections cannot be negative';
  if ((limits.MaxPendingRequests ?? 0) < 0) return 'max pending requests cannot be negative';
  return (limits.MaxConcurrentRequests ?? 0) < 0 ? 'max concurrent requests cannot be negative' : undefined;
}

function destinationErrors(destination: ServiceDefaults['Destination']): string[] {
  if (!destination) return [];
  const { Addresses = [], Port = 0 } = destination;
  return [
    ...(Addresses.length === 0 ? ['Destination must contain at least one valid address'] : []),
    ...Addresses.flatMap((address, index) => addressErrors(address, Addresses.indexOf(address) < index)),
    ...(Port < 1 || Port > 65_535 ? [`Invalid Port number ${Port}`] : []),
  ];
}

function addressErrors(address: string, isDuplicate: boolean): string[] {
  if (isDuplicate) return [`Duplicate address '${address}' is not allowed`];
  if (isIP(address) > 0 || isDomainName(address)) return [];
  return [
    `Destination address '${address}' is invalid Could not validate address ${address} as an IP or Hostname`,
  ];
}

function isDomainName(name: string): boolean {
  if (name === '' || name.includes('*') || name.length > 254) return false;
  return (name.endsWith('.') ? name.slice(0, -1) : name)
    .split('.')
    .every((label) => label.length > 0 && label.length <= 63);
}
