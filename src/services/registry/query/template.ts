import { HttpError } from '../../core/http/http-service.ts';
import type { Query, ServiceQuery, Template } from '../model/queries.ts';
import { compileTemplate, type MatchGroups } from './regexp.ts';

/** An embedded agent has no network segment. */
const segment = '';

/**
 * Renders a query for a name: a template with its interpolations replaced, a static query unchanged
 * (docs/protocol/queries-and-chain.md#templates).
 *
 * @throws HttpError 500: an invalid interpolation or expression
 */
export async function renderQuery<Kind extends Pick<Query, 'Name' | 'Template' | 'Service'>>(
  query: Kind,
  name: string,
): Promise<Kind> {
  const { Template } = query;
  if (!Template || Template.Type === '') return query;
  return {
    ...query,
    Service: renderService(
      query.Service,
      Template,
      templateVariables(query.Name, name, await compileTemplate(Template)),
    ),
  };
}

type Variables = (expression: string) => string | undefined;

/** The values of interpolations. Groups that do not exist or did not match are empty. */
function templateVariables(prefix: string, full: string, match: MatchGroups): Variables {
  let groups: readonly string[] | undefined;
  return (expression) => {
    if (expression === 'name.full') return full;
    if (expression === 'name.prefix') return prefix;
    if (expression === 'name.suffix') return full.startsWith(prefix) ? full.slice(prefix.length) : full;
    if (expression === 'agent.segment') return segment;
    const group = /^match\(\s*(-?\d+)\s*\)$/.exec(expression)?.[1];
    if (group === undefined) return undefined;
    groups ??= match(full);
    return groups[Number(group)] ?? '';
  };
}

function renderService(
  service: ServiceQuery,
  { RemoveEmptyTags }: Template,
  lookup: Variables,
): ServiceQuery {
  const full = mapStrings(service, (text) => interpolate(text, lookup)) as ServiceQuery;
  return RemoveEmptyTags ? { ...full, Tags: full.Tags?.filter((tag) => tag !== '') ?? null } : full;
}

/** Replaces every text in a value; field names are unchanged. */
function mapStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapStrings(member, replace)]),
  );
}

function interpolate(text: string, lookup: Variables): string {
  let result = '';
  let position = 0;
  for (;;) {
    const start = text.indexOf('${', position);
    if (start < 0) return result + text.slice(position);
    // `$${` is the text `${`.
    if (start > position && text[start - 1] === '$') {
      result += `${text.slice(position, start - 1)}\${`;
      position = start + 2;
      continue;
    }
    const end = text.indexOf('}', start);
    const expression = end < 0 ? text.slice(start + 2) : text.slice(start + 2, end).trim();
    const value = end < 0 ? undefined : lookup(expression);
    if (value === undefined)
      throw new HttpError(
        500,
        `Bad Template: unknown interpolation "\${${expression.slice(0, 80)}${end < 0 ? '' : '}'}"`,
      );
    result += text.slice(position, start) + value;
    position = end + 1;
  }
}
