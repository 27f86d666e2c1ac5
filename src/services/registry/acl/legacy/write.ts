import type { Body, Comment, Item, Value } from './read.ts';

/** Writes a body in the usual form: an item a line, two spaces a level, `=` aligned where items follow one another. */
export function writeBody(body: Body): string {
  const lines = bodyLines(body);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function bodyLines({ items, comments }: Body): string[] {
  const widths = alignedWidths(items);
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const isNextToBlock =
      index > 0 && [item, items[index - 1]].some((each) => each !== undefined && isBody(each.value));
    const [head] = item.comments;
    if (index > 0 && (isNextToBlock || (head ?? item).followsBlankLine)) lines.push('');
    lines.push(...commentLines(item.comments));
    if (head && item.followsBlankLine) lines.push('');
    lines.push(...itemLines(item, widths[index] ?? 0));
  }
  if (items.length > 0 && comments[0]?.followsBlankLine) lines.push('');
  return [...lines, ...commentLines(comments)];
}

/** With the empty lines between them, not the one before. */
function commentLines(comments: readonly Comment[]): string[] {
  return comments.flatMap(({ text, followsBlankLine }, index) =>
    index > 0 && followsBlankLine ? ['', text] : [text],
  );
}

function itemLines({ keys, value, trailingComment }: Item, width: number): string[] {
  const suffix = trailingComment === '' ? '' : ` ${trailingComment}`;
  const name = keys.join(' ');
  if (!isBody(value)) return [`${name.padEnd(width)} = ${formatValue(value)}${suffix}`];
  const inner = bodyLines(value);
  if (inner.length === 0) return [`${name} {}${suffix}`];
  return [`${name} {`, ...inner.map(indent), `}${suffix}`];
}

/** What is within a text of several lines stays where it is. */
function indent(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function formatValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : `[${value.join(', ')}]`;
}

export function isBody(value: Value): value is Body {
  return typeof value === 'object' && 'items' in value;
}

/** For each item: the length of the longest name of those that it is aligned with. */
function alignedWidths(items: readonly Item[]): number[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const [last] = run?.slice(-1) ?? [];
    const isContinued = last && !isBody(last.value) && !isBody(item.value);
    if (run && isContinued && !item.followsBlankLine && item.comments.length === 0) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const maxLength = run.reduce((max, { keys }) => Math.max(max, keys.join(' ').length), 0);
    return run.map(() => maxLength);
  });
}
