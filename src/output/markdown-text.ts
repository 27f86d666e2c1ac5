import { toPrintable } from '../wire/printable.ts';
import { escapeNewlines } from './styled-text.ts';

// Text of files and services in Markdown: only in code spans and in fenced code, where nothing is markup, a link, an
// image, HTML or a mention.

/** Characters of a text that a code span or a line of a block shows. */
const maxSpan = 300;
const maxLine = 1000;

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/** Not within a surrogate pair. */
const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;

/** Any text as a code span on one line. It is shown with escapes for line breaks and control characters. */
export function codeSpan(text: string): string {
  const content = cut(escapeNewlines(toPrintable(text)), maxSpan);
  const ticks = '`'.repeat(longestRun(content) + 1);
  const isPadded = content.trim() === '' || /^[` ]|[` ]$/.test(content);
  return isPadded ? `${ticks} ${content} ${ticks}` : `${ticks}${content}${ticks}`;
}

/** Lines of any text as a block of fenced code. @param indent of the list item that it is in. */
export function codeBlock(lines: readonly string[], language: string, indent = ''): string {
  const content = lines.map((line) => cut(escapeNewlines(toPrintable(line)), maxLine));
  const fence = '`'.repeat(Math.max(3, ...content.map((line) => longestRun(line) + 1)));
  return [`${fence}${language}`, ...content, fence].map((line) => `${indent}${line}\n`).join('');
}
