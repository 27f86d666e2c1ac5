import { formatJson } from '../../../wire/json.ts';
import { type Filter, filterOf } from '../../bexpr/filter.ts';
import { ExpressionError } from '../../bexpr/tokens.ts';
import type { Answer } from '../../http/service.ts';
import type { PagedStorage } from '../../storage.ts';
import { unhurried } from '../../unhurried.ts';
import type { Call } from '../http/call.ts';
import { badField } from '../http/refusals.ts';
import {
  byChange,
  byCreation,
  changesAfter,
  countOf,
  type Entry,
  lastChange,
  newestFirst,
  readAtOnce,
} from '../state/journal.ts';
import { listToken, type Position, positionOf } from './list-token.ts';

/** Items of a page at most, also when no number is given (docs/protocol/accounts.md#lists). */
const largestPage = 1_000;
/** Resources that one answer looks at, characters of it, and milliseconds: with more it is `delta`, and the next goes on. */
const mostLookedAt = 10_000;
const mostCharacters = 4_000_000;
const mostTime = 2_000;
/** Milliseconds: what happened in the half minute before a list is told by the next one again, as by the product. */
const lookBack = 30_000;

interface Page {
  /** JSON of the items. */
  readonly items: string[];
  readonly removedIds: string[];
  /** Where it goes on. */
  readonly after: string;
  readonly complete: boolean;
}

/**
 * Answers a list: the newest first, a page at a time. Each answer has a token: while it is `delta`, the next page comes
 * for it; after `complete`, what has changed and what was removed since then (docs/protocol/accounts.md#lists) and in
 * the half minute before. What was removed in the last half minute comes with every page of that. A member that is
 * empty is left out; a list without an item that is all in one answer has no token.
 *
 * @param viewOf the item of an id, as it is answered
 * @throws FieldRefusal 400: of page_size, filter or list_token
 */
export async function listAnswer(
  call: Call,
  collection: string,
  viewOf: (id: string) => object | undefined,
): Promise<Answer> {
  const { query } = call.request;
  const { storage, clock } = call.service;
  const size = pageSize(query.get('page_size'));
  const filterText = query.get('filter') ?? '';
  const question = JSON.stringify([collection, filterText]);
  const filter = await readFilter(filterText);
  const token = query.get('list_token') ?? '';
  const found = token === '' ? anew : positionOf(storage, question, token, clock());
  const position = found.after === '' ? await begun(found, { storage, collection, now: clock() }) : found;
  const page = await pageOf(storage, collection, position, { size, filter, viewOf });
  const next: Position = page.complete
    ? { ...position, phase: 'changes', since: position.began, after: '' }
    : { ...position, after: page.after };
  const isAll = token === '' && page.complete;
  const removedIds =
    position.phase === 'changes'
      ? await withRecent(page.removedIds, { storage, collection, now: clock() })
      : [];
  const count = isAll ? page.items.length : countOf(storage, collection);
  return answer(page, {
    response_type: page.complete ? 'complete' : 'delta',
    ...(isAll && page.items.length === 0 ? {} : { list_token: listToken(storage, question, next) }),
    sort_by: position.phase === 'all' ? 'created_time' : 'updated_time',
    sort_dir: 'desc',
    ...(removedIds.length === 0 ? {} : { removed_ids: removedIds }),
    ...(count === 0 ? {} : { est_item_count: count }),
  });
}

const anew: Position = { phase: 'all', since: 0, began: 0, after: '', at: 0 };

interface At {
  readonly storage: PagedStorage;
  readonly collection: string;
  readonly now: Date;
}

/** Milliseconds of the epoch, as the journal has times. */
const beforeThat = (time: number): string => new Date(time - lookBack).toISOString();

/** What happens from now on is not of this phase; the next one tells it. */
async function begun(position: Position, { storage, collection, now }: At): Promise<Position> {
  let { since } = position;
  if (position.phase === 'changes') {
    const again = { upTo: since, moment: beforeThat(position.at) };
    let looked = 0;
    for await (const { sequence } of unhurried(changesAfter(storage, collection, again))) {
      since = sequence - 1;
      if (++looked === mostLookedAt) break;
    }
  }
  return { ...position, since, began: lastChange(storage), at: now.getTime() };
}

/** The IDs, and those of what was removed in the last half minute. */
async function withRecent(
  removedIds: readonly string[],
  { storage, collection, now }: At,
): Promise<string[]> {
  const ids = new Set<string>();
  const recent = { upTo: lastChange(storage), moment: beforeThat(now.getTime()) };
  let looked = 0;
  for await (const { id, removed } of unhurried(changesAfter(storage, collection, recent))) {
    if (removed) ids.add(id);
    if (++looked === mostLookedAt) break;
  }
  return [...ids.union(new Set(removedIds))];
}

/** @throws FieldRefusal */
function pageSize(text: string | null): number {
  if (text === null || text === '' || text === '0') return largestPage;
  if (!/^\d{1,15}$/.test(text)) throw badField('page_size', 'This field must be a number, 0 or more.');
  return Math.min(Number(text), largestPage);
}

interface Wanted {
  /** Items and removals at most. */
  readonly size: number;
  readonly filter: Filter | undefined;
  readonly viewOf: (id: string) => object | undefined;
}

/** @throws FieldRefusal: the filter is too much work for an item */
async function pageOf(
  storage: PagedStorage,
  collection: string,
  position: Position,
  { size, filter, viewOf }: Wanted,
): Promise<Page> {
  const items: string[] = [];
  const removedIds: string[] = [];
  let { after } = position;
  let looked = 0;
  let characters = 0;
  const late = performance.now() + mostTime;
  for await (const [place, entry] of unhurried(entriesOf(storage, collection, position))) {
    const full = items.length + removedIds.length === size || characters > mostCharacters;
    if (full || looked === mostLookedAt || performance.now() > late)
      return { items, removedIds, after, complete: false };
    after = place;
    looked++;
    if (entry.removed) removedIds.push(entry.id);
    const item = entry.removed ? undefined : viewOf(entry.id);
    if (!item || !passes(filter, item)) continue;
    const text = formatJson(item);
    items.push(text);
    characters += text.length;
  }
  return { items, removedIds, after, complete: true };
}

/** The entries of a phase from its position on, with their places; read as they are asked for. */
function* entriesOf(
  storage: PagedStorage,
  collection: string,
  { phase, since, after }: Position,
): Generator<[string, Entry]> {
  const read = phase === 'all' ? byCreation : byChange;
  const end = newestFirst(since);
  for (let from = after; ; ) {
    const entries = read(storage, collection, from, readAtOnce);
    for (const [place, entry] of entries) {
      if (place >= end) return;
      from = place;
      yield [place, entry];
    }
    if (entries.length < readAtOnce) return;
  }
}

function passes(filter: Filter | undefined, item: object): boolean {
  try {
    return filter?.passes({ item }) ?? true;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** @throws FieldRefusal: the expression cannot be read */
async function readFilter(text: string): Promise<Filter | undefined> {
  if (text === '') return undefined;
  try {
    return await filterOf(text);
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ExpressionError)) return error;
  return badField('filter', `This field could not be parsed. ${error.message}`);
}

/** The items are JSON already: they were written one by one, so that many of them hold nobody up. */
function answer({ items }: Page, rest: object): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body:
      items.length === 0 ? formatJson(rest) : `{"items":[${items.join(',')}],${formatJson(rest).slice(1)}`,
  };
}
