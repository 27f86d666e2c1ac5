import { fstatSync, type Stats, writeSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { errorCode, osFailure } from '../errors.ts';
import type { Sink } from './io.ts';
import type { showInPager } from './pager.ts';

const closedReaderCodes = new Set(['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED']);

/**
 * Writes a result to standard output, and returns when it is written.
 *
 * @returns false when the reader has closed the pipe (`| head -1`): the caller stops and exits without an error.
 * @throws LanyardError failure: it cannot be written, e.g. because the disk is full.
 */
export async function writeOut(stream: Sink, content: string | Uint8Array): Promise<boolean> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    const file = directDescriptor(stream);
    const remaining = file === undefined ? bytes : writeToDescriptor(file, bytes);
    if (remaining.length > 0) await writeToStream(stream, remaining);
    return true;
  } catch (error) {
    if (closedReaderCodes.has(errorCode(error) ?? '')) return false;
    throw osFailure('write to standard output', error);
  }
}

/**
 * Writes a text to standard output, through a pager if it has more lines than the terminal.
 *
 * @throws LanyardError failure: as `writeOut`.
 */
export async function writePaged(text: string, terminal: Parameters<typeof showInPager>[1]): Promise<void> {
  const { isTTY, rows, columns = 80 } = terminal.stdout;
  // The last row is for the shell's prompt.
  const isLonger = isTTY === true && rows !== undefined && rowsOf(text, columns) > rows;
  const isShown = isLonger && (await (await import('./pager.ts')).showInPager(text, terminal));
  if (!isShown) await writeOut(terminal.stdout, text);
}

/** The rows of a terminal that a text occupies, with the one after its last line end. */
const rowsOf = (text: string, columns: number): number =>
  stripVTControlCharacters(text)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / Math.max(columns, 1))), 0);

function writeToStream(stream: Sink, content: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // The error is also emitted as an event after the callback; without a listener it would end the process.
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
    stream.write(content, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * The descriptor of a stream that is better written to directly. For a regular file Node ignores a short write, so a
 * disk that fills up would look like success. For a pipe and `/dev/null`, which Node also writes to synchronously,
 * opening a stream takes longer than most commands.
 */
function directDescriptor(stream: Sink): number | undefined {
  if (stream.fd === undefined) return undefined;
  const isDirect = directStreams.get(stream) ?? isWrittenDirectly(stream.fd);
  directStreams.set(stream, isDirect);
  return isDirect ? stream.fd : undefined;
}

const directStreams = new WeakMap<Sink, boolean>();

function isWrittenDirectly(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() || stats.isFIFO() || isMemoryDevice(stats);
}

/** Writes bytes, and returns those that a non-blocking pipe has no room for. */
function writeToDescriptor(file: number, bytes: Uint8Array): Uint8Array {
  let remaining = bytes;
  try {
    while (remaining.length > 0) remaining = remaining.subarray(writeSync(file, remaining));
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
  }
  return remaining;
}

/** Standard output or error: the stream is opened only for what cannot be written to the descriptor directly. */
export function lazySink(fd: number, open: () => Sink): Sink {
  if (mayBeTerminal(fd)) return open();
  return {
    fd,
    isTTY: false,
    write: (chunk, done) => open().write(chunk, done),
    on: (event, listener) => open().on(event, listener),
    listenerCount: (event) => open().listenerCount(event),
  };
}

/** A closed descriptor counts as a terminal too. */
function mayBeTerminal(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && !isMemoryDevice(stats);
  } catch {
    return true;
  }
}

/** `/dev/null`, `/dev/full` and the like, as Linux numbers them. */
const isMemoryDevice = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev >> 8 === 1;

/** Cells in a line, at least `least`; 80 where the stream is not a terminal. */
export const terminalWidth = (stream: Sink, minimum = 40): number => Math.max(stream.columns ?? 80, minimum);
