import type { Readable } from 'node:stream';
import { LanyardError, osErrorMessage, usage } from '../errors.ts';
import { readChunks } from './read-chunks.ts';

const maxLineLength = 1024 * 1024;

/**
 * The lines of a file, or of standard input (`-`), as a stream, so that long lists do not need memory. They come in
 * groups of those that were read together: to wait for each line takes longer than to read it.
 *
 * @throws LanyardError usage: not readable, not UTF-8, or a line of more than 1 MiB.
 */
export async function* readLines(file: string, stdin: Readable): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const name = file === '-' ? 'standard input' : file;
  let rest = '';
  try {
    for await (const chunk of file === '-' ? stdin : readChunks(file)) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLineLength)
        throw usage(`${name} has a line of more than ${maxLineLength} characters`);
      yield lines;
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof LanyardError) throw error;
    if (error instanceof TypeError) throw usage(`${name} is not UTF-8 text`);
    throw usage(`cannot read ${name}: ${osErrorMessage(error)}`, { cause: error });
  }
  if (rest !== '') yield [rest];
}
