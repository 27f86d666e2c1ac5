import type { OnSignal } from '../io/child.ts';
import type { Streams } from '../io/io.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the process passes to `main`; tests make their own. */
export interface Host extends Streams {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
  readonly clock: () => Date;
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Aborts on SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
  readonly signal: AbortSignal;
  /**
   * Passes all signals to a listener, which forwards them to a child; `signal` is aborted only if the listener
   * `interrupts`.
   *
   * @returns removes the listener.
   */
  readonly onSignal: OnSignal;
  /** The command that starts this program, for children that call it. */
  readonly selfCommand: readonly string[];
  /** The command that runs keyring-program; undefined: tokens are stored in a file. */
  readonly keyring: readonly [string, ...string[]] | undefined;
}
