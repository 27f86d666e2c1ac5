import { forEachInSlices } from '../../core/in-slices.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { Table } from '../../core/store/table.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';

/**
 * The names directly below a prefix of keys, in their order; a name with others below it ends in a slash.
 * @param keys start with the prefix
 */
export async function namesBelow(prefix: string, keys: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  await forEachInSlices(keys, (key) => names.add(nameOf(prefix, key)));
  return [...names];
}

/** Keys that are read at once. */
const batchSize = 256;
/** Sorts after the other characters. */
const lastCharacter = '\uffff';

/** The same of the keys of a table, in slices, and without reading all keys below a name. */
export async function tableNamesBelow<Row extends object>(
  storage: Storage,
  table: Table<Row>,
  prefix: string,
): Promise<string[]> {
  const names = new Set<string>();
  const keys = storage.withPrefix(table.prefix);
  for (let after = ''; ; await yieldToEventLoop()) {
    const batch = keys.keysAfter(prefix, after, batchSize);
    for (const key of batch) names.add(nameOf(prefix, key));
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) return [...names];
    const name = nameOf(prefix, last);
    const end = prefix + name + lastCharacter;
    after = name.endsWith('/') && end > last ? end : last;
  }
}

function nameOf(prefix: string, key: string): string {
  const slash = key.indexOf('/', prefix.length);
  return key.slice(prefix.length, slash < 0 ? undefined : slash + 1);
}
