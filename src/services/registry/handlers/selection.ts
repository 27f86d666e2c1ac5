import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices, forEachInSlices } from '../../core/in-slices.ts';
import type * as s from '../../core/schema/types.ts';
import { agentNode } from '../agent-node.ts';
import type { Meta } from '../catalog-fields.ts';
import type { FieldsByName } from '../filter/fields.ts';
import { compileFilter } from '../filter/filter.ts';
import { isSameName } from '../fold-name.ts';
import type { Instance } from '../model/catalog.ts';
import type { instanceParameters } from '../read-parameters.ts';

/** The required metadata: `node-meta=name:value`, repeatable. */
export const metaFilter = (pairs: readonly string[]): readonly (readonly [string, string])[] =>
  pairs.map((pair) => {
    const separatorIndex = pair.indexOf(':');
    return separatorIndex < 0 ? [pair, ''] : [pair.slice(0, separatorIndex), pair.slice(separatorIndex + 1)];
  });

export function hasMeta(meta: Meta | null, input: readonly (readonly [string, string])[]): boolean {
  return input.every(([name, value]) => meta !== null && Object.hasOwn(meta, name) && meta[name] === value);
}

/** Whether an instance has all tags, ignoring case. */
function hasTags(tags: readonly string[], input: readonly string[]): boolean {
  const lowerCaseTags = new Set(tags.map((tag) => tag.toLowerCase()));
  return input.every((tag) => lowerCaseTags.has(tag.toLowerCase()));
}

/** The instances with the metadata and tags of a query; instances of a cluster peer never match. */
export function matchingInstances(
  instances: Iterable<Instance | undefined>,
  query: s.Input<s.ObjectType<typeof instanceParameters>>,
): Promise<Instance[]> {
  const meta = metaFilter(query['node-meta']);
  return filterInSlices(
    query.peer === '' ? instances : [],
    (each): each is Instance =>
      each !== undefined && hasMeta(each.node.Meta, meta) && hasTags(each.service.Tags, query.tag),
  );
}

/**
 * The `filter` of the query: an expression over items with these fields (docs/protocol/registry.md#filters).
 *
 * @throws HttpError 500: invalid; 400: too much work, during evaluation
 */
export async function readSelection(text: string, fields: FieldsByName): Promise<Select> {
  if (text === '') return async (items) => [...items];
  const { select } = await compileFilter(text, fields).catch((error) => {
    throw filterError(error, 500, 'Failed to create boolean expression evaluator');
  });
  return async (items) => {
    try {
      return await select(items);
    } catch (error) {
      throw filterError(error, 400, 'Invalid filter');
    }
  };
}

type Select = <Item extends object>(items: readonly Item[]) => Promise<Item[]>;

function filterError(error: unknown, status: number, prefix: string): unknown {
  return error instanceof ExpressionError ? new HttpError(status, `${prefix}: ${error.message}`) : error;
}

/** With `near`, moves that node to the front; the order of the others is unchanged. */
export async function nearFirst<Item>(
  near: string,
  items: readonly Item[],
  nodeOf: (item: Item) => string,
): Promise<Item[]> {
  const nearNode = near === '_agent' ? agentNode : near;
  if (nearNode === '') return [...items];
  const first: Item[] = [];
  const others: Item[] = [];
  await forEachInSlices(items, (item) => {
    (isSameName(nodeOf(item), nearNode) ? first : others).push(item);
  });
  return [...first, ...others];
}
