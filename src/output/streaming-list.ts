import { usage } from '../errors.ts';
import type { Document } from './document.ts';
import { type Format, isVariableFormat } from './formats.ts';
import type { Result } from './result.ts';

export type StreamingList = ReturnType<typeof streamingList>;

/**
 * A list that grows while a command runs: `text` and `jsonl` show each item immediately, the other formats all of
 * them at the end, in the order of their indexes.
 *
 * @param writeLine writes an item as a line of JSON, for `jsonl` to standard output.
 * @param isSelected whether `--field` or `--select` is set: they apply to the complete list.
 * @throws a usage error for `env` and its variants, which have no lists, before the first item.
 */
export function streamingList(
  format: Format,
  isSelected: boolean,
  show: (result: Result) => Promise<void>,
  writeLine?: (row: unknown) => Promise<void>,
) {
  if (isVariableFormat(format) && !isSelected) {
    throw usage(`--output ${format} requires an object, but the response is a list`, {
      hint: 'Select an object with --select, or use another --output.',
    });
  }
  const isStreamed = !isSelected && (format === 'text' || format === 'jsonl');
  const pending: { readonly row: unknown; readonly index: number }[] = [];
  return {
    /** @param index of the item in the list. */
    async add(row: unknown, document: () => Document, index: number): Promise<void> {
      if (!isStreamed) pending.push({ row, index });
      else if (writeLine) await writeLine(row);
      else await show({ data: row, rows: [row], document: format === 'text' ? document() : [] });
    },
    /** Shows the remaining items; called once. */
    async end(): Promise<void> {
      if (isStreamed) return;
      const data = pending.sort((one, other) => one.index - other.index).map(({ row }) => row);
      await show({ data, rows: data, document: [] });
    },
  };
}
