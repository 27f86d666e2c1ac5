import type { Json } from '../../wire/json.ts';
import { FieldError, type Fields } from '../core/http/fields.ts';
import type { Indexes } from '../core/state/state-table.ts';
import { type Check, type Node, type Service, type Status, statuses } from './model/catalog.ts';
import { checkTenancy } from './read-parameters.ts';

/** A node in a request; `meta` is the name of its metadata there. @param datacenter of the request */
export function readNode(
  fields: Fields,
  meta: 'Meta' | 'NodeMeta',
  datacenter: string,
): Omit<Node, keyof Indexes> {
  checkTenancy(fields);
  return {
    ...fields.texts('ID', 'Node', 'Address'),
    Datacenter: datacenter,
    TaggedAddresses: fields.stringMap('TaggedAddresses'),
    Meta: fields.stringMap(meta),
  };
}

/** A service in a request; its ID defaults to its name. */
export function readService(fields: Fields): Omit<Service, keyof Indexes> {
  checkTenancy(fields);
  const Kind = fields.string('Kind');
  const TaggedAddresses = fields.rawObject('TaggedAddresses');
  const weights = fields.object('Weights');
  const SocketPath = fields.string('SocketPath');
  const Locality = fields.rawObject('Locality');
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
    EnableTagOverride: fields.boolean('EnableTagOverride'),
    Proxy: fields.rawObject('Proxy') ?? {},
    Connect: fields.rawObject('Connect') ?? {},
  };
}

/** A check in a request; its ID defaults to its name, its status to critical. */
export function readCheck(fields: Fields): Omit<Check, keyof Indexes> {
  checkTenancy(fields);
  return {
    Node: fields.string('Node'),
    CheckID: fields.string('CheckID') || fields.string('Name'),
    Name: fields.string('Name'),
    Status: parseStatus(fields.string('Status')),
    ...fields.texts('Notes', 'Output', 'ServiceID', 'ServiceName'),
    ServiceTags: fields.strings('ServiceTags'),
    Type: fields.string('Type'),
    Interval: durationText(fields.get('Interval')),
    Timeout: durationText(fields.get('Timeout')),
    ExposedPort: fields.integer('ExposedPort'),
    Definition: fields.rawObject('Definition') ?? {},
  };
}

function parseStatus(text: string): Status {
  if (text === '') return 'critical';
  const status = statuses.find((each) => each === text);
  if (!status) throw new FieldError(`Status must be one of ${statuses.join(', ')}`);
  return status;
}

function durationText(value: Json | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  throw new FieldError('Interval and Timeout must be durations');
}
