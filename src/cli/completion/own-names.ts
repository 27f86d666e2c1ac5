import { toKebabCase } from '../../command/command.ts';
import type { Host } from '../../command/host.ts';
import { profiles } from '../../config/profiles.ts';
import { findPlugin, listPlugins } from '../../io/plugins.ts';
import { expandWords, parseExpansion, readAlias } from '../../wire/alias.ts';
import { configDirectory } from '../config-directory.ts';
import { childrenOf } from '../help/help.ts';
import { findEntry, isBuiltIn, isGroup, longestPrefix } from '../help/usage-hints.ts';
import { commandFlags } from '../parse/command-flags.ts';
import { operandIndex, readAliases } from '../run/external-command.ts';
import type { Candidate } from './candidates.ts';
import { named } from './source.ts';

type NameHost = Pick<Host, 'cwd' | 'env' | 'home' | 'platform'>;

/** What the completion scripts replace with the names of files after an alias or plugin. */
const fileCandidates: readonly Candidate[] = [{ value: ':file' }];

/** A command line with its alias expanded, or what the user may type next. */
type Line =
  | { readonly words: readonly string[]; readonly current: string }
  | { readonly candidates: readonly Candidate[] };

/**
 * Expands the alias of a command line, for the completion of the word at the cursor. Where the completion script cannot
 * know the candidates (own first words, and commands and flags after an alias), they are listed.
 *
 * @param words those after the program, before the cursor, without quotes.
 */
export async function expandLine(words: readonly string[], current: string, host: NameHost): Promise<Line> {
  const index = operandIndex([...words, current]);
  const name = words[index];
  if (name === undefined)
    return index === words.length
      ? { candidates: startingWith(current, await ownNames(host)) }
      : { words, current };
  if (isBuiltIn(name)) return { words, current };
  const stored = (await readAliases(host))[name];
  if (stored === undefined && findPlugin([name], host) === undefined) return { candidates: [] };
  const { isShell, expansion } = readAlias(stored ?? '');
  const parsed = isShell ? '' : parseExpansion(expansion);
  if (typeof parsed === 'string') return { candidates: fileCandidates };
  const args = words.slice(index + 1);
  // The word at the cursor replaces a placeholder, or is appended.
  const place = parsed.findIndex((word) => word.includes(args.length + 1));
  if (place >= 0 && parsed[place]?.length !== 1) return { candidates: [] };
  const before = expandWords(place < 0 ? parsed : parsed.slice(0, place), args, '');
  if (typeof before === 'number') return { candidates: [] };
  return listed([...words.slice(0, index), ...before], current);
}

/** The commands or flags at the cursor, which the script does not list after an alias. */
async function listed(words: readonly string[], current: string): Promise<Line> {
  const path = words.join(' ');
  if (isGroup(path) && !findEntry(path))
    return {
      candidates: startingWith(
        current,
        childrenOf(path).map(([value, description]) => ({ value, description })),
      ),
    };
  if (!current.startsWith('-') || current.includes('=') || words.includes('--')) return { words, current };
  const entry = longestPrefix(words, findEntry);
  if (entry === undefined) return { candidates: [] };
  const { default: command } = await entry.load();
  const flags = Object.entries({ ...command.flags, ...commandFlags(command) });
  return {
    candidates: startingWith(
      current,
      flags.map(([key, { help }]) => ({ value: `--${toKebabCase(key)}`, description: help })),
    ),
  };
}

const startingWith = (start: string, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(({ value }) => value.startsWith(start));

/** The first words that are no commands of the program itself: aliases and plugins. */
async function ownNames(host: NameHost): Promise<readonly Candidate[]> {
  const plugins = listPlugins(host).filter(({ name, isExecutable }) => isExecutable && !isBuiltIn(name));
  const names = [
    ...(await aliasNames(host)),
    ...plugins.map(({ name }) => ({ value: name, description: 'plugin' })),
  ];
  return [...new Map(names.reverse().map((each) => [each.value, each])).values()].reverse();
}

/** The aliases in the configuration. @throws LanyardError failure: it cannot be read. */
export async function aliasNames(host: NameHost): Promise<readonly Candidate[]> {
  const aliases = await readAliases(host);
  return Object.keys(aliases)
    .filter((name) => !isBuiltIn(name))
    .map((value) => ({ value, description: `alias of ${readAlias(aliases[value] ?? '').expansion}` }));
}

/** The profiles in the configuration. @throws LanyardError failure: it cannot be read. */
export async function profileNames(host: NameHost): Promise<readonly Candidate[]> {
  return named(Object.keys((await profiles(configDirectory(host)).read()).profiles));
}
