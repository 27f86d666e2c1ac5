import { type Flag, toKebabCase } from '../../command/command.ts';
import { wrapText } from './wrap.ts';

/** The maximum line length, for readability. */
export const maxHelpWidth = 110;

export const minHelpWidth = 20;

export type Row = readonly [term: string, text: string];

/** The help of a command, a group or the program. */
export interface HelpPage {
  /** `lanyard ssh sign` */
  readonly path: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly Row[];
  readonly commands: readonly Row[];
  /** The command's own flags. */
  readonly flags: readonly Row[];
  /** A line about the shared flags; empty: none. */
  readonly shared: string;
  readonly examples: readonly string[];
}

/** The help text of a page in lines of at most `columns` cells. */
export function helpText(page: HelpPage, columns: number): string {
  const width = Math.min(columns, maxHelpWidth);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${title}:\n${lines.join('\n')}`];
  // Commands that run another command.
  const isGroup = page.usage.includes('COMMAND') && page.arguments.length === 0;
  const shared = page.shared === '' ? [] : [hangingIndent(page.shared, width, 2)];
  const flags = section('Flags', twoColumns(page.flags, width));
  return `${[
    ...(page.description === '' ? [] : [wrapText(page.description, width)]),
    hangingIndent(`Usage: ${page.usage}`, width, 4),
    ...section('Arguments', twoColumns(page.arguments, width)),
    ...section('Commands', twoColumns(page.commands, width)),
    ...(flags.length > 0 ? [[...flags, ...shared].join('\n')] : shared),
    ...section(
      'Examples',
      page.examples.map((line) => `  ${splitCommandLine(line, width)}`),
    ),
    ...(isGroup ? [wrapText(`Run "${page.path} COMMAND --help" to show the help of a command.`, width)] : []),
  ].join('\n\n')}\n`;
}

/** A command line, continued with a backslash on several lines if it is too long. Quoted parts are not split. */
export function splitCommandLine(line: string, width: number): string {
  const [first = '', ...rest] = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const lines = [`  ${first}`];
  for (const [index, word] of rest.entries()) {
    const last = lines.at(-1) ?? '';
    // Two cells for " \\", which the last line does not need.
    const isLast = index === rest.length - 1;
    if (last.length + 1 + word.length + (isLast ? 0 : 2) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines.join(' \\\n').trimStart();
}

/** Lines after the first are indented by `indent` cells. */
const hangingIndent = (text: string, width: number, indent: number): string =>
  wrapText(text, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);

const minTextWidth = 24;

/**
 * Terms and texts in two columns, in lines of at most `width` cells. The position of the second column is that with
 * the fewest lines; the text of a longer term is below it.
 */
export function twoColumns(rows: readonly Row[], width: number): string[] {
  const lengths = [...new Set(rows.map(([term]) => term.length))]
    .filter((length) => length + 4 + minTextWidth <= width)
    .sort((one, other) => one - other);
  const tables = (lengths.length === 0 ? [2] : lengths).map((length) =>
    rows.flatMap((row) => twoColumnRow(row, length, width)),
  );
  const minLines = Math.min(...tables.map((lines) => lines.length));
  return tables.find((lines) => lines.length === minLines) ?? [];
}

function twoColumnRow([term, text]: Row, termWidth: number, width: number): string[] {
  const indent = ' '.repeat(termWidth + 4);
  const [first = '', ...rest] = wrapText(text, width - indent.length).split('\n');
  const continuation = rest.map((line) => indent + line);
  return term.length > termWidth
    ? [...hangingIndent(`  ${term}`, width, 6).split('\n'), indent + first, ...continuation]
    : [`  ${term.padEnd(termWidth + 2)}${first}`, ...continuation];
}

/** `-p, --profile NAME` and its help; long names are aligned. */
export const flagRows = (
  flags: Readonly<Record<string, Pick<Flag<unknown>, 'short' | 'value' | 'help'>>>,
): Row[] =>
  Object.entries(flags).map(([key, { short, value, help }]) => [
    `${short ? `-${short}, ` : '    '}--${toKebabCase(key)}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
