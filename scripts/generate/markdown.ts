import { usageLine } from '../../src/cli/help/help.ts';
import {
  type ArgModel,
  type CommandModel,
  everyCommand,
  type FlagModel,
  type Model,
  remainingIn,
  type SetName,
} from './model.ts';
import { nameOf, shownValue } from './notation.ts';
import { topicBlocks } from './topic-blocks.ts';

/** The pages of the command reference, in GitHub's Markdown, by their path: an index, and a page for each area. */
export function markdown(model: Model): Readonly<Record<string, string>> {
  const areas = model.root.commands;
  const pages = areas.map((area) => [`docs/commands/${nameOf(area)}.md`, page(areaPage(area, model))]);
  return { 'docs/commands.md': page(index(areas, model)), ...Object.fromEntries(pages) };
}

const page = (blocks: readonly string[]): string =>
  `${['<!-- Written by "npm run generate" from the commands themselves; do not edit. -->', ...blocks].join('\n\n')}\n`;

function index(areas: readonly CommandModel[], model: Model): string[] {
  return [
    '# Commands',
    'A command line is `lanyard <area> [noun] <verb> [arguments] [flags]`. Words in capitals are values, brackets mark optional parts, and dots mark repeatable parts. `lanyard help COMMAND` shows the same in the terminal, `lanyard help --man AREA` as a man page.',
    ...table(
      ['Area', 'Purpose'],
      areas
        .filter((area) => !isAlias(area))
        .map((area) => [`[${nameOf(area)}](commands/${nameOf(area)}.md)`, prose(area.summary)]),
    ),
    `See also the ${link('shared flags', 'Shared flags')} and the ${link('exit codes', 'Exit codes')}.`,
    ...areas.filter((area) => !standsAlone(area) && !isAlias(area)).flatMap(contents),
    ...sharedFlags(model),
    ...exitCodes(),
  ];
}

/** Aliases have a page, and are not listed. */
const isAlias = ({ summary }: CommandModel): boolean => summary.includes('(alias of ');

/** The commands of an area, with links. */
function contents(area: CommandModel): string[] {
  const lines = runnable(area).map((command) => {
    const anchor = link(title(command), title(command), `commands/${nameOf(area)}.md`);
    return `- ${anchor}: ${prose(command.summary)}`;
  });
  return [`## ${nameOf(area)}`, lines.join('\n')];
}

function areaPage(area: CommandModel, model: Model): string[] {
  if (standsAlone(area)) return commandSection(area, '#', model);
  return [
    `# ${nameOf(area)}`,
    ...(area.runs ? [] : [sentence(area.summary)]),
    runnable(area)
      .map((command) => `- ${link(title(command), title(command))}: ${prose(command.summary)}`)
      .join('\n'),
    ...runnable(area).flatMap((command) => commandSection(command, '##', model)),
  ];
}

const runnable = (area: CommandModel): CommandModel[] => everyCommand(area).filter(({ runs }) => runs);

/** Is the area a single command, such as `lanyard status`? */
const standsAlone = (area: CommandModel): boolean => area.commands.length === 0;

const title = (command: CommandModel): string => ['lanyard', ...command.words].join(' ');

function commandSection(command: CommandModel, level: string, model: Model): string[] {
  return [
    `${level} ${title(command)}`,
    sentence(command.summary),
    fenced([usageLine(title(command), command.args)]),
    ...(command.description?.split('\n').map(prose) ?? []),
    ...table(['Argument', 'Meaning'], command.args.map(argRow)),
    ...table(['Flag', 'Meaning'], command.flags.map(flagRow)),
    alsoTaken(command, model),
    ...(command.examples.length > 0 ? ['Examples:', fenced(command.examples)] : []),
  ];
}

/** Which shared flags the command takes, and where they go. */
function alsoTaken(command: CommandModel, model: Model): string {
  const few = (['service', 'namespace', 'writes'] as const).filter((name) => command.shared.includes(name));
  const flags = [...few.flatMap((name) => setOf(model, name)), ...remainingIn(command, model)];
  const names = flags.map(({ name }) => `\`--${name}\``);
  const service = command.service === undefined ? '' : `Calls the ${command.service}. `;
  const shared = `the ${link('shared flags', 'Shared flags', '../commands.md')}`;
  return `${service}Also accepts ${names.length === 0 ? shared : `${names.join(', ')} and ${shared}`}.`;
}

function sharedFlags(model: Model): string[] {
  const rows = (...names: SetName[]): string[][] =>
    names
      .flatMap((name) => setOf(model, name))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(flagRow);
  return [
    '## Shared flags',
    'All commands accept these flags, before or after the name of the command. A flag that a command lists as its own replaces the shared one.',
    ...table(['Flag', 'Meaning'], rows('every')),
    'Commands that print a result also accept:',
    ...table(['Flag', 'Meaning'], rows('out', 'result')),
    'Commands that call one service also accept:',
    ...table(['Flag', 'Meaning'], rows('service', 'namespace')),
    'Commands that change something also accept:',
    ...table(['Flag', 'Meaning'], rows('writes')),
  ];
}

function exitCodes(): string[] {
  const rows = topicBlocks('exit-codes').flatMap((block) => block.rows);
  return [
    '## Exit codes',
    ...table(
      ['Code', 'Meaning'],
      rows.map(([code, meaning]) => [code, prose(meaning)]),
    ),
    'Commands that run another program return its exit code. `lanyard help exit-codes` prints this table.',
  ];
}

const setOf = (model: Model, name: SetName): readonly FlagModel[] =>
  model.shared.find((set) => set.name === name)?.flags ?? [];

const argRow = ({ name, help }: ArgModel): string[] => [`\`${name}\``, prose(help)];

function flagRow(flag: FlagModel): string[] {
  const { short, name, aliases, help } = flag;
  const { placeholder, choices } = shownValue(flag);
  const names = `${short === undefined ? '' : `-${short}, `}--${name}${placeholder && ` ${placeholder}`}`;
  const others = aliases.map((alias) => `\`--${alias}\``).join(', ');
  return [
    `\`${names}\``,
    `${prose(help)}${others && ` (also ${others})`}${choices.length === 0 ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`}`,
  ];
}

/** A table, in which a pipe is no border; nothing without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [lines.join('\n')];
}

const fenced = (lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n');

/** A link to a heading of the page, or of another one. */
const link = (text: string, heading: string, file = ''): string =>
  `[${text}](${file}#${heading.toLowerCase().replaceAll(' ', '-')})`;

/** Plain text, with what Markdown would read as its own escaped, and flags and templates as code. */
const prose = (text: string): string =>
  text.replace(/(\{\{.*?\}\}|(?<![\w-])--[a-z][a-z0-9-]*)|[\\`*_<[\]]/g, (found, code: string | undefined) =>
    code === undefined ? `\\${found}` : `\`${code}\``,
  );

const sentence = (summary: string): string => `${prose(summary)}.`;
