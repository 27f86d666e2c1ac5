import { HttpRefusal } from '../../http/service.ts';
import type { Query, ServiceQuery, Template } from '../state/queries.ts';
import { expressionOf, type Match } from './regexp.ts';

/** An embedded agent is in no network segment. */
const segment = '';

/**
 * A query as it is to be executed for a name: a template with its interpolations replaced, a static one as it is
 * (docs/protocol/queries-and-chain.md#templates).
 *
 * @throws HttpRefusal 500: an interpolation, or the expression, that is none
 */
export async function rendered<Kind extends Pick<Query, 'Name' | 'Template' | 'Service'>>(
  query: Kind,
  name: string,
): Promise<Kind> {
  const { Template } = query;
  if (!Template) return query;
  return {
    ...query,
    Service: renderService(
      query.Service,
      Template,
      variables(query.Name, name, await expressionOf(Template)),
    ),
  };
}

type Variables = (expression: string) => string | undefined;

/** What interpolations stand for. A group that is not there, and one of no match, is empty. */
function variables(prefix: string, full: string, match: Match): Variables {
  let groups: readonly string[] | undefined;
  return (expression) => {
    if (expression === 'name.full') return full;
    if (expression === 'name.prefix') return prefix;
    if (expression === 'name.suffix') return full.slice(prefix.length);
    if (expression === 'agent.segment') return segment;
    const group = /^match\(\s*(-?\d+)\s*\)$/.exec(expression)?.[1];
    if (group === undefined) return undefined;
    groups ??= match(full);
    return groups[Number(group)] ?? '';
  };
}

function renderService(service: ServiceQuery, { RemoveEmptyTags }: Template, known: Variables): ServiceQuery {
  const full = replaced(service, (text) => interpolate(text, known)) as ServiceQuery;
  return RemoveEmptyTags ? { ...full, Tags: full.Tags?.filter((tag) => tag !== '') ?? null } : full;
}

/** The same value with every text in it replaced; names of members stay. */
function replaced(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, replace)]));
}

function interpolate(text: string, known: Variables): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('${', at);
    if (start < 0) return result + text.slice(at);
    const end = text.indexOf('}', start);
    const expression = end < 0 ? text.slice(start + 2) : text.slice(start + 2, end).trim();
    const value = end < 0 ? undefined : known(expression);
    if (value === undefined)
      throw new HttpRefusal(
        500,
        `Bad Template: unknown interpolation "\${${expression.slice(0, 80)}${end < 0 ? '' : '}'}"`,
      );
    result += text.slice(at, start) + value;
    at = end + 1;
  }
}
