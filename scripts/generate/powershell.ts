import { type CommandModel, everyCommand, type FlagModel, type Model } from './model.ts';
import { fill, flagNotation, help, nameOf, operandNotation, pathOf, template } from './notation.ts';

/** The completion script for PowerShell. */
export function powershell(model: Model): string {
  return fill(template('lanyard.ps1'), {
    shared: model.shared.flatMap(({ name, flags }) => list(`$${name} =`, flags.map(flagWord))),
    commands: everyCommand(model.root).flatMap(branch),
    topics: model.topics.map(({ name, summary }) => quoted(`${name} ${summary}`)),
  });
}

function branch(command: CommandModel): string[] {
  const isRoot = command.words.length === 0;
  const commands = [
    ...command.commands.map((child) => ({ name: nameOf(child), summary: child.summary })),
    ...(isRoot ? [help] : []),
  ].map(({ name, summary }) => quoted(`${name} ${summary}`));
  const operands = command.args.map((arg) => quoted(operandNotation(arg)));
  return [
    `${quoted(pathOf(command))} {`,
    '    @{',
    ...list('Commands =', commands).map(indented),
    ...(operands.length > 0 ? [indented(`Operands = @(${operands.join(', ')})`)] : []),
    ...flagList(command).map(indented),
    '    }',
    '}',
  ];
}

function flagList(command: CommandModel): string[] {
  const own = list('Flags =', [...command.flags, ...command.remaining].map(flagWord));
  const shared = command.shared.map((name) => `$${name}`).join(' + ');
  const last = own.pop();
  if (last === undefined) return [`Flags = ${shared}`];
  return [...own, shared === '' ? last : `${last} + ${shared}`];
}

const flagWord = (flag: FlagModel): string => quoted(`${flagNotation(flag)} ${flag.help}`);

/** A list, an element a line; nothing for an empty one. */
function list(start: string, elements: readonly string[]): string[] {
  if (elements.length === 0) return [];
  return elements.length === 1
    ? [`${start} @(${elements[0]})`]
    : [`${start} @(`, ...elements.map((element) => `    ${element}`), ')'];
}

const indented = (line: string): string => `        ${line}`;

/**
 * PowerShell takes typographic quotes for quotes, and its older versions do not read scripts as UTF-8: texts
 * go in as ASCII.
 */
const quoted = (text: string): string => `'${ascii(text).replaceAll("'", "''")}'`;

const ascii = (text: string): string =>
  text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replaceAll('…', '...')
    .normalize('NFKD')
    .replace(/[^ -~]/g, '');
