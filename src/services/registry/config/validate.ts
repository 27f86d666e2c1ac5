import { isObject } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { readNanoseconds } from './duration.ts';
import {
  type ConfigEntry,
  type Failover,
  globalName,
  type HttpMatch,
  type MeshGateway,
  meshGatewayModes,
  type ProxyDefaults,
  type Route,
  type ServiceResolver,
  type ServiceSplitter,
  type ValueMatch,
} from './entry.ts';

/** An entry that violates a rule of its kind. */
class InvalidEntryError extends HttpError {
  constructor(message: string) {
    super(500, message);
  }
}

/**
 * Checks an entry against the rules of its kind (docs/protocol/registry.md#config-entries).
 * @throws HttpError 500
 */
export function validateEntry(entry: ConfigEntry): void {
  validateName(entry.Name);
  switch (entry.Kind) {
    case 'service-defaults':
      validateGateway(entry.MeshGateway);
      break;
    case 'proxy-defaults':
      validateProxies(entry);
      break;
    case 'service-router':
      for (const [index, route] of (entry.Routes ?? []).entries()) validateRoute(route, `Route[${index}]`);
      break;
    case 'service-splitter':
      validateSplitter(entry);
      break;
    case 'service-resolver':
      validateResolver(entry);
  }
}

/** A name is a segment of the path of the entry. */
function validateName(name: string | undefined): void {
  if (!name) throw new InvalidEntryError('Name is required');
  if (name === '.' || name === '..' || /[/\p{Cc}]/u.test(name)) {
    throw new InvalidEntryError(`invalid name (${JSON.stringify(name)}): it cannot be a segment of a path`);
  }
}

function validateProxies({ Name, Config, MeshGateway }: ProxyDefaults): void {
  if (Name !== globalName) {
    throw new InvalidEntryError(`invalid name ("${Name}"), only "${globalName}" is supported`);
  }
  if (Config !== undefined && !isObject(Config)) throw new InvalidEntryError('Config must be an object');
  validateGateway(MeshGateway);
}

function validateGateway({ Mode }: MeshGateway = {}): void {
  if (Mode && !meshGatewayModes.includes(Mode))
    throw new InvalidEntryError(`Invalid Mesh Gateway Mode: "${Mode}"`);
}

function validateRoute({ Match, Destination }: Route, where: string): void {
  const http = Match?.HTTP ?? {};
  validatePaths(http, where);
  validateValues(http, where);
  const duplicate = http.Methods?.find((method, index, all) => all.indexOf(method) !== index);
  if (duplicate) throw new InvalidEntryError(`${where} Methods contains "${duplicate}" more than once`);
  if (Destination?.PrefixRewrite && !http.PathExact && !http.PathPrefix) {
    throw new InvalidEntryError(
      `${where} cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix`,
    );
  }
  if ((Destination?.NumRetries ?? 0) < 0) throw new InvalidEntryError(`${where} NumRetries must be >= 0`);
  rejectNegative('RequestTimeout', Destination?.RequestTimeout, where);
  rejectNegative('IdleTimeout', Destination?.IdleTimeout, where);
}

function validatePaths({ PathExact, PathPrefix, PathRegex }: HttpMatch, where: string): void {
  if (PathExact && !PathExact.startsWith('/')) {
    throw new InvalidEntryError(`${where} PathExact doesn't start with '/': "${PathExact}"`);
  }
  if (PathPrefix && !PathPrefix.startsWith('/')) {
    throw new InvalidEntryError(`${where} PathPrefix doesn't start with '/': "${PathPrefix}"`);
  }
  if ([PathExact, PathPrefix, PathRegex].filter(Boolean).length > 1) {
    throw new InvalidEntryError(
      `${where} should only contain at most one of PathExact, PathPrefix, or PathRegex`,
    );
  }
}

function validateValues({ Header = [], QueryParam = [] }: HttpMatch, where: string): void {
  const check = (field: string, conditions: string, values: readonly ValueMatch[], minConditions: number) => {
    for (const [index, { Name, Present, Exact, Prefix, Suffix, Regex }] of values.entries()) {
      if (!Name) throw new InvalidEntryError(`${where} ${field}[${index}] missing required Name field`);
      const provided = [Present, Exact, Prefix, Suffix, Regex].filter(Boolean).length;
      if (provided > 1 || provided < minConditions) {
        throw new InvalidEntryError(`${where} ${field}[${index}] should only contain one of ${conditions}`);
      }
    }
  };
  check('Header', 'Present, Exact, Prefix, Suffix, or Regex', Header, 1);
  // A parameter without a condition must be present and empty.
  check('QueryParam', 'Present, Exact, or Regex', QueryParam, 0);
}

function validateSplitter({ Name, Splits = [] }: ServiceSplitter): void {
  if (Splits.length === 0) throw new InvalidEntryError('no splits configured');
  const destinations = new Set<string>();
  let hundredths = 0;
  for (const { Weight, Service = Name, ServiceSubset = '', Namespace = '' } of Splits) {
    const steps = Math.round(Weight * 100);
    if (steps < 0 || steps > 10_000 || Math.abs(steps - Weight * 100) > 1e-6) {
      throw new InvalidEntryError(`split weight must be from 0 to 100 in steps of 0.01, not ${Weight}`);
    }
    hundredths += steps;
    const destination = JSON.stringify([Service, ServiceSubset, Namespace]);
    if (destinations.has(destination)) {
      throw new InvalidEntryError(
        `split destination occurs more than once: service="${Service}", subset="${ServiceSubset}", namespace="${Namespace}"`,
      );
    }
    destinations.add(destination);
  }
  if (hundredths !== 10_000) {
    throw new InvalidEntryError(`the sum of all split weights must be 100, not ${hundredths / 100}`);
  }
}

const balancingPolicies = ['random', 'round_robin', 'least_request', 'ring_hash', 'maglev'];

function validateResolver(entry: ServiceResolver): void {
  const { Name, DefaultSubset, Subsets = {}, Redirect, Failover, LoadBalancer } = entry;
  const isMissingSubset = (service: string | undefined, subset: string | undefined) =>
    Boolean(subset) && (service ?? Name) === Name && !Object.hasOwn(Subsets, subset ?? '');
  if (Object.hasOwn(Subsets, '')) throw new InvalidEntryError('Subset defined with empty name');
  if (isMissingSubset(Name, DefaultSubset)) {
    throw new InvalidEntryError(`DefaultSubset "${DefaultSubset}" is not a valid subset`);
  }
  if (Redirect) {
    if (Failover) throw new InvalidEntryError('Redirect and Failover cannot both be set');
    if (Object.keys(Redirect).length === 0) throw new InvalidEntryError('Redirect is empty');
    if (!Redirect.Service && Redirect.ServiceSubset) {
      throw new InvalidEntryError('Redirect.ServiceSubset defined without Redirect.Service');
    }
    if (Redirect.Peer && Redirect.Datacenter) {
      throw new InvalidEntryError('Redirect.Peer and Redirect.Datacenter cannot both be set');
    }
    if (isMissingSubset(Redirect.Service, Redirect.ServiceSubset)) {
      throw new InvalidEntryError(
        `Redirect.ServiceSubset "${Redirect.ServiceSubset}" is not a valid subset of "${Name}"`,
      );
    }
  }
  for (const [subset, policy] of Object.entries(Failover ?? {})) {
    const where = `Bad Failover["${subset}"]`;
    if (subset !== '*' && isMissingSubset(Name, subset))
      throw new InvalidEntryError(`${where}: not a valid subset`);
    validateFailover(policy, where);
    if (isMissingSubset(policy.Service, policy.ServiceSubset)) {
      throw new InvalidEntryError(
        `${where}.ServiceSubset "${policy.ServiceSubset}" is not a valid subset of "${Name}"`,
      );
    }
  }
  rejectNegative('ConnectTimeout', entry.ConnectTimeout);
  rejectNegative('RequestTimeout', entry.RequestTimeout);
  const policy = LoadBalancer?.Policy;
  if (policy && !balancingPolicies.includes(policy)) {
    throw new InvalidEntryError(`Bad LoadBalancer policy: "${policy}" is not supported`);
  }
}

function validateFailover(policy: Failover, where: string): void {
  const { Datacenters, Targets, ...general } = policy;
  if (Object.keys(policy).length === 0) {
    throw new InvalidEntryError(
      `${where}: one of Service, ServiceSubset, Namespace, Targets, or Datacenters is required`,
    );
  }
  if (Targets && (Datacenters || Object.keys(general).length > 0)) {
    throw new InvalidEntryError(
      `${where}: Targets cannot be set with Service, ServiceSubset, Namespace, or Datacenters`,
    );
  }
  if (Datacenters?.includes('')) throw new InvalidEntryError(`${where}.Datacenters: found empty datacenter`);
  for (const [index, { Peer, Datacenter }] of (Targets ?? []).entries()) {
    if (Peer && Datacenter) {
      throw new InvalidEntryError(`${where}.Targets[${index}]: Peer cannot be set with Datacenter`);
    }
  }
}

function rejectNegative(name: string, duration: string | undefined, where?: string): void {
  if (duration === undefined || (readNanoseconds(duration) ?? 0) >= 0) return;
  throw new InvalidEntryError(`${where ? `${where} ` : ''}Bad ${name} '${duration}', must be >= 0`);
}
