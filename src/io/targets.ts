import { closeSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LanyardError, reason, usage } from '../errors.ts';

/** What a file must be for another to take its place; an empty one always may go. */
export interface Former {
  /** Says so by how the file begins. */
  readonly is: (head: string) => boolean;
  /** What is said of any other: "is no certificate". */
  readonly otherwise: string;
}

/** Where a file is wanted. */
export interface Target {
  readonly path: string;
  /** May a file that is present already be replaced? False: `--force` would do it. Undefined: nothing does. */
  readonly replace?: boolean | Former;
}

/**
 * Checks, before anything is sent for them, that files can be kept where they are wanted.
 *
 * @throws LanyardError usage: a file is there and may not be replaced; a link or something that is no regular
 * file is there; the folder is missing.
 */
export function checkTargets(targets: readonly Target[]): void {
  for (const { path, replace } of targets) {
    const folder = statSync(dirname(path), { throwIfNoEntry: false });
    if (!folder?.isDirectory()) throw usage(`cannot write ${path}: no such directory ${dirname(path)}`);
    const there = lstat(path);
    if (there === undefined) continue;
    if (there.isSymbolicLink()) {
      throw usage(`cannot write ${path}: it is a symbolic link`);
    }
    if (!there.isFile()) throw usage(`cannot write ${path}: it is not a regular file`);
    if (replace === true) continue;
    if (typeof replace === 'object') {
      refuseOther(path, replace);
      continue;
    }
    throw usage(`cannot write ${path}: already exists`, {
      hint: replace === false ? 'Use --force to replace it.' : 'Remove it or choose another file.',
    });
  }
}

/** Bytes of a file that tell what it is. */
const headLength = 4096;

function refuseOther(path: string, { is, otherwise }: Former): void {
  const head = attempt(path, () => headOf(path));
  if (head === '' || is(head)) return;
  throw usage(`cannot write ${path}: already exists and ${otherwise}`, {
    hint: 'Remove it or choose another file.',
  });
}

function headOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headLength);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** What stands at a path, itself and not what it leads to. */
export function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Does what a file needs. @throws LanyardError failure: it cannot be done, with the reason in the system's words. */
export function attempt<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    throw new LanyardError('failure', `cannot write ${path}: ${reason(error)}`, { cause: error });
  }
}
