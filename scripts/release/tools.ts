import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/**
 * Runs a program and returns its standard output.
 *
 * @throws Error: it failed; with its standard error
 */
export function run(command: string, args: readonly string[], options: RunOptions = {}): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed with exit code ${status}:\n${stderr}${stdout}`);
  }
  return stdout;
}

/** Whether a program is on the PATH, or in a folder of system programs. */
export function has(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The programs of a list that are missing. */
export const missing = (programs: readonly string[]): readonly string[] =>
  programs.filter((program) => !has(program));

/** Writes a line of progress. */
export const say = (line: string): boolean => process.stdout.write(`${line}\n`);
