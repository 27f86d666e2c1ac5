import type { Json } from '../../../wire/json.ts';
import { FieldError, type Fields } from '../../http/fields.ts';
import type { Indexes } from '../../state/indexed.ts';
import { type Check, type Node, type Service, type Status, statuses } from '../state/catalog.ts';
import { checkPlace } from './parameters.ts';

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A text that names a node, in the form of a node ID? */
export function isNodeId(text: string): boolean {
  return uuid.test(text);
}

/**
 * A node as clients describe it; `meta` is what its metadata is called there.
 * @param datacenter that keeps it
 */
export function readNode(
  fields: Fields,
  meta: 'Meta' | 'NodeMeta',
  datacenter: string,
): Omit<Node, keyof Indexes> {
  checkPlace(fields);
  return {
    ID: fields.text('ID'),
    Node: fields.text('Node'),
    Address: fields.text('Address'),
    Datacenter: datacenter,
    TaggedAddresses: fields.textMap('TaggedAddresses'),
    Meta: fields.textMap(meta),
  };
}

/** A service as clients describe it; without an ID it has its name's. */
export function readService(fields: Fields): Omit<Service, keyof Indexes> {
  checkPlace(fields);
  const Kind = fields.text('Kind');
  const TaggedAddresses = fields.kept('TaggedAddresses');
  const weights = fields.object('Weights');
  return {
    ...(Kind !== '' && { Kind }),
    ID: fields.text('ID') || fields.text('Service'),
    Service: fields.text('Service'),
    Tags: fields.texts('Tags'),
    Address: fields.text('Address'),
    ...(TaggedAddresses && { TaggedAddresses }),
    Meta: fields.textMap('Meta'),
    Port: fields.integer('Port'),
    Weights: { Passing: weights?.integer('Passing') || 1, Warning: weights?.integer('Warning') || 1 },
    EnableTagOverride: fields.boolean('EnableTagOverride'),
    Proxy: fields.kept('Proxy') ?? {},
    Connect: fields.kept('Connect') ?? {},
  };
}

/** A check as clients describe it; without an ID it has its name's, without a status it is critical. */
export function readCheck(fields: Fields): Omit<Check, keyof Indexes> {
  checkPlace(fields);
  return {
    Node: fields.text('Node'),
    CheckID: fields.text('CheckID') || fields.text('Name'),
    Name: fields.text('Name'),
    Status: statusOf(fields.text('Status')),
    Notes: fields.text('Notes'),
    Output: fields.text('Output'),
    ServiceID: fields.text('ServiceID'),
    ServiceName: fields.text('ServiceName'),
    ServiceTags: fields.texts('ServiceTags'),
    Type: fields.text('Type'),
    Interval: durationText(fields.get('Interval')),
    Timeout: durationText(fields.get('Timeout')),
    ExposedPort: fields.integer('ExposedPort'),
    Definition: fields.kept('Definition') ?? {},
  };
}

function statusOf(text: string): Status {
  if (text === '') return 'critical';
  const found = statuses.find((status) => status === text);
  if (!found) throw new FieldError(`Status must be one of ${statuses.join(', ')}`);
  return found;
}

function durationText(value: Json | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  throw new FieldError('Interval and Timeout must be durations');
}
