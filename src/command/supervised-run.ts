import type { Messages } from '../io/io.ts';

/** The values of one source. */
export interface SourceValues {
  /** For messages. */
  readonly name: string;
  readonly items: Readonly<Record<string, string>>;
  /** What `publish` writes, and no variable. */
  readonly isFile?: boolean;
}

/** A command that runs with the values of sources. */
export interface SupervisedRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Reads all sources once, in a fixed order. */
  readonly read: (signal: AbortSignal) => Promise<readonly SourceValues[]>;
  /**
   * The environment variables for the values.
   *
   * @throws LanyardError usage: a name or value that an environment cannot have.
   */
  readonly toVariables: (values: readonly SourceValues[]) => Readonly<Record<string, string>>;
  /** Puts files of the values in place, before the command starts and when they change. */
  readonly publish: (values: readonly SourceValues[]) => Promise<void>;
  /** Sets the variables as files in memory, not in the environment. */
  readonly withFiles: boolean;
  /** Undefined: the sources are read once. */
  readonly watch: WatchSettings | undefined;
  readonly output: Pick<Messages, 'note' | 'warn' | 'detail' | 'mask'>;
}

export interface WatchSettings {
  /** What to do when values have changed; a signal is sent to the command. */
  readonly action: 'restart' | 'exit' | { readonly signal: NodeJS.Signals };
  /**
   * Follows all sources until the signal is aborted.
   *
   * @param report called with the number of a source in the order of `read`, from 0, and its items; undefined: it does
   * not exist, or cannot be read.
   */
  readonly follow: (
    report: (source: number, items: SourceValues['items'] | undefined) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** How long values must be unchanged before they are used, and how long to wait for that, in milliseconds. */
  readonly debounce: { readonly minMs: number; readonly maxMs: number };
  /** The maximum of a random delay, in milliseconds. */
  readonly splayMs: number;
  readonly killSignal: NodeJS.Signals;
  /** Milliseconds between the kill signal and SIGKILL. */
  readonly killTimeoutMs: number;
}
