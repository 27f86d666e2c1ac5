import { usageLine } from '../../src/cli/help/help.ts';
import { splitCommandLine } from '../../src/cli/help/help-text.ts';
import { type ArgModel, type CommandModel, type FlagModel, type Model, remainingIn } from './model.ts';
import { pathOf, shownValue } from './notation.ts';
import { bold, italic, item, paragraph, prose, reference, roff, verbatim } from './roff.ts';

export const title = (command: CommandModel): string => `lanyard ${pathOf(command)}`;

/** The command line of a command, its values in italics. */
export const usage = (command: CommandModel): string =>
  `${bold(title(command))}${usageLine('', command.args)
    .split(/([A-Z][A-Z0-9_-]*)/)
    .map((part, index) => (index % 2 === 1 ? italic(part) : roff(part)))
    .join('')}`;

export const summaryOf = (command: CommandModel): string[] => paragraph(`${prose(command.summary)}.`);

/** What a command does, below its summary. */
export const descriptionOf = (command: CommandModel): string[] =>
  command.description?.split('\n').flatMap((text) => paragraph(prose(text))) ?? [];

export const argumentsOf = (command: CommandModel): string[] => command.args.flatMap(argument);

const argument = ({ name, help }: ArgModel): string[] => item(italic(name), prose(help));

/** The command's own flags, and the names of the shared flags that not every command accepts. */
export function flagsIn(command: CommandModel, model: Model): string[] {
  const some = (['service', 'namespace', 'writes'] as const).filter((name) => command.shared.includes(name));
  const sets = model.shared.filter(({ name }) => some.some((each) => each === name));
  const others = [...sets.flatMap(({ flags }) => flags), ...remainingIn(command, model)];
  const names = others.map(({ name }) => bold(`--${name}`));
  const shared = `the shared flags of ${reference('lanyard')}`;
  return [
    ...command.flags.flatMap(flagItem),
    ...paragraph(
      `${command.service === undefined ? '' : `Calls the ${roff(command.service)}. `}Also accepts ${names.length === 0 ? shared : `${names.join(', ')} and ${shared}`}.`,
    ),
  ];
}

/** A flag with its short name, aliases and value, and what it does. */
export function flagItem(flag: FlagModel): string[] {
  const { short, name, aliases, help } = flag;
  const { placeholder, choices } = shownValue(flag);
  const names = [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
  const term = `${names.map(bold).join(', ')}${placeholder === '' ? '' : ` ${italic(placeholder)}`}`;
  const others =
    aliases.length === 0 ? '' : ` (also ${aliases.map((alias) => bold(`--${alias}`)).join(', ')})`;
  return item(
    term,
    `${prose(help)}${others}${choices.length === 0 ? '' : `: ${choices.map(roff).join(', ')}`}`,
  );
}

/** Room for a command line in a terminal of 80 columns. */
const exampleWidth = 68;

export const examplesOf = (command: CommandModel): string[] =>
  command.examples.length === 0 ? [] : exampleLines(command.examples);

export const exampleLines = (lines: readonly string[]): string[] =>
  verbatim(lines.flatMap((line) => splitCommandLine(line, exampleWidth).split('\n')));
