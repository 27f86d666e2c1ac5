import { compileFilter } from '../../core/bexpr/filter.ts';
import { ExpressionError } from '../../core/bexpr/tokens.ts';
import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';
import { agentNode } from '../agent-node.ts';
import type { Meta } from '../model/catalog.ts';

/** The pairs that metadata must have: `node-meta=name:value`, any number of times. @throws HttpError 400 */
export function metaFilter({ query }: HttpRequest): readonly (readonly [string, string])[] {
  return query.getAll('node-meta').map((pair) => {
    const separatorIndex = pair.indexOf(':');
    return separatorIndex < 0 ? [pair, ''] : [pair.slice(0, separatorIndex), pair.slice(separatorIndex + 1)];
  });
}

export function hasMeta(meta: Meta | null, input: readonly (readonly [string, string])[]): boolean {
  return input.every(([name, value]) => meta !== null && Object.hasOwn(meta, name) && meta[name] === value);
}

/** Has an instance all the tags, in any case? */
export function hasTags(tags: readonly string[], input: readonly string[]): boolean {
  const lowerCaseTags = new Set(tags.map((tag) => tag.toLowerCase()));
  return input.every((tag) => lowerCaseTags.has(tag.toLowerCase()));
}

/**
 * What `filter` selects of what is answered: an expression over its members, as they are called there.
 * @throws HttpError 400, when it is called too
 */
export async function readSelection({ query }: HttpRequest): Promise<Select> {
  const text = query.get('filter') ?? '';
  if (text === '') return (items) => [...items];
  const { select } = await compileFilter(text).catch((error) => {
    throw filterError(error);
  });
  return (items) => {
    try {
      return select(items);
    } catch (error) {
      throw filterError(error);
    }
  };
}

type Select = <Item extends object>(items: readonly Item[]) => Item[];

function filterError(error: unknown): unknown {
  return error instanceof ExpressionError ? new HttpError(400, `Invalid filter: ${error.message}`) : error;
}

/** Leaving a filter out would answer more than was asked for. @throws HttpError 400 */
export function rejectFilter({ query }: HttpRequest): void {
  if (query.get('filter')) throw new HttpError(400, 'filter expressions are not supported');
}

/** With `near`, the node that is meant comes first; the others keep their order. */
export function nearFirst<Item>(
  { query }: HttpRequest,
  items: readonly Item[],
  nodeOf: (item: Item) => string,
): Item[] {
  const near = query.get('near') ?? '';
  const nearNode = near === '_agent' ? agentNode : near;
  return nearNode === '' ? [...items] : items.toSorted((a, b) => rank(a) - rank(b));
  function rank(item: Item): number {
    return nodeOf(item) === nearNode ? 0 : 1;
  }
}
