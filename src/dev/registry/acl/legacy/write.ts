import type { Body, Comment, Item, Value } from './read.ts';

/** Writes a body in the usual form: an item a line, two spaces a level, `=` aligned where items follow one another. */
export function writeBody(body: Body): string {
  const lines = bodyLines(body);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function bodyLines({ items, comments }: Body): string[] {
  const widths = alignedWidths(items);
  const lines: string[] = [];
  for (const [at, item] of items.entries()) {
    const between = at > 0 && [item, items[at - 1]].some((each) => each !== undefined && isBody(each.value));
    const [head] = item.comments;
    if (at > 0 && (between || (head ?? item).apart)) lines.push('');
    lines.push(...commentLines(item.comments));
    if (head && item.apart) lines.push('');
    lines.push(...itemLines(item, widths[at] ?? 0));
  }
  if (items.length > 0 && comments[0]?.apart) lines.push('');
  return [...lines, ...commentLines(comments)];
}

/** With the empty lines between them, not the one before. */
function commentLines(comments: readonly Comment[]): string[] {
  return comments.flatMap(({ text, apart }, at) => (at > 0 && apart ? ['', text] : [text]));
}

function itemLines({ keys, value, remark }: Item, width: number): string[] {
  const behind = remark === '' ? '' : ` ${remark}`;
  const name = keys.join(' ');
  if (!isBody(value)) return [`${name.padEnd(width)} = ${written(value)}${behind}`];
  const inner = bodyLines(value);
  if (inner.length === 0) return [`${name} {}${behind}`];
  return [`${name} {`, ...inner.map(indented), `}${behind}`];
}

/** What is within a text of several lines stays where it is. */
function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

function written(value: string | readonly string[]): string {
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
    const goesOn = last && !isBody(last.value) && !isBody(item.value);
    if (run && goesOn && !item.apart && item.comments.length === 0) run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const longest = run.reduce((most, { keys }) => Math.max(most, keys.join(' ').length), 0);
    return run.map(() => longest);
  });
}
