import type { CommandEntry } from '../../command/command.ts';
import { tree } from '../../commands/tree.ts';

/** Where the commands or flags of the group or command that the words begin with are listed. */
export function helpHint(operands: readonly string[]): string {
  let path = '';
  for (const word of operands) {
    const next = path === '' ? word : `${path} ${word}`;
    if (!findEntry(next) && !isGroup(next)) break;
    path = next;
  }
  if (path === '') return 'Run `lanyard --help` for the list of commands.';
  return `Run \`lanyard ${path} --help\` for its ${findEntry(path) ? 'arguments and flags' : 'commands'}.`;
}

/** An error of commander in the words of other errors. */
export const usageMessage = (text: string): string =>
  text
    .replace(/^unknown option '(.*?)'/s, 'unknown flag "$1"')
    .replace(/^unknown command '(.*?)'/s, 'unknown command "$1"')
    .replace(/^missing required argument '(.*)'$/, 'missing argument $1')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing$/, '$1 requires a value')
    .replace(
      /^too many arguments for '(.*?)'\. Expected (\d+) arguments? but got (\d+)\.$/,
      'too many arguments for "$1": expected $2, got $3',
    )
    .replace(
      /^too many arguments\. Expected (\d+) arguments? but got (\d+)\.$/,
      'too many arguments: expected $1, got $2',
    );

/** A hint for a flag as the tools of the products have it: `-format=json`. */
export function flagHint(text: string, argv: readonly string[]): string | undefined {
  if (/'--?f(ormat)?'$/.test(text) && argv.some((word) => /^--?format\b/.test(word)))
    return 'Use --output (-o) to select the output format, such as -o json.';
  if (/'--?j(son)?'$/.test(text) && argv.some((word) => /^--?json$/.test(word))) return 'Use -o json.';
  if (
    /'-[A-Za-z]'$/.test(text) &&
    argv.some((word, index) => word === 'connect' && argv[index - 1] === 'ssh')
  )
    return 'Options of ssh go after the destination and "--": `lanyard ssh connect web1 -- -L 8080:localhost:80`.';
  if (/'--?wrap-ttl'$/.test(text))
    return 'Use --wrap-ttl with `lanyard secrets read PATH`, `secrets write` or `secrets token create`.';
  const isLong = /'-[a-z]'$/.test(text) && argv.some((word) => /^-[a-z][a-z-]+(=|$)/.test(word));
  return isLong ? 'Write long flags with two dashes: --field.' : undefined;
}

/** A hint for an argument that a command does not have. */
export function argumentHint(code: string, [area, verb, third]: readonly string[]): string | undefined {
  if (code !== 'commander.excessArguments') return undefined;
  if (area === 'var' && verb === 'list')
    return `Run \`lanyard var list --prefix ${third}\` for the paths that begin with it.`;
  return area === 'dev' && verb === 'stop'
    ? 'Stop it with Ctrl+C or SIGTERM. `lanyard dev run -- COMMAND` stops with the command.'
    : undefined;
}

export const isGroup = (path: string): boolean =>
  path === '' || tree.some((entry) => entry.path.startsWith(`${path} `));

/** Whether a word is the first of a command of the program itself. */
export const isBuiltIn = (word: string): boolean =>
  word === 'help' || word === 'version' || findEntry(word) !== undefined || isGroup(word);

export const findEntry = (path: string): CommandEntry | undefined =>
  tree.find((entry) => entry.path === path);

/** What is found for the most of the first words, joined by spaces; undefined: for none. */
export function longestPrefix<Found>(
  words: readonly string[],
  find: (prefix: string) => Found | undefined,
): Found | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const found = find(words.slice(0, length).join(' '));
    if (found !== undefined) return found;
  }
  return undefined;
}
