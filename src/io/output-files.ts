import { closeSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { osFailure, usage } from '../errors.ts';

/** A kind of file that may be replaced; an empty file may always be replaced. */
export interface ReplaceableKind {
  /** Recognizes it by its first bytes. */
  readonly matches: (head: string) => boolean;
  /** The message for any other file: "is no certificate". */
  readonly mismatch: string;
}

/** An output file. */
export interface OutputFile {
  readonly path: string;
  /** Whether an existing file may be replaced. False: with `--force` only. Undefined: never. */
  readonly replace?: boolean | ReplaceableKind;
}

/**
 * Checks that output files can be written, before a request is sent.
 *
 * @throws LanyardError usage: a file exists and may not be replaced; a link or another entry that is not a regular
 * file exists; the directory is missing.
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

/** Bytes that are enough to recognize a file. */
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

/** The entry at a path; links are not followed. */
export function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Wraps an operation on a file. @throws LanyardError failure: with the error message of the system. */
export function withWriteErrors<Value>(path: string, operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    throw osFailure(`write ${path}`, error);
  }
}
