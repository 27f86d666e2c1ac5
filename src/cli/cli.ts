import { constants, homedir } from 'node:os';
import { extname, join } from 'node:path';
import { interruptionCode, usage } from '../errors.ts';
import type { OnSignal } from '../io/child.ts';
import type { Sink } from '../io/io.ts';
import { lazySink } from '../io/stdout.ts';
import { main } from './main.ts';

/** The signals that interrupt a command without a child. */
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** The signals that are only forwarded. Without a listener, Node would open a debugger on SIGUSR1. */
const others = ['SIGUSR1', 'SIGUSR2'] as const;
/** The signals that have a listener only while a child runs: without one, ^Z stops the process. */
const ofChildren = ['SIGWINCH', 'SIGTSTP', 'SIGCONT'] as const;

/**
 * Runs Lanyard on the real process: its arguments, streams, environment, clock and signals.
 *
 * @param keyring the command that runs keyring-program; undefined: no keyring
 */
export async function cli(keyring = keyringCommand()): Promise<number> {
  const socket = process.env.LANYARD_ASKPASS;
  setProcessName();
  if (socket) return runAskpass(socket);
  silenceSqlite();
  const { interruption, onSignal } = receiveSignals();
  let [stdout, stderr]: [Sink?, Sink?] = [];
  const code = await main(process.argv.slice(2), {
    // Streams and crypto are slow to open and load.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= lazySink(1, () => process.stdout);
      return stdout;
    },
    get stderr() {
      stderr ??= lazySink(2, () => process.stderr);
      return stderr;
    },
    env: process.env,
    get cwd() {
      return currentDirectory();
    },
    get home() {
      return homeDirectory();
    },
    platform: process.platform,
    clock: () => new Date(),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    random: (length) => process.getBuiltinModule('node:crypto').randomBytes(length),
    signal: interruption.signal,
    onSignal,
    get selfCommand() {
      const isPackaged = process.getBuiltinModule('node:sea').isSea();
      return isPackaged ? [process.execPath] : [process.execPath, process.argv[1] as string];
    },
    keyring,
  });
  // Do not wait for pending work after an interruption.
  if (interruption.signal.aborted) process.exit(code);
  return code;
}

function receiveSignals() {
  const interruption = new AbortController();
  const listeners = new Map<Parameters<OnSignal>[0], boolean>();
  const pass = (name: NodeJS.Signals): void => {
    for (const listener of listeners.keys()) listener(name);
  };
  // Windows has not all of them.
  const known = <Name extends NodeJS.Signals>(names: readonly Name[]): readonly Name[] =>
    names.filter((name) => name in constants.signals);
  for (const name of known(others)) process.on(name, pass);
  for (const name of known(interruptions)) {
    process.on(name, () => {
      pass(name);
      const isHandled = listeners.size > 0 && ![...listeners.values()].includes(true);
      if (isHandled) return;
      // A second signal exits at once, except SIGHUP, which the system and the shell may both send.
      if (listeners.size === 0 && interruption.signal.aborted && name !== 'SIGHUP')
        process.exit(interruptionCode(interruption.signal));
      interruption.abort(name);
    });
  }
  const onSignal: OnSignal = (listener, { interrupts = false } = {}) => {
    if (listeners.size === 0) for (const name of known(ofChildren)) process.on(name, pass);
    listeners.set(listener, interrupts);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) for (const name of ofChildren) process.removeListener(name, pass);
    };
  };
  return { interruption, onSignal };
}

/** @throws LanyardError usage: the directory was removed; commands that do not need it still work. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw usage('the current directory does not exist', { hint: 'Change to an existing directory.', cause });
  }
}

/** @throws LanyardError usage: HOME is not set, and the system has no such user; help and version still work. */
function homeDirectory(): string {
  try {
    return homedir();
  } catch (cause) {
    throw usage('cannot find the home directory', { hint: 'Set HOME.', cause });
  }
}

/** For ps, top and pgrep. Unlike `process.title`, this keeps the arguments in the list of processes. */
function setProcessName(): void {
  if (process.platform !== 'linux') return;
  try {
    process.getBuiltinModule('node:fs').writeFileSync('/proc/self/comm', 'lanyard');
  } catch {
    // No /proc, or not writable: a container may restrict it.
  }
}

/** ssh runs this program for a prompt that Lanyard itself replies to. */
async function runAskpass(socket: string): Promise<number> {
  const { askpass } = await import('../ssh/askpass.ts');
  const [, , text = '', pid] = process.argv;
  const promptKind = process.env.SSH_ASKPASS_PROMPT;
  const kind = promptKind === 'confirm' || promptKind === 'none' ? promptKind : 'text';
  return askpass(socket, { text, kind, pid: Number(pid) }, (answer) => process.stdout.write(answer));
}

/** Suppresses the warning of old runtimes that SQLite is experimental. */
function silenceSqlite(): void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
}

/** The program that accesses the keyring; undefined: the module is not a file (a packaged executable). */
const keyringCommand = (): readonly [string, string] | undefined => {
  const directory: string | undefined = import.meta.dirname;
  if (directory === undefined) return undefined;
  return [process.execPath, join(directory, `../config/keyring-program${extname(import.meta.filename)}`)];
};
