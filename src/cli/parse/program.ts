import { CommanderError, Command as Node, type Option } from 'commander';
import { type AnyCommand, type CommandEntry, type FlagTable, toKebabCase } from '../../command/command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { allSharedFlags, childrenOf, describeArea, sharedFlagsLine, usageLine } from '../help/help.ts';
import { flagRows, type HelpPage, helpText } from '../help/help-text.ts';
import { argumentHint, findEntry, flagHint, helpHint, isGroup, usageMessage } from '../help/usage-hints.ts';
import { version } from '../version.ts';
import { addFlags, type Names } from './add-flags.ts';
import { commandFlags } from './command-flags.ts';
import type { Globals } from './globals.ts';

/** The result of parsing: a command to run, or text to print (help, version). */
export type Parsed =
  | { readonly kind: 'run'; readonly invocation: Invocation }
  | { readonly kind: 'text'; readonly text: string; readonly code: number };

export interface Invocation {
  readonly entry: CommandEntry;
  readonly command: AnyCommand;
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly globals: Globals;
}

/**
 * Parses a command line. Only the module of the requested command is loaded.
 *
 * @throws LanyardError usage
 */
export async function parseArgv(argv: readonly string[], width: number): Promise<Parsed> {
  const words = await helpAsFlag(argv);
  // Children and flags that the words name: to add all would take longer than the rest. Only errors need the others.
  const named = await parseWith(words, argv, width, new Set(words)).catch((error: unknown) => {
    if (!(error instanceof LanyardError)) throw error;
  });
  const parsed = named ?? (await parseWith(words, argv, width));
  if (parsed.kind === 'run' || parsed.text !== rootMark) return parsed;
  const { root } = await import('../help/root-page.ts');
  return { ...parsed, text: helpText(root, width) };
}

/** What commander prints in place of the help of the program, which is loaded when it is needed. */
const rootMark = 'help of the program';

/** @param names of the children and flags that are added; undefined: all are */
async function parseWith(
  words: readonly string[],
  argv: readonly string[],
  width: number,
  names?: Names,
): Promise<Parsed> {
  let outputText = '';
  let errorText = '';
  let matched: Invocation | undefined;
  const program = createProgram(names).configureOutput({
    writeOut: (text) => {
      outputText += text;
    },
    writeErr: (text) => {
      errorText += text;
    },
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  addSubcommands(program, '', {
    names,
    matched: (invocation) => {
      matched = invocation;
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'text', text: outputText, code: 0 };
    // A group without a verb: commander writes its help to stderr.
    if (error.code === 'commander.help') return { kind: 'text', text: errorText, code: 2 };
    rejectFlagValue(program, error.message);
    throw await usageError(withoutValues(errorText || error.message), error.code, program.args, argv);
  }
  if (!matched) return { kind: 'text', text: outputText || program.helpInformation(), code: 0 };
  return { kind: 'run', invocation: matched };
}

/** The error for what commander rejects, with the command that was probably meant. */
async function usageError(
  text: string,
  code: string,
  operands: readonly string[],
  argv: readonly string[],
): Promise<LanyardError> {
  const message = usageMessage(text);
  const own = code === 'commander.unknownOption' ? flagHint(text, argv) : argumentHint(code, operands);
  if (code !== 'commander.unknownCommand') return usage(message, { hint: own ?? helpHint(operands) });
  const { commandsFor, productTopic, withoutDestructive } = await import('../help/product-words.ts');
  const commands = commandsFor(operands).map((command) => `\`lanyard ${command}\``);
  const topic = productTopic(operands);
  const topicHint = `Run \`lanyard help ${topic}\` for the equivalents of its commands.`;
  if (commands.length === 0)
    return usage(withoutDestructive(message), { hint: topic === undefined ? helpHint(operands) : topicHint });
  const last = commands.pop();
  const use = `Use ${commands.length === 0 ? '' : `${commands.join(', ')} or `}${last}.`;
  const hint = topic === undefined ? use : `${use} ${topicHint}`;
  return usage(message.replace(/ \(Did you mean .*\?\)$/, ''), { hint });
}

/** @throws LanyardError usage: the unknown option is a flag that takes no value but has one. */
function rejectFlagValue(program: Node, errorText: string): void {
  const name = /unknown option '(--[\w-]+)=/.exec(errorText)?.[1];
  const options = allOptions(program);
  if (!options.some(({ long, required, optional }) => long === name && !required && !optional)) return;
  const unset = options.some(({ long }) => long === '--unset')
    ? ' To reset a field to its default, use "--unset NAME".'
    : '';
  throw usage(`${name} takes no value`, { hint: `Omit the flag to leave it unset.${unset}` });
}

/** The options of a node and of all nodes below it. */
const allOptions = (node: Node): readonly Option[] => [...node.options, ...node.commands.flatMap(allOptions)];

/** `lanyard help ssh sign` means `lanyard ssh sign --help`. */
async function helpAsFlag(argv: readonly string[]): Promise<string[]> {
  if (argv[0] !== 'help') return [...argv];
  const words: string[] = [];
  for (const word of argv.slice(1)) {
    if (word.startsWith('-') || !isGroup(words.join(' '))) break;
    words.push(word);
    const path = words.join(' ');
    if (!findEntry(path) && !isGroup(path)) {
      const { unknownHelp } = await import('../help/unknown-help.ts');
      throw unknownHelp(words, argv[words.length + 1]);
    }
  }
  return [...words, '--help'];
}

/** An error message of commander without parts of the command line, which may be misplaced secrets. */
const withoutValues = (text: string): string =>
  text
    .trim()
    .replace(/^error: /, '')
    .replace(/^(unknown option '(?:--[^=\n]*|-[^-\n]))(?:=|(?<='-[^-])[^'\n]).*'$/ms, "$1'")
    .replace(/^(too many arguments.* but got \d+):.*$/s, '$1.')
    .replace(/\n+\(/, ' (');

const createProgram = (names: Names): Node =>
  addFlags(
    new Node('lanyard')
      .version(version, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'help for a command')
      .helpCommand(false)
      .enablePositionalOptions()
      .configureHelp({
        formatHelp: (node, { helpWidth }) =>
          node.parent === null ? rootMark : helpText(helpPageOf(node), helpWidth ?? 80),
      })
      .exitOverride(),
    allSharedFlags,
    names,
  );

interface Subcommands {
  readonly names: Names;
  readonly matched: (invocation: Invocation) => void;
}

/**
 * Adds the children of a node, one level of the tree: names and summaries. A child is expanded only when the command
 * line names it, so that start-up time does not depend on the number of commands.
 */
function addSubcommands(node: Node, path: string, subcommands: Subcommands): void {
  const { names } = subcommands;
  const children = childrenOf(path);
  if (children.length === 0) return;
  const isNamed = (name: string): boolean => names === undefined || names.has(name);
  const candidates = children.map(([name, summary]) => {
    const verbAlias = path !== '' && Object.hasOwn(verbAliases, name) ? verbAliases[name] : undefined;
    const alias = children.some(([other]) => other === verbAlias) ? undefined : verbAlias;
    return { name, summary, alias };
  });
  const added = candidates.filter(({ name, alias }) => isNamed(name) || (alias && isNamed(alias)));
  for (const { name, summary, alias } of added.length > 0 ? added : candidates) {
    const child = new Node(name).copyInheritedSettings(node).summary(summary).description(sentence(summary));
    if (alias !== undefined) child.alias(alias);
    node.addCommand(child);
  }
  node.enablePositionalOptions().hook('preSubcommand', async (_node, child) => {
    const childPath = path === '' ? child.name() : `${path} ${child.name()}`;
    addSubcommands(child, childPath, subcommands);
    const entry = findEntry(childPath);
    if (entry) await configureCommand(child, entry, subcommands);
    else addFlags(child, allSharedFlags, names);
  });
}

/** Short forms of verbs within an area: `acl token ls`. */
const verbAliases: Readonly<Record<string, string>> = { delete: 'rm', get: 'show', list: 'ls' };

/** The commands of the leaves that were loaded, for their help. */
const loadedCommands = new WeakMap<Node, AnyCommand>();

function helpPageOf(node: Node): HelpPage {
  const command = loadedCommands.get(node);
  const path = `lanyard ${pathOf(node)}`;
  return {
    path,
    description: describeArea(pathOf(node), node.description()),
    usage: command ? usageLine(path, Object.values(command.args)) : `${path} COMMAND [flags]`,
    arguments: node.registeredArguments.map((argument) => [argument.name(), argument.description]),
    commands: childrenOf(pathOf(node)),
    flags: flagRows(command?.flags ?? {}),
    shared: command ? sharedFlagsLine(command) : '',
    examples: command?.examples ?? [],
  };
}

/** Adds the arguments, flags, help and action of a leaf. */
async function configureCommand(
  node: Node,
  entry: CommandEntry,
  { names, matched }: Subcommands,
): Promise<void> {
  const { default: command } = await entry.load();
  const sharedFlags = commandFlags(command);
  if (command.description) node.description(`${sentence(entry.summary)} ${command.description}`);
  for (const spec of Object.values(command.args)) {
    const name = spec.repeatable ? `${spec.name}...` : spec.name;
    node.argument(spec.required ? `<${name}>` : `[${name}]`, spec.help);
  }
  addFlags(node, command.flags, names);
  addFlags(node, sharedFlags, names);
  loadedCommands.set(node, command);
  node.action((...given: unknown[]) => {
    const operands = given.slice(0, Object.keys(command.args).length);
    matched({
      entry,
      command,
      args: readArgs(command, operands),
      flags: readFlags(command.flags, node.opts()),
      globals: readGlobals(node, sharedFlags),
    });
  });
}

function readFlags(flags: FlagTable, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([key, spec]) => [
      key,
      spec.parse(toStrings(given[key]), `--${toKebabCase(key)}`),
    ]),
  );
}

const toStrings = (given: unknown): string[] =>
  Array.isArray(given) ? given.map(String) : given === true ? ['true'] : [];

/** Shared flags may precede or follow the command's name; the last one wins. */
function readGlobals(node: Node, sharedFlags: FlagTable): Globals {
  const levels: Record<string, unknown>[] = [];
  for (let level: Node | null = node; level; level = level.parent) levels.unshift(level.opts());
  const given: Record<string, unknown> = {};
  for (const [index, level] of levels.entries()) {
    const isLeaf = index === levels.length - 1;
    for (const [key, value] of Object.entries(level)) {
      if (!(key in allSharedFlags)) continue;
      if (!isLeaf && !(key in sharedFlags))
        throw usage(`--${toKebabCase(key)} is not supported by "${pathOf(node)}"`, {
          hint: node.options.some((option) => option.attributeName() === key)
            ? `The command has its own --${toKebabCase(key)}, which follows it.`
            : undefined,
        });
      if (!isLeaf || key in sharedFlags) given[key] = value;
    }
  }
  return readFlags({ ...allSharedFlags, ...sharedFlags }, given) as unknown as Globals;
}

function readArgs(command: AnyCommand, operands: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(command.args).map(([key, spec], index) => {
      const given = operands[index];
      return [
        key,
        spec.parse(Array.isArray(given) ? given.map(String) : given === undefined ? [] : [String(given)]),
      ];
    }),
  );
}

const pathOf = (node: Node): string =>
  node.parent?.parent ? `${pathOf(node.parent)} ${node.name()}` : node.name();

const sentence = (summary: string): string => (summary === '' ? '' : `${summary}.`);
