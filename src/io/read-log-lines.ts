import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LanyardError, osErrorMessage, usage } from '../errors.ts';
import { readChunks } from './read-chunks.ts';

/** A line of an audit log with the response of a long list has megabytes. */
const maxLineBytes = 32 * 1024 * 1024;

/**
 * The lines of a log, or of standard input (`-`), as a stream, in groups of those that were read together. Compression
 * with gzip is recognized. Bytes that are not UTF-8 are replaced.
 *
 * @returns undefined in place of a line of more than 32 MiB.
 * @throws LanyardError usage: not readable, or damaged compression.
 */
export async function* readLogLines(
  file: string,
  stdin: Readable,
): AsyncGenerator<readonly (string | undefined)[]> {
  let pending: Buffer[] = [];
  let size = 0;
  const endLine = (last: Buffer): string | undefined => {
    const line = size + last.length > maxLineBytes ? undefined : Buffer.concat([...pending, last]).toString();
    pending = [];
    size = 0;
    return line;
  };
  try {
    for await (const chunk of await decompressed(file === '-' ? stdin : readChunks(file))) {
      const lines: (string | undefined)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        lines.push(endLine(chunk.subarray(start, end)));
        start = end + 1;
      }
      const rest = chunk.subarray(start);
      size += rest.length;
      if (size <= maxLineBytes) pending.push(rest);
      else pending = [];
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    const name = file === '-' ? 'standard input' : file;
    throw usage(`cannot read ${name}: ${osErrorMessage(error)}`, { cause: error });
  }
  if (size > 0) yield [endLine(Buffer.alloc(0))];
}

/** The content of chunks that may be compressed. */
async function decompressed(chunks: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isDone = false;
  while (head.length < 2 && !isDone) {
    const { value, done } = await iterator.next();
    isDone = done === true;
    if (!isDone) head = Buffer.concat([head, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) return all();
  const source = Readable.from(all());
  const unzipped = createGunzip();
  source.once('error', (error) => unzipped.destroy(error));
  return source.pipe(unzipped);
}
