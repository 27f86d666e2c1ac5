import { isIPv4, isIPv6 } from 'node:net';
import { compact, isObject } from '../../../wire/objects.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import type { Content } from '../../core/state/state-table.ts';
import { addressesInput, idInput, isStatus, serviceFields } from '../catalog-fields.ts';
import { multiError } from '../config/multi-error.ts';
import { problemOfMeta } from '../meta-rules.ts';
import type { AgentCheck, AgentService } from '../model/agent.ts';
import { connect, proxyInput, readConnect } from '../proxy-fields.ts';
import { ignored } from '../read-parameters.ts';
import { isAnyAddress, problemsOfService } from '../service-rules.ts';
import { agentCheck, serviceCheckInput, validateCheck } from './check-definition.ts';

const { Service: Name, ...fields } = serviceFields;

/** The body of `agent/service/register`. */
export const agentServiceInput = s.named(
  'AgentService',
  s.object({
    ...fields,
    ID: idInput,
    Name: s.required(Name),
    ...s.each(['TaggedAddresses', 'tagged_addresses'], addressesInput),
    enable_tag_override: serviceFields.EnableTagOverride,
    Weights: s.optional(serviceFields.Weights),
    Proxy: proxyInput,
    Connect: s.converted(connect, (value) => {
      const given = isObject(value) ? Object.entries(value).filter(([, each]) => each !== null) : [];
      if (given.some(([name]) => ['sidecarservice', 'sidecar_service'].includes(name.toLowerCase())))
        throw new HttpError(
          400,
          'Invalid SidecarService: it is not supported: register the proxy as a service of kind connect-proxy',
        );
      return readConnect(value);
    }),
    Check: s.optional(serviceCheckInput),
    Checks: s.list(serviceCheckInput),
    Token: ignored,
  }),
);
type ServiceInput = s.Input<typeof agentServiceInput>;

/** @throws HttpError 400: it is invalid; 500: addresses, or script checks */
export function serviceDefinitionOf(input: ServiceInput): {
  readonly service: Content<AgentService>;
  readonly checks: readonly Content<AgentCheck>[];
} {
  const service = serviceOf(input);
  const checks = checksOf(input);
  if (service.Service === '') throw new HttpError(400, 'Missing service name');
  if (isAnyAddress(service.Address)) throw new HttpError(400, 'Invalid service address');
  validateWeights(service.Weights);
  const metaProblem = problemOfMeta(service.Meta, { kind: service.Kind });
  if (metaProblem !== undefined) throw new HttpError(400, `Invalid Service Meta: ${metaProblem}`);
  const problems = multiError(problemsOfService(service));
  if (problems !== undefined) throw new HttpError(400, `Validation failed: ${problems}`);
  for (const check of checks) validateCheck(check);
  if (checks.some(({ Status }) => Status !== '' && !isStatus(Status)))
    throw new HttpError(400, "Status for checks must 'passing', 'warning', 'critical'");
  return {
    service: compact({ ...service, TaggedAddresses: withDefaultAddresses(service) }),
    checks: checks.map((check, at) =>
      agentCheck(check, {
        id: check.CheckID || `service:${service.ID}${checks.length > 1 ? `:${at + 1}` : ''}`,
        name: check.Name || `Service '${service.Service}' check`,
        serviceId: service.ID,
        zero: '',
      }),
    ),
  };
}

function serviceOf({ Check: _check, Checks: _checks, Name, ...input }: ServiceInput) {
  const { tagged_addresses, enable_tag_override, ...rest } = input;
  return {
    ...rest,
    ID: rest.ID || Name,
    Service: Name,
    TaggedAddresses: rest.TaggedAddresses ?? tagged_addresses,
    Weights: rest.Weights ?? { Passing: 1, Warning: 1 },
    EnableTagOverride: rest.EnableTagOverride || enable_tag_override,
    Proxy: withDestinationType(rest.Proxy),
  };
}

function withDestinationType({ Upstreams, ...rest }: ServiceInput['Proxy']) {
  const DestinationType = 'service';
  return {
    ...rest,
    ...(Upstreams && { Upstreams: Upstreams.map((each) => ({ DestinationType, ...each })) }),
  };
}

/** The checks of a service; a `Check` whose fields are all empty counts as missing. */
const checksOf = ({ Check, Checks }: ServiceInput) => [
  ...(Check && !Object.values(Check).every((value) => s.isEmpty(value)) ? [Check] : []),
  ...Checks,
];

/** Adds the addresses of the family of `Address`, as the product. @throws HttpError 500: one of the other family */
function withDefaultAddresses({
  Address,
  Port,
  TaggedAddresses,
}: ReturnType<typeof serviceOf>): ServiceInput['TaggedAddresses'] {
  const family = isIPv4(Address) ? 'ipv4' : isIPv6(Address) ? 'ipv6' : undefined;
  const defaults = family
    ? { [`lan_${family}`]: { Address, Port }, [`wan_${family}`]: { Address, Port } }
    : {};
  const all: ServiceInput['TaggedAddresses'] = { ...defaults, ...TaggedAddresses };
  for (const [name, isFamily] of [
    ['lan_ipv4', isIPv4],
    ['wan_ipv4', isIPv4],
    ['lan_ipv6', isIPv6],
  ] as const) {
    const address = all[name]?.Address;
    if (address !== undefined && !isFamily(address)) {
      const version = name.slice('lan_'.length);
      throw new HttpError(500, `Service tagged address "${name}" must be a valid ${version} address`);
    }
  }
  return Object.keys(all).length > 0 ? all : undefined;
}

/** @throws HttpError 400 */
function validateWeights({ Passing, Warning }: AgentService['Weights']): void {
  const invalid = (reason: string) => new HttpError(400, `Invalid Weights: ${reason}`);
  if (Passing < 1) throw invalid('Passing must be greater than 0');
  if (Warning < 0) throw invalid('Warning must be greater or equal than 0');
  if (Passing > maxWeight || Warning > maxWeight) throw invalid('DNS Weight must be between 0 and 65535');
}

const maxWeight = 65_535;
