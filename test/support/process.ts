import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Home, Ran } from './run.ts';

const flags = ['--disable-warning=ExperimentalWarning'];
const program = join(import.meta.dirname, 'cli.js');

/** The command that runs the built program. */
export const self = [process.execPath, ...flags, program];

/** The same as one line for a POSIX shell. */
export const lanyard = self.map((word) => `'${word}'`).join(' ');

/** How a process ended. */
export interface Ended extends Ran {
  /** The signal that ended it, if one did. */
  readonly signal: NodeJS.Signals | null;
}

/** A running process and what it has written. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has written to stdout so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until it has written something to stdout that matches. */
  until(pattern: RegExp): Promise<string>;
}

/** Starts Lanyard as a process of its own, at home; it is killed with the test, should it still run. */
export function start(
  at: Home,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  return watch(spawn(process.execPath, [...flags, program, ...argv], options(at, env)));
}

/** Runs Lanyard as a process of its own, to its end. */
export function lanyardProcess(
  at: Home,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return start(at, argv, env).ended;
}

/** Runs a command line by `sh` (or another shell), to its end. */
export function shell(
  at: Home,
  line: string,
  env: Readonly<Record<string, string>> = {},
  program = 'sh',
): Promise<Ended> {
  return watch(spawn(program, ['-c', line], options(at, env))).ended;
}

const options = (at: Home, env: Readonly<Record<string, string>>): SpawnOptions => ({
  cwd: at.path,
  env: { ...at.env, HOME: at.path, ...env },
  stdio: ['ignore', 'pipe', 'pipe'],
});

function watch(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => done({ code: code ?? -1, signal, stdout, stderr }));
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return {
    child,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    until: (pattern) =>
      new Promise((done, failed) => {
        const look = (): void => {
          if (pattern.test(stdout)) done(stdout);
        };
        child.stdout?.on('data', look);
        child.once('close', () =>
          failed(new Error(`it ended without ${pattern}; it said:\n${stdout}\n${stderr}`)),
        );
        look();
      }),
  };
}
