import { isIPv4, isIPv6 } from 'node:net';
import type { Json } from '../../../wire/json.ts';
import { compact } from '../../../wire/objects.ts';
import { FieldError, Fields, type JsonObject } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { readLocality } from '../catalog-fields.ts';
import { fieldNames, rejectUnknownFields } from '../known-fields.ts';
import { problemOfMeta } from '../meta-rules.ts';
import type { AgentCheck, AgentService } from '../model/agent.ts';
import { readConnect, readProxy, upstreamDefaults } from '../proxy-fields.ts';
import { isAnyAddress, joinErrors, problemsOfService } from '../service-rules.ts';
import {
  agentCheck,
  type CheckDefinition,
  isEmptyCheck,
  isStatus,
  readServiceCheck,
  validateCheck,
} from './check-definition.ts';

type NewService = Omit<AgentService, 'CreateIndex' | 'ModifyIndex'>;
type NewCheck = Omit<AgentCheck, 'CreateIndex' | 'ModifyIndex'>;

export interface ServiceDefinition {
  readonly service: NewService;
  readonly checks: readonly NewCheck[];
}

const names = fieldNames(
  'Kind ID Name Tags Address TaggedAddresses tagged_addresses Meta Port SocketPath Check Checks Weights',
  'Token EnableTagOverride enable_tag_override Locality Proxy Connect',
);

/**
 * The body of `agent/service/register`.
 * @throws FieldError it cannot be decoded; HttpError 400: it is invalid; 500: addresses, or script checks
 */
export function readServiceDefinition(body: Json | undefined): ServiceDefinition {
  if (body === undefined) throw new FieldError('EOF');
  const fields = new Fields(body);
  rejectUnknownFields(body, names);
  const service = readService(fields);
  const checks = readChecks(fields);
  if (service.Service === '') throw new HttpError(400, 'Missing service name');
  if (isAnyAddress(service.Address)) throw new HttpError(400, 'Invalid service address');
  validateWeights(service.Weights);
  const metaProblem = problemOfMeta(service.Meta, { kind: service.Kind });
  if (metaProblem !== undefined) throw new HttpError(400, `Invalid Service Meta: ${metaProblem}`);
  const problems = problemsOfService(service);
  if (problems.length > 0) throw new HttpError(400, `Validation failed: ${joinErrors(problems)}`);
  for (const check of checks) validateCheck(check);
  if (checks.some(({ status }) => status !== undefined && !isStatus(status)))
    throw new HttpError(400, "Status for checks must 'passing', 'warning', 'critical'");
  return {
    service: compact({ ...service, TaggedAddresses: withDefaultAddresses(service) }),
    checks: checks.map((check, at) =>
      agentCheck(check, {
        id: check.id || `service:${service.ID}${checks.length > 1 ? `:${at + 1}` : ''}`,
        name: check.name || `Service '${service.Service}' check`,
        serviceId: service.ID,
        zero: '',
      }),
    ),
  };
}

function readService(fields: Fields): NewService {
  const { Kind, SocketPath, Name, ID } = fields.texts('Kind', 'SocketPath', 'Name', 'ID');
  const weights = fields.object('Weights');
  const Locality = readLocality(fields);
  const connect = fields.object('Connect');
  if (connect?.has('SidecarService') || connect?.has('sidecar_service')) {
    throw new HttpError(
      400,
      'Invalid SidecarService: it is not supported: register the proxy as a service of kind connect-proxy',
    );
  }
  return compact({
    Kind: Kind || undefined,
    ID: ID || Name,
    Service: Name,
    Tags: fields.strings('Tags'),
    Address: fields.string('Address'),
    TaggedAddresses: readAddresses(
      fields.rawObject('TaggedAddresses') ?? fields.rawObject('tagged_addresses') ?? {},
    ),
    Meta: fields.stringMap('Meta'),
    Port: fields.integer('Port'),
    SocketPath: SocketPath || undefined,
    Locality,
    Weights: weights
      ? { Passing: weights.integer('Passing'), Warning: weights.integer('Warning') }
      : { Passing: 1, Warning: 1 },
    EnableTagOverride: fields.boolean('EnableTagOverride') || fields.boolean('enable_tag_override'),
    Proxy: readProxy(fields, { DestinationType: 'service', ...upstreamDefaults }),
    Connect: readConnect(fields),
  });
}

type Addresses = Readonly<Record<string, { readonly Address: string; readonly Port: number }>>;

function readAddresses(addresses: JsonObject): Addresses {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => {
      const each = new Fields(address, `TaggedAddresses of ${name}`);
      return [name, { Address: each.string('Address'), Port: each.integer('Port') }];
    }),
  );
}

/** Adds the addresses of the family of `Address`, as the product. @throws HttpError 500: one of the other family */
function withDefaultAddresses({ Address, Port, TaggedAddresses = {} }: NewService): Addresses | undefined {
  const family = isIPv4(Address) ? 'ipv4' : isIPv6(Address) ? 'ipv6' : undefined;
  const defaults = family
    ? { [`lan_${family}`]: { Address, Port }, [`wan_${family}`]: { Address, Port } }
    : {};
  const all = { ...defaults, ...(TaggedAddresses as Addresses) };
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

function readChecks(fields: Fields): CheckDefinition[] {
  const single = fields.get('Check');
  const check = single === undefined ? undefined : readServiceCheck(single);
  return [...(check && !isEmptyCheck(check) ? [check] : []), ...fields.list('Checks').map(readServiceCheck)];
}

/** @throws HttpError 400 */
function validateWeights({ Passing, Warning }: NewService['Weights']): void {
  const invalid = (reason: string) => new HttpError(400, `Invalid Weights: ${reason}`);
  if (Passing < 1) throw invalid('Passing must be greater than 0');
  if (Warning < 0) throw invalid('Warning must be greater or equal than 0');
  if (Passing > maxWeight || Warning > maxWeight) throw invalid('DNS Weight must be between 0 and 65535');
}

const maxWeight = 65_535;
