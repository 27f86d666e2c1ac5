/** The source of man pages: the portable macros of man(7), in ASCII. */
interface ManPage {
  /** `lanyard-ssh` */
  readonly name: string;
  readonly section: 1 | 5;
  /** What the page is about, for `apropos`: lower case, no full stop. */
  readonly summary: string;
  readonly sections: readonly ManSection[];
}

/** A heading and the lines of roff below it. */
export type ManSection = readonly [title: string, lines: readonly string[]];

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  // Otherwise a typographic hyphen, which a shell does not read as one.
  '-': '\\-',
  // An argument of a macro would end.
  '"': '\\(dq',
  // At the start of a line a request; elsewhere a typographic quote, as are the next three.
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Text of one line as it is to be read: without escapes, in ASCII. */
export const roff = (text: string): string =>
  text.replace(
    /[\\\-"'`^~]|[^\x20-\x7e]/gu,
    (character) =>
      escapes[character] ?? `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
  );

export const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
export const italic = (text: string): string => `\\fI${roff(text)}\\fR`;

/** A reference to a page: `lanyard(1)`. */
export const reference = (name: string, section = 1): string => `${bold(name)}(${section})`;

/** Text with flags in bold. */
export const prose = (text: string): string =>
  text
    .split(/((?<![\w-])--[a-z][a-z0-9-]*)/)
    .map((part, index) => (index % 2 === 1 ? bold(part) : roff(part)))
    .join('');

/** A line of text: a dot at its start would make it a request. */
const textLine = (line: string): string => line.replace(/^\./, '\\&.');

export const paragraph = (text: string): string[] => ['.PP', textLine(text)];

/** A term, and below it what it means. */
export const item = (term: string, text: string): string[] => ['.TP', textLine(term), textLine(text)];

/** The longest term that has its text in the same line. */
const maxTermLength = 16;

/** Terms and texts without space between them, if every term is short. */
export function rows(all: readonly (readonly [term: string, text: string])[]): string[] {
  if (all.length === 0) return [];
  const length = Math.max(...all.map(([term]) => term.length));
  const items = all.map(([term, text]) => item(bold(term), prose(text)));
  if (length > maxTermLength) return items.flat();
  const [[, ...first] = [], ...others] = items;
  return ['.PP', '.PD 0', `.TP ${length + 2}`, ...first, ...others.flat(), '.PD'];
}

/** Lines that are continued with an indent if they are too long. */
export const hangingLines = (lines: readonly string[]): string[] => [
  '.PD 0',
  ...lines.flatMap((line) => ['.HP 4', textLine(line)]),
  '.PD',
];

/** Lines that are not filled. */
export const verbatim = (lines: readonly string[]): string[] => [
  '.PP',
  '.RS 4',
  '.nf',
  ...lines.map((line) => textLine(roff(line))),
  '.fi',
  '.RE',
];

/** @param edition the version of the program, and the date of the page (`2026-11-22`). */
export function manPage(
  { name, section, summary, sections }: ManPage,
  { version, date }: { readonly version: string; readonly date: string },
): string {
  const all: ManSection[] = [['NAME', [`${roff(name)} \\- ${roff(summary)}`]], ...sections];
  return `${[
    '.\\" Written by "npm run build"; do not edit.',
    `.TH ${roff(name.toUpperCase())} ${section} ${date} "lanyard ${version}" "Lanyard Manual"`,
    // Commands and names are neither hyphenated nor stretched.
    '.nh',
    '.ad l',
    ...all.flatMap(([title, lines]) => [`.SH ${roff(title)}`, ...withoutFirstBreak(lines)]),
  ].join('\n')}\n`;
}

/** A heading is followed by a paragraph anyway. */
const withoutFirstBreak = (lines: readonly string[]): readonly string[] =>
  lines[0] === '.PP' ? lines.slice(1) : lines;
