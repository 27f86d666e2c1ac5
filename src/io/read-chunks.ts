import { close, constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { LanyardError, usage } from '../errors.ts';

/** Opens a file for reading, and does not wait for the writer of a pipe. Windows has no such flag. */
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file or pipe, such as `<(COMMAND)` of a shell. No thread waits for a pipe, because a thread that waits would
 * keep the process from ending.
 *
 * @param end the last byte that is read.
 * @param signal ends the wait for a pipe.
 * @throws the error of the system; LanyardError usage: a terminal; interrupted: by the signal.
 */
export async function* readChunks(
  path: string,
  { end, signal }: { readonly end?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer> {
  const fd = openSync(path, readFlags);
  if (isatty(fd)) {
    close(fd);
    throw usage(`cannot read ${path}: is a terminal`);
  }
  if (!fstatSync(fd).isFIFO()) {
    yield* createReadStream(path, { fd, ...(end !== undefined && { end }) });
    return;
  }
  try {
    yield* new Socket({ fd, writable: false, ...(signal && { signal }) });
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new LanyardError('interrupted', 'interrupted', { cause: error });
  }
}
