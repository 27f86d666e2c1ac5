/**
 * The text output of a command, as data: a view creates it, a renderer writes it. A view does not depend on terminal,
 * pipe or color.
 */

/** The meaning of a piece of text; the text renderer gives it a color, the others ignore it. */
export type Style = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'code';

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One piece of text, or several in a row. */
export type StyledText = string | Span | readonly (string | Span)[];

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * If the terminal is narrow, columns with the highest number are cut first, then left out; default 0: never cut, as
   * names and IDs that a next command needs.
   */
  readonly shrinkPriority?: number;
  /** If the terminal is narrow, it is left out before others are cut far, the highest number first. */
  readonly optional?: number;
  /** The last column: its cells are never cut, and the terminal wraps long ones. */
  readonly mayOverflow?: boolean;
}

/** `isReport`: it only says what was done, and is not shown with `--quiet`. */
export type Block =
  /** A paragraph; on a terminal it is wrapped to the width. */
  | { readonly kind: 'text'; readonly content: StyledText; readonly isReport?: true }
  /** Label and value, aligned on a terminal, separated by a tab in a pipe. */
  | { readonly kind: 'fields'; readonly rows: readonly (readonly [label: string, value: StyledText])[] }
  /**
   * A table; `empty` is printed on a terminal when there are no rows. A row is one line: if the terminal is too
   * narrow, columns are cut or left out, and a line says which. A pipe gets complete rows only, tab-separated.
   */
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly StyledText[])[];
      readonly empty?: string;
      readonly isReport?: true;
    }
  /** Text that is a value (a key, a certificate, a script): written unchanged. */
  | { readonly kind: 'raw'; readonly text: string }
  /** The exact bytes of a response; a terminal shows `text` instead. It is the only block of its document. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly text: string };

type Table = Extract<Block, { kind: 'table' }>;

/** Blocks from top to bottom. */
export type Document = readonly Block[];

export const text = (...content: readonly (string | Span)[]): Block => ({ kind: 'text', content });
/** A value in a view; null: nothing, shown as `-`. */
export type Shown = StyledText | null;
const shown = (value: Shown): StyledText => value ?? dim('-');

/** Rows without a value (undefined) are left out. */
export const fields = (rows: readonly (readonly [label: string, value: Shown | undefined])[]): Block => ({
  kind: 'fields',
  rows: rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, shown(value)] as const])),
});
export const table = (
  columns: readonly (string | Column)[],
  rows: readonly (readonly StyledText[])[],
  empty?: string,
): Table => ({
  kind: 'table',
  columns: columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
  rows,
  ...(empty === undefined ? {} : { empty }),
});
/** A table of what was done, which is not shown with `--quiet`. */
export const reportTable = (...given: Parameters<typeof table>): Block => ({
  ...table(...given),
  isReport: true,
});
type Cell<Item> = (item: Item) => Shown;
type ListColumn<Item> = Cell<Item> | (Omit<Column, 'title'> & { readonly cell: Cell<Item> });

/** A table of items: for each title the cell of an item, or the settings of the column and its cell. */
export const listTable = <Item>(
  items: readonly Item[],
  empty: string | undefined,
  columns: Readonly<Record<string, ListColumn<Item>>>,
): Table => {
  const listed = Object.entries(columns).map(([title, column]) => ({
    title,
    ...(typeof column === 'function' ? { cell: column } : column),
  }));
  return table(
    listed.map(({ cell: _, ...column }) => column),
    items.map((item) => listed.map(({ cell }) => shown(cell(item)))),
    empty,
  );
};
/** What was done, as a result: its data, and a sentence as text. */
export const textResult = <Data>(data: Data, ...content: readonly (string | Span)[]) => ({
  data,
  document: [text(...content)],
});
/** A list as a result: its items, and a table of them as text. */
export const listResult = <Item>(
  items: readonly Item[],
  empty: string | undefined,
  columns: Readonly<Record<string, ListColumn<Item>>>,
) => ({ data: items, rows: items, document: [listTable(items, empty, columns)] });
/** An object as a result: its data, and rows of it as text. */
export const fieldsResult = <Data>(data: Data, rows: Parameters<typeof fields>[0]) => ({
  data,
  document: [fields(rows)],
});
/** A table of one column. */
export const namesTable = (title: string, names: readonly string[], empty: string): Block =>
  listTable(names, empty, { [title]: (name) => name });
export const raw = (value: string): Block => ({ kind: 'raw', text: value });
/** Like `raw`, with a line break at the end if it is missing. */
export const rawLine = (value: string): Block => raw(value.endsWith('\n') ? value : `${value}\n`);
export const binary = (bytes: Uint8Array, text: string): Block => ({ kind: 'bytes', bytes, text });

const styled =
  (name: Style) =>
  (value: string): Span => ({ text: value, style: name });
export const strong = styled('strong');
export const dim = styled('dim');
export const good = styled('good');
export const warn = styled('warn');
export const bad = styled('bad');
export const code = styled('code');
