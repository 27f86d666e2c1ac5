import { formatJson } from '../../../wire/json.ts';
import { EncodedJson } from '../../core/blocking-query.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import type { QueryResult } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { entriesAfter, entryJson, entryView } from '../model/kv.ts';

/** Keys that are read without yielding to the event loop. */
const batchSize = 1_000;
/** Attempts to read all keys at one index while yielding. */
const maxAttempts = 3;

type ListResult = QueryResult & { readonly index: number };

/** The entries whose keys have a prefix. */
export function listEntries(call: Call, prefix: string): Promise<ListResult> {
  const { state } = call.registry;
  const isPretty = call.request.query.has('pretty');
  return list(call, () => (after) => {
    const entries = entriesAfter(state, prefix, after, batchSize);
    const items = entries.filter(([key]) => canRead(call, key));
    const filtered = items.length < entries.length;
    const json = isPretty
      ? itemsOf(
          items.map(([key, entry]) => entryView(key, entry)),
          true,
        )
      : items.map(([key, entry]) => entryJson(key, entry)).join();
    return { json, filtered, count: entries.length, last: entries.at(-1)?.[0] };
  });
}

/** The keys with a prefix, each up to the next separator, without duplicates. */
export function listKeys(call: Call, prefix: string): Promise<ListResult> {
  const { state } = call.registry;
  const { query } = call.request;
  const separator = query.get('separator') ?? '';
  return list(call, () => {
    const seenNames = new Set<string>();
    const upToSeparator = (keys: readonly string[]): string[] => {
      const names: string[] = [];
      for (const key of keys) {
        const separatorIndex = key.indexOf(separator, prefix.length);
        const name = separatorIndex < 0 ? key : key.slice(0, separatorIndex + separator.length);
        if (!seenNames.has(name)) names.push(name);
        seenNames.add(name);
      }
      return names;
    };
    return (after) => {
      const keys = state.keysAfter('kv', prefix, after, batchSize);
      const items = keys.filter((key) => canRead(call, key));
      const filtered = items.length < keys.length;
      const json = itemsOf(separator === '' ? items : upToSeparator(items), query.has('pretty'));
      return { json, filtered, count: keys.length, last: keys.at(-1) };
    };
  });
}

const canRead = ({ permissions }: Call, key: string): boolean => permissions.allows('key:read', key);

/** The items of an array in JSON, without its brackets and, when indented, the end of its last line. */
function itemsOf(values: readonly unknown[], isPretty: boolean): string {
  return values.length === 0 ? '' : formatJson(values, isPretty ? 4 : 0).slice(1, isPretty ? -2 : -1);
}

interface Page {
  /** Encoded items, without the brackets. */
  readonly json: string | Buffer;
  readonly filtered: boolean;
  /** Keys read, and the last of them. */
  readonly count: number;
  readonly last: string | undefined;
}

/** Reads the page after a key; empty: the first. */
type ReadPage = (after: string) => Page;

/**
 * Lists what the caller may read below a prefix, all of it at one index. It yields to the event loop between pages;
 * if writes keep interfering, the last attempt does not yield.
 */
async function list(call: Call, createReader: () => ReadPage): Promise<ListResult> {
  for (let attemptsLeft = maxAttempts; attemptsLeft > 0; attemptsLeft--) {
    const result = await tryList(call, createReader());
    if (result) return result;
  }
  return listResult(call, [...readPages(createReader())]);
}

/** Undefined: a key was written meanwhile. */
async function tryList(call: Call, readPage: ReadPage): Promise<ListResult | undefined> {
  const { state } = call.registry;
  const index = state.indexOf('kv');
  const result: Page[] = [];
  for (const page of readPages(readPage)) {
    result.push(page);
    if (page.count < batchSize) break;
    await yieldToEventLoop();
    if (state.indexOf('kv') !== index) return undefined;
  }
  return listResult(call, result);
}

function* readPages(readPage: ReadPage): Generator<Page> {
  for (let page = readPage(''), isOnly = true; ; page = readPage(page.last ?? '')) {
    const isLast = page.count < batchSize;
    isOnly &&= isLast;
    // One by one: encoding all pages at once would block.
    yield isOnly ? page : { ...page, json: Buffer.from(page.json) };
    if (isLast) return;
  }
}

function listResult({ registry, request }: Call, all: readonly Page[]): ListResult {
  const index = registry.state.indexOf('kv');
  const filtered = all.some((page) => page.filtered);
  const parts = all.flatMap(({ json }) => (json.length === 0 ? [] : [json]));
  const [first, ...others] = parts;
  if (first === undefined) return { status: 404, filtered, index };
  const isPretty = request.query.has('pretty');
  if (typeof first === 'string' && !isPretty)
    return { value: new EncodedJson(`[${first}]`), filtered, index };
  const bytes = [opening, toBuffer(first), ...others.flatMap((json) => [comma, toBuffer(json)])];
  return { value: Buffer.concat([...bytes, Buffer.from(isPretty ? '\n]\n' : ']')]), filtered, index };
}

const toBuffer = (json: string | Buffer): Buffer => (typeof json === 'string' ? Buffer.from(json) : json);
const opening = Buffer.from('[');
const comma = Buffer.from(',');
