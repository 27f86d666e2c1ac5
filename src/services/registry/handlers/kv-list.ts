import { formatJson } from '../../../wire/json.ts';
import { EncodedJson } from '../../core/blocking-query.ts';
import { concatInSlices, sliceSize } from '../../core/in-slices.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import type { QueryResult } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { entryJson, entryKeys, entryOf, entryView } from '../model/kv.ts';
import type { View } from '../model/tables.ts';

/** The entries whose keys have a prefix. */
export function listEntries(call: Call, view: View, prefix: string): Promise<QueryResult> {
  const isPretty = call.request.query.has('pretty');
  return list(call, entryKeys(view, prefix), (keys) => {
    const entries = keys.flatMap((key) => {
      const entry = entryOf(view, key);
      return entry ? [[key, entry] as const] : [];
    });
    if (!isPretty) return entries.map(([key, entry]) => entryJson(key, entry)).join();
    return itemsOf(
      entries.map(([key, entry]) => entryView(key, entry)),
      true,
    );
  });
}

/** The keys with a prefix, each up to the next separator, without duplicates. */
export function listKeys(call: Call, view: View, prefix: string, separator: string): Promise<QueryResult> {
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
  return list(call, entryKeys(view, prefix), (keys) =>
    itemsOf(separator === '' ? keys : upToSeparator(keys), call.request.query.has('pretty')),
  );
}

/** The items of an array in JSON, without its brackets and, when indented, the end of its last line. */
function itemsOf(values: readonly unknown[], isPretty: boolean): string {
  return values.length === 0 ? '' : formatJson(values, isPretty ? 4 : 0).slice(1, isPretty ? -2 : -1);
}

/**
 * Lists what the caller may read of keys, slice by slice.
 *
 * @param encode the items of a slice in JSON, without brackets
 */
async function list(
  { permissions, request }: Call,
  keys: readonly string[],
  encode: (keys: readonly string[]) => string,
): Promise<QueryResult> {
  const parts: Buffer[] = [];
  let filtered = false;
  for (let at = 0; at < keys.length; at += sliceSize) {
    if (at > 0) await yieldToEventLoop();
    const slice = keys.slice(at, at + sliceSize);
    const readable = slice.filter((key) => permissions.allows('key:read', key));
    filtered ||= readable.length < slice.length;
    const json = encode(readable);
    if (json === '') continue;
    if (keys.length <= sliceSize && !request.query.has('pretty'))
      return { value: new EncodedJson(`[${json}]`), filtered };
    parts.push(parts.length === 0 ? opening : comma, Buffer.from(json));
  }
  if (parts.length === 0) return { status: 404, filtered };
  const end = Buffer.from(request.query.has('pretty') ? '\n]\n' : ']');
  return { value: await concatInSlices([...parts, end]), filtered };
}

const opening = Buffer.from('[');
const comma = Buffer.from(',');
