import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { LanyardError } from '../errors.ts';

export interface Child {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the working directory. */
  readonly cwd?: string;
  /** Called with the process ID when it has started. */
  readonly onStart?: (pid: number) => void;
  /** Redirects its standard output. */
  readonly stdout?: 'stderr';
  /** Windows: passes the arguments unquoted, because the system has one text for all of them. */
  readonly verbatim?: boolean;
  /** Stops it when the signal is aborted: with SIGTERM, and with SIGKILL after a grace period in milliseconds. */
  readonly stop?: { readonly signal: AbortSignal; readonly graceMs: number };
}

interface Parent {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Runs a child that shares the terminal, until it exits. The terminal sends ^C to the child itself; other signals are
 * forwarded.
 *
 * @returns its exit code, or 128 + n when signal n ended it.
 * @throws LanyardError usage (not 126 or 127 as in shells: nothing ran) when it cannot start.
 */
export function runChild(child: Child, parent: Parent): Promise<number> {
  return new Promise((done, failed) => {
    const process = spawn(child.command, [...child.args], {
      cwd: child.cwd ?? parent.cwd,
      env: { ...parent.env, ...child.env },
      stdio: ['inherit', child.stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
      windowsVerbatimArguments: child.verbatim ?? false,
    });
    if (process.pid !== undefined) child.onStart?.(process.pid);
    const forwardSignal = (): void => {
      const { reason } = parent.signal;
      process.kill(reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'SIGINT');
    };
    if (parent.signal.aborted) forwardSignal();
    parent.signal.addEventListener('abort', forwardSignal, { once: true });
    let killing: NodeJS.Timeout | undefined;
    const stop = (): void => {
      process.kill('SIGTERM');
      killing = setTimeout(() => process.kill('SIGKILL'), child.stop?.graceMs);
    };
    if (child.stop?.signal.aborted) stop();
    child.stop?.signal.addEventListener('abort', stop, { once: true });
    const removeListeners = (): void => {
      clearTimeout(killing);
      parent.signal.removeEventListener('abort', forwardSignal);
      child.stop?.signal.removeEventListener('abort', stop);
    };
    process.once('error', (error: NodeJS.ErrnoException) => {
      removeListeners();
      const cause = error.code === 'ENOENT' ? 'command not found' : (error.code ?? error.message);
      failed(new LanyardError('usage', `cannot run ${child.command}: ${cause}`));
    });
    process.once('close', (code, signal) => {
      removeListeners();
      done(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}
