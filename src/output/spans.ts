import { printable } from '../wire/printable.ts';
import type { Span, Words } from './document.ts';
import { characters, width } from './width.ts';

/** One line of text, or a part of it. */
export type Line = readonly Span[];

/** Words as spans that are safe to show. */
export function spans(words: Words): Line {
  const list = typeof words === 'string' || 'text' in words ? [words] : words;
  return list.map((part) =>
    typeof part === 'string'
      ? { text: printable(part), tone: 'plain' }
      : { text: printable(part.text), tone: part.tone },
  );
}

/** Words as one line: newlines and tabs become visible escapes, so that a row stays a row. */
export function oneLine(words: Words): Line {
  return spans(words).map(({ text, tone }) => ({ text: flat(text), tone }));
}

/** Text without newlines and tabs: they become visible escapes. */
export function flat(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** The lines of some spans; one newline at the end does not begin another line. */
export function lines(words: Line): Line[] {
  const found: Span[][] = [[]];
  for (const { text, tone } of words) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) found.push([]);
      if (part !== '') found.at(-1)?.push({ text: part, tone });
    }
  }
  if (found.length > 1 && found.at(-1)?.length === 0) found.pop();
  return found;
}

/** The terminal cells that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + width(text), 0);
}

/** Cuts a line to a number of cells; the last of them is then an ellipsis. */
export function cut(line: Line, limit: number): Line {
  if (lineWidth(line) <= limit) return line;
  const kept: Span[] = [];
  let room = limit - 1;
  for (const { text, tone } of line) {
    let part = '';
    for (const character of characters(text)) {
      room -= width(character);
      if (room < 0) return [...kept, { text: `${part}…`, tone }];
      part += character;
    }
    kept.push({ text: part, tone });
  }
  return kept;
}

/**
 * Breaks a line at its spaces so that no part is wider than `limit` cells. Later parts are indented like the
 * first. What has no space is not broken, and neither is code: both can still be copied.
 */
export function wrap(line: Line, limit: number): Line[] {
  const indent = /^ */.exec(line.map(({ text }) => text).join(''))?.[0] ?? '';
  const parts: Span[][] = [];
  let part: Span[] = [];
  let used = 0;
  for (const { space, word } of words(line)) {
    const size = lineWidth(word);
    if (used > indent.length && used + space.text.length + size > limit) {
      parts.push(part);
      part = indent === '' ? [...word] : [{ text: indent, tone: 'plain' }, ...word];
      used = indent.length + size;
    } else {
      part.push(space, ...word);
      used += space.text.length + size;
    }
  }
  return [...parts, part].map(merge);
}

interface Word {
  readonly space: Span;
  readonly word: Span[];
}

/** The words of a line, each with the space before it; a word may be made of several spans. */
function words(line: Line): Word[] {
  const found: Word[] = [{ space: { text: '', tone: 'plain' }, word: [] }];
  for (const { text, tone } of line) {
    for (const part of tone === 'code' ? [text] : text.split(/( +)/)) {
      if (part === '') continue;
      if (part.trim() === '') found.push({ space: { text: part, tone }, word: [] });
      else found.at(-1)?.word.push({ text: part, tone });
    }
  }
  return found.filter(({ word }) => word.length > 0);
}

function merge(line: Line): Line {
  const merged: Span[] = [];
  for (const span of line) {
    const last = merged.at(-1);
    if (last?.tone === span.tone)
      merged[merged.length - 1] = { text: last.text + span.text, tone: span.tone };
    else if (span.text !== '') merged.push(span);
  }
  return merged;
}
