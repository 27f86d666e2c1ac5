import { closeSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LanyardError, osErrorMessage, usage } from '../errors.ts';

/** What a file must be for another to take its place; an empty one always may go. */
export interface ReplaceableKind {
  /** Says so by how the file begins. */
  readonly matches: (head: string) => boolean;
  /** What is said of any other: "is no certificate". */
  readonly mismatch: string;
}

/** Where a file is wanted. */
export interface OutputFile {
  readonly path: string;
  /** May a file that is present already be replaced? False: `--force` would do it. Undefined: nothing does. */
  readonly replace?: boolean | ReplaceableKind;
}

/**
 * Checks, before anything is sent for them, that files can be kept where they are wanted.
 *
 * @throws LanyardError usage: a file is there and may not be replaced; a link or something that is no regular
 * file is there; the folder is missing.
 */
export function checkOutputFiles(targets: readonly OutputFile[]): void {
  for (const { path, replace } of targets) {
    const directory = statSync(dirname(path), { throwIfNoEntry: false });
    if (!directory?.isDirectory()) throw usage(`cannot write ${path}: no such directory ${dirname(path)}`);
    const stats = lstat(path);
    if (stats === undefined) continue;
    if (stats.isSymbolicLink()) {
      throw usage(`cannot write ${path}: it is a symbolic link`);
    }
    if (!stats.isFile()) throw usage(`cannot write ${path}: it is not a regular file`);
    if (replace === true) continue;
    if (typeof replace === 'object') {
      rejectOtherKind(path, replace);
      continue;
    }
    throw usage(`cannot write ${path}: already exists`, {
      hint: replace === false ? 'Use --force to replace it.' : 'Remove it or choose another file.',
    });
  }
}

/** Bytes of a file that tell what it is. */
const headBytes = 4096;

function rejectOtherKind(path: string, { matches: is, mismatch }: ReplaceableKind): void {
  const head = withWriteErrors(path, () => readHead(path));
  if (head === '' || is(head)) return;
  throw usage(`cannot write ${path}: already exists and ${mismatch}`, {
    hint: 'Remove it or choose another file.',
  });
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
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
export function withWriteErrors<Value>(path: string, operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    throw new LanyardError('failure', `cannot write ${path}: ${osErrorMessage(error)}`, { cause: error });
  }
}
