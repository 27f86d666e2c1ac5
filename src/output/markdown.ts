import type { Token } from 'markdown-it';
import { toPrintable } from '../wire/printable.ts';
import type { Span, Style } from './document.ts';
import { fitWidths } from './fit-widths.ts';
import { createPainter } from './painter.ts';
import { type Line, lineWidth, toSpans, wrap } from './styled-text.ts';

/** How Markdown is laid out. */
export interface MarkdownOptions {
  /** Cells in a line. Code is never broken. */
  readonly width: number;
  readonly color: boolean;
  readonly linkTarget: (href: string) => LinkTarget | undefined;
}

/** What is printed after the text of a link, in parentheses; undefined: nothing. */
export type LinkTarget = { readonly command: string } | { readonly address: string };

const gap = 2;
const minColumnWidth = 16;

/**
 * Markdown as text for a terminal or a pipe: headings at the margin, text below them indented, code blocks indented
 * further. HTML, which the source uses for comments, is left out.
 *
 * @throws Error the text has Markdown that has no form in a terminal (images, quotes, emphasis).
 */
export async function renderMarkdown(markdown: string, options: MarkdownOptions): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it');
  const paint = await createPainter(options.color);
  const tokens = new MarkdownIt({ html: true }).parse(markdown, {});
  const lines = layoutSections(tokens, options).map((line) =>
    line
      .map(({ text, style }) => paint(text, style))
      .join('')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** One block: its tokens, from the opening to the closing one. */
type Block = readonly [Token, ...Token[]];

/** The blocks of a list of tokens, outermost level. */
function blocksOf(tokens: readonly Token[]): Block[] {
  const blocks: [Token, ...Token[]][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) blocks.push([token]);
    else blocks.at(-1)?.push(token);
    depth += token.nesting;
  }
  return blocks.filter(([{ type }]) => type !== 'html_block');
}

const inner = (block: Block): readonly Token[] => block.slice(1, -1);

/** Headings at the margin, the blocks below them indented. */
function layoutSections(tokens: readonly Token[], options: MarkdownOptions): Line[] {
  const lines: Line[] = [];
  for (const block of blocksOf(tokens)) {
    if (lines.length > 0) lines.push([]);
    const [{ type, tag }] = block;
    if (type === 'heading_open') {
      const title = inlineSpans(inner(block), options).map(({ text }): Span => ({ text, style: 'strong' }));
      const indent = Number(tag.slice(1)) > 2 ? gap : 0;
      lines.push(...indented(wrap(title, options.width - indent), indent));
    } else {
      lines.push(...indented(layoutBlock(block, narrower(options, gap)), gap));
    }
  }
  return lines;
}

const narrower = (options: MarkdownOptions, by: number): MarkdownOptions => ({
  ...options,
  width: Math.max(1, options.width - by),
});

/** The blocks of a list item, each after an empty line unless the list is tight. */
function layoutBlocks(tokens: readonly Token[], options: MarkdownOptions): Line[] {
  return blocksOf(tokens).flatMap((block, index) => {
    const lines = layoutBlock(block, options);
    return index === 0 || isTight(block) ? lines : [[], ...lines];
  });
}

/** A paragraph of a tight list, or a list within it. */
const isTight = ([first, second]: Block): boolean =>
  first.hidden || (first.type.endsWith('_list_open') && second?.type === 'list_item_open');

function layoutBlock(block: Block, options: MarkdownOptions): Line[] {
  const [first] = block;
  switch (first.type) {
    case 'paragraph_open':
      return wrap(inlineSpans(inner(block), options), options.width);
    case 'bullet_list_open':
    case 'ordered_list_open':
      return layoutList(block, options);
    case 'fence':
      return indented(codeLines(first), gap);
    case 'table_open':
      return layoutTable(block, options);
    default:
      throw new Error(`unsupported Markdown: ${first.type}`);
  }
}

function layoutList(block: Block, options: MarkdownOptions): Line[] {
  const items = blocksOf(inner(block));
  const isLoose = items.some(([, second]) => second?.type === 'paragraph_open' && !second.hidden);
  return items.flatMap((item, index) => {
    const [{ info, markup }] = item;
    const marker = info === '' ? '- ' : `${info}${markup} `;
    const lines = layoutBlocks(inner(item), narrower(options, marker.length));
    const [head = [], ...rest] = indented(lines, marker.length);
    const marked: Line = [{ text: marker, style: 'plain' }, ...head.slice(1)];
    return isLoose && index > 0 ? [[], marked, ...rest] : [marked, ...rest];
  });
}

/** Lines moved to the right; their first span is the space. */
const indented = (lines: readonly Line[], by: number): Line[] =>
  lines.map((line) =>
    by === 0 || line.length === 0 ? line : [{ text: ' '.repeat(by), style: 'plain' }, ...line],
  );

/** The lines of a code block; in a `console` block, output is set off from commands. */
function codeLines({ info, content }: Token): Line[] {
  let isContinued = info !== 'console';
  return toPrintable(content)
    .trimEnd()
    .split('\n')
    .map((text): Line => {
      const isPrompt = info === 'console' && text.startsWith('$ ');
      const style: Style = isPrompt || isContinued ? 'code' : 'dim';
      if (info === 'console') isContinued = style === 'code' && text.endsWith('\\');
      if (!isPrompt) return [{ text, style }];
      return [
        { text: '$ ', style: 'dim' },
        { text: text.slice(2), style },
      ];
    });
}

/**
 * Columns with a header, their cells wrapped. If the words of the cells do not fit next to each other, each row is a
 * line for its first cell, with the other cells below it.
 */
function layoutTable(block: Block, options: MarkdownOptions): Line[] {
  const [head = [], ...body] = blocksOf(
    block.slice(1, -1).filter(({ type }) => !/^(thead|tbody)_/.test(type)),
  ).map((row) => blocksOf(inner(row)).map((cell) => inlineSpans(inner(cell), options)));
  const titles = head.map((cell) =>
    cell.map(
      ({ text, style }): Span => ({ text: style === 'code' ? text : text.toUpperCase(), style: 'dim' }),
    ),
  );
  const rows = head.every((cell) => cell.length === 0) ? body : [titles, ...body];
  const columns = head.map((_cell, column) => {
    const cells = rows.map((row) => row[column] ?? []);
    const naturalWidth = widest(cells);
    const longestWord = widest(cells.flatMap((cell) => wrap(cell, 1)));
    return {
      naturalWidth,
      minWidth: Math.max(longestWord, Math.min(naturalWidth, minColumnWidth)),
      shrinkPriority: 1,
    };
  });
  const widths = fitWidths(columns, options.width - gap * (columns.length - 1));
  const isTooWide = widths.reduce((sum, width) => sum + width + gap, -gap) > options.width;
  return isTooWide
    ? body.flatMap((row, index) => [...(index === 0 ? [] : [[]]), ...stackedRow(row, head, options)])
    : rows.flatMap((row) => rowLines(row, widths));
}

const widest = (lines: readonly Line[]): number => Math.max(0, ...lines.map(lineWidth));

/** The lines of a row, its cells wrapped to the widths of the columns. */
function rowLines(row: readonly Line[], widths: readonly number[]): Line[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_none, index) =>
    cells.flatMap((lines, column): Line => {
      const line = lines[index] ?? [];
      const missing = (widths[column] ?? 0) - lineWidth(line) + gap;
      return column === cells.length - 1 ? line : [...line, { text: ' '.repeat(missing), style: 'plain' }];
    }),
  );
}

/** A row for a narrow terminal. The titles of the columns are needed only if there are more than two. */
function stackedRow(
  [first = [], ...cells]: readonly Line[],
  head: readonly Line[],
  options: MarkdownOptions,
): Line[] {
  const isLabeled = cells.length > 1;
  const below = cells.flatMap((cell, index) => {
    const title = head[index + 1] ?? [];
    const label: Line = isLabeled && title.length > 0 ? [...title, { text: ': ', style: 'plain' }] : [];
    return wrap([...label, ...cell], Math.max(1, options.width - gap));
  });
  return [...wrap(first, options.width), ...indented(below, gap)];
}

const codeSpan = (content: string, color: boolean): Span => ({
  text: color ? content : `\`${content}\``,
  style: 'code',
});

/** The text of a block: words, code and the targets of links. */
function inlineSpans(tokens: readonly Token[], { color, linkTarget }: MarkdownOptions): Line {
  const spans: Span[] = [];
  const targets: (LinkTarget | undefined)[] = [];
  let style: Style = 'plain';
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    switch (token.type) {
      case 'text':
        spans.push({ text: token.content, style });
        break;
      case 'softbreak':
        spans.push({ text: ' ', style });
        break;
      case 'code_inline':
        spans.push(codeSpan(token.content, color));
        break;
      case 'strong_open':
        style = 'strong';
        break;
      case 'strong_close':
        style = 'plain';
        break;
      case 'link_open':
        targets.push(linkTarget(String(token.attrGet('href') ?? '')));
        break;
      case 'link_close':
        spans.push(...targetSpans(targets.pop(), color));
        break;
      default:
        throw new Error(`unsupported Markdown: ${token.type}`);
    }
  }
  return toSpans(spans).filter(({ text }) => text !== '');
}

/** What follows the text of a link. */
function targetSpans(target: LinkTarget | undefined, color: boolean): Line {
  if (target === undefined) return [];
  const span: Span =
    'command' in target ? codeSpan(target.command, color) : { text: target.address, style: 'plain' };
  return [{ text: ' (', style: 'plain' }, span, { text: ')', style: 'plain' }];
}
