import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { errorCode, osFailure, usage } from '../errors.ts';

export interface Appended {
  readonly path: string;
  readonly content: string;
}

interface OpenFile extends Appended {
  readonly descriptor: number;
  /** Bytes, before the content. */
  readonly size: number;
}

/**
 * Appends texts to existing regular files, to all of them or to none: if a write fails, the files get their former
 * length. A file whose last line is not terminated gets a newline first. Synchronous, so that a signal cannot interrupt
 * it.
 *
 * @throws LanyardError usage: a file is missing, not a regular file or not writable; failure: a write fails.
 */
export function appendFiles(files: readonly Appended[]): void {
  const opened: OpenFile[] = [];
  try {
    for (const file of files) opened.push(open(file));
    try {
      for (const file of opened) append(file);
    } catch (error) {
      for (const { descriptor, size } of opened) ftruncateSync(descriptor, size);
      throw error;
    }
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor);
  }
}

function open(file: Appended): OpenFile {
  const { path } = file;
  let descriptor: number;
  try {
    // Without waiting for the reader of a pipe.
    descriptor = openSync(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { message } = osFailure(`write ${path}`, error);
    throw ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENXIO', 'EROFS'].includes(errorCode(error) ?? '')
      ? usage(message)
      : osFailure(`write ${path}`, error);
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { ...file, descriptor, size: stats.size };
  closeSync(descriptor);
  throw usage(`cannot write ${path}: it is not a regular file`);
}

function append({ path, content, descriptor, size }: OpenFile): void {
  try {
    const bytes = Buffer.from(`${isTerminated(descriptor, size) ? '' : '\n'}${content}`);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } catch (error) {
    throw osFailure(`write ${path}`, error);
  }
}

function isTerminated(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}
