import { flag, type Values } from '../../../command/command.ts';
import type { WatchSettings } from '../../../command/supervised-run.ts';
import { usage } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';

/** The signals that a command can be sent, without `SIG`. */
const signalNames = ['HUP', 'INT', 'QUIT', 'TERM', 'USR1', 'USR2', 'WINCH', 'CONT', 'ALRM'] as const;
const killSignalNames = [...signalNames, 'KILL'] as const;

type SignalName = (typeof killSignalNames)[number];
type Action = WatchSettings['action'] | 'none';

export const watchFlags = {
  // Completion breaks words at a colon.
  watch: flag.parsed(
    'MODE',
    'on changed values: restart, signal:SIG, exit or none (default none)',
    parseAction,
    { completes: ['restart', 'exit', 'none'] },
  ),
  files: flag.boolean('write values to files in memory, in the directory $LANYARD_FILES (Linux)'),
  debounce: flag.parsed(
    'MIN[:MAX]',
    'wait until values are unchanged for MIN, at most MAX (default 2s:10s)',
    parseDebounce,
  ),
  splay: flag.duration('random delay of up to this before an action (default 0s)'),
  interval: flag.duration('time between reads of a key-value secret (default 5s)'),
  killSignal: flag.parsed(
    'SIGNAL',
    'signal that stops the command (default TERM)',
    (given, name) => parseSignal(given, name, killSignalNames),
    { completes: killSignalNames },
  ),
  killTimeout: flag.duration('time between that signal and KILL (default 30s)'),
} as const;

type Flags = Values<typeof watchFlags>;

/**
 * The settings of the watch; undefined: `--watch` is absent or `none`.
 *
 * @throws LanyardError usage: a flag that has no effect without another one.
 */
export function watchSettings(flags: Flags): (Omit<WatchSettings, 'follow'> & PollSettings) | undefined {
  const { watch: action = 'none', debounce = { minMs: 2000, maxMs: 10_000 } } = flags;
  const isStopping = action === 'restart' || action === 'exit';
  if (!isStopping && (flags.killSignal !== undefined || flags.killTimeout !== undefined))
    throw usage('--kill-signal and --kill-timeout require --watch restart or --watch exit');
  if (action !== 'none') {
    return {
      action,
      debounce,
      splayMs: toMs(flags.splay ?? '0s'),
      intervalMs: flags.interval === undefined ? undefined : toMs(flags.interval),
      killSignal: flags.killSignal ?? 'SIGTERM',
      killTimeoutMs: toMs(flags.killTimeout ?? '30s'),
    };
  }
  if (flags.debounce !== undefined || flags.splay !== undefined || flags.interval !== undefined)
    throw usage('--debounce, --splay and --interval require --watch restart, signal:SIG or exit');
  return undefined;
}

interface PollSettings {
  /** Milliseconds between reads of a key-value secret; undefined: the default. */
  readonly intervalMs: number | undefined;
}

const toMs = (duration: string): number => (parseDuration(duration) ?? 0) * 1000;

function parseAction(given: string, name: string): Action {
  if (given === 'restart' || given === 'exit' || given === 'none') return given;
  const [, signal] = /^signal:(.+)$/.exec(given) ?? [];
  if (signal === undefined)
    throw usage(`invalid ${name} "${given}": expected restart, signal:SIG, exit or none`);
  return { signal: parseSignal(signal, name, signalNames) };
}

/** A signal by its name, with or without SIG. @throws LanyardError usage: it is not one of `known`. */
export function parseSignal(
  given: string,
  name: string,
  known: readonly SignalName[] = signalNames,
): `SIG${SignalName}` {
  const wanted = given.toUpperCase().replace(/^SIG/, '');
  const found = known.find((signal) => signal === wanted);
  if (found === undefined)
    throw usage(`invalid ${name} "${given}": expected one of the signals ${known.join(', ')}`);
  return `SIG${found}`;
}

/** `MIN[:MAX]`, durations. Without MAX, it is five times MIN. @throws LanyardError usage */
export function parseDebounce(given: string, name: string): WatchSettings['debounce'] {
  const [min = '', max, ...more] = given.split(':');
  const minSeconds = parseDuration(min.trim());
  const maxSeconds = max === undefined ? (minSeconds ?? 0) * 5 : parseDuration(max.trim());
  const isValid = more.length === 0 && min.trim() !== '' && max?.trim() !== '' && (minSeconds ?? -1) >= 0;
  if (!isValid || minSeconds === undefined || maxSeconds === undefined || maxSeconds < minSeconds)
    throw usage(`invalid ${name} "${given}": expected MIN or MIN:MAX such as 2s:10s, MIN at most MAX`);
  return { minMs: minSeconds * 1000, maxMs: maxSeconds * 1000 };
}
