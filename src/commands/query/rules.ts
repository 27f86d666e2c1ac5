import type { Json } from '../../wire/json.ts';
import { nearest } from '../../wire/nearest.ts';
import { essence, isMembers, type Members } from './members.ts';

/** A problem and its location: the path of the field. */
export interface Problem {
  readonly way: readonly (string | number)[];
  readonly what: string;
}

type Leaf = 'text' | 'flag' | 'count' | 'texts' | 'pairs' | 'anything';
interface Shape {
  readonly [field: string]: Leaf | Shape | readonly [Shape];
}

/** The fields of a prepared query; `anything`: set only by the service, or specific to a product. */
const shape: Shape = {
  ...{ Name: 'text', Session: 'text', Token: 'text' },
  ...{ ID: 'anything', CreateIndex: 'anything', ModifyIndex: 'anything', RaftIndex: 'anything' },
  Template: { Type: 'text', Regexp: 'text', RemoveEmptyTags: 'flag' },
  Service: {
    ...{ Service: 'text', Namespace: 'text', Near: 'text', OnlyPassing: 'flag', Connect: 'flag' },
    ...{ Tags: 'texts', IgnoreCheckIDs: 'texts', NodeMeta: 'pairs', ServiceMeta: 'pairs', Meta: 'pairs' },
    ...{ Peer: 'anything', Partition: 'anything', SamenessGroup: 'anything', IncludeAll: 'anything' },
    Failover: {
      ...{ NearestN: 'count', Datacenters: 'texts', SkipLocalDatacenter: 'anything' },
      Targets: [{ Peer: 'text', Datacenter: 'text', Partition: 'anything', Namespace: 'anything' }],
    },
  },
  DNS: { TTL: 'text' },
};

/** All problems of structure: unknown fields and values of the wrong type. */
export function* shapeProblems(value: Json): Generator<Problem> {
  yield* membersProblems(value, shape, []);
}

function* membersProblems(value: Json, fields: Shape, way: Problem['way']): Generator<Problem> {
  if (!isMembers(value)) return yield { way, what: 'expected an object' };
  for (const [name, member] of Object.entries(value)) {
    const inside = [...way, name];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) yield { way: inside, what: `unknown field${suggestion(name, fields, way)}` };
    else if (member !== null) yield* fieldProblems(member, field, inside);
  }
}

function* fieldProblems(value: Json, field: Shape[string], way: Problem['way']): Generator<Problem> {
  if (typeof field === 'string') {
    const [isRight, what] = leaves[field];
    if (!isRight(value)) yield { way, what };
  } else if (!isList(field)) yield* membersProblems(value, field, way);
  else if (!Array.isArray(value)) yield { way, what: 'expected a list' };
  else
    for (const [index, element] of value.entries())
      yield* membersProblems(element, field[0], [...way, index]);
}

const isList = (field: Shape | readonly [Shape]): field is readonly [Shape] => Array.isArray(field);
const isText = (value: Json): boolean => typeof value === 'string';
const inQuotes = 'quote numbers and words like true';

const leaves: { readonly [Kind in Leaf]: readonly [(value: Json) => boolean, what: string] } = {
  text: [isText, `expected a string; ${inQuotes}`],
  flag: [(value) => typeof value === 'boolean', 'expected true or false'],
  count: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'expected an integer of at least 0'],
  texts: [(value) => Array.isArray(value) && value.every(isText), `expected a list of strings; ${inQuotes}`],
  pairs: [
    (value) => isMembers(value) && Object.values(value).every(isText),
    `expected an object with string values; ${inQuotes}`,
  ],
  anything: [() => true, ''],
};

function suggestion(name: string, fields: Shape, way: Problem['way']): string {
  const near = nearest(name, Object.keys(fields));
  if (near !== undefined) return `; did you mean "${near}"?`;
  if (way.length === 0 && Object.hasOwn(shape.Service as Shape, name)) return `; it belongs in Service`;
  return `; valid fields: ${Object.keys(fields)
    .filter((field) => fields[field] !== 'anything')
    .join(', ')}`;
}

/**
 * All problems of a prepared query that has a valid structure
 * (docs/protocol/queries-and-chain.md#prepared-query).
 */
export function* ruleProblems(query: Members): Generator<Problem> {
  const template = membersOf(query.Template);
  const service = membersOf(query.Service);
  if (!query.Name && !query.Session && !isTemplate(query))
    yield {
      way: ['Name'],
      what: 'required, except for a template or a query bound to a session',
    };
  if (isUnreachable(query.Name))
    yield {
      way: ['Name'],
      what: 'invalid name: a query whose name is "." or ".." or contains "/" or a control character cannot be executed',
    };
  if (!service.Service) yield { way: ['Service', 'Service'], what: 'required: the service to look up' };
  if (isTemplate(query) && template.Type !== 'name_prefix_match')
    yield { way: ['Template', 'Type'], what: 'must be name_prefix_match' };
  if (isMarker(query.Token))
    yield {
      way: ['Token'],
      what: 'placeholder of a hidden token; remove it',
    };
  yield* failoverProblems(membersOf(service.Failover));
  yield* ttlProblems(membersOf(query.DNS).TTL);
  if (isTemplate(query)) yield* interpolationProblems(query.Service ?? null, ['Service']);
}

/** Whether a name cannot be a segment of a URL path. */
const isUnreachable = (name: Json | undefined): boolean =>
  typeof name === 'string' && (/\/|\p{Cc}/u.test(name) || name === '.' || name === '..');

function* failoverProblems({ NearestN, Datacenters, Targets }: Members): Generator<Problem> {
  const targets = Array.isArray(Targets) ? Targets.map(membersOf) : [];
  const way = ['Service', 'Failover', 'Targets'];
  if (targets.length > 0 && (NearestN || (Array.isArray(Datacenters) && Datacenters.length > 0)))
    yield { way, what: 'cannot be combined with NearestN or Datacenters' };
  for (const [index, { Peer, Datacenter }] of targets.entries())
    if (!Peer && !Datacenter) yield { way: [...way, index], what: 'requires Peer or Datacenter' };
}

function* ttlProblems(ttl: Json | undefined): Generator<Problem> {
  if (!ttl || ttl === '0' || /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(String(ttl))) return;
  yield { way: ['DNS', 'TTL'], what: `invalid duration "${ttl}": expected a value such as 10s or 1m30s` };
}

const expression = /^\s*(name\.(full|prefix|suffix)|match\(\s*\d+\s*\)|agent\.segment)\s*$/;

/** Problems of `${...}` in the strings of a template; `$${` is a literal `${`. */
function* interpolationProblems(value: Json, way: Problem['way']): Generator<Problem> {
  if (typeof value === 'object' && value !== null) {
    const inside = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, member] of inside) yield* interpolationProblems(member, [...way, name]);
  }
  if (typeof value !== 'string') return;
  for (const [found, inner, close] of value.matchAll(/\$?\$\{([^}]*)(\}?)/g)) {
    if (found.startsWith('$$')) continue;
    if (close === '') yield { way, what: `unclosed "${found}"` };
    else if (!expression.test(inner ?? ''))
      yield {
        way,
        what: `unknown expression "${found}"; valid: \${name.full}, \${name.prefix}, \${name.suffix}, \${match(N)} and \${agent.segment}`,
      };
  }
}

/** Whether a token is the placeholder of a service or of Lanyard: `<hidden>`, `<redacted>`. */
export const isMarker = (token: Json | undefined): boolean =>
  typeof token === 'string' && /^<.*>$/.test(token);

/** Whether a query is a template; products return an empty template in every query. */
export const isTemplate = ({ Template }: Members): boolean =>
  isMembers(Template) && Object.keys(essence(Template)).length > 0;

/** Whether a query that is not a template has expressions that only templates fill in. */
export const looksLikeTemplate = (query: Members): boolean =>
  !isTemplate(query) && /\$\{(name\.|match\(|agent\.)/.test(JSON.stringify(query.Service ?? null));

const membersOf = (value: Json | undefined): Members => (isMembers(value) ? value : {});
