import { printable } from '../wire/printable.ts';
import { fitWidths } from './columns.ts';
import type { Block, Column, Document, Words } from './document.ts';
import { type Paint, painter } from './paint.ts';
import { cut, type Line, lines, lineWidth, oneLine, spans, wrap } from './spans.ts';
import { width } from './width.ts';

interface TextOptions {
  readonly terminal: boolean;
  readonly color: boolean;
  /** Cells in a line of the terminal. */
  readonly width: number;
}

type Table = Extract<Block, { kind: 'table' }>;
type Fields = Extract<Block, { kind: 'fields' }>;

const gap = '  ';
const leastColumn = 5;

/**
 * Writes a document as text. On a terminal it is laid out to the width; in a pipe the same text comes without
 * layout: label, tab, value; rows with tabs between their cells and no header; paragraphs unbroken.
 */
export async function renderText(document: Document, options: TextOptions): Promise<string> {
  const paint = await painter(options.color);
  return options.terminal ? onTerminal(document, paint, options.width) : inPipe(document, paint);
}

function inPipe(document: Document, paint: Paint): string {
  let written = '';
  for (const block of document) {
    if (written !== '' && !written.endsWith('\n')) written += '\n';
    written += piped(block, paint);
  }
  return written;
}

function piped(block: Block, paint: Paint): string {
  switch (block.kind) {
    case 'raw':
    case 'bytes':
      return block.text;
    case 'text':
      return lines(spans(block.words))
        .map((line) => `${painted(line, paint)}\n`)
        .join('');
    case 'fields':
      return block.rows.map(([label, value]) => tabbed([label, value], paint)).join('');
    case 'table':
      return block.rows.map((row) => tabbed(cellsOf(block, row), paint)).join('');
  }
}

function tabbed(cells: readonly Words[], paint: Paint): string {
  return `${cells.map((cell) => painted(oneLine(cell), paint)).join('\t')}\n`;
}

function onTerminal(document: Document, paint: Paint, room: number): string {
  let written = '';
  let previous: Block['kind'] | undefined;
  for (const block of document) {
    const part = laidOut(block, paint, room);
    if (part === '') continue;
    // Paragraphs follow each other; anything else stands apart.
    if (previous !== undefined && (previous !== 'text' || block.kind !== 'text')) written += '\n';
    written += part;
    previous = block.kind;
  }
  return written;
}

function laidOut(block: Block, paint: Paint, room: number): string {
  switch (block.kind) {
    case 'raw':
    case 'bytes':
      return block.text === '' || block.text.endsWith('\n')
        ? printable(block.text)
        : `${printable(block.text)}\n`;
    case 'text':
      return rows(
        lines(spans(block.words)).flatMap((line) => wrap(line, room)),
        paint,
      );
    case 'fields':
      return laidOutFields(block, paint);
    case 'table':
      return laidOutTable(block, paint, room);
  }
}

function laidOutFields(block: Fields, paint: Paint): string {
  const labels = block.rows.map(([label]) => oneLine({ text: label, tone: 'dim' }));
  const labelWidth = widest(labels);
  const written: Line[] = [];
  for (const [index, [, value]] of block.rows.entries()) {
    for (const [number, line] of lines(spans(value)).entries()) {
      const label = number === 0 ? (labels[index] ?? []) : [];
      written.push([...padded(label, labelWidth), { text: gap, tone: 'plain' }, ...line]);
    }
  }
  return rows(written, paint);
}

function laidOutTable(block: Table, paint: Paint, room: number): string {
  if (block.rows.length === 0) {
    return block.empty === undefined ? '' : rows(wrap(spans(block.empty), room), paint);
  }
  const head = block.columns.map(({ title }) => oneLine({ text: title.toUpperCase(), tone: 'dim' }));
  const body = block.rows.map((row) => cellsOf(block, row).map(oneLine));
  const widths = columnWidths(block.columns, [head, ...body], room);
  const last = widths.length - 1;
  const taken = widths.reduce((sum, each) => sum + each, gap.length * last);
  if (taken > room && last > 0) {
    const labels = block.columns.map(({ title }) => title.toLowerCase());
    return stacked(labels, block.rows, paint);
  }
  const laid = [head, ...body].map((row) =>
    row.flatMap((cell, index): Line => {
      const size = widths[index] ?? 0;
      const fitted = cut(cell, size);
      const right = block.columns[index]?.align === 'right';
      const shown = index === last && !right ? fitted : padded(fitted, size, right);
      return index === 0 ? shown : [{ text: gap, tone: 'plain' }, ...shown];
    }),
  );
  return rows(laid, paint);
}

/** A table that is wider than the terminal, although its columns gave what they may: each row as fields. */
export function stacked(
  labels: readonly string[],
  rows: readonly (readonly Words[])[],
  paint: Paint,
): string {
  return rows
    .map((row) =>
      laidOutFields({ kind: 'fields', rows: labels.map((label, index) => [label, row[index] ?? '']) }, paint),
    )
    .join('\n');
}

function columnWidths(
  columns: readonly Column[],
  grid: readonly (readonly Line[])[],
  room: number,
): number[] {
  const gives = columns.map(({ title, give = 0 }, index) => {
    const natural = widest(grid.map((row) => row[index] ?? []));
    return { natural, least: Math.min(natural, Math.max(width(title), leastColumn)), give };
  });
  return fitWidths(gives, room - gap.length * (columns.length - 1));
}

function widest(list: readonly Line[]): number {
  return list.reduce((most, line) => Math.max(most, lineWidth(line)), 0);
}

function cellsOf(table: Table, row: readonly Words[]): Words[] {
  return table.columns.map((_, index) => row[index] ?? '');
}

function padded(line: Line, size: number, right = false): Line {
  const missing = size - lineWidth(line);
  if (missing <= 0) return line;
  const space = { text: ' '.repeat(missing), tone: 'plain' } as const;
  return right ? [space, ...line] : [...line, space];
}

function rows(list: readonly Line[], paint: Paint): string {
  return list.map((line) => `${painted(line, paint).trimEnd()}\n`).join('');
}

function painted(line: Line, paint: Paint): string {
  return line.map(({ text, tone }) => paint(text, tone)).join('');
}
