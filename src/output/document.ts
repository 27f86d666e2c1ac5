/**
 * What a command shows to a person, as data: a view makes it, a renderer writes it. A view never knows
 * whether it is read on a terminal, in a pipe or without colour.
 */

/** How a piece of text is meant; the text renderer gives it a colour, every other one ignores it. */
export type Style = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'code';

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One piece of text, or several set side by side. */
export type StyledText = string | Span | readonly (string | Span)[];

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Columns with the highest number lose width first when the terminal is narrow; default 0: never cut. */
  readonly shrinkPriority?: number;
  /** In a table that is wider than the terminal its cells are on lines of their own, below their rows. */
  readonly foldable?: boolean;
}

export type Block =
  /** A paragraph; on a terminal it is wrapped to the width. */
  | { readonly kind: 'text'; readonly content: StyledText }
  /** Label and value, aligned on a terminal, separated by a tab in a pipe. */
  | { readonly kind: 'fields'; readonly rows: readonly (readonly [label: string, value: StyledText])[] }
  /**
   * A table; `empty` is said on a terminal when there are no rows. On a terminal that is too narrow for it each row
   * is written as fields. A pipe gets rows only, tab-separated.
   */
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly StyledText[])[];
      readonly empty?: string;
    }
  /** Text that is a value in itself (a key, a certificate, a script): written as it is. */
  | { readonly kind: 'raw'; readonly text: string }
  /** What came, to the byte; a terminal shows `text` in its place. Nothing stands next to it. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly text: string };

/** A document is blocks from top to bottom. */
export type Document = readonly Block[];

export const text = (...content: readonly (string | Span)[]): Block => ({ kind: 'text', content });
export const fields = (rows: readonly (readonly [string, StyledText])[]): Block => ({ kind: 'fields', rows });
export const table = (
  columns: readonly (string | Column)[],
  rows: readonly (readonly StyledText[])[],
  empty?: string,
): Block => ({
  kind: 'table',
  columns: columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
  rows,
  ...(empty === undefined ? {} : { empty }),
});
export const raw = (value: string): Block => ({ kind: 'raw', text: value });
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
