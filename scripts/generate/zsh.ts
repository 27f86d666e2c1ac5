import type { Completes } from '../../src/command/completes.ts';
import {
  type ArgModel,
  type CommandModel,
  everyCommand,
  type FlagModel,
  type Model,
  namesOf,
} from './model.ts';
import { fill, help, nameOf, template } from './notation.ts';

/** The completion script for zsh, made of specifications for its `_arguments`. */
export function zsh(model: Model): string {
  const [root, ...commands] = everyCommand(model.root);
  if (!root) throw new Error('there are no commands');
  return fill(template('lanyard.zsh'), {
    shared: model.shared.flatMap(({ name, flags }) => [
      `local -a ${name}=(`,
      ...flags.map((flag) => `  ${flagSpec(flag)}`),
      ')',
    ]),
    root: continued(specs(root)),
    functions: commands.flatMap((command) => [...completer(command), '']).slice(0, -1),
    commands: [root, ...commands].filter(({ commands: below }) => below.length > 0).flatMap(branch),
    topics: model.topics.map(({ name, summary }) => quoted(`${name}:${summary}`)),
  });
}

const functionName = (command: CommandModel): string => ['_lanyard', ...command.words].join('_');

/** The function that completes a command. */
function completer(command: CommandModel): string[] {
  const words = specs(command);
  const body =
    words.length === 1
      ? [`  ${start(command)} ${words[0]}`]
      : [`  ${start(command)} \\`, ...continued(words).map((line) => `    ${line}`)];
  return [`${functionName(command)}() {`, ...body, '}'];
}

const specs = (command: CommandModel): string[] => [
  ...[...command.flags, ...command.remaining].map(flagSpec),
  ...(command.shared.length > 0 ? [command.shared.map((name) => `"$${name}[@]"`).join(' ')] : []),
  ...command.args.flatMap(argSpecs),
];

const start = (command: CommandModel): string => {
  if (command.commands.length > 0) return `__lanyard_group ${functionName(command)}`;
  // A command line of its own may have a "--" before it.
  return command.args.some(({ completes }) => completes === 'command')
    ? '_arguments -s -S'
    : '__lanyard_leaf';
};

function branch(command: CommandModel): string[] {
  const below = command.commands.map((child) => ({ name: nameOf(child), summary: child.summary }));
  const listed = command.words.length === 0 ? [...below, help] : below;
  return [
    `${functionName(command)})`,
    '  subcommands=(',
    ...listed.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    '  )',
    '  ;;',
  ];
}

/** `'(-p --profile)'{-p+,--profile=}'[help]:NAME:action'`; a flag that may repeat has `*` instead of names. */
function flagSpec(flag: FlagModel): string {
  const names = namesOf(flag);
  const endings = names.map((name) => {
    if (flag.value === undefined) return name;
    return name.startsWith('--') ? `${name}=` : `${name}+`;
  });
  const value = flag.value === undefined ? '' : `:${message(valueName(flag))}:${action(flag.completes)}`;
  const rest = `[${flag.help.replace(/[\\[\]]/g, '\\$&')}]${value}`;
  const before = excluded(flag, names);
  return endings.length === 1
    ? quoted(`${before}${endings[0]}${rest}`)
    : `${before && quoted(before)}{${endings.join(',')}}${quoted(rest)}`;
}

/** What zsh says that it offers; for choices it is the flag's name, since the choices themselves are offered. */
const valueName = ({ name, value, completes }: FlagModel): string =>
  Array.isArray(completes) ? name : (value ?? name);

function excluded(flag: FlagModel, names: readonly string[]): string {
  if (flag.repeatable) return '*';
  if (flag.name === 'help' || flag.name === 'version') return '(- : *)';
  return names.length > 1 ? `(${names.join(' ')})` : '';
}

/**
 * `':ROLE (help):action'`; `*` before it for all that is left, `::` for one that may be missing. A command line
 * of its own ends the flags, and is completed as if it stood alone.
 */
function argSpecs(arg: ArgModel): string[] {
  const { completes, repeatable, required } = arg;
  const about = message(`${arg.name} (${arg.help})`);
  if (completes === 'command') return [quoted(`(-):${about}:__lanyard_programs`), "'*::arguments: _normal'"];
  const before = repeatable ? '*:' : required ? ':' : '::';
  return [quoted(`${before}${about}:${completes === undefined ? '__lanyard_text' : action(completes)}`)];
}

function action(completes: Completes | undefined): string {
  switch (completes) {
    case undefined:
      return ' ';
    case 'file':
      return '__lanyard_files';
    case 'directory':
      return '_files -/';
    case 'profile':
      return '__lanyard_profiles';
    case 'command':
      return '_command_names -e';
    default:
      return typeof completes === 'string' ? '__lanyard_live' : `(${completes.join(' ')})`;
  }
}

const message = (text: string): string => text.replace(/[\\:]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One command over several lines. */
const continued = (words: readonly string[]): string[] =>
  words.map((word, index) => (index < words.length - 1 ? `${word} \\` : word));
