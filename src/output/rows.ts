import { usage } from '../errors.ts';
import type { Document } from './document.ts';
import { type Format, isVariableFormat } from './formats.ts';
import type { Result } from './result.ts';

/** A list of results: in `text` and `jsonl` each is shown at once, else all of them at the end. */
export interface Rows {
  /** @param place of the item in the list. */
  add(row: unknown, document: Document, place: number): Promise<void>;
  /** Shows what was not shown yet; to be called once. */
  end(): Promise<void>;
}

/**
 * A list that grows while a command goes on: in `text` and `jsonl` each item is shown at once, else all of them at
 * the end, in the order of their places.
 *
 * @param chosen whether a part of the response was asked for (`--field`, `--select`): the response is the whole list.
 * @throws a usage error for `env` and its kind, which have no lists, before anything is done for one.
 */
export function growing(format: Format, chosen: boolean, show: (result: Result) => Promise<void>): Rows {
  if (isVariableFormat(format) && !chosen) {
    throw usage(`--output ${format} requires an object, but the response is a list`, {
      hint: 'Select an object with --select, or use another --output.',
    });
  }
  const isShownAtOnce = !chosen && (format === 'text' || format === 'jsonl');
  const kept: { readonly row: unknown; readonly place: number }[] = [];
  return {
    async add(row: unknown, document: Document, place: number): Promise<void> {
      if (isShownAtOnce) await show({ data: row, rows: [row], document });
      else kept.push({ row, place });
    },
    async end(): Promise<void> {
      if (isShownAtOnce) return;
      const data = kept.sort((one, other) => one.place - other.place).map(({ row }) => row);
      await show({ data, rows: data, document: [] });
    },
  };
}
