import { usage } from '../errors.ts';
import { flag, type Values } from './command.ts';

/** Flags of commands that can show their result again at each change. */
export const watchFlags = {
  watch: flag.boolean('show the result again at each change, until interrupted', { short: 'w' }),
  interval: flag.duration('with --watch: poll at this interval instead of waiting for changes'),
} as const;

/**
 * Whether `--watch` is given.
 *
 * @param excluded flags of the command that exclude it, by name.
 * @throws LanyardError usage: it is combined with one of them; --interval without --watch.
 */
export function isWatching(
  flags: Values<typeof watchFlags>,
  excluded: Readonly<Record<string, unknown>> = {},
): boolean {
  if (!flags.watch) {
    if (flags.interval !== undefined) throw usage('--interval requires --watch');
    return false;
  }
  for (const [name, value] of Object.entries(excluded))
    if (value !== undefined && value !== false) throw usage(`--watch cannot be combined with --${name}`);
  return true;
}
