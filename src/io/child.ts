import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { LanyardError } from '../errors.ts';
import { isForegroundOfTerminal } from './foreground.ts';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface Child extends Program {
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
      if (reason === 'SIGTERM' || reason === 'SIGHUP') process.kill(reason);
      else if (!isForegroundOfTerminal()) process.kill('SIGINT');
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
    process.once('error', (error) => {
      removeListeners();
      failed(startError(child, error));
    });
    process.once('close', (code, signal) => {
      removeListeners();
      done(exitCodeOf(code, signal));
    });
  });
}

const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

function startError({ command }: Program, error: NodeJS.ErrnoException): LanyardError {
  const cause = error.code === 'ENOENT' ? 'command not found' : (error.code ?? error.message);
  return new LanyardError('usage', `cannot run ${command}: ${cause}`);
}

/** A child that runs, or has ended. */
export interface StartedChild {
  readonly pid: number;
  /** Its exit code, or 128 + n when signal n ended it; never rejects. */
  readonly ended: Promise<number>;
  isRunning(): boolean;
  /** Sends a signal to the child. @returns false: it has ended. */
  kill(signal: NodeJS.Signals): boolean;
  /** Sends a signal to the child and, if it leads a group, to the group. @returns false: none of them runs. */
  killGroup(signal: NodeJS.Signals): boolean;
  /** Whether the child, or a process of the group that it leads, still runs. */
  isGroupRunning(): Promise<boolean>;
}

/**
 * Starts a child with the standard streams of this process.
 *
 * @param ownGroup it leads a process group and a session of its own: ^C on a terminal does not reach it, and all its
 * descendants can be signaled. The group is ended if this process exits before it. Not on Windows.
 * @throws LanyardError usage when it cannot start.
 */
export async function startChild(
  program: Program,
  { cwd, env, ownGroup }: Pick<Parent, 'cwd' | 'env'> & { readonly ownGroup: boolean },
): Promise<StartedChild> {
  const leadsGroup = ownGroup && process.platform !== 'win32';
  const child = spawn(program.command, [...program.args], {
    cwd,
    env: { ...env, ...program.env },
    stdio: 'inherit',
    detached: leadsGroup,
  });
  const ended = new Promise<number>((done) => {
    child.once('close', (code, signal) => done(exitCodeOf(code, signal)));
  });
  const pid = await new Promise<number>((done, failed) => {
    child.once('spawn', () => done(child.pid as number));
    // Afterwards: a signal that could not be sent.
    child.on('error', (error) => failed(startError(program, error)));
  });
  const started: StartedChild = {
    pid,
    ended,
    isRunning: () => isRunning(child),
    kill: (signal) => isRunning(child) && child.kill(signal),
    killGroup: (signal) => (leadsGroup ? sendSignal(-pid, signal) : started.kill(signal)),
    isGroupRunning: async () =>
      isRunning(child) || (leadsGroup && (await import('./process-group.ts')).isGroupRunning(pid)),
  };
  const endGroup = (): void => void started.killGroup('SIGTERM');
  process.once('exit', endGroup);
  void ended.then(() => process.removeListener('exit', endGroup));
  return started;
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
