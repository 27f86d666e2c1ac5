import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';
import { formatJson } from '../../../wire/json.ts';
import { compileFilter, type Filter } from '../../core/bexpr/filter.ts';
import type { HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices, forEachInSlices, mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { writerOf } from '../../core/schema/write.ts';
import type { Storage } from '../../core/store/storage.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import type { Call } from '../call.ts';
import { invalidField } from '../errors.ts';
import {
  changesAfter,
  descendingKey,
  type Entry,
  eachEntry,
  entriesByChange,
  entriesByCreation,
  lastSequence,
  resourceCount,
} from '../model/change-log.ts';
import { listToken, type Position, positionOf } from './list-token.ts';

/** Maximum and default number of items per page (docs/protocol/accounts.md#lists). */
const maxPageSize = 1_000;
/** Limits of one response: resources examined, characters, milliseconds. Beyond them the next page continues. */
const maxExamined = 10_000;
const maxCharacters = 4_000_000;
const maxTimeMs = 2_000;
/** Milliseconds: changes of the half minute before a list are repeated by the next one, as in the product. */
const lookBackMs = 30_000;

/** Query parameters of every list. */
export const pageQuery = {
  filter: s.string('A filter expression over `/item`, such as `"/item/name" == "web"`.'),
  page_size: s.integer(`Maximum number of items in a page, at most ${maxPageSize}; 0: ${maxPageSize}.`, {
    minimum: 0,
    default: 0,
  }),
  list_token: s.string('The list token of the last response.'),
};

export interface ListQuery extends s.Input<s.ObjectType<typeof pageQuery>> {
  readonly recursive?: boolean;
}

const pageFields = {
  response_type: s.oneOf(['delta', 'complete'], '`delta`: more pages follow.'),
  list_token: s.omitEmpty(s.string('For the next page or, after `complete`, for later changes.')),
  sort_by: s.oneOf(['created_time', 'updated_time']),
  sort_dir: s.oneOf(['desc']),
  removed_ids: s.omitEmpty(s.list(s.string(), 'Removed since the list of the list token.')),
  est_item_count: s.omitEmpty(s.integer('Estimated number of items.')),
};
const writePageFields = writerOf(s.object(pageFields));

/** A list in pages. */
export const listOf = (item: s.ObjectType) =>
  s.named(
    `${item.name}List`,
    s.object({ items: s.omitEmpty(s.list(item, 'Missing if there are none.')), ...pageFields }),
  );

interface Page {
  /** JSON of the items. */
  readonly items: string[];
  /** The number of items that the caller may not see. */
  readonly hidden: number;
  readonly removedIds: string[];
  /** The position of the next page. */
  readonly afterKey: string;
  readonly complete: boolean;
}

/**
 * Responds to a list of one or more collections: the newest items first, in pages. Each response has a token: after `delta` for the next page;
 * after `complete` for what was changed and removed since then (docs/protocol/accounts.md#lists) and in the half
 * minute before. Removals of the last half minute are in every page of that. Empty fields are omitted; a complete
 * list without items has no token.
 *
 * @param itemType the type of an item; of a view, only its fields are sent
 * @param collections the first one identifies the list, together with `recursive`
 * @param viewOf the item of an ID in a response; null: the caller may not see it, and only the count includes it
 * @throws InvalidFieldsError 400: page_size, filter or list_token
 */
export async function listResponse(
  { service: { storage, clock } }: Call,
  { page_size, filter: filterText, list_token: token, recursive }: ListQuery,
  itemType: s.ObjectType,
  collections: readonly string[],
  viewOf: (id: string) => object | null | undefined,
): Promise<HttpResponse> {
  const size = Math.min(page_size || maxPageSize, maxPageSize);
  const queryKey = JSON.stringify([collections[0], filterText, ...(recursive ? ['recursive'] : [])]);
  const filter = await readFilter(filterText);
  const previous = token === '' ? initialPosition : positionOf(storage, queryKey, token, clock());
  const position =
    previous.afterKey === '' ? await startPhase(previous, { storage, collections, now: clock() }) : previous;
  const page = await readPage(storage, collections, position, {
    size,
    filter,
    viewOf,
    write: writerOf(itemType) as PageOptions['write'],
  });
  const next: Position = page.complete
    ? { ...position, phase: 'changes', since: position.startSequence, afterKey: '' }
    : { ...position, afterKey: page.afterKey };
  const isAll = token === '' && page.complete;
  const removedIds =
    position.phase === 'changes'
      ? await withRecentRemovals(page.removedIds, { storage, collections, now: clock() })
      : [];
  const count = isAll ? page.items.length + page.hidden : await countOf(storage, collections);
  return pageResponse(page, {
    response_type: page.complete ? 'complete' : 'delta',
    list_token: isAll && page.items.length === 0 ? '' : listToken(storage, queryKey, next),
    sort_by: position.phase === 'all' ? 'created_time' : 'updated_time',
    sort_dir: 'desc',
    removed_ids: removedIds,
    est_item_count: count,
  });
}

const initialPosition: Position = { phase: 'all', since: 0, startSequence: 0, afterKey: '', startedAt: 0 };

interface PhaseContext {
  readonly storage: Storage;
  readonly collections: readonly string[];
  readonly now: Date;
}

/** In ISO 8601, like the times of the change log. */
const lookBackStart = (time: number): string => new Date(time - lookBackMs).toISOString();

/** Later changes belong to the next phase. */
async function startPhase(position: Position, { storage, collections, now }: PhaseContext) {
  let { since } = position;
  if (position.phase === 'changes') {
    const window = { upTo: since, moment: lookBackStart(position.startedAt) };
    for await (const { sequence } of lastChanges(storage, collections, window))
      since = Math.min(since, sequence - 1);
  }
  return { ...position, since, startSequence: lastSequence(storage), startedAt: now.getTime() };
}

/** The changes of collections as `changesAfter` finds them, of each at most `maxExamined`. */
async function* lastChanges(
  storage: Storage,
  collections: readonly string[],
  window: Parameters<typeof changesAfter>[2],
) {
  for await (const collection of yieldingIterator(collections)) {
    let examined = 0;
    for await (const change of yieldingIterator(changesAfter(storage, collection, window))) {
      yield change;
      if (++examined === maxExamined) break;
    }
  }
}

/** The removed IDs, with the IDs removed in the last half minute. */
async function withRecentRemovals(
  removedIds: readonly string[],
  { storage, collections, now }: PhaseContext,
): Promise<string[]> {
  const ids = new Set<string>();
  const recent = { upTo: lastSequence(storage), moment: lookBackStart(now.getTime()) };
  for await (const { id, removed } of lastChanges(storage, collections, recent)) if (removed) ids.add(id);
  return [...ids.union(new Set(removedIds))];
}

interface PageOptions {
  /** Maximum number of items and removals. */
  readonly size: number;
  readonly filter: Filter | undefined;
  readonly viewOf: (id: string) => object | null | undefined;
  readonly write: (view: object) => object;
}

/** @throws InvalidFieldsError: the filter is too expensive for an item */
async function readPage(
  storage: Storage,
  collections: readonly string[],
  position: Position,
  { size, filter, viewOf, write }: PageOptions,
): Promise<Page> {
  const items: string[] = [];
  const removedIds: string[] = [];
  let { afterKey } = position;
  let examined = 0;
  let hidden = 0;
  let characters = 0;
  const deadline = performance.now() + maxTimeMs;
  const heads = await headsOf(collections.map((each) => entriesOf(storage, each, position)));
  for await (const [orderKey, entry] of yieldingIterator(mergedEntries(heads))) {
    const isFull = items.length + removedIds.length === size || characters > maxCharacters;
    if (isFull || examined === maxExamined || performance.now() > deadline)
      return { items, hidden, removedIds, afterKey, complete: false };
    afterKey = orderKey;
    examined++;
    if (entry.removed) removedIds.push(entry.id);
    const view = entry.removed ? undefined : viewOf(entry.id);
    if (view === null && !filter) hidden++;
    const item = view && write(view);
    if (!item || !matchesFilter(filter, item)) continue;
    const text = formatJson(item);
    items.push(text);
    characters += text.length;
  }
  return { items, hidden, removedIds, afterKey, complete: true };
}

/** A collection and its next entry. */
interface Head {
  readonly collection: Iterator<[string, Entry]>;
  readonly result: IteratorResult<[string, Entry]>;
}

const headOf = (collection: Head['collection']): Head => ({ collection, result: collection.next() });

async function headsOf(collections: readonly Head['collection'][]): Promise<Head[]> {
  return filterInSlices(await mapInSlices(collections, headOf), ({ result }) => !result.done);
}

async function countOf(storage: Storage, collections: readonly string[]): Promise<number> {
  let count = 0;
  await forEachInSlices(collections, (each) => {
    count += resourceCount(storage, each);
  });
  return count;
}

/** The entries of several collections, each in the order of its keys, in the order of all keys; read lazily. */
function* mergedEntries(all: readonly Head[]): Generator<[string, Entry], undefined> {
  let heads = all;
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (a.result.value[0] < b.result.value[0] ? a : b));
    yield first.result.value;
    heads = heads
      .map((head) => (head === first ? headOf(head.collection) : head))
      .filter(({ result }) => !result.done);
  }
}

/** The entries of a phase after its position, with their keys; read lazily. */
function* entriesOf(
  storage: Storage,
  collection: string,
  { phase, since, afterKey }: Position,
): Generator<[string, Entry]> {
  const readEntries = phase === 'all' ? entriesByCreation : entriesByChange;
  const end = descendingKey(since);
  for (const [orderKey, entry] of eachEntry(readEntries, storage, collection, afterKey)) {
    if (orderKey >= end) return;
    yield [orderKey, entry];
  }
}

function matchesFilter(filter: Filter | undefined, item: object): boolean {
  try {
    return filter?.matches({ item }) ?? true;
  } catch (error) {
    throw filterError(error);
  }
}

/** @throws InvalidFieldsError: a syntax error */
async function readFilter(text: string): Promise<Filter | undefined> {
  if (text === '') return undefined;
  try {
    return await compileFilter(text, { collections: true });
  } catch (error) {
    throw filterError(error);
  }
}

function filterError(error: unknown): unknown {
  if (!(error instanceof ExpressionError)) return error;
  return invalidField('filter', `This field could not be parsed. ${error.message}`);
}

/** The items are JSON already: they were encoded one by one, to yield to the event loop. */
function pageResponse({ items }: Page, fields: object): HttpResponse {
  const end = formatJson(writePageFields(fields));
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: items.length === 0 ? end : `{"items":[${items.join(',')}],${end.slice(1)}`,
  };
}
