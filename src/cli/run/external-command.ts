import type { Host } from '../../command/host.ts';
import { usage } from '../../errors.ts';
import { runChild } from '../../io/child.ts';
import { installedPath } from '../../io/installed-path.ts';
import { findPlugin, type Plugin } from '../../io/plugins.ts';
import { expandWords, filledArguments, leadingWords, parseExpansion, readAlias } from '../../wire/alias.ts';
import { keyOf, shortFlags } from '../completion/position.ts';
import { configDirectory } from '../config-directory.ts';
import { allSharedFlags } from '../help/help.ts';
import { isBuiltIn } from '../help/usage-hints.ts';

/** A command line for the commands of the program, or another program that runs in its place. */
export type Resolved =
  | { readonly argv: readonly string[] }
  | { readonly program: string; readonly args: readonly string[] };

type ResolveHost = Pick<Host, 'cwd' | 'env' | 'home' | 'platform'>;

/** How many aliases one command line may expand. */
const maxAliases = 10;

/**
 * Expands aliases and finds plugins. The commands of the program itself have priority, then aliases, then plugins:
 * the first word is looked up only if no command has this name.
 *
 * @returns the same command line if its first word is neither an alias nor a plugin.
 * @throws LanyardError usage: an invalid alias, a loop, missing arguments, flags before a program; failure: the
 * configuration cannot be read.
 */
export async function resolveCommand(argv: readonly string[], host: ResolveHost): Promise<Resolved> {
  let words = argv;
  const expanded: string[] = [];
  for (;;) {
    const index = operandIndex(words);
    const name = words[index];
    if (name === undefined || isBuiltIn(name)) return { argv: words };
    const stored = (await readAliases(host))[name];
    if (stored === undefined) return pluginFor(words, index, host) ?? { argv: words };
    if (expanded.includes(name) || expanded.length >= maxAliases)
      throw usage(`alias loop: ${[...expanded, name].join(' -> ')}`, {
        hint: `Run \`lanyard alias set ${name} EXPANSION --force\` to change it.`,
      });
    expanded.push(name);
    const { isShell, expansion } = readAlias(stored);
    const args = words.slice(index + 1);
    if (isShell) {
      if (index > 0) throw flagsBefore(`the shell alias "${name}"`);
      return { program: 'sh', args: ['-c', expansion, name, ...args] };
    }
    const before = words.slice(0, index);
    words = [...before, ...expand(name, expansion, args, before.some(isHelpFlag))];
  }
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h';
const flagPattern = /^(?:-[A-Za-z]|--[a-z][a-z-]*(?:=.*)?)$/s;

/**
 * The words of an alias with its arguments, or those that show the help of its command. A flag never replaces a
 * placeholder: `--help` or `--dry-run` would become a part of a name, and the command would run.
 *
 * @throws LanyardError usage: the expansion is invalid, arguments are missing, or a flag is in the place of one.
 */
function expand(
  name: string,
  expansion: string,
  args: readonly string[],
  showsHelp: boolean,
): readonly string[] {
  const words = parseExpansion(expansion);
  if (typeof words === 'string') throw usage(`invalid alias "${name}": ${words}`);
  const flags = filledArguments(words, args).filter((arg) => flagPattern.test(arg));
  if (showsHelp || flags.some(isHelpFlag)) return [...leadingWords(words), '--help'];
  const [flag] = flags;
  if (flag !== undefined)
    throw usage(`cannot use the flag ${flag} as argument ${args.indexOf(flag) + 1} of the alias "${name}"`, {
      details: [`${name}: ${expansion}`],
      hint: 'Write flags before the alias or after its arguments.',
    });
  const expanded = expandWords(words, args);
  if (typeof expanded !== 'number') return expanded;
  throw usage(`missing argument ${expanded} of the alias "${name}"`, {
    details: [`${name}: ${expansion}`],
  });
}

/** The aliases of the configuration, without a prototype. */
export async function readAliases(host: ResolveHost): Promise<Readonly<Record<string, string>>> {
  const { profiles } = await import('../../config/profiles.ts');
  const { aliases } = await profiles(configDirectory(host)).read();
  return aliases ?? Object.create(null);
}

/** The index of the first word that is neither a flag nor the value of one; -1: none. */
export function operandIndex(argv: readonly string[]): number {
  let isValue = false;
  return argv.findIndex((word) => {
    if (isValue) {
      isValue = false;
      return false;
    }
    if (!/^-./.test(word)) return true;
    if (word.startsWith('--')) {
      const key = word.includes('=') ? undefined : keyOf(allSharedFlags, word);
      isValue = key !== undefined && allSharedFlags[key]?.value !== undefined;
    } else isValue = shortFlags(allSharedFlags, word.slice(1)).pending !== undefined;
    return false;
  });
}

/** @throws LanyardError usage: flags precede its name, or the system cannot start it without a shell. */
function pluginFor(words: readonly string[], index: number, host: ResolveHost): Resolved | undefined {
  const found = findPlugin(words.slice(index), host);
  if (found === undefined) return undefined;
  const { plugin, args } = found;
  if (index > 0) throw flagsBefore(`the plugin "${plugin.name}"`);
  requireProgram(plugin, host);
  return { program: plugin.path, args };
}

function requireProgram({ path }: Plugin, { platform }: Pick<Host, 'platform'>): void {
  if (platform !== 'win32' || /\.(exe|com)$/i.test(path)) return;
  throw usage(`cannot run ${path}: scripts cannot be plugins on Windows`, {
    hint: 'Provide the plugin as an .exe file.',
  });
}

const flagsBefore = (what: string) =>
  usage(`flags cannot precede ${what}`, { hint: 'Write its name first, then the flags.' });

/**
 * Runs a program with the standard streams of this process, and forwards signals. `LANYARD` in its environment is the
 * path of this program.
 *
 * @returns its exit code, or 128 + n when signal n ended it.
 * @throws LanyardError usage when it cannot start.
 */
export async function runProgram(program: string, args: readonly string[], host: Host): Promise<number> {
  const self = installedPath(host.selfCommand.at(-1) ?? '', 'lanyard', host.env);
  return runChild({ command: program, args, env: { LANYARD: self } }, host);
}
