import type { Json } from '../../wire/json.ts';
import { nearest } from '../../wire/nearest.ts';
import { essence, isMembers, type Members } from './members.ts';

/** Something that is wrong, and where: the names on the way to it. */
export interface Problem {
  readonly way: readonly (string | number)[];
  readonly what: string;
}

type Leaf = 'text' | 'flag' | 'count' | 'texts' | 'pairs' | 'anything';
interface Shape {
  readonly [field: string]: Leaf | Shape | readonly [Shape];
}

/** The fields of a prepared query; `anything` is what only the service sets, or products have beside. */
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

/** Everything that is wrong with the form: members that a prepared query has not, values of another type. */
export function* shapeProblems(value: Json): Generator<Problem> {
  yield* membersProblems(value, shape, []);
}

function* membersProblems(value: Json, fields: Shape, way: Problem['way']): Generator<Problem> {
  if (!isMembers(value)) return yield { way, what: 'is an object' };
  for (const [name, member] of Object.entries(value)) {
    const inside = [...way, name];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined)
      yield { way: inside, what: `there is no such field${suggestion(name, fields, way)}` };
    else if (member !== null) yield* fieldProblems(member, field, inside);
  }
}

function* fieldProblems(value: Json, field: Shape[string], way: Problem['way']): Generator<Problem> {
  if (typeof field === 'string') {
    const [isRight, what] = leaves[field];
    if (!isRight(value)) yield { way, what };
  } else if (!isList(field)) yield* membersProblems(value, field, way);
  else if (!Array.isArray(value)) yield { way, what: 'is a list' };
  else
    for (const [index, element] of value.entries())
      yield* membersProblems(element, field[0], [...way, index]);
}

const isList = (field: Shape | readonly [Shape]): field is readonly [Shape] => Array.isArray(field);
const isText = (value: Json): boolean => typeof value === 'string';
const inQuotes = 'put a number or a word like true in quotes';

const leaves: { readonly [Kind in Leaf]: readonly [(value: Json) => boolean, what: string] } = {
  text: [isText, `is a text; ${inQuotes}`],
  flag: [(value) => typeof value === 'boolean', 'is true or false'],
  count: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'is a whole number, 0 or more'],
  texts: [(value) => Array.isArray(value) && value.every(isText), `is a list of texts; ${inQuotes}`],
  pairs: [
    (value) => isMembers(value) && Object.values(value).every(isText),
    `is an object whose values are texts; ${inQuotes}`,
  ],
  anything: [() => true, ''],
};

function suggestion(name: string, fields: Shape, way: Problem['way']): string {
  const near = nearest(name, Object.keys(fields));
  if (near !== undefined) return `; is "${near}" meant?`;
  if (way.length === 0 && Object.hasOwn(shape.Service as Shape, name)) return `; it belongs in Service`;
  return `; there are ${Object.keys(fields)
    .filter((field) => fields[field] !== 'anything')
    .join(', ')}`;
}

/**
 * Everything that is wrong with a whole prepared query of the right form
 * (docs/protocol/queries-and-chain.md#prepared-query).
 */
export function* ruleProblems(query: Members): Generator<Problem> {
  const template = membersOf(query.Template);
  const service = membersOf(query.Service);
  if (!query.Name && !query.Session && !isTemplate(query))
    yield {
      way: ['Name'],
      what: 'is needed; only a template, or a query that is bound to a session, has none',
    };
  if (isUnreachable(query.Name))
    yield {
      way: ['Name'],
      what: 'has a "/", a part of periods or a control character: nothing executes it by that name',
    };
  if (!service.Service) yield { way: ['Service', 'Service'], what: 'is needed: the service to look for' };
  if (isTemplate(query) && template.Type !== 'name_prefix_match')
    yield { way: ['Template', 'Type'], what: 'must be name_prefix_match' };
  if (isMarker(query.Token))
    yield {
      way: ['Token'],
      what: 'is what stands in the place of a token that is not shown, and no token; leave it out',
    };
  yield* failoverProblems(membersOf(service.Failover));
  yield* ttlProblems(membersOf(query.DNS).TTL);
  if (isTemplate(query)) yield* interpolationProblems(query.Service ?? null, ['Service']);
}

/** Names that are no segment of a path. */
const isUnreachable = (name: Json | undefined): boolean =>
  typeof name === 'string' && (/\/|\p{Cc}/u.test(name) || name === '.' || name === '..');

function* failoverProblems({ NearestN, Datacenters, Targets }: Members): Generator<Problem> {
  const targets = Array.isArray(Targets) ? Targets.map(membersOf) : [];
  const way = ['Service', 'Failover', 'Targets'];
  if (targets.length > 0 && (NearestN || (Array.isArray(Datacenters) && Datacenters.length > 0)))
    yield { way, what: 'cannot be together with NearestN or Datacenters' };
  for (const [index, { Peer, Datacenter }] of targets.entries())
    if (!Peer && !Datacenter) yield { way: [...way, index], what: 'needs a Peer or a Datacenter' };
}

function* ttlProblems(ttl: Json | undefined): Generator<Problem> {
  if (!ttl || ttl === '0' || /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(String(ttl))) return;
  yield { way: ['DNS', 'TTL'], what: `"${ttl}" is not a duration such as 10s or 1m30s` };
}

const expression = /^\s*(name\.(full|prefix|suffix)|match\(\s*\d+\s*\)|agent\.segment)\s*$/;

/** `${...}` in the texts of a template; `$${` is a plain `${`. */
function* interpolationProblems(value: Json, way: Problem['way']): Generator<Problem> {
  if (typeof value === 'object' && value !== null) {
    const inside = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, member] of inside) yield* interpolationProblems(member, [...way, name]);
  }
  if (typeof value !== 'string') return;
  for (const [found, inner, close] of value.matchAll(/\$?\$\{([^}]*)(\}?)/g)) {
    if (found.startsWith('$$')) continue;
    if (close === '') yield { way, what: `"${found}" is not closed` };
    else if (!expression.test(inner ?? ''))
      yield {
        way,
        what: `"${found}" is unknown; there are \${name.full}, \${name.prefix}, \${name.suffix}, \${match(N)} and \${agent.segment}`,
      };
  }
}

/** Is it what a service, or Lanyard, shows in the place of a token: `<hidden>`, `<redacted>`? */
export const isMarker = (token: Json | undefined): boolean =>
  typeof token === 'string' && /^<.*>$/.test(token);

/** Products show a template in every query; one without any content is none. */
export const isTemplate = ({ Template }: Members): boolean =>
  isMembers(Template) && Object.keys(essence(Template)).length > 0;

/** Does a query that is no template have what only a template fills in? */
export const looksLikeTemplate = (query: Members): boolean =>
  !isTemplate(query) && /\$\{(name\.|match\(|agent\.)/.test(JSON.stringify(query.Service ?? null));

const membersOf = (value: Json | undefined): Members => (isMembers(value) ? value : {});
