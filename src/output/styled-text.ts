import { displayWidth, graphemes } from '../wire/display-width.ts';
import { toPrintable } from '../wire/printable.ts';
import type { Span, StyledText } from './document.ts';

/** One line of text, or a part of it. */
export type Line = readonly Span[];

/** Text as spans that are safe for a terminal. */
export function toSpans(words: StyledText): Line {
  const list = typeof words === 'string' || 'text' in words ? [words] : words;
  return list.map((part) =>
    typeof part === 'string'
      ? { text: toPrintable(part), style: 'plain' }
      : { text: toPrintable(part.text), style: part.style },
  );
}

/** Text as one line: newlines and tabs become visible escapes. */
export function toOneLine(words: StyledText): Line {
  return toSpans(words).map(({ text, style }) => ({ text: escapeNewlines(text), style }));
}

export function escapeNewlines(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** The lines of some spans; a newline at the end does not begin another line. */
export function splitLines(words: Line): Line[] {
  const result: Span[][] = [[]];
  for (const { text, style } of words) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) result.push([]);
      if (part !== '') result.at(-1)?.push({ text: part, style });
    }
  }
  if (result.length > 1 && result.at(-1)?.length === 0) result.pop();
  return result;
}

/** The terminal cells of a line. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Cuts a line to a number of cells, with an ellipsis. */
export function truncate(line: Line, limit: number): Line {
  if (lineWidth(line) <= limit) return line;
  const truncated: Span[] = [];
  let available = limit - 1;
  for (const { text, style } of line) {
    let part = '';
    for (const character of graphemes(text)) {
      available -= displayWidth(character);
      if (available < 0) return [...truncated, { text: `${part}…`, style }];
      part += character;
    }
    truncated.push({ text: part, style });
  }
  return truncated;
}

/**
 * Breaks a line at its spaces into parts of at most `limit` cells. Later parts are indented like the first. Long
 * words and code are not broken, so that they can be copied.
 */
export function wrap(line: Line, limit: number): Line[] {
  const indent = /^ */.exec(line.map(({ text }) => text).join(''))?.[0] ?? '';
  const parts: Span[][] = [];
  let part: Span[] = [];
  let used = 0;
  for (const { space, word } of splitWords(line)) {
    const size = lineWidth(word);
    if (used > indent.length && used + space.text.length + size > limit) {
      parts.push(part);
      part = indent === '' ? [...word] : [{ text: indent, style: 'plain' }, ...word];
      used = indent.length + size;
    } else {
      part.push(space, ...word);
      used += space.text.length + size;
    }
  }
  return [...parts, part].map(mergeSpans);
}

interface Word {
  readonly space: Span;
  readonly word: Span[];
}

/** The words of a line, each with the preceding space; a word may consist of several spans. */
function splitWords(line: Line): Word[] {
  const result: Word[] = [{ space: { text: '', style: 'plain' }, word: [] }];
  for (const { text, style } of line) {
    for (const part of style === 'code' ? [text] : text.split(/( +)/)) {
      if (part === '') continue;
      if (part.trim() === '') result.push({ space: { text: part, style }, word: [] });
      else result.at(-1)?.word.push({ text: part, style });
    }
  }
  return result.filter(({ word }) => word.length > 0);
}

function mergeSpans(line: Line): Line {
  const merged: Span[] = [];
  for (const span of line) {
    const last = merged.at(-1);
    if (last?.style === span.style)
      merged[merged.length - 1] = { text: last.text + span.text, style: span.style };
    else if (span.text !== '') merged.push(span);
  }
  return merged;
}
