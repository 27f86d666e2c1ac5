import type { HclBody, HclItem, HclToken } from '../../../../wire/hcl.ts';

/** Formats HCL: one item per line, indented by two spaces per level, with `=` aligned in adjacent assignments. */
export function writeBody(body: HclBody): string {
  const lines = bodyLines(body);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function bodyLines({ items, comments }: HclBody): string[] {
  const widths = alignedWidths(items);
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const isNextToBlock = [item, items[index - 1]].some((each) => each?.body);
    const [key] = item.keys;
    const [head = key] = item.comments;
    if (index > 0 && (isNextToBlock || followsBlankLine(head))) lines.push('');
    lines.push(...commentLines(item.comments));
    if (head !== key && followsBlankLine(key)) lines.push('');
    lines.push(...itemLines(item, widths[index] ?? 0));
  }
  if (items.length > 0 && comments[0] && followsBlankLine(comments[0])) lines.push('');
  return [...lines, ...commentLines(comments)];
}

/** With the empty lines between them, but not the one before the first. */
function commentLines(comments: readonly HclToken[]): string[] {
  return comments.flatMap((comment, index) =>
    index > 0 && followsBlankLine(comment) ? ['', comment.text] : [comment.text],
  );
}

const followsBlankLine = ({ lineBreaks }: HclToken): boolean => lineBreaks > 1;

function itemLines({ keys, first, list, body, trailingComment }: HclItem, width: number): string[] {
  const suffix = trailingComment === '' ? '' : ` ${trailingComment}`;
  const name = nameOf(keys);
  if (!body) {
    const value = list ? `[${list.map(({ text }) => text).join(', ')}]` : first.text;
    return [`${name.padEnd(width)} = ${value}${suffix}`];
  }
  const inner = bodyLines(body);
  if (inner.length === 0) return [`${name} {}${suffix}`];
  return [`${name} {`, ...inner.map(indent), `}${suffix}`];
}

const nameOf = (keys: readonly HclToken[]): string => keys.map(({ text }) => text).join(' ');

/** Indents the first line of an item; the rest of a heredoc or a comment stays where it is. */
const indent = (line: string): string => (line === '' ? '' : `  ${line}`);

/** For each item: the length of the longest name among the adjacent assignments. */
function alignedWidths(items: readonly HclItem[]): number[] {
  const runs: HclItem[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const [last] = run?.slice(-1) ?? [];
    const isContinued = last && !last.body && !item.body;
    if (run && isContinued && !followsBlankLine(item.keys[0]) && item.comments.length === 0) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const maxLength = run.reduce((max, { keys }) => Math.max(max, nameOf(keys).length), 0);
    return run.map(() => maxLength);
  });
}
