import { CommanderError, Command as Node, Option } from 'commander';
import { type AnyCommand, type FlagTable, kebab } from './command.ts';
import { type Leaf, tree } from './commands/tree.ts';
import { usage } from './errors.ts';
import { flagRows } from './flag-rows.ts';
import type { Globals } from './globals.ts';
import { about, below, everyGlobal, rootPage, sharedLine, usageOf } from './help.ts';
import { type HelpPage, helpText } from './layout.ts';
import { offeredBy } from './offered.ts';
import { version } from './version.ts';

/** The result of parsing: a command to run, or text to print (help, version). */
export type Parsed =
  | { readonly what: 'run'; readonly invocation: Invocation }
  | { readonly what: 'text'; readonly text: string; readonly code: number };

export interface Invocation {
  readonly leaf: Leaf;
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
export async function parse(argv: readonly string[], width: number): Promise<Parsed> {
  let written = '';
  let complaint = '';
  let found: Invocation | undefined;
  const program = root().configureOutput({
    writeOut: (text) => {
      written += text;
    },
    writeErr: (text) => {
      complaint += text;
    },
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  grow(program, '', (invocation) => {
    found = invocation;
  });
  try {
    await program.parseAsync(helpAsFlag(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { what: 'text', text: written, code: 0 };
    // A group without a verb: commander writes its help to stderr.
    if (error.code === 'commander.help') return { what: 'text', text: complaint, code: 2 };
    refuseValue(program, error.message);
    throw usage(said(complaint || error.message), {
      hint: 'Run `lanyard --help` for the list of commands, or add --help to a command.',
    });
  }
  if (!found) return { what: 'text', text: written || program.helpInformation(), code: 0 };
  return { what: 'run', invocation: found };
}

/** @throws LanyardError usage: the unknown option is a flag that takes no value but has one. */
function refuseValue(program: Node, complaint: string): void {
  const name = /unknown option '(--[\w-]+)=/.exec(complaint)?.[1];
  const options = optionsBelow(program);
  if (!options.some(({ long, required, optional }) => long === name && !required && !optional)) return;
  const unset = options.some(({ long }) => long === '--unset')
    ? ' To reset a field to its default, use "--unset NAME".'
    : '';
  throw usage(`${name} takes no value`, { hint: `Omit the flag to leave it unset.${unset}` });
}

/** The options of a node and of all nodes below it. */
const optionsBelow = (node: Node): readonly Option[] => [
  ...node.options,
  ...node.commands.flatMap(optionsBelow),
];

/** `lanyard help ssh sign` means `lanyard ssh sign --help`. */
function helpAsFlag(argv: readonly string[]): string[] {
  if (argv[0] !== 'help') return [...argv];
  const words: string[] = [];
  for (const word of argv.slice(1)) {
    if (word.startsWith('-') || !isGroup(words.join(' '))) break;
    words.push(word);
    const path = words.join(' ');
    if (!leafAt(path) && !isGroup(path))
      throw usage(`unknown command or topic "${path}"`, {
        hint: 'Run `lanyard --help` for the list of commands and topics.',
      });
  }
  return [...words, '--help'];
}

const isGroup = (path: string): boolean =>
  path === '' || tree.some((leaf) => leaf.path.startsWith(`${path} `));

/** A complaint of commander, without what it repeats of the command line: it may be a secret in the wrong place. */
const said = (text: string): string =>
  text
    .trim()
    .replace(/^error: /, '')
    .replace(/^(unknown option '(?:--[^=\n]*|-[^-\n]))(?:=|(?<='-[^-])[^'\n]).*'$/ms, "$1'")
    .replace(/^(too many arguments.* but got \d+):.*$/s, '$1.')
    .replace(/\n+\(/, ' (');

const root = (): Node =>
  addFlags(
    new Node('lanyard')
      .description(about)
      .version(version, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'help for a command')
      .helpCommand(false)
      .enablePositionalOptions()
      .configureHelp({ formatHelp: (node, { helpWidth }) => helpText(pageOf(node), helpWidth ?? 80) })
      .exitOverride(),
    everyGlobal,
  );

type Found = (invocation: Invocation) => void;

/**
 * Adds the children of a node, one level of the tree: names and summaries. A child is expanded only when the command
 * line names it, so that start-up time does not depend on the number of commands.
 */
function grow(node: Node, path: string, found: Found): void {
  const children = below(path);
  if (children.length === 0) return;
  for (const [name, summary] of children)
    node.addCommand(
      new Node(name).copyInheritedSettings(node).summary(summary).description(sentence(summary)),
    );
  node.enablePositionalOptions().hook('preSubcommand', async (_node, child) => {
    const childPath = path === '' ? child.name() : `${path} ${child.name()}`;
    grow(child, childPath, found);
    const leaf = leafAt(childPath);
    if (leaf) await furnish(child, leaf, found);
    else addFlags(child, everyGlobal);
  });
}

const leafAt = (path: string): Leaf | undefined => tree.find((leaf) => leaf.path === path);

/** The commands of the leaves that were loaded, for their help. */
const loaded = new WeakMap<Node, AnyCommand>();

function pageOf(node: Node): HelpPage {
  if (node.parent === null) return rootPage();
  const command = loaded.get(node);
  const path = `lanyard ${pathOf(node)}`;
  return {
    path,
    description: node.description(),
    usage: command ? usageOf(path, Object.values(command.args)) : `${path} COMMAND [flags]`,
    arguments: node.registeredArguments.map((argument) => [argument.name(), argument.description]),
    commands: below(pathOf(node)),
    flags: flagRows(command?.flags ?? {}),
    shared: command ? sharedLine(command) : '',
    examples: command?.examples ?? [],
    topics: [],
  };
}

/** Adds the arguments, flags, help and action of a leaf. */
async function furnish(node: Node, leaf: Leaf, found: Found): Promise<void> {
  const { default: command } = await leaf.load();
  const offered = offeredBy(command);
  if (command.description) node.description(`${sentence(leaf.summary)} ${command.description}`);
  for (const spec of Object.values(command.args)) {
    const name = spec.several ? `${spec.name}...` : spec.name;
    node.argument(spec.required ? `<${name}>` : `[${name}]`, spec.help);
  }
  addFlags(node, command.flags);
  addFlags(node, offered);
  loaded.set(node, command);
  node.action((...given: unknown[]) => {
    const operands = given.slice(0, Object.keys(command.args).length);
    found({
      leaf,
      command,
      args: readArgs(command, operands),
      flags: readFlags(command.flags, node.opts()),
      globals: readGlobals(node, offered),
    });
  });
}

function addFlags(node: Node, flags: FlagTable): Node {
  for (const [key, spec] of Object.entries(flags)) {
    const name = kebab(key);
    const value = spec.value === undefined ? '' : ` <${spec.value}>`;
    const option = new Option(`${spec.short ? `-${spec.short}, ` : ''}--${name}${value}`, spec.help);
    // Values are collected in order; the flag's own parse converts them.
    option.argParser(spec.short && spec.value ? gatherAfterShort : gather);
    option.attributeName = () => key;
    // `--no-color` is a flag of that name, not the opposite of a flag `--color`.
    option.negate = false;
    node.addOption(option);
    for (const alias of spec.aliases ?? []) {
      const other = new Option(`--${alias}${value}`).hideHelp();
      other.argParser(gather);
      other.attributeName = () => key;
      node.addOption(other);
    }
  }
  return node;
}

const gather = (text: string, before: unknown): string[] => [...(Array.isArray(before) ? before : []), text];

/** A short flag and its value may be joined by an equals sign: `-o=json`. */
const gatherAfterShort = (text: string, before: unknown): string[] => gather(text.replace(/^=/, ''), before);

function readFlags(flags: FlagTable, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([key, spec]) => [key, spec.parse(texts(given[key]), `--${kebab(key)}`)]),
  );
}

const texts = (given: unknown): string[] =>
  Array.isArray(given) ? given.map(String) : given === true ? ['true'] : [];

/** Shared flags may precede or follow the command's name; the last one wins. */
function readGlobals(node: Node, offered: FlagTable): Globals {
  const levels: Record<string, unknown>[] = [];
  for (let level: Node | null = node; level; level = level.parent) levels.unshift(level.opts());
  const given: Record<string, unknown> = {};
  for (const [index, level] of levels.entries()) {
    const isLeaf = index === levels.length - 1;
    for (const [key, value] of Object.entries(level)) {
      if (!(key in everyGlobal)) continue;
      if (!isLeaf && !(key in offered)) throw usage(`--${kebab(key)} is not supported by "${pathOf(node)}"`);
      if (!isLeaf || key in offered) given[key] = value;
    }
  }
  return readFlags(everyGlobal, given) as unknown as Globals;
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
