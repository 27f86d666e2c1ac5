import { wrapped } from './wrap.ts';

/** Lines longer than this are hard to read, however wide the terminal is. */
export const widest = 110;

/** Terms longer than this have their description on the next line. */
const termWidth = 30;

/** A term and what it means. */
export type Row = readonly [term: string, text: string];

/** What the help of a command, a group or the whole says. */
export interface HelpPage {
  /** `lanyard ssh sign` */
  readonly path: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly Row[];
  readonly commands: readonly Row[];
  /** The command's own flags. */
  readonly flags: readonly Row[];
  readonly shared: readonly Row[];
  /** Flags that some commands share, by what those commands do. */
  readonly sometimes: readonly (readonly [title: string, rows: readonly Row[]])[];
  readonly examples: readonly string[];
  readonly topics: readonly Row[];
}

/** The help text of a page in lines of at most `width` cells. */
export function helpText(page: HelpPage, columns: number): string {
  const width = Math.min(columns, widest);
  const section = (title: string, rows: readonly Row[]): string[] =>
    rows.length === 0 ? [] : [`${title}:`, ...rows.map(([term, text]) => item(term, text, width)), ''];
  // A command that runs another one has COMMAND as an argument.
  const isGroup = (page.usage.includes('COMMAND') && page.arguments.length === 0) || page.topics.length > 0;
  return [
    ...(page.description === '' ? [] : [wrapped(page.description, width), '']),
    ...section('Usage', [[wrapped(page.usage, width - 4).replaceAll('\n', '\n    '), '']]),
    ...section('Arguments', page.arguments),
    ...section('Commands', page.commands),
    ...section('Flags', page.flags),
    ...section('Flags that every command has', page.shared),
    ...page.sometimes.flatMap(([title, rows]) => section(title, rows)),
    ...section(
      'Examples',
      page.examples.map((line): Row => [continued(line, width), '']),
    ),
    ...section('Topics', page.topics),
    ...(isGroup ? [wrapped(hint(page), width)] : []),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

const hint = ({ path, shared }: HelpPage): string =>
  `"${path} COMMAND --help" says what a command takes${
    shared.length > 0 ? '' : '; "lanyard --help" lists the flags that every command has'
  }.\n`;

/** A command line over several lines, as a shell reads them, where one is too short. Quoted parts stay whole. */
function continued(line: string, width: number): string {
  const [first = '', ...rest] = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const lines = [`  ${first}`];
  for (const word of rest) {
    const last = lines.at(-1) ?? '';
    // Two for the indent that an item gets, two for the backslash.
    if (last.length + 1 + word.length + 2 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines.join(' \\\n').trimStart();
}

function item(term: string, text: string, width: number): string {
  if (text === '') return `  ${term}`;
  const indent = termWidth + 4;
  const lines = wrapped(text, Math.max(width - indent, 20)).split('\n');
  const first =
    term.length > termWidth ? `  ${term}\n${' '.repeat(indent)}` : `  ${term.padEnd(termWidth + 2)}`;
  return first + lines.join(`\n${' '.repeat(indent)}`);
}
