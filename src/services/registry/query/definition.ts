import { parseDuration } from '../../../wire/duration.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { problemOfMeta } from '../meta-rules.ts';
import { isNamed, maxNameLength, type Query, type QueryInput, type Template } from '../model/queries.ts';
import { rejectNamespace } from '../read-parameters.ts';

/** The fields of a query that clients set. */
export type Definition = Omit<Query, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** Replaces the token of a query for callers who may not see it. */
export const redacted = '<hidden>';

/** Maximum total characters of a service query, which limits the cost of rendering and selecting. */
const maxServiceLength = 16_384;

/**
 * The definition of a query in a request.
 * @throws HttpError 500: an unknown template type, or a query for a peer or a sameness group
 */
export function definitionOf({ ID: _id, Template, Service: input, ...rest }: QueryInput): Definition {
  const { SamenessGroup, Peer, ...Service } = input;
  if (SamenessGroup !== '') throw invalidQuery('sameness-groups are an enterprise-only feature');
  if (Peer !== '') throw invalidQuery('Peer is not supported: there are no cluster peers');
  const template = Template && checkedTemplate(Template);
  return { ...rest, ...(template && { Template: template }), Service };
}

/** A template without a type, as clients send it with static queries, counts as none if its fields are empty. */
function checkedTemplate(template: NonNullable<QueryInput['Template']>): Template | undefined {
  const { Type, Regexp, RemoveEmptyTags } = template;
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
