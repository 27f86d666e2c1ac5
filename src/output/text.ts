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

/** Cells of a long text that are left while optional columns are shown. */
const readableWidth = 24;

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
  const head = block.columns.map(({ title }) => toOneLine({ text: title.toUpperCase(), style: 'dim' }));
  const body = block.rows.map((row) => rowCells(block, row).map(toOneLine));
  const measured = measureColumns(block.columns, [head, ...body]);
  const kept = keptColumns(measured, available);
  const widths = fitWidths(kept, available - gapsWidth(kept.length));
  const lines = [head, ...body].map((row) =>
    kept.flatMap(({ index, column }, at): Line => {
      const [cell = [], size = 0] = [row[index], widths[at]];
      const fitted = column.mayOverflow ? cell : truncate(cell, size);
      const right = column.align === 'right';
      const aligned = at === kept.length - 1 && !right ? fitted : pad(fitted, size, right);
      return at === 0 ? aligned : [{ text: gap, style: 'plain' }, ...aligned];
    }),
  );
  const dropped = measured.filter((column) => !kept.includes(column)).map(({ column }) => column.title);
  const note = `Not shown: ${dropped.join(', ')}. Use a wider terminal or -o json.`;
  const notes = dropped.length === 0 ? [] : wrap([{ text: note, style: 'dim' }], available);
  return joinLines([...lines, ...notes], paint);
}

const gapsWidth = (columns: number): number => gap.length * (columns - 1);

interface MeasuredColumn {
  readonly index: number;
  readonly column: Column;
  readonly naturalWidth: number;
  readonly minWidth: number;
  readonly shrinkPriority: number;
}

function measureColumns(
  columns: readonly Column[],
  grid: readonly (readonly Line[])[],
): readonly MeasuredColumn[] {
  return columns.map((column, index) => {
    const { title, shrinkPriority = 0, mayOverflow } = column;
    const naturalWidth = mayOverflow ? displayWidth(title) : widestLine(grid.map((row) => row[index] ?? []));
    const least = shrinkPriority > 0 ? Math.max(displayWidth(title), minColumnWidth) : naturalWidth;
    return { index, column, naturalWidth, minWidth: Math.min(naturalWidth, least), shrinkPriority };
  });
}

/**
 * The columns for which there is room. Optional ones are left out before a cell is cut to less than a readable width;
 * then those that are cut first. Columns that are never cut remain: the terminal wraps their lines.
 */
function keptColumns(columns: readonly MeasuredColumn[], available: number): readonly MeasuredColumn[] {
  const optional = columns
    .filter(({ column }) => column.optional)
    .sort((one, other) => (other.column.optional ?? 0) - (one.column.optional ?? 0));
  const shrinking = columns
    .filter(({ column, shrinkPriority }) => shrinkPriority > 0 && !column.optional)
    .sort((one, other) => other.shrinkPriority - one.shrinkPriority);
  let kept = columns;
  for (const next of [...optional, ...shrinking]) {
    const least = next.column.optional ? readableWidth : 0;
    const needed = kept.map(({ naturalWidth, minWidth }) =>
      Math.max(minWidth, Math.min(naturalWidth, least)),
    );
    if (needed.reduce((sum, each) => sum + each, gapsWidth(kept.length)) <= available) break;
    kept = kept.filter((column) => column !== next);
  }
  return kept;
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
