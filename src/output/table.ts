import { printable } from '../wire/printable.ts';
import { fitWidths } from './columns.ts';
import { painter } from './paint.ts';
import { flat } from './spans.ts';
import { stacked } from './text.ts';
import { isObject, members, plain } from './values.ts';
import { pieces, width } from './width.ts';

interface TableOptions {
  readonly terminal: boolean;
  readonly color: boolean;
  /** Cells in a line of the terminal; a table in a pipe is as wide as it needs. */
  readonly width: number;
}

const leastColumn = 5;

/**
 * Draws a table with borders: a list has a row an item and a column for every key that an item has, an object
 * has a row a field. Cells that are too wide for a terminal are broken, never cut; where it is too narrow for the
 * columns of a list, each row of it is a block of lines.
 */
export async function bordered(value: unknown, options: TableOptions): Promise<string> {
  const { head, body } = gridOf(value);
  if (body.length === 0) return '';
  const widths = options.terminal ? fitted([head, ...body], options.width) : [];
  const broken = (cell: string, column: number): string[] =>
    pieces(cell, widths[column] ?? Number.POSITIVE_INFINITY);
  const paint = await painter(options.color);
  const taken = widths.reduce((sum, each) => sum + each, borders(widths.length));
  if (head.length > 1 && taken > options.width) return stacked(head, body, paint);
  const { default: CliTable } = await import('cli-table3');
  const drawn = new CliTable({
    head: head.map((title, column) =>
      broken(title, column)
        .map((part) => paint(part, 'strong'))
        .join('\n'),
    ),
    // The library's own colours would not heed the caller's choice.
    style: { head: [], border: [] },
  });
  drawn.push(...body.map((row) => row.map((cell, column) => broken(cell, column).join('\n'))));
  return `${drawn.toString()}\n`;
}

interface Grid {
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
}

function gridOf(value: unknown): Grid {
  if (Array.isArray(value)) return gridOfRows(value);
  if (isObject(value)) {
    return { head: [], body: members(value).map(([key, member]) => [shown(key), shown(member)]) };
  }
  return { head: [], body: value === undefined ? [] : [[shown(value)]] };
}

function gridOfRows(rows: readonly unknown[]): Grid {
  const items = rows.map((row) => new Map(isObject(row) ? members(row) : [['value', row]]));
  const keys = [...new Set(items.flatMap((item) => [...item.keys()]))];
  return {
    head: keys.map(shown),
    body: items.map((item) => keys.map((key) => (item.has(key) ? shown(item.get(key)) : ''))),
  };
}

function shown(value: unknown): string {
  return flat(printable(plain(value)));
}

function fitted(grid: readonly (readonly string[])[], room: number): number[] {
  const columns = grid.at(-1)?.length ?? 0;
  const gives = Array.from({ length: columns }, (_, column) => {
    const natural = grid.reduce((most, row) => Math.max(most, width(row[column] ?? '')), 0);
    return { natural, least: Math.min(natural, leastColumn), give: 1 };
  });
  return fitWidths(gives, room - borders(columns));
}

/** Each column has a space on both sides and a border; one more border ends the row. */
const borders = (columns: number): number => 3 * columns + 1;
