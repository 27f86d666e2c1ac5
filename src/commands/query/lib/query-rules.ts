import { fieldProblems, type Problem } from '../../../objects/field-problems.ts';
import { preparedQuery, setByService } from '../../../objects/prepared-query.ts';
import type { Json } from '../../../wire/json.ts';
import { isQueryObject, normalizeQuery, type QueryObject } from './query-object.ts';

/** All problems of structure: unknown fields and values of the wrong type. */
export const schemaProblems = (query: Json): Generator<Problem> =>
  fieldProblems(preparedQuery, query, { ignored: setByService });

/**
 * All problems of a prepared query that has a valid structure
 * (docs/protocol/queries-and-chain.md#prepared-query).
 */
export function* ruleProblems(query: QueryObject): Generator<Problem> {
  const template = fieldsOf(query.Template);
  const service = fieldsOf(query.Service);
  if (!query.Name && !query.Session && !isTemplate(query))
    yield { path: ['Name'], what: 'required, except for a template or a query bound to a session' };
  if (isUnreachable(query.Name))
    yield {
      path: ['Name'],
      what: 'invalid name: a query whose name is "." or ".." or contains "/" or a control character cannot be executed',
    };
  if (!service.Service) yield { path: ['Service', 'Service'], what: 'required: the service to look up' };
  if (isTemplate(query) && template.Type !== 'name_prefix_match')
    yield { path: ['Template', 'Type'], what: 'must be name_prefix_match' };
  if (isHiddenTokenPlaceholder(query.Token))
    yield { path: ['Token'], what: 'placeholder of a hidden token; remove it' };
  yield* failoverProblems(fieldsOf(service.Failover));
  yield* ttlProblems(fieldsOf(query.DNS).TTL);
  if (isTemplate(query)) yield* interpolationProblems(query.Service ?? null, ['Service']);
}

/** Whether a name cannot be a segment of a URL path. */
const isUnreachable = (name: Json | undefined): boolean =>
  typeof name === 'string' && (/\/|\p{Cc}/u.test(name) || name === '.' || name === '..');

function* failoverProblems({ NearestN, Datacenters, Targets }: QueryObject): Generator<Problem> {
  const targets = Array.isArray(Targets) ? Targets.map(fieldsOf) : [];
  const path = ['Service', 'Failover', 'Targets'];
  if (targets.length > 0 && (NearestN || (Array.isArray(Datacenters) && Datacenters.length > 0)))
    yield { path, what: 'cannot be combined with NearestN or Datacenters' };
  for (const [index, { Peer, Datacenter }] of targets.entries())
    if (!Peer && !Datacenter) yield { path: [...path, index], what: 'requires Peer or Datacenter' };
}

function* ttlProblems(ttl: Json | undefined): Generator<Problem> {
  if (!ttl || ttl === '0' || /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(String(ttl))) return;
  yield { path: ['DNS', 'TTL'], what: `invalid duration "${ttl}": expected a value such as 10s or 1m30s` };
}

const interpolationPattern = /^\s*(name\.(full|prefix|suffix)|match\(\s*\d+\s*\)|agent\.segment)\s*$/;

/** Problems of `${...}` in the strings of a template; `$${` is a literal `${`. */
function* interpolationProblems(value: Json, path: Problem['path']): Generator<Problem> {
  if (typeof value === 'object' && value !== null) {
    const inside = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, member] of inside) yield* interpolationProblems(member, [...path, name]);
  }
  if (typeof value !== 'string') return;
  for (const [found, inner, close] of value.matchAll(/\$?\$\{([^}]*)(\}?)/g)) {
    if (found.startsWith('$$')) continue;
    if (close === '') yield { path, what: `unclosed "${found}"` };
    else if (!interpolationPattern.test(inner ?? ''))
      yield {
        path,
        what: `unknown expression "${found}"; valid: \${name.full}, \${name.prefix}, \${name.suffix}, \${match(N)} and \${agent.segment}`,
      };
  }
}

/** Whether a token is the placeholder of a service or of Lanyard: `<hidden>`, `<redacted>`. */
export const isHiddenTokenPlaceholder = (token: Json | undefined): boolean =>
  typeof token === 'string' && /^<.*>$/.test(token);

/** Whether a query is a template; products return an empty template in every query. */
export const isTemplate = ({ Template }: QueryObject): boolean =>
  isQueryObject(Template) && Object.keys(normalizeQuery(Template)).length > 0;

/** Whether a query that is not a template has expressions that only templates fill in. */
export const looksLikeTemplate = (query: QueryObject): boolean =>
  !isTemplate(query) && /\$\{(name\.|match\(|agent\.)/.test(JSON.stringify(query.Service ?? null));

const fieldsOf = (value: Json | undefined): QueryObject => (isQueryObject(value) ? value : {});
