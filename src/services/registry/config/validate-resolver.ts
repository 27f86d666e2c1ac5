import { parseExpression } from '../../../wire/filter/grammar.ts';
import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { readNanoseconds } from './duration.ts';
import type { Failover, LoadBalancer, Rewrite, ServiceResolver } from './entry.ts';
import { metaErrors, rejectAll, rejectIf } from './reject-if.ts';

const quote = (text: string | undefined): string => JSON.stringify(text ?? '');

/** @throws HttpError 500 */
export function validateResolver(entry: ServiceResolver): void {
  const { Name, DefaultSubset, Subsets = {}, Redirect } = entry;
  rejectAll(metaErrors(entry.Meta));
  validateSubsets(Subsets);
  rejectIf(
    DefaultSubset && !Object.hasOwn(Subsets, DefaultSubset),
    `DefaultSubset ${quote(DefaultSubset)} is not a valid subset`,
  );
  rejectIf(entry.PrioritizeByLocality?.Mode, 'Prioritize-by-locality requires Consul Enterprise ');
  if (Redirect) validateRedirect(entry);
  for (const [subset, failover] of Object.entries(entry.Failover ?? {})) {
    const prefix = `Bad Failover[${quote(subset)}]`;
    rejectEnterprise(failover, prefix);
    rejectIf(subset !== '*' && !Object.hasOwn(Subsets, subset), `${prefix}: not a valid subset subset`);
    validateFailover(failover, prefix, Name, Subsets);
  }
  rejectNegative('ConnectTimeout', entry.ConnectTimeout);
  rejectNegative('RequestTimeout', entry.RequestTimeout);
  if (entry.LoadBalancer) validateLoadBalancer(entry.LoadBalancer);
}

type Subsets = NonNullable<ServiceResolver['Subsets']>;

/** A name of a subset is a label of a DNS name. */
const subsetPattern = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const maxSubsetLength = 63;

function validateSubsets(subsets: Subsets): void {
  for (const [name, { Filter }] of Object.entries(subsets)) {
    rejectIf(name === '', 'Subset defined with empty name');
    rejectIf(
      name.length > maxSubsetLength,
      `Subset ${quote(name)} is invalid: must be non-empty and 63 characters or fewer`,
    );
    rejectIf(
      !subsetPattern.test(name),
      `Subset ${quote(name)} is invalid: must be 63 characters or fewer, begin or end with lower case alphanumeric characters, and contain lower case alphanumeric characters or '-' in between`,
    );
    if (Filter) validateFilter(name, Filter);
  }
}

function validateFilter(subset: string, filter: string): void {
  try {
    parseExpression(filter);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const message = `Filter for subset ${quote(subset)} is not a valid expression: ${error.message}`;
    throw new HttpError(500, message);
  }
}

function rejectEnterprise(
  fields: { readonly Partition?: string; readonly Namespace?: string; readonly SamenessGroup?: string },
  prefix: string,
): void {
  for (const name of ['Partition', 'Namespace', 'SamenessGroup'] as const)
    rejectIf(fields[name], `${prefix}: Setting ${name} requires Consul Enterprise`);
}

function validateRedirect({ Name, Redirect = {}, Failover, Subsets = {} }: ServiceResolver): void {
  const { Service, ServiceSubset, Datacenter, Peer } = Redirect;
  rejectEnterprise(Redirect, 'Redirect');
  rejectIf(Failover, 'Redirect and Failover cannot both be set');
  rejectIf(Object.keys(Redirect).length === 0, 'Redirect is empty');
  rejectIf(Peer && ServiceSubset, 'Redirect.Peer cannot be set with Redirect.ServiceSubset');
  rejectIf(Peer && Datacenter, 'Redirect.Peer cannot be set with Redirect.Datacenter');
  rejectIf(!Service && ServiceSubset, 'Redirect.ServiceSubset defined without Redirect.Service');
  rejectIf(!Service && Peer, 'Redirect.Peer defined without Redirect.Service');
  rejectIf(
    ServiceSubset && Service === Name && !Object.hasOwn(Subsets, ServiceSubset),
    `Redirect.ServiceSubset ${quote(ServiceSubset)} is not a valid subset of ${quote(Name)}`,
  );
}

function validateFailover(failover: Failover, prefix: string, name: string, subsets: Subsets): void {
  const { Service, ServiceSubset, Datacenters, Targets, Policy } = failover;
  rejectIf(
    !Service && !ServiceSubset && !Datacenters && !Targets,
    `${prefix}: one of Service, ServiceSubset, Namespace, Targets, SamenessGroup, or Datacenters is required`,
  );
  rejectIf(Policy?.Mode, `${prefix}: Setting failover policies requires Consul Enterprise`);
  rejectIf(
    ServiceSubset && (Service || name) === name && !Object.hasOwn(subsets, ServiceSubset),
    `${prefix}: ServiceSubset ${quote(ServiceSubset)} is not a valid subset of ${quote(Service)}`,
  );
  rejectIf(Datacenters && Targets, `${prefix}: Targets cannot be set with Datacenters`);
  rejectIf(ServiceSubset && Targets, `${prefix}: Targets cannot be set with ServiceSubset`);
  rejectIf(Service && Targets, `${prefix}: Targets cannot be set with Service`);
  for (const [index, target] of (Targets ?? []).entries())
    validateTarget(target, `${prefix}.Targets[${index}]`, name, subsets);
  rejectIf(Datacenters?.includes(''), `${prefix}.Datacenters: found empty datacenter`);
}

function validateTarget(target: Rewrite, prefix: string, name: string, subsets: Subsets): void {
  const { Service, ServiceSubset, Datacenter, Peer } = target;
  rejectEnterprise(target, prefix);
  rejectIf(Peer && ServiceSubset, `${prefix}: Peer cannot be set with ServiceSubset`);
  rejectIf(Peer && Datacenter, `${prefix}: Peer cannot be set with Datacenter`);
  rejectIf(
    ServiceSubset && (Service || name) === name && !Object.hasOwn(subsets, ServiceSubset),
    `${prefix}: ServiceSubset ${quote(ServiceSubset)} is not a valid subset of ${quote(name)}`,
  );
}

const balancingPolicies: readonly string[] = [
  '',
  'random',
  'round_robin',
  'least_request',
  'ring_hash',
  'maglev',
];
const hashedPolicies: readonly string[] = ['ring_hash', 'maglev'];
const hashedFields: readonly string[] = ['header', 'cookie', 'query_parameter'];

function validateLoadBalancer(balancer: LoadBalancer): void {
  const { Policy = '', RingHashConfig, LeastRequestConfig, HashPolicies = [] } = balancer;
  const incompatible = 'specified for incompatible load balancing policy';
  rejectIf(!balancingPolicies.includes(Policy), `Bad LoadBalancer policy: ${quote(Policy)} is not supported`);
  rejectIf(
    Policy !== 'ring_hash' && RingHashConfig,
    `Bad LoadBalancer configuration. RingHashConfig ${incompatible} ${quote(Policy)}`,
  );
  rejectIf(
    Policy !== 'least_request' && LeastRequestConfig,
    `Bad LoadBalancer configuration. LeastRequestConfig ${incompatible} ${quote(Policy)}`,
  );
  rejectIf(
    !hashedPolicies.includes(Policy) && HashPolicies.length > 0,
    `Bad LoadBalancer configuration: HashPolicies specified for non-hash-based Policy: ${quote(Policy)}`,
  );
  for (const [index, policy] of HashPolicies.entries())
    validateHashPolicy(policy, `Bad LoadBalancer HashPolicy[${index}]`);
}

function validateHashPolicy(policy: NonNullable<LoadBalancer['HashPolicies']>[number], prefix: string): void {
  const { Field = '', FieldValue = '', SourceIP, CookieConfig } = policy;
  rejectIf(Field && !hashedFields.includes(Field), `${prefix}: ${quote(Field)} is not a supported field`);
  rejectIf(
    SourceIP && Field,
    `${prefix}: A single hash policy cannot hash both a source address and a ${quote(Field)}`,
  );
  rejectIf(SourceIP && FieldValue, `${prefix}: A FieldValue cannot be specified when hashing SourceIP`);
  rejectIf(Field && !FieldValue, `${prefix}: Field ${quote(Field)} was specified without a FieldValue`);
  rejectIf(FieldValue && !Field, `${prefix}: FieldValue requires a Field to apply to`);
  if (!CookieConfig) return;
  rejectIf(Field !== 'cookie', `${prefix}: cookie_config provided for ${quote(Field)}`);
  rejectIf(
    CookieConfig.Session && CookieConfig.TTL,
    `${prefix}: a session cookie cannot have an associated TTL`,
  );
}

function rejectNegative(name: string, duration = ''): void {
  rejectIf((readNanoseconds(duration) ?? 0) < 0, `Bad ${name} '${duration}', must be >= 0`);
}
