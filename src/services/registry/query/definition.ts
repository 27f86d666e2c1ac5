import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { Fields } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { knownFields, names, type Shape } from '../acl/body.ts';
import { problemOfMeta } from '../meta-rules.ts';
import {
  type Failover,
  isNamed,
  maxNameLength,
  type Query,
  type ServiceQuery,
  type Template,
} from '../model/queries.ts';
import { rejectNamespace } from '../read-parameters.ts';

/** The fields of a query that clients set. */
export type Definition = Omit<Query, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** Replaces the token of a query for callers who may not see it. */
export const redacted = '<hidden>';

/** The fields of a query, also those that only the responses of this service have. */
const queryShape: Shape = {
  ...names('ID', 'Name', 'Session', 'Token', 'CreateIndex', 'ModifyIndex', 'RaftIndex'),
  template: names('Type', 'Regexp', 'RemoveEmptyTags'),
  service: {
    ...names('Service', 'Namespace', 'SamenessGroup', 'Peer', 'OnlyPassing', 'IgnoreCheckIDs', 'Near'),
    ...names('Tags', 'NodeMeta', 'ServiceMeta', 'Meta', 'Connect'),
    failover: { ...names('NearestN', 'Datacenters'), targets: names('Peer', 'Datacenter') },
  },
  dns: names('TTL'),
};

/** Maximum total characters of a service query, which limits the cost of rendering and selecting. */
const maxServiceLength = 16_384;

/**
 * Reads a query.
 *
 * @returns the query, and the ID of the client or an empty text
 * @throws FieldError; HttpError 500: an unknown template type, or a query for a peer or a sameness group
 */
export function readDefinition(body: Json | undefined): {
  readonly ID: string;
  readonly definition: Definition;
} {
  const fields = knownFields(body ?? null, queryShape);
  const Template = readTemplate(fields.object('Template'));
  const definition = {
    ...fields.texts('Name', 'Session', 'Token'),
    ...(Template && { Template }),
    Service: readService(fields.object('Service') ?? new Fields({}, 'Service')),
    DNS: { TTL: fields.object('DNS')?.string('TTL') ?? '' },
  };
  return { ID: fields.string('ID'), definition };
}

/** A template without a type, as clients send it with static queries, counts as none if its fields are empty. */
function readTemplate(fields: Fields | undefined): Template | undefined {
  if (!fields) return undefined;
  const Type = fields.string('Type');
  const Regexp = fields.string('Regexp');
  const RemoveEmptyTags = fields.boolean('RemoveEmptyTags');
  if (Type === '' && Regexp === '' && !RemoveEmptyTags) return undefined;
  if (Type !== 'name_prefix_match' && Type !== '') throw invalidTemplate(`Bad Template.Type '${Type}'`);
  return { Type, Regexp, RemoveEmptyTags };
}

/** Consul compiles the template of a query when it stores it. */
export function invalidTemplate(problem: string): HttpError {
  return new HttpError(500, `raft apply failed: failed compiling template: ${problem}`);
}

function invalidQuery(problem: string): HttpError {
  return new HttpError(500, `Invalid prepared query: ${problem}`);
}

function readService(fields: Fields): ServiceQuery {
  if (fields.string('SamenessGroup') !== '')
    throw invalidQuery('sameness-groups are an enterprise-only feature');
  if (fields.string('Peer') !== '') throw invalidQuery('Peer is not supported: there are no cluster peers');
  return {
    ...fields.texts('Service', 'Namespace'),
    Failover: readFailover(fields.object('Failover') ?? new Fields({}, 'Failover')),
    IgnoreCheckIDs: stringsOrNull(fields, 'IgnoreCheckIDs'),
    OnlyPassing: fields.boolean('OnlyPassing'),
    Near: fields.string('Near'),
    Tags: stringsOrNull(fields, 'Tags'),
    NodeMeta: fields.stringMap('NodeMeta'),
    ServiceMeta: fields.stringMap('ServiceMeta'),
    Connect: fields.boolean('Connect'),
  };
}

function readFailover(fields: Fields): Failover {
  const targets = fields.list('Targets').map((target) => new Fields(target, 'Targets'));
  return {
    NearestN: fields.integer('NearestN'),
    Datacenters: stringsOrNull(fields, 'Datacenters'),
    Targets: fields.has('Targets') ? targets.map((target) => target.texts('Peer', 'Datacenter')) : null,
  };
}

function stringsOrNull(fields: Fields, name: string): readonly string[] | null {
  return fields.has(name) ? fields.strings(name) : null;
}

/** @throws HttpError 400, 500, with the messages of docs/protocol/queries-and-chain.md#query-endpoints */
export function validate(definition: Definition): void {
  const { Name, Session, Token, Service, DNS } = definition;
  const reject = (message: string) => {
    throw invalidQuery(message);
  };
  if (!['', 'default'].includes(Service.Namespace)) rejectNamespace();
  if (!isNamed(definition) && Session === '') reject('Must be bound to a session');
  if (Name.length > maxNameLength) reject(`Bad Name, it must have at most ${maxNameLength} characters`);
  if (Token === redacted) {
    reject(`Bad Token '${redacted}', it looks like a query definition with a redacted token was submitted`);
  }
  if (Service.Service === '') reject('Must provide a Service name to query');
  const { NearestN, Datacenters, Targets } = Service.Failover;
  if (NearestN < 0) reject(`Bad NearestN '${NearestN}', must be >= 0`);
  if (Targets?.length && (NearestN > 0 || Datacenters?.length)) {
    reject('Targets cannot be populated with NearestN or Datacenters');
  }
  const metaProblem = problemOfMeta(Service.NodeMeta, { allowsReserved: true });
  if (metaProblem !== undefined) reject(metaProblem);
  if (textLength(Service) > maxServiceLength) {
    reject(`Bad Service, its texts must have at most ${maxServiceLength} characters together`);
  }
  const problem = ttlProblem(DNS.TTL);
  if (problem !== undefined) reject(problem);
}

function ttlProblem(text: string): string | undefined {
  if (text === '' || text === '0') return undefined;
  const quoted = JSON.stringify(text);
  if (/^[+-]?\d+(\.\d+)?$/.test(text))
    return `Bad DNS TTL '${text}': time: missing unit in duration ${quoted}`;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (seconds === undefined) return `Bad DNS TTL '${text}': time: invalid duration ${quoted}`;
  return seconds < 0 ? `DNS TTL '${Math.round(seconds * 1e9)}', must be >=0` : undefined;
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + textLength(member), 0);
}
