import { wrapLines } from './wrap.ts';

/** A part of a man page. Texts have no escapes. */
type Block =
  | { readonly kind: 'heading' | 'subheading'; readonly text: string }
  | { readonly kind: 'paragraph' | 'hanging'; readonly text: string; readonly isCompact: boolean }
  | {
      readonly kind: 'item';
      readonly term: string;
      readonly text: string;
      /** Cells from the term to its text. */
      readonly width: number;
      readonly isCompact: boolean;
    }
  | { readonly kind: 'verbatim'; readonly lines: readonly string[] };

const indent = 7;
const subheadingIndent = 3;
const hangingIndent = 4;

/**
 * A man page as plain text in lines of at most `width` cells. Reads the macros and escapes that
 * `scripts/generate/roff.ts` writes, and ignores others.
 */
export function manText(source: string, width: number): string {
  const lines = source.trimEnd().split('\n');
  const header = lines.find((line) => line.startsWith('.TH ')) ?? '';
  const [name = '', section = '', date = '', program = '', manual = ''] = [
    ...header.slice('.TH '.length).matchAll(/"([^"]*)"|(\S+)/g),
  ].map(([, quoted, plain = '']) => unescaped(quoted ?? plain));
  const written = [spread(`${name}(${section})`, manual, `${name}(${section})`, width)];
  let previous: Block | undefined;
  for (const block of blocksOf(lines)) {
    if (isSeparated(block, previous)) written.push('');
    written.push(...linesOf(block, width));
    previous = block;
  }
  return `${[...written, '', spread(program, date, `${name}(${section})`, width)].join('\n')}\n`;
}

function* blocksOf(lines: readonly string[]): Generator<Block> {
  let isCompact = false;
  let itemWidth = indent;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const next = (): string => unescaped(lines[++index] ?? '');
    const [macro = '', ...words] = line.split(' ');
    if (macro === '.SH' || macro === '.SS') {
      itemWidth = indent;
      yield { kind: macro === '.SH' ? 'heading' : 'subheading', text: unescaped(words.join(' ')) };
    } else if (macro === '.PD') {
      isCompact = words[0] === '0';
    } else if (macro === '.PP') {
      itemWidth = indent;
    } else if (macro === '.TP') {
      itemWidth = words[0] === undefined ? itemWidth : Number(words[0]);
      yield { kind: 'item', term: next(), text: next(), width: itemWidth, isCompact };
    } else if (macro === '.HP') {
      yield { kind: 'hanging', text: next(), isCompact };
    } else if (macro === '.nf') {
      const end = lines.indexOf('.fi', index);
      yield { kind: 'verbatim', lines: lines.slice(index + 1, end).map(unescaped) };
      index = end;
    } else if (!line.startsWith('.')) {
      yield { kind: 'paragraph', text: unescaped(line), isCompact: false };
    }
  }
}

const isHeading = (block: Block): boolean => block.kind === 'heading' || block.kind === 'subheading';

function isSeparated(block: Block, previous: Block | undefined): boolean {
  if (block.kind === 'heading' || previous === undefined) return true;
  if (isHeading(previous)) return false;
  const isListed = (each: Block): boolean => 'isCompact' in each && each.isCompact;
  return !(isListed(block) && isListed(previous));
}

function linesOf(block: Block, width: number): string[] {
  switch (block.kind) {
    case 'heading':
      return [block.text];
    case 'subheading':
      return hanging(block.text, width, subheadingIndent);
    case 'verbatim':
      return indented(block.lines, indent + hangingIndent);
    case 'paragraph':
      return indented(wrapLines(block.text, width - indent), indent);
    case 'hanging':
      return hanging(block.text, width);
    case 'item':
      return itemLines(block, width);
  }
}

function itemLines({ term, text, width: itemWidth }: Block & { kind: 'item' }, width: number): string[] {
  const lines = indented(wrapLines(text, width - indent - itemWidth), indent + itemWidth);
  const [first = '', ...others] = lines;
  if (term.length >= itemWidth) return [...hanging(term, width), ...lines];
  return [`${' '.repeat(indent)}${term.padEnd(itemWidth)}${first.slice(indent + itemWidth)}`, ...others];
}

function hanging(text: string, width: number, cells = indent): string[] {
  const [first = '', ...others] = wrapLines(text, width - cells - hangingIndent);
  return [...indented([first], cells), ...indented(others, cells + hangingIndent)];
}

const indented = (lines: readonly string[], cells: number): string[] =>
  lines.map((line) => (line === '' ? '' : `${' '.repeat(cells)}${line}`));

/** Texts at the left, in the middle and at the right of a line. */
function spread(left: string, middle: string, right: string, width: number): string {
  const before = Math.max(Math.floor((width - middle.length) / 2) - left.length, 1);
  const start = `${left}${' '.repeat(before)}${middle}`;
  return `${start}${' '.repeat(Math.max(width - start.length - right.length, 1))}${right}`;
}

const characters: Readonly<Record<string, string>> = {
  rs: '\\',
  dq: '"',
  aq: "'",
  ga: '`',
  ha: '^',
  ti: '~',
};

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:f[BIR]|\((..)|\[u([0-9A-F]+)\]|([-&]))/g,
    (_escape, name: string | undefined, code: string | undefined, character: string | undefined) => {
      if (name !== undefined) return characters[name] ?? '';
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return character === '-' ? '-' : '';
    },
  );
