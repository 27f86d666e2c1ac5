import { type AnyCommand, type CommandEntry, toKebabCase } from '../../command/command.ts';
import { shellWord } from '../../wire/printable.ts';
import type { Invocation } from '../parse/program.ts';
import { findEntry, longestPrefix } from './usage-hints.ts';

/** The flags of a command that its hints repeat, if the command of the hint has them too. */
const repeatedFlags = ['mount', 'dc'] as const;

/**
 * Adds to the commands in a hint what the command line says about where they apply: the profile, the address and namespace
 * for the same service, the datacenter, and the mount for the same area.
 *
 * @param hint commands are between backticks.
 */
export async function repeatFlags(hint: string, invocation: Invocation): Promise<string> {
  const parts = hint.split(/(`lanyard [^`]*`)/);
  const repeated = await Promise.all(
    parts.map((part) => (part.startsWith('`lanyard ') ? withFlags(part.slice(1, -1), invocation) : part)),
  );
  return repeated.map((part, index) => (index % 2 === 1 ? `\`${part}\`` : part)).join('');
}

async function withFlags(line: string, { entry, command, flags, globals }: Invocation): Promise<string> {
  const [, options = '', words = ''] = /^lanyard ((?:-p (?:'[^']*'|\S+) )?)(.*)$/.exec(line) ?? [];
  const target = longestPrefix(words.split(' '), findEntry);
  if (target === undefined) return line;
  const { default: other } = await target.load();
  const profile =
    !/ -p /.test(line) && globals.profile !== undefined && usesProfile(target, other)
      ? `-p ${shellWord(globals.profile)} `
      : options;
  const isSameService = command.service !== undefined && command.service === other.service;
  const given: Readonly<Record<string, unknown>> = {
    ...(isSameService ? { address: globals.address, namespace: globals.namespace } : {}),
    ...Object.fromEntries(
      repeatedFlags
        .filter((name) => Object.hasOwn(other.flags, name))
        .filter((name) => name !== 'mount' || areaOf(entry) === areaOf(target))
        .filter((name) => flags[name] !== command.flags[name]?.parse([], `--${name}`))
        .map((name) => [name, flags[name]]),
    ),
  };
  const added = Object.entries(given).flatMap(([name, value]) =>
    typeof value !== 'string' || isGiven(words, name) ? [] : [`--${toKebabCase(name)} ${shellWord(value)}`],
  );
  const [own = '', ...rest] = words.split(' -- ');
  return [`lanyard ${profile}${[own, ...added].join(' ')}`, ...rest].join(' -- ');
}

const areaOf = ({ path }: CommandEntry): string | undefined => path.split(' ')[0];

/** The commands that read settings of services. */
const usesProfile = ({ path }: CommandEntry, { service, namespaceOf }: AnyCommand): boolean =>
  service !== undefined || namespaceOf !== undefined || path === 'status';

const isGiven = (words: string, name: string): boolean =>
  new RegExp(`(^| )(--${toKebabCase(name)}${name === 'namespace' ? '|-n' : ''})( |=|$)`).test(words);
