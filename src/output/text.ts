import { displayWidth } from '../wire/display-width.ts';
import { toPrintable } from '../wire/printable.ts';
import type { Block, Column, Document, StyledText } from './document.ts';
import { fitWidths } from './fit-widths.ts';
import { createPainter, type Paint } from './painter.ts';
import { type Line, lineWidth, splitLines, toOneLine, toSpans, truncate, wrap } from './styled-text.ts';

/** How text is laid out. */
export interface TextOptions {
  readonly terminal: boolean;
  readonly color: boolean;
  /** Cells in a line of the terminal; a pipe has no width. */
  readonly width: number;
}

type Table = Extract<Block, { kind: 'table' }>;
type Fields = Extract<Block, { kind: 'fields' }>;

const gap = '  ';
const minColumnWidth = 5;

/**
 * Writes a document as text. On a terminal it is laid out to the width; in a pipe without layout: label, tab, value;
 * rows with tabs between their cells and no header; paragraphs unbroken.
 */
export async function renderText(document: Document, options: TextOptions): Promise<string> {
  const paint = await createPainter(options.color);
  return options.terminal
    ? renderForTerminal(document, paint, options.width)
    : renderForPipe(document, paint);
}

function renderForPipe(document: Document, paint: Paint): string {
  let written = '';
  for (const block of document) {
    if (written !== '' && !written.endsWith('\n')) written += '\n';
    written += renderPipeBlock(block, paint);
  }
  return written;
}

function renderPipeBlock(block: Block, paint: Paint): string {
  switch (block.kind) {
    case 'raw':
    case 'bytes':
      return block.text;
    case 'text':
      return splitLines(toSpans(block.content))
        .map((line) => `${paintLine(line, paint)}\n`)
        .join('');
    case 'fields':
      return block.rows.map(([label, value]) => joinWithTabs([label, value], paint)).join('');
    case 'table':
      return block.rows.map((row) => joinWithTabs(rowCells(block, row), paint)).join('');
  }
}

function joinWithTabs(cells: readonly StyledText[], paint: Paint): string {
  return `${cells.map((cell) => paintLine(toOneLine(cell), paint)).join('\t')}\n`;
}

function renderForTerminal(document: Document, paint: Paint, available: number): string {
  let written = '';
  let previous: Block['kind'] | undefined;
  for (const block of document) {
    const part = layoutBlock(block, paint, available);
    if (part === '') continue;
    // Paragraphs follow each other; other blocks are separated by an empty line.
    if (previous !== undefined && (previous !== 'text' || block.kind !== 'text')) written += '\n';
    written += part;
    previous = block.kind;
  }
  return written;
}

function layoutBlock(block: Block, paint: Paint, available: number): string {
  switch (block.kind) {
    case 'raw':
    case 'bytes':
      return block.text === '' || block.text.endsWith('\n')
        ? toPrintable(block.text)
        : `${toPrintable(block.text)}\n`;
    case 'text':
      return joinLines(
        splitLines(toSpans(block.content)).flatMap((line) => wrap(line, available)),
        paint,
      );
    case 'fields':
      return layoutFields(block, paint);
    case 'table':
      return layoutTable(block, paint, available);
  }
}

function layoutFields(block: Fields, paint: Paint): string {
  const labels = block.rows.map(([label]) => toOneLine({ text: label, style: 'dim' }));
  const labelWidth = widestLine(labels);
  const written: Line[] = [];
  for (const [index, [, value]] of block.rows.entries()) {
    for (const [number, line] of splitLines(toSpans(value)).entries()) {
      const label = number === 0 ? (labels[index] ?? []) : [];
      written.push([...pad(label, labelWidth), { text: gap, style: 'plain' }, ...line]);
    }
  }
  return joinLines(written, paint);
}

function layoutTable(block: Table, paint: Paint, available: number): string {
  if (block.rows.length === 0) {
    return block.empty === undefined ? '' : joinLines(wrap(toSpans(block.empty), available), paint);
  }
  const folded = block.columns.findIndex(({ foldable }) => foldable);
  const lines =
    folded < 0 || tableLines(block, Number.POSITIVE_INFINITY)?.every((line) => lineWidth(line) <= available)
      ? tableLines(block, available)
      : foldedLines(block, folded, available);
  const labels = block.columns.map(({ title }) => title.toLowerCase());
  return lines ? joinLines(lines, paint) : stackRows(labels, block.rows, paint);
}

/** The header and one line per row; undefined: the terminal is too narrow. */
function tableLines(block: Table, available: number): Line[] | undefined {
  const head = block.columns.map(({ title }) => toOneLine({ text: title.toUpperCase(), style: 'dim' }));
  const body = block.rows.map((row) => rowCells(block, row).map(toOneLine));
  const widths = columnWidths(block.columns, [head, ...body], available);
  const last = widths.length - 1;
  const totalWidth = widths.reduce((sum, each) => sum + each, gap.length * last);
  if (totalWidth > available && last > 0) return undefined;
  return [head, ...body].map((row) =>
    row.flatMap((cell, index): Line => {
      const size = widths[index] ?? 0;
      const fitted = block.columns[index]?.mayOverflow ? cell : truncate(cell, size);
      const right = block.columns[index]?.align === 'right';
      const aligned = index === last && !right ? fitted : pad(fitted, size, right);
      return index === 0 ? aligned : [{ text: gap, style: 'plain' }, ...aligned];
    }),
  );
}

/** The lines of a table without the folded column, and below each row its cell of that column. */
function foldedLines(block: Table, folded: number, available: number): Line[] | undefined {
  const unfolded = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_cell, index) => index !== folded);
  const rows = block.rows.map((row) => unfolded(rowCells(block, row)));
  const lines = tableLines({ ...block, columns: unfolded(block.columns), rows }, available);
  const label = { text: `  ${block.columns[folded]?.title.toLowerCase()} `, style: 'dim' } as const;
  return lines?.flatMap((line, index) => {
    const cell = block.rows[index - 1]?.[folded] ?? '';
    return index === 0 ? [line] : [line, truncate([label, ...toOneLine(cell)], available)];
  });
}

/** A table for a terminal that is too narrow: each row as fields. */
export function stackRows(
  labels: readonly string[],
  rows: readonly (readonly StyledText[])[],
  paint: Paint,
): string {
  return rows
    .map((row) =>
      layoutFields({ kind: 'fields', rows: labels.map((label, index) => [label, row[index] ?? '']) }, paint),
    )
    .join('\n');
}

function columnWidths(
  columns: readonly Column[],
  grid: readonly (readonly Line[])[],
  available: number,
): number[] {
  const shrinkable = columns.map(({ title, shrinkPriority = 0, mayOverflow }, index) => {
    const naturalWidth = mayOverflow ? displayWidth(title) : widestLine(grid.map((row) => row[index] ?? []));
    return {
      naturalWidth,
      minWidth: Math.min(naturalWidth, Math.max(displayWidth(title), minColumnWidth)),
      shrinkPriority,
    };
  });
  return fitWidths(shrinkable, available - gap.length * (columns.length - 1));
}

function widestLine(list: readonly Line[]): number {
  return list.reduce((maximum, line) => Math.max(maximum, lineWidth(line)), 0);
}

function rowCells(table: Table, row: readonly StyledText[]): StyledText[] {
  return table.columns.map((_, index) => row[index] ?? '');
}

function pad(line: Line, size: number, right = false): Line {
  const missing = size - lineWidth(line);
  if (missing <= 0) return line;
  const space = { text: ' '.repeat(missing), style: 'plain' } as const;
  return right ? [space, ...line] : [...line, space];
}

function joinLines(list: readonly Line[], paint: Paint): string {
  return list.map((line) => `${paintLine(line, paint).trimEnd()}\n`).join('');
}

function paintLine(line: Line, paint: Paint): string {
  return line.map(({ text, style }) => paint(text, style)).join('');
}
