import { type CommandModel, everyCommand, type FlagModel, type Model } from './model.ts';
import { fill, flagNotation, help, nameOf, operandNotation, pathOf, template } from './notation.ts';

/** The completion script for fish. */
export function fish(model: Model): string {
  return fill(template('lanyard.fish'), {
    shared: model.shared.flatMap(({ name, flags }) => list(`set -g __lanyard_${name}`, flags.map(flagWord))),
    commands: everyCommand(model.root).flatMap(branch),
    topics: continued(model.topics.map(({ name, summary }) => quoted(`${name} ${summary}`))),
  });
}

function branch(command: CommandModel): string[] {
  const isRoot = command.words.length === 0;
  const commands = [
    ...command.commands.map((child) => ({ name: nameOf(child), summary: child.summary })),
    ...(isRoot ? [help] : []),
  ];
  const flags = [
    ...[...command.flags, ...command.remaining].map(flagWord),
    ...(command.shared.length > 0 ? [command.shared.map((name) => `$__lanyard_${name}`).join(' ')] : []),
  ];
  const operands = command.args.map((arg) => quoted(operandNotation(arg)));
  return [
    `case ${quoted(pathOf(command))}`,
    ...list(
      'set __lanyard_commands',
      commands.map(({ name, summary }) => quoted(`${name} ${summary}`)),
    ).map(indented),
    ...(operands.length > 0 ? [`    set __lanyard_operands ${operands.join(' ')}`] : []),
    ...list('set __lanyard_flags', flags).map(indented),
  ];
}

const flagWord = (flag: FlagModel): string => quoted(`${flagNotation(flag)} ${flag.help}`);

/** A command that sets a list, an element a line; nothing for an empty list. */
function list(start: string, elements: readonly string[]): string[] {
  if (elements.length === 0) return [];
  return elements.length === 1
    ? [`${start} ${elements[0]}`]
    : [`${start} \\`, ...continued(elements).map(indented)];
}

const continued = (words: readonly string[]): string[] =>
  words.map((word, index) => (index < words.length - 1 ? `${word} \\` : word));

const indented = (line: string): string => `    ${line}`;

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
