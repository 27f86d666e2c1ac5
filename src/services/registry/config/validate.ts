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

/** Rejects an entry that violates a rule of its kind. */
function rejectIf(isViolated: unknown, message: string): void {
  if (isViolated) throw new HttpError(500, message);
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
function validateName(name: string): void {
  rejectIf(!name, 'Name is required');
  rejectIf(
    name === '.' || name === '..' || /[/\p{Cc}]/u.test(name),
    `invalid name (${JSON.stringify(name)}): it cannot be a segment of a path`,
  );
}

function validateProxies({ Name, Config, MeshGateway }: ProxyDefaults): void {
  rejectIf(Name !== globalName, `invalid name ("${Name}"), only "${globalName}" is supported`);
  rejectIf(Config !== undefined && !isObject(Config), 'Config must be an object');
  validateGateway(MeshGateway);
}

function validateGateway({ Mode }: MeshGateway = {}): void {
  rejectIf(Mode && !meshGatewayModes.includes(Mode), `Invalid Mesh Gateway Mode: "${Mode}"`);
}

function validateRoute({ Match, Destination }: Route, where: string): void {
  const http = Match?.HTTP ?? {};
  validatePaths(http, where);
  validateValues(http, where);
  const duplicate = http.Methods?.find((method, index, all) => all.indexOf(method) !== index);
  rejectIf(duplicate, `${where} Methods contains "${duplicate}" more than once`);
  rejectIf(
    Destination?.PrefixRewrite && !http.PathExact && !http.PathPrefix,
    `${where} cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix`,
  );
  rejectIf((Destination?.NumRetries ?? 0) < 0, `${where} NumRetries must be >= 0`);
  rejectNegative('RequestTimeout', Destination?.RequestTimeout, `${where} `);
  rejectNegative('IdleTimeout', Destination?.IdleTimeout, `${where} `);
}

function validatePaths({ PathExact, PathPrefix, PathRegex }: HttpMatch, where: string): void {
  rejectIf(
    PathExact && !PathExact.startsWith('/'),
    `${where} PathExact doesn't start with '/': "${PathExact}"`,
  );
  rejectIf(
    PathPrefix && !PathPrefix.startsWith('/'),
    `${where} PathPrefix doesn't start with '/': "${PathPrefix}"`,
  );
  rejectIf(
    [PathExact, PathPrefix, PathRegex].filter(Boolean).length > 1,
    `${where} should only contain at most one of PathExact, PathPrefix, or PathRegex`,
  );
}

function validateValues({ Header = [], QueryParam = [] }: HttpMatch, where: string): void {
  const check = (field: string, conditions: string, values: readonly ValueMatch[], minConditions: number) => {
    for (const [index, { Name, Present, Exact, Prefix, Suffix, Regex }] of values.entries()) {
      rejectIf(!Name, `${where} ${field}[${index}] missing required Name field`);
      const provided = [Present, Exact, Prefix, Suffix, Regex].filter(Boolean).length;
      rejectIf(
        provided > 1 || provided < minConditions,
        `${where} ${field}[${index}] should only contain one of ${conditions}`,
      );
    }
  };
  check('Header', 'Present, Exact, Prefix, Suffix, or Regex', Header, 1);
  // A parameter without a condition must be present and empty.
  check('QueryParam', 'Present, Exact, or Regex', QueryParam, 0);
}

function validateSplitter({ Name, Splits = [] }: ServiceSplitter): void {
  rejectIf(Splits.length === 0, 'no splits configured');
  const destinations = new Set<string>();
  let hundredths = 0;
  for (const { Weight, Service = Name, ServiceSubset = '', Namespace = '' } of Splits) {
    const steps = Math.round(Weight * 100);
    rejectIf(
      steps < 0 || steps > 10_000 || Math.abs(steps - Weight * 100) > 1e-6,
      `split weight must be from 0 to 100 in steps of 0.01, not ${Weight}`,
    );
    hundredths += steps;
    const destination = JSON.stringify([Service, ServiceSubset, Namespace]);
    rejectIf(
      destinations.has(destination),
      `split destination occurs more than once: service="${Service}", subset="${ServiceSubset}", namespace="${Namespace}"`,
    );
    destinations.add(destination);
  }
  rejectIf(hundredths !== 10_000, `the sum of all split weights must be 100, not ${hundredths / 100}`);
}

const balancingPolicies = ['random', 'round_robin', 'least_request', 'ring_hash', 'maglev'];

function validateResolver(entry: ServiceResolver): void {
  const { Name, DefaultSubset, Subsets = {}, Redirect, Failover, LoadBalancer } = entry;
  const isMissingSubset = (service: string | undefined, subset: string | undefined) =>
    Boolean(subset) && (service ?? Name) === Name && !Object.hasOwn(Subsets, subset ?? '');
  rejectIf(Object.hasOwn(Subsets, ''), 'Subset defined with empty name');
  rejectIf(isMissingSubset(Name, DefaultSubset), `DefaultSubset "${DefaultSubset}" is not a valid subset`);
  if (Redirect) {
    rejectIf(Failover, 'Redirect and Failover cannot both be set');
    rejectIf(Object.keys(Redirect).length === 0, 'Redirect is empty');
    rejectIf(
      !Redirect.Service && Redirect.ServiceSubset,
      'Redirect.ServiceSubset defined without Redirect.Service',
    );
    rejectIf(
      Redirect.Peer && Redirect.Datacenter,
      'Redirect.Peer and Redirect.Datacenter cannot both be set',
    );
    rejectIf(
      isMissingSubset(Redirect.Service, Redirect.ServiceSubset),
      `Redirect.ServiceSubset "${Redirect.ServiceSubset}" is not a valid subset of "${Name}"`,
    );
  }
  for (const [subset, policy] of Object.entries(Failover ?? {})) {
    const where = `Bad Failover["${subset}"]`;
    rejectIf(subset !== '*' && isMissingSubset(Name, subset), `${where}: not a valid subset`);
    validateFailover(policy, where);
    rejectIf(
      isMissingSubset(policy.Service, policy.ServiceSubset),
      `${where}.ServiceSubset "${policy.ServiceSubset}" is not a valid subset of "${Name}"`,
    );
  }
  rejectNegative('ConnectTimeout', entry.ConnectTimeout);
  rejectNegative('RequestTimeout', entry.RequestTimeout);
  const policy = LoadBalancer?.Policy;
  rejectIf(
    policy && !balancingPolicies.includes(policy),
    `Bad LoadBalancer policy: "${policy}" is not supported`,
  );
}

function validateFailover(policy: Failover, where: string): void {
  const { Datacenters, Targets, ...general } = policy;
  rejectIf(
    Object.keys(policy).length === 0,
    `${where}: one of Service, ServiceSubset, Namespace, Targets, or Datacenters is required`,
  );
  rejectIf(
    Targets && (Datacenters || Object.keys(general).length > 0),
    `${where}: Targets cannot be set with Service, ServiceSubset, Namespace, or Datacenters`,
  );
  rejectIf(Datacenters?.includes(''), `${where}.Datacenters: found empty datacenter`);
  for (const [index, { Peer, Datacenter }] of (Targets ?? []).entries()) {
    rejectIf(Peer && Datacenter, `${where}.Targets[${index}]: Peer cannot be set with Datacenter`);
  }
}

function rejectNegative(name: string, duration = '', where = ''): void {
  rejectIf((readNanoseconds(duration) ?? 0) < 0, `${where}Bad ${name} '${duration}', must be >= 0`);
}
