import { parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { Fields } from '../../http/fields.ts';
import { HttpRefusal } from '../../http/service.ts';
import {
  type Failover,
  longestName,
  type Query,
  type ServiceQuery,
  type Template,
} from '../state/queries.ts';

/** What a client says about a query. */
export type Definition = Omit<Query, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** What those see who may not see the token of a query. */
export const hidden = '<hidden>';

/** Characters of all texts of a service query together: it bounds what rendering and selecting cost. */
const longestService = 16_384;

/**
 * Reads a query.
 * @returns the query, and the ID that the client gave or an empty text
 * @throws FieldError; HttpRefusal 500: no type of template
 */
export function readDefinition(body: Json | undefined): {
  readonly ID: string;
  readonly definition: Definition;
} {
  const fields = new Fields(body ?? {});
  const Template = readTemplate(fields.object('Template'));
  const definition = {
    Name: fields.text('Name'),
    Session: fields.text('Session'),
    Token: fields.text('Token'),
    ...(Template && { Template }),
    Service: readService(fields.object('Service') ?? new Fields({}, 'Service')),
    DNS: { TTL: fields.object('DNS')?.text('TTL') ?? '' },
  };
  return { ID: fields.text('ID'), definition };
}

/** One whose members all have their defaults, as clients send it with static queries, is none. */
function readTemplate(fields: Fields | undefined): Template | undefined {
  if (!fields) return undefined;
  const Type = fields.text('Type');
  const Regexp = fields.text('Regexp');
  const RemoveEmptyTags = fields.boolean('RemoveEmptyTags');
  if (Type === '' && Regexp === '' && !RemoveEmptyTags) return undefined;
  if (Type !== 'name_prefix_match') throw new HttpRefusal(500, `Bad Template.Type '${Type}'`);
  return { Type, Regexp, RemoveEmptyTags };
}

function readService(fields: Fields): ServiceQuery {
  return {
    Service: fields.text('Service'),
    Namespace: fields.text('Namespace'),
    Failover: readFailover(fields.object('Failover') ?? new Fields({}, 'Failover')),
    IgnoreCheckIDs: textsOrNull(fields, 'IgnoreCheckIDs'),
    OnlyPassing: fields.boolean('OnlyPassing'),
    Near: fields.text('Near'),
    Tags: textsOrNull(fields, 'Tags'),
    NodeMeta: fields.textMap('NodeMeta'),
    ServiceMeta: fields.textMap('ServiceMeta'),
    Connect: fields.boolean('Connect'),
  };
}

function readFailover(fields: Fields): Failover {
  const targets = fields.list('Targets').map((target) => new Fields(target, 'Targets'));
  return {
    NearestN: fields.integer('NearestN'),
    Datacenters: textsOrNull(fields, 'Datacenters'),
    Targets: fields.has('Targets')
      ? targets.map((target) => ({ Peer: target.text('Peer'), Datacenter: target.text('Datacenter') }))
      : null,
  };
}

function textsOrNull(fields: Fields, name: string): readonly string[] | null {
  return fields.has(name) ? fields.texts(name) : null;
}

/** @throws HttpRefusal 400, 500, with the texts of docs/protocol/queries-and-chain.md#query-endpoints */
export function validate({ Name, Session, Token, Template, Service, DNS }: Definition): void {
  const refuse = (message: string, status = 500) => {
    throw new HttpRefusal(status, message);
  };
  if (!['', 'default'].includes(Service.Namespace)) {
    refuse('Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature', 400);
  }
  if (Name === '' && !Template && Session === '') refuse('Must be bound to a session');
  if (Name.length > longestName) refuse(`Bad Name, it must have at most ${longestName} characters`);
  if (Token === hidden) {
    refuse(`Bad Token '${hidden}', it looks like a query definition with a redacted token was submitted`);
  }
  if (Service.Service === '') refuse('Must provide a Service name to query');
  const { NearestN, Datacenters, Targets } = Service.Failover;
  if (NearestN < 0) refuse(`Bad NearestN '${NearestN}', must be >= 0`);
  if (Targets?.length && (NearestN > 0 || Datacenters?.length)) {
    refuse('Targets cannot be populated with NearestN or Datacenters');
  }
  if (textLength(Service) > longestService) {
    refuse(`Bad Service, its texts must have at most ${longestService} characters together`);
  }
  if (!isTtl(DNS.TTL)) refuse(`Bad DNS TTL '${DNS.TTL}', it must be a duration of 0 or more, such as "10s"`);
}

function isTtl(text: string): boolean {
  if (text === '' || text === '0') return true;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  return seconds !== undefined && seconds >= 0;
}

function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + textLength(member), 0);
}
