import { formatJson } from '../../../wire/json.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import type { QueryResult } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { entryOf, entryView } from '../model/kv.ts';
import { filterVisible } from '../require-permission.ts';

/** Keys that are read without yielding to the event loop. */
const batchSize = 1_000;
/** Attempts to read all keys at one index while yielding. */
const maxAttempts = 3;

type ListResult = QueryResult & { readonly index: number };

/** The entries whose keys have a prefix. */
export function listEntries(call: Call, prefix: string): Promise<ListResult> {
  return list(call, prefix, () => (entries) => {
    if (call.request.query.has('pretty')) return unbracketed(entries.map(([key, entry]) => entryView(key, entry)));
    return entries.map(([key, entry]) => entryJson(key, entry)).join();
  });
}

/** The keys with a prefix, each up to the next separator, without duplicates. */
export function listKeys(call: Call, prefix: string): Promise<ListResult> {
  const separator = call.request.query.get('separator') ?? '';
  return list(call, prefix, () => {
    const seenNames = new Set<string>();
    return (keys) =>
      keys.flatMap((key) => {
        const separatorIndex = separator === '' ? -1 : key.indexOf(separator, prefix.length);
        const name = separatorIndex < 0 ? key : key.slice(0, separatorIndex + separator.length);
        if (seenNames.has(name)) return [];
        seenNames.add(name);
        return [name];
      });
  });
}

/** The items of the response for some of the keys. */
type SelectKeys = (keys: readonly string[]) => readonly unknown[];

/**
 * Lists what the caller may read below a prefix, all of it at one index. It yields to the event loop between pages;
 * if writes keep interfering, the last attempt does not yield.
 */
async function list(call: Call, prefix: string, createSelect: () => SelectKeys): Promise<ListResult> {
  for (let attemptsLeft = maxAttempts; attemptsLeft > 0; attemptsLeft--) {
    const result = await tryList(call, prefix, createSelect());
    if (result) return result;
  }
  return listResult(call, [...readPages(call, prefix, createSelect())]);
}

/** Undefined: a key was written meanwhile. */
async function tryList(call: Call, prefix: string, selectKeys: SelectKeys): Promise<ListResult | undefined> {
  const { state } = call.registry;
  const index = state.indexOf('kv');
  const result: Page[] = [];
  for (const page of readPages(call, prefix, selectKeys)) {
    result.push(page);
    if (!page.hasMore) break;
    await yieldToEventLoop();
    if (state.indexOf('kv') !== index) return undefined;
  }
  return listResult(call, result);
}

interface Page {
  /** Encoded items without the brackets: encoding all pages at once would block. */
  readonly json: Buffer;
  readonly filtered: boolean;
  readonly hasMore: boolean;
}

function* readPages(
  { permissions, registry, request }: Call,
  prefix: string,
  selectKeys: SelectKeys,
): Generator<Page> {
  const pretty = request.query.has('pretty');
  let after = '';
  for (let hasMore = true; hasMore; ) {
    const keys = registry.state.keysAfter('kv', prefix, after, batchSize);
    const { items, filtered } = filterVisible(keys, (key) => permissions.allows('key:read', key));
    const values = selectKeys(items);
    const json = formatJson(values, pretty ? 4 : 0);
    // Without its brackets and, when indented, the end of its last line.
    const inner = values.length === 0 ? '' : json.slice(1, pretty ? -2 : -1);
    after = keys.at(-1) ?? '';
    hasMore = keys.length === batchSize;
    yield { json: Buffer.from(inner), filtered, hasMore };
  }
}

function listResult({ registry, request }: Call, all: readonly Page[]): ListResult {
  const index = registry.state.indexOf('kv');
  const filtered = all.some((page) => page.filtered);
  const parts = all.flatMap(({ json }) => (json.length === 0 ? [] : [comma, json]));
  if (parts.length === 0) return { status: 404, filtered, index };
  const end = Buffer.from(request.query.has('pretty') ? '\n]\n' : ']');
  return { value: Buffer.concat([Buffer.from('['), ...parts.slice(1), end]), filtered, index };
}

const comma = Buffer.from(',');
