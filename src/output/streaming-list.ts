import { usage } from '../errors.ts';
import type { Document } from './document.ts';
import { type Format, isVariableFormat } from './formats.ts';
import type { Result } from './result.ts';

/** A list of results: in `text` and `jsonl` each is shown at once, else all of them at the end. */
export interface StreamingList {
  /** @param index of the item in the list. */
  add(row: unknown, document: Document, index: number): Promise<void>;
  /** Shows what was not shown yet; to be called once. */
  end(): Promise<void>;
}

/**
 * A list that grows while a command goes on: in `text` and `jsonl` each item is shown at once, else all of them at
 * the end, in the order of their places.
 *
 * @param isSelected whether a part of the response was asked for (`--field`, `--select`): the response is the whole list.
 * @throws a usage error for `env` and its kind, which have no lists, before anything is done for one.
 */
export function streamingList(
  format: Format,
  isSelected: boolean,
  show: (result: Result) => Promise<void>,
): StreamingList {
  if (isVariableFormat(format) && !isSelected) {
    throw usage(`--output ${format} requires an object, but the response is a list`, {
      hint: 'Select an object with --select, or use another --output.',
    });
  }
  const isStreamed = !isSelected && (format === 'text' || format === 'jsonl');
  const pending: { readonly row: unknown; readonly index: number }[] = [];
  return {
    async add(row: unknown, document: Document, index: number): Promise<void> {
      if (isStreamed) await show({ data: row, rows: [row], document });
      else pending.push({ row, index });
    },
    async end(): Promise<void> {
      if (isStreamed) return;
      const data = pending.sort((one, other) => one.index - other.index).map(({ row }) => row);
      await show({ data, rows: data, document: [] });
    },
  };
}
