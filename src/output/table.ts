import { displayWidth, splitAtWidth } from '../wire/display-width.ts';
import { isObject } from '../wire/objects.ts';
import { toPrintable } from '../wire/printable.ts';
import { fitWidths } from './fit-widths.ts';
import { timestampText } from './humanize.ts';
import { createPainter } from './painter.ts';
import { escapeNewlines } from './styled-text.ts';
import { stackRows, type TextOptions } from './text.ts';
import { definedEntries, plainText } from './values.ts';

const minColumnWidth = 5;

/**
 * Draws a table with borders: a list has a row per item and a column for every key; an object has a row per field.
 * Cells that are too wide for a terminal are broken, never cut; if it is too narrow for the columns of a list, each
 * row is written as fields.
 */
export async function renderTable(value: unknown, options: TextOptions): Promise<string> {
  const { head, body } = toGrid(value);
  if (body.length === 0) return '';
  const widths = options.terminal ? fitColumns([head, ...body], options.width) : [];
  const breakCell = (cell: string, column: number): string[] =>
    splitAtWidth(cell, widths[column] ?? Number.POSITIVE_INFINITY);
  const paint = await createPainter(options.color);
  const totalWidth = widths.reduce((sum, each) => sum + each, bordersWidth(widths.length));
  if (head.length > 1 && totalWidth > options.width) return stackRows(head, body, paint);
  const { default: CliTable } = await import('cli-table3');
  const drawn = new CliTable({
    head: head.map((title, column) =>
      breakCell(title, column)
        .map((part) => paint(part, 'strong'))
        .join('\n'),
    ),
    // The library's default colors would ignore `color`.
    style: { head: [], border: [] },
  });
  drawn.push(...body.map((row) => row.map((cell, column) => breakCell(cell, column).join('\n'))));
  return `${drawn.toString()}\n`;
}

/** The cells of the header and of the rows. */
function toGrid(value: unknown) {
  if (Array.isArray(value)) return rowsToGrid(value);
  if (isObject(value)) {
    return {
      head: [],
      body: definedEntries(value).map(([key, member]) => [cellText(key), memberText(key, member)]),
    };
  }
  return { head: [], body: value === undefined ? [] : [[cellText(value)]] };
}

function rowsToGrid(rows: readonly unknown[]) {
  const items = rows.map((row) => new Map(isObject(row) ? definedEntries(row) : [['value', row]]));
  const keys = [...new Set(items.flatMap((item) => [...item.keys()]))];
  return {
    head: keys.map(cellText),
    body: items.map((item) => keys.map((key) => (item.has(key) ? memberText(key, item.get(key)) : ''))),
  };
}

function cellText(value: unknown): string {
  return escapeNewlines(toPrintable(plainText(value)));
}

/** Unix times in nanoseconds are from this number on: of 1973, and more than any other number of a time. */
const minNanoseconds = 1e17;

/** The text of a field. Times are for people; other formats show times as the service sends them. */
function memberText(name: string, value: unknown): string {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const isNanoseconds = isNumber && /Time$/i.test(name) && value >= minNanoseconds;
  const time = isNanoseconds ? new Date(Number(value) / 1e6).toISOString() : value;
  const isTime = typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*$/.test(time);
  return (isTime ? timestampText(time) : undefined) ?? cellText(value);
}

function fitColumns(grid: readonly (readonly string[])[], available: number): number[] {
  const columns = grid.at(-1)?.length ?? 0;
  const shrinkable = Array.from({ length: columns }, (_, column) => {
    const naturalWidth = grid.reduce((maximum, row) => Math.max(maximum, displayWidth(row[column] ?? '')), 0);
    return { naturalWidth, minWidth: Math.min(naturalWidth, minColumnWidth), shrinkPriority: 1 };
  });
  return fitWidths(shrinkable, available - bordersWidth(columns));
}

/** Each column has a space on both sides and a border; one more border ends the row. */
const bordersWidth = (columns: number): number => 3 * columns + 1;
