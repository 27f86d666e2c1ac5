import { type CommandModel, everyCommand, type Model } from './model.ts';
import { fill, flagNotation, help, nameOf, operandNotation, pathOf, template, wrapped } from './notation.ts';

const room = 100;

/** The completion script for bash. */
export function bash(model: Model): string {
  const commands = everyCommand(model.root).flatMap(branch);
  return fill(template('lanyard.bash'), {
    shared: model.shared.flatMap(({ name, flags }) => assignment(`local ${name}`, flags.map(flagNotation))),
    commands: [...commands, `${help.name}) ;;`],
    topics: [`[[ $path ]] || commands+=' ${model.topics.map(({ name }) => name).join(' ')}'`],
  });
}

function branch(command: CommandModel): string[] {
  const isRoot = command.words.length === 0;
  const names = [...command.commands.map(nameOf), ...(isRoot ? [help.name] : [])];
  const flags = [
    ...[...command.flags, ...command.remaining].map(flagNotation),
    ...command.shared.map((name) => `$${name}`),
  ];
  return [
    `'${pathOf(command)}')`,
    ...(names.length > 0 ? [`  commands='${names.join(' ')}'`] : []),
    ...(command.args.length > 0
      ? [`  operands=(${command.args.map((arg) => `'${operandNotation(arg)}'`).join(' ')})`]
      : []),
    ...assignment('flags', flags).map((line) => `  ${line}`),
    '  ;;',
  ];
}

/** `name="…"`, on several lines when it is long; the lines are words of one list. */
function assignment(name: string, words: readonly string[]): string[] {
  const lines = wrapped(words, room);
  if (lines.length === 1) return [`${name}="${lines[0]}"`];
  return [`${name}="`, ...lines.map((line) => `  ${line}`), '"'];
}
