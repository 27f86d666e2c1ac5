import type { Json } from '../../wire/json.ts';
import { compact } from '../../wire/objects.ts';
import { FieldError, Fields, type JsonObject } from '../core/http/fields.ts';
import type { Indexes } from '../core/state/state-table.ts';
import { readCatalogDefinition, typeOfDefinition } from './check-definition-fields.ts';
import { fieldNames, rejectUnknownFields } from './known-fields.ts';
import type { Check, Node, Service } from './model/catalog.ts';
import { readConnect, readProxy } from './proxy-fields.ts';
import { checkTenancy } from './read-parameters.ts';

/** A node in a request; `meta` is the name of its metadata there. @param datacenter of the request */
export function readNode(
  fields: Fields,
  meta: 'Meta' | 'NodeMeta',
  datacenter: string,
): Omit<Node, keyof Indexes> {
  checkTenancy(fields);
  return compact({
    ...fields.texts('ID', 'Node', 'Address'),
    Datacenter: datacenter,
    TaggedAddresses: fields.stringMap('TaggedAddresses'),
    Meta: fields.stringMap(meta),
    Locality: readLocality(fields),
  });
}

const localityNames = fieldNames('Region Zone');

/** Where a node or a service runs; undefined: not set. @throws FieldError */
export function readLocality(fields: Fields): JsonObject | undefined {
  const locality = fields.object('Locality');
  if (!locality) return undefined;
  rejectUnknownFields(fields.get('Locality'), localityNames);
  const { Region, Zone } = locality.texts('Region', 'Zone');
  return compact({ Region: Region || undefined, Zone: Zone || undefined });
}

const serviceNames = fieldNames(
  'Kind ID Service Tags Meta Port Address SocketPath TaggedAddresses Weights EnableTagOverride Locality Proxy',
  'Connect PeerName Namespace Partition CreateIndex ModifyIndex ContentHash Datacenter',
  'tagged_addresses enable_tag_override',
);

/** A service in a request; its ID defaults to its name. */
export function readService(value: Json): Omit<Service, keyof Indexes> {
  const fields = new Fields(value, 'Service');
  rejectUnknownFields(value, serviceNames);
  checkTenancy(fields);
  const Kind = fields.string('Kind');
  const TaggedAddresses = fields.rawObject('TaggedAddresses') ?? fields.rawObject('tagged_addresses');
  const weights = fields.object('Weights');
  const SocketPath = fields.string('SocketPath');
  const Locality = readLocality(fields);
  return {
    ...(Kind !== '' && { Kind }),
    ID: fields.string('ID') || fields.string('Service'),
    Service: fields.string('Service'),
    Tags: fields.strings('Tags'),
    Address: fields.string('Address'),
    ...(TaggedAddresses && { TaggedAddresses }),
    Meta: fields.stringMap('Meta'),
    Port: fields.integer('Port'),
    ...(SocketPath !== '' && { SocketPath }),
    ...(Locality && { Locality }),
    Weights: { Passing: weights?.integer('Passing') || 1, Warning: weights?.integer('Warning') || 1 },
    EnableTagOverride: fields.boolean('EnableTagOverride') || fields.boolean('enable_tag_override'),
    Proxy: readProxy(fields),
    Connect: readConnect(fields),
  };
}

const checkNames = fieldNames(
  'Node CheckID Name Status Notes Output ServiceID ServiceName ServiceTags Type Interval Timeout ExposedPort',
  'Definition PeerName Namespace Partition CreateIndex ModifyIndex',
);

/** A check in a request; its ID defaults to its name, its status to critical. */
export function readCheck(value: Json): Omit<Check, keyof Indexes> {
  const fields = new Fields(value, 'Check');
  rejectUnknownFields(value, checkNames);
  checkTenancy(fields);
  const Definition = readCatalogDefinition(fields.get('Definition'));
  return {
    Node: fields.string('Node'),
    CheckID: fields.string('CheckID') || fields.string('Name'),
    Name: fields.string('Name'),
    Status: fields.string('Status') || 'critical',
    ...fields.texts('Notes', 'Output', 'ServiceID', 'ServiceName'),
    ServiceTags: fields.strings('ServiceTags'),
    Type: fields.string('Type') || typeOfDefinition(Definition),
    Interval: durationText(fields.get('Interval')),
    Timeout: durationText(fields.get('Timeout')),
    ExposedPort: fields.integer('ExposedPort'),
    Definition,
  };
}

function durationText(value: Json | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  throw new FieldError('Interval and Timeout must be durations');
}
