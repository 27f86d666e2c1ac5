import { filterOf } from '../../bexpr/filter.ts';
import { ExpressionError } from '../../bexpr/tokens.ts';
import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { agentNode } from '../place.ts';
import type { Meta } from '../state/catalog.ts';

/** The pairs that metadata must have: `node-meta=name:value`, any number of times. @throws HttpRefusal 400 */
export function metaFilter({ query }: HttpRequest): readonly (readonly [string, string])[] {
  return query.getAll('node-meta').map((pair) => {
    const at = pair.indexOf(':');
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
}

export function hasMeta(meta: Meta | null, wanted: readonly (readonly [string, string])[]): boolean {
  return wanted.every(([name, value]) => meta !== null && Object.hasOwn(meta, name) && meta[name] === value);
}

/** Has an instance all the tags, in any case? */
export function hasTags(tags: readonly string[], wanted: readonly string[]): boolean {
  const own = new Set(tags.map((tag) => tag.toLowerCase()));
  return wanted.every((tag) => own.has(tag.toLowerCase()));
}

/**
 * What `filter` selects of what is answered: an expression over its members, as they are called there.
 * @throws HttpRefusal 400, when it is called too
 */
export async function selectionOf({ query }: HttpRequest): Promise<Select> {
  const text = query.get('filter') ?? '';
  if (text === '') return (items) => [...items];
  const { select } = await filterOf(text).catch((error) => {
    throw refusal(error);
  });
  return (items) => {
    try {
      return select(items);
    } catch (error) {
      throw refusal(error);
    }
  };
}

type Select = <Item extends object>(items: readonly Item[]) => Item[];

function refusal(error: unknown): unknown {
  return error instanceof ExpressionError ? new HttpRefusal(400, `Invalid filter: ${error.message}`) : error;
}

/** Leaving a filter out would answer more than was asked for. @throws HttpRefusal 400 */
export function refuseFilter({ query }: HttpRequest): void {
  if (query.get('filter')) throw new HttpRefusal(400, 'filter expressions are not supported');
}

/** With `near`, the node that is meant comes first; the others keep their order. */
export function agentFirst<Item>(
  { query }: HttpRequest,
  items: readonly Item[],
  nodeOf: (item: Item) => string,
): Item[] {
  const near = query.get('near') ?? '';
  const first = near === '_agent' ? agentNode : near;
  return first === '' ? [...items] : items.toSorted((a, b) => rank(a) - rank(b));
  function rank(item: Item): number {
    return nodeOf(item) === first ? 0 : 1;
  }
}
