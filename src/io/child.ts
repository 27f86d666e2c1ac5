import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { LanyardError } from '../errors.ts';
import { hasTerminal, isForegroundOfTerminal } from './foreground.ts';
import type { FindMembers } from './process-group.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the working directory. */
  readonly cwd?: string;
  /** Redirects its standard output. */
  readonly stdout?: 'stderr';
  /** Windows: passes the arguments unquoted, because the system has one text for all of them. */
  readonly verbatim?: boolean;
}

export interface Child extends Program {
  /** Called with the process ID when it has started. */
  readonly onStart?: (pid: number) => void;
  /** A signal that ends a command also interrupts this one, as soon as the child has ended. */
  readonly interrupts?: boolean;
}

/** Passes each signal of the process to a listener. @returns removes the listener. */
export type OnSignal = (
  listener: (signal: NodeJS.Signals) => void,
  options?: { readonly interrupts?: boolean },
) => () => void;

interface Parent {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onSignal: OnSignal;
}

/**
 * Runs a child that shares the terminal, until it exits. Each signal is forwarded each time it comes.
 *
 * @returns its exit code, or 128 + n when signal n ended it.
 * @throws LanyardError usage (not 126 or 127 as in shells: nothing ran) when it cannot start; interrupted: by a signal
 * before that.
 */
export async function runChild(program: Child, parent: Parent): Promise<number> {
  rejectInterrupted(parent);
  const { interrupts = false } = program;
  // Before the start: a signal in between would stop this process alone.
  const removeListener = parent.onSignal((name) => void child?.forward(name), { interrupts });
  let child: StartedChild | undefined;
  try {
    child = startChild(program, parent);
    if (child.pid !== undefined) program.onStart?.(child.pid);
    await child.started;
    return await child.ended;
  } finally {
    removeListener();
  }
}

/** @throws LanyardError interrupted: by a signal. */
export function rejectInterrupted({ signal }: Pick<Parent, 'signal'>): void {
  if (signal.aborted) throw new LanyardError('interrupted', 'interrupted');
}

const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

function startError({ command }: Program, error: NodeJS.ErrnoException): LanyardError {
  const cause = error.code === 'ENOENT' ? 'command not found' : (error.code ?? error.message);
  return new LanyardError('usage', `cannot run ${command}: ${cause}`);
}

/** A child that runs, or has ended. */
export interface StartedChild {
  /** Undefined: it could not start. */
  readonly pid: number | undefined;
  /** @throws LanyardError usage when it cannot start. */
  readonly started: Promise<void>;
  /** Its exit code, or 128 + n when signal n ended it; never rejects. */
  readonly ended: Promise<number>;
  isRunning(): boolean;
  /** Sends a signal to the child. @returns false: it has ended. */
  kill(signal: NodeJS.Signals): boolean;
  /**
   * Forwards a signal that this process has received: to the child; one that ends commands also to the group that the
   * child leads; any to what is left of its group. The terminal sends its signals to the child itself. SIGTSTP stops the
   * child with its group, and then this process; SIGCONT continues them.
   *
   * @returns whether it was sent, and is worth a message.
   */
  forward(signal: NodeJS.Signals): boolean;
  /** Sends a signal to the child and to its group. */
  killGroup(signal: NodeJS.Signals): Promise<void>;
  /** Whether the child, or another process of its group, runs. */
  isGroupRunning(): Promise<boolean>;
}

/**
 * The group of a child. `own`: the child leads a process group and a session of its own (not on Windows); ^C on a
 * terminal does not reach it. A function: it shares the group of this process, which finds the members. Undefined: it
 * is alone.
 */
export type ChildGroup = 'own' | FindMembers | undefined;

/** The signals that end a command. */
export const endingSignals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGQUIT'];
/** The signals that a terminal sends to each process in the foreground. */
const terminalSignals: readonly string[] = ['SIGINT', 'SIGQUIT', 'SIGWINCH'];

/**
 * Starts a child with the standard streams of this process. If this process exits before the child, the child (and the
 * group that it leads) gets SIGTERM.
 */
export function startChild(
  program: Program,
  { cwd, env, group }: Pick<Parent, 'cwd' | 'env'> & { readonly group?: ChildGroup },
): StartedChild {
  const leadsGroup = group === 'own' && process.platform !== 'win32';
  /** A child that stops itself, like ssh with `~^Z`: the shell waits for this process, not for the child. */
  const onChange = async (): Promise<void> => {
    const { pid } = child;
    if (!isRunning(child) || pid === undefined || !isForegroundOfTerminal()) return;
    if (await (await import('./process-group.ts')).areStopped([pid])) await stop();
  };
  // Before it starts: it may stop at once.
  if (hasTerminal()) process.on('SIGCHLD', onChange);
  const child = spawn(program.command, [...program.args], {
    cwd: program.cwd ?? cwd,
    env: { ...env, ...program.env },
    stdio: ['inherit', program.stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
    windowsVerbatimArguments: program.verbatim ?? false,
    detached: leadsGroup,
  });
  const { pid } = child;
  const ended = new Promise<number>((done) => {
    child.once('close', (code, signal) => done(exitCodeOf(code, signal)));
  });
  const started = new Promise<void>((done, failed) => {
    child.once('spawn', done);
    // Afterwards: a signal that could not be sent.
    child.on('error', (error) => failed(startError(program, error)));
  });
  const kill = (signal: NodeJS.Signals): boolean => isRunning(child) && child.kill(signal);
  const killLed = (signal: NodeJS.Signals): boolean =>
    leadsGroup && pid !== undefined ? sendSignal(-pid, signal) : kill(signal);
  const members = async (): Promise<readonly number[]> =>
    typeof group === 'function' && pid !== undefined ? group(pid) : [];
  const killGroup = async (signal: NodeJS.Signals): Promise<void> => {
    killLed(signal);
    for (const member of await members()) if (member !== pid) sendSignal(member, signal);
  };
  const endLed = (): void => void killLed('SIGTERM');
  process.once('exit', endLed);
  const { stop, end: continued } = stopper(async () => {
    if (pid === undefined) return [];
    if (leadsGroup) return (await import('./process-group.ts')).groupMembers(pid);
    if (group !== undefined) return members();
    return isRunning(child) ? [pid] : [];
  });
  void ended.then(() => {
    process.removeListener('exit', endLed);
    process.removeListener('SIGCHLD', onChange);
  });
  return {
    pid,
    started,
    ended,
    isRunning: () => isRunning(child),
    kill,
    forward(signal) {
      if (signal === 'SIGTSTP') {
        // SIGTSTP has no effect on a group without a shell, and a group that the child leads has none.
        if (leadsGroup) killLed('SIGSTOP');
        else if (!isForegroundOfTerminal()) void killGroup('SIGTSTP');
        void stop();
        return false;
      }
      if (signal === 'SIGCONT') {
        continued();
        void killGroup('SIGCONT');
        return false;
      }
      if (!leadsGroup && terminalSignals.includes(signal) && isForegroundOfTerminal()) return false;
      if (isRunning(child)) return endingSignals.includes(signal) ? killLed(signal) : kill(signal);
      void killGroup(signal);
      return group !== undefined;
    },
    killGroup,
    isGroupRunning: async () => {
      if (isRunning(child)) return true;
      if (leadsGroup && pid !== undefined) return (await import('./process-group.ts')).isGroupRunning(pid);
      return (await members()).length > 0;
    },
  };
}

/**
 * Stops this process together with a child, after SIGTSTP.
 *
 * @param members the processes that must have stopped; none: they have ended.
 */
export function stopper(members: () => Promise<readonly number[]>) {
  let running: AbortController | undefined;
  return {
    async stop(): Promise<void> {
      if (running) return;
      const own = new AbortController();
      running = own;
      await (await import('./suspend.ts')).stopWithChild({ members, end: own.signal });
      if (running === own) running = undefined;
    },
    /** SIGCONT has arrived. */
    end(): void {
      running?.abort();
      running = undefined;
    },
  };
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
