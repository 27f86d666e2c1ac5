import { execFile } from 'node:child_process';
import { LanyardError, osFailure } from '../errors.ts';
import type { Program } from './child.ts';

/** What a program printed. */
export interface ProgramOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** After this time a program is stopped. */
const timeoutMs = 30_000;

/**
 * Runs a program without standard input, and returns what it printed.
 *
 * @returns undefined: it is not installed.
 * @throws LanyardError interrupted: by a signal; failure: it cannot be started, or did not end in time.
 */
export function readOutput(
  { command, args }: Pick<Program, 'command' | 'args'>,
  {
    cwd,
    env,
    signal,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<ProgramOutput | undefined> {
  return new Promise((done, failed) => {
    const options = { cwd, env: { ...env, LC_ALL: 'C' }, signal, timeout: timeoutMs };
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') done({ code, stdout, stderr });
      else if (code === 'ENOENT') done(undefined);
      else if (signal.aborted) failed(new LanyardError('interrupted', 'interrupted'));
      else if (error?.killed)
        failed(new LanyardError('failure', `cannot run ${command}: no result after ${timeoutMs / 1000} s`));
      else failed(osFailure(`run ${command}`, error));
    });
    child.stdin?.end();
  });
}
